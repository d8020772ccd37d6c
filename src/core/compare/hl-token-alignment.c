/* SPDX-License-Identifier: MIT */
/* Two lists of tokens as one list of positions: tokens of both, of the first alone, of the second alone. */
#include "core/compare/hl-token-alignment.h"

#include "core/compare/hl-common-subsequence.h"

struct _HlTokenAlignment
{
  gatomicrefcount n_refs;
  HlAlignedToken *positions;
  gsize n;
  gsize n_common;
  /* The position of each token. */
  gsize *of_a;
  gsize *of_b;
  gsize n_a;
  gsize n_b;
};

G_DEFINE_BOXED_TYPE (HlTokenAlignment, hl_token_alignment, hl_token_alignment_ref, hl_token_alignment_unref)

/* Between two tokens of both, first what only the first text has there, then what only the second has. */
static HlTokenAlignment *
new_of_partners (const gsize *partners,
                 gsize        n_a,
                 gsize        n_b)
{
  HlTokenAlignment *self = g_new0 (HlTokenAlignment, 1);
  gsize b = 0;

  g_atomic_ref_count_init (&self->n_refs);
  self->n_a = n_a;
  self->n_b = n_b;
  self->positions = g_new (HlAlignedToken, MAX (n_a + n_b, 1));
  self->of_a = g_new (gsize, MAX (n_a, 1));
  self->of_b = g_new (gsize, MAX (n_b, 1));
  for (gsize a = 0; a < n_a; a++)
    {
      const gsize partner = partners[a];

      for (; partner != HL_TOKEN_NONE && b < partner; b++)
        {
          self->of_b[b] = self->n;
          self->positions[self->n++] = (HlAlignedToken){ HL_TOKEN_NONE, b };
        }
      self->of_a[a] = self->n;
      if (partner != HL_TOKEN_NONE)
        {
          self->n_common++;
          self->of_b[b++] = self->n;
        }
      self->positions[self->n++] = (HlAlignedToken){ a, partner };
    }
  for (; b < n_b; b++)
    {
      self->of_b[b] = self->n;
      self->positions[self->n++] = (HlAlignedToken){ HL_TOKEN_NONE, b };
    }
  return self;
}

static guint32
get_symbol (GHashTable *symbols,
            const char *token)
{
  gpointer symbol;

  if (g_hash_table_lookup_extended (symbols, token, NULL, &symbol))
    return GPOINTER_TO_UINT (symbol);
  const guint next = g_hash_table_size (symbols);
  g_hash_table_insert (symbols, (gpointer) token, GUINT_TO_POINTER (next));
  return next;
}

/**
 * hl_token_alignment_new:
 * @a: (array length=n_a): the tokens of one text
 * @n_a: how many
 * @b: (array length=n_b): the tokens of another
 * @n_b: how many
 * @cancellable: (nullable): stops it
 *
 * Pairs tokens that are spelt the same and stand in the same order, as many as can be: a longest common subsequence, as
 * hl_common_subsequence_find() finds it. Texts so long and so different that it cannot be found soon share only their
 * beginning and their end.
 *
 * Returns: (transfer full) (nullable): the alignment; the identity where both texts are the same; %NULL if it was
 *   cancelled
 */
HlTokenAlignment *
hl_token_alignment_new (const char *const *a,
                        gsize              n_a,
                        const char *const *b,
                        gsize              n_b,
                        GCancellable      *cancellable)
{
  g_return_val_if_fail (n_a < G_MAXUINT32 / 2 && n_b < G_MAXUINT32 / 2, NULL);

  g_autoptr (GHashTable) symbols = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree guint32 *symbols_a = g_new (guint32, MAX (n_a, 1));
  g_autofree guint32 *symbols_b = g_new (guint32, MAX (n_b, 1));
  g_autofree gsize *partners = g_new (gsize, MAX (n_a, 1));

  for (gsize i = 0; i < n_a; i++)
    symbols_a[i] = get_symbol (symbols, a[i]);
  for (gsize i = 0; i < n_b; i++)
    symbols_b[i] = get_symbol (symbols, b[i]);
  hl_common_subsequence_find (symbols_a, n_a, symbols_b, n_b, g_hash_table_size (symbols), partners, cancellable);
  if (g_cancellable_is_cancelled (cancellable))
    return NULL;
  return new_of_partners (partners, n_a, n_b);
}

/**
 * hl_token_alignment_new_by_index:
 * @n_a: tokens of one text
 * @n_b: tokens of another
 *
 * For texts whose tokens nobody knows: what stands at the same place is taken for the same.
 *
 * Returns: (transfer full): the alignment
 */
HlTokenAlignment *
hl_token_alignment_new_by_index (gsize n_a,
                                 gsize n_b)
{
  g_autofree gsize *partners = g_new (gsize, MAX (n_a, 1));

  for (gsize i = 0; i < n_a; i++)
    partners[i] = i < n_b ? i : HL_TOKEN_NONE;
  return new_of_partners (partners, n_a, n_b);
}

/**
 * hl_token_alignment_ref:
 * @self: an alignment
 *
 * Returns: (transfer full): the same
 */
HlTokenAlignment *
hl_token_alignment_ref (HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/**
 * hl_token_alignment_unref:
 * @self: (transfer full): an alignment
 */
void
hl_token_alignment_unref (HlTokenAlignment *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  g_free (self->positions);
  g_free (self->of_a);
  g_free (self->of_b);
  g_free (self);
}

/**
 * hl_token_alignment_get_n:
 * @self: an alignment
 *
 * Returns: how long the common list is
 */
gsize
hl_token_alignment_get_n (const HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n;
}

/**
 * hl_token_alignment_get_positions:
 * @self: an alignment
 *
 * Returns: (transfer none): the common list; of each text the indices in it ascend
 */
const HlAlignedToken *
hl_token_alignment_get_positions (const HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->positions;
}

/**
 * hl_token_alignment_get_n_common:
 * @self: an alignment
 *
 * Returns: how many positions belong to both texts
 */
gsize
hl_token_alignment_get_n_common (const HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_common;
}

/**
 * hl_token_alignment_is_identity:
 * @self: an alignment
 *
 * Returns: whether every token has its partner at the same index
 */
gboolean
hl_token_alignment_is_identity (const HlTokenAlignment *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->n_common == self->n_a && self->n_common == self->n_b;
}

/**
 * hl_token_alignment_find_a:
 * @self: an alignment
 * @a: index of a token of the first text
 *
 * Returns: its position in the common list, %HL_TOKEN_NONE if there is no such token
 */
gsize
hl_token_alignment_find_a (const HlTokenAlignment *self,
                           gsize                   a)
{
  g_return_val_if_fail (self != NULL, HL_TOKEN_NONE);

  return a < self->n_a ? self->of_a[a] : HL_TOKEN_NONE;
}

/**
 * hl_token_alignment_find_b:
 * @self: an alignment
 * @b: index of a token of the second text
 *
 * Returns: its position in the common list, %HL_TOKEN_NONE if there is no such token
 */
gsize
hl_token_alignment_find_b (const HlTokenAlignment *self,
                           gsize                   b)
{
  g_return_val_if_fail (self != NULL, HL_TOKEN_NONE);

  return b < self->n_b ? self->of_b[b] : HL_TOKEN_NONE;
}

/**
 * hl_token_alignment_a_to_b:
 * @self: an alignment
 * @a: index of a token of the first text
 *
 * Returns: its partner in the second, or %HL_TOKEN_NONE
 */
gsize
hl_token_alignment_a_to_b (const HlTokenAlignment *self,
                           gsize                   a)
{
  const gsize position = hl_token_alignment_find_a (self, a);

  return position != HL_TOKEN_NONE ? self->positions[position].b : HL_TOKEN_NONE;
}

/**
 * hl_token_alignment_b_to_a:
 * @self: an alignment
 * @b: index of a token of the second text
 *
 * Returns: its partner in the first, or %HL_TOKEN_NONE
 */
gsize
hl_token_alignment_b_to_a (const HlTokenAlignment *self,
                           gsize                   b)
{
  const gsize position = hl_token_alignment_find_b (self, b);

  return position != HL_TOKEN_NONE ? self->positions[position].a : HL_TOKEN_NONE;
}

/* SPDX-License-Identifier: MIT */
/* Texts of 32,768 tokens that differ take a tenth of a second to align. Whoever asks gets nothing then, and is told
 * when to ask again. */
#include "core/compare/hl-aligner.h"

#include "core/analysis/number/hl-head-used.h"
#include "core/base/hl-worker.h"
#include "core/document/attention/hl-attention-text.h"
#include "core/source/derive/hl-sink-source.h"

/* Tokens of both texts that take a millisecond at most, whatever they are. */
#define MAX_SHORT 4096

/* As many as a comparison needs: queries and keys as they are shown, and as the files have them, these both ways. */
#define MAX_KNOWN 6

/* Two texts, and what became of them; in the worker, all but the alignment. */
typedef struct
{
  HlAlignerText a;
  HlAlignerText b;
  HlTokenAlignment *alignment; /* %NULL while the worker is at it */
  GCancellable *cancellable;
} Pair;

struct _HlAligner
{
  GObject parent_instance;

  GPtrArray *pairs; /* (element-type Pair): those asked for last come last */
};

enum
{
  ALIGNED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlAligner, hl_aligner, G_TYPE_OBJECT)

static Pair *
pair_new (const Pair *texts)
{
  Pair *self = g_new0 (Pair, 1);

  self->a = texts->a;
  self->b = texts->b;
  hl_token_strings_ref (self->a.strings);
  hl_token_strings_ref (self->b.strings);
  return self;
}

/* Nobody waits for it any more. */
static void
pair_free (gpointer data)
{
  Pair *self = data;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  hl_token_strings_unref (self->a.strings);
  hl_token_strings_unref (self->b.strings);
  g_clear_pointer (&self->alignment, hl_token_alignment_unref);
  g_free (self);
}

static HlTokenAlignment *
align_parts (const HlAlignerText *a,
             gsize                first_a,
             gsize                end_a,
             const HlAlignerText *b,
             gsize                first_b,
             gsize                end_b,
             GCancellable        *cancellable)
{
  if (a->strings == NULL || b->strings == NULL)
    return hl_token_alignment_new_by_index (end_a - first_a, end_b - first_b);
  return hl_token_alignment_new (hl_token_strings_get (a->strings) + first_a, end_a - first_a,
                                 hl_token_strings_get (b->strings) + first_b, end_b - first_b, cancellable);
}

static gboolean
is_whole (const HlAlignerText *self)
{
  return self->first == self->n_sinks && self->end == self->n;
}

/* Whether they are taken for the same tokens, as many and not known to be others, of whose padding one side says nothing. */
static gboolean
are_same_places (const HlAlignerText *a,
                 const HlAlignerText *b)
{
  return a->n - a->n_sinks == b->n - b->n_sinks && (is_whole (a) || is_whole (b)) &&
         (a->strings == NULL || b->strings == NULL || hl_token_strings_equal (a->strings, b->strings));
}

static HlAlignerText
get_places (const HlAlignerText *text)
{
  return (HlAlignerText){ .n = text->n, .n_sinks = text->n_sinks, .first = text->n_sinks, .end = text->n };
}

/* A text belongs to a text, whatever its padding is spelt like, padding to padding and a sink to a sink. */
static HlTokenAlignment *
pair_align (const Pair   *self,
            GCancellable *cancellable)
{
  const gboolean by_place = are_same_places (&self->a, &self->b);
  const HlAlignerText of_a = by_place ? get_places (&self->a) : self->a, *a = &of_a;
  const HlAlignerText of_b = by_place ? get_places (&self->b) : self->b, *b = &of_b;
  g_autoptr (HlTokenAlignment) sinks = hl_token_alignment_new_by_index (a->n_sinks, b->n_sinks);
  g_autoptr (HlTokenAlignment) before = align_parts (a, a->n_sinks, a->first, b, b->n_sinks, b->first, cancellable);
  g_autoptr (HlTokenAlignment) text = align_parts (a, a->first, a->end, b, b->first, b->end, cancellable);
  g_autoptr (HlTokenAlignment) behind = align_parts (a, a->end, a->n, b, b->end, b->n, cancellable);
  HlTokenAlignment *const parts[] = { sinks, before, text, behind };

  if (before == NULL || text == NULL || behind == NULL)
    return NULL;
  return hl_token_alignment_new_joined (parts, G_N_ELEMENTS (parts));
}

static void
run (GTask        *task,
     gpointer      source,
     gpointer      pair,
     GCancellable *cancellable)
{
  hl_worker_give_way ();
  HlTokenAlignment *alignment = pair_align (pair, cancellable);

  if (alignment != NULL)
    g_task_return_pointer (task, alignment, (GDestroyNotify) hl_token_alignment_unref);
  else
    g_task_return_error_if_cancelled (task);
}

static void
on_aligned (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (HlAligner) self = data;
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  g_autoptr (HlTokenAlignment) alignment = g_task_propagate_pointer (G_TASK (result), NULL);

  for (guint i = 0; alignment != NULL && i < self->pairs->len; i++)
    {
      Pair *pair = g_ptr_array_index (self->pairs, i);
      if (pair->cancellable != cancellable)
        continue;
      pair->alignment = g_steal_pointer (&alignment);
      g_clear_object (&pair->cancellable);
      if (!hl_aligner_get_busy (self))
        g_signal_emit (self, signals[ALIGNED], 0);
    }
}

static void
start (HlAligner *self,
       Pair      *pair)
{
  pair->cancellable = g_cancellable_new ();
  /* The task has a pair of its own, and does not own the aligner: tasks may be finalized in the worker. */
  g_autoptr (GTask) task = g_task_new (NULL, pair->cancellable, on_aligned, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_name (task, "alignment");
  g_task_set_task_data (task, pair_new (pair), pair_free);
  g_task_run_in_thread (task, run);
}

static void
hl_aligner_finalize (GObject *object)
{
  g_ptr_array_unref (HL_ALIGNER (object)->pairs);
  G_OBJECT_CLASS (hl_aligner_parent_class)->finalize (object);
}

static void
hl_aligner_class_init (HlAlignerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_aligner_finalize;

  /**
   * HlAligner::aligned:
   * @self: an aligner
   *
   * Whoever was given nothing can ask again.
   */
  signals[ALIGNED] = g_signal_new ("aligned", HL_TYPE_ALIGNER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_aligner_init (HlAligner *self)
{
  self->pairs = g_ptr_array_new_with_free_func (pair_free);
}

/**
 * hl_aligner_new:
 *
 * Returns: (transfer full): an aligner for this thread, which runs a main loop
 */
HlAligner *
hl_aligner_new (void)
{
  return g_object_new (HL_TYPE_ALIGNER, NULL);
}

/**
 * hl_aligner_get_busy:
 * @self: an aligner
 *
 * Returns: whether a worker is at it, and #HlAligner::aligned will follow
 */
gboolean
hl_aligner_get_busy (HlAligner *self)
{
  g_return_val_if_fail (HL_IS_ALIGNER (self), FALSE);

  for (guint i = 0; i < self->pairs->len; i++)
    if (((Pair *) g_ptr_array_index (self->pairs, i))->alignment == NULL)
      return TRUE;
  return FALSE;
}

/**
 * hl_aligner_forget:
 * @self: an aligner
 *
 * Stops the worker and forgets all texts: nobody will ask for them again.
 */
void
hl_aligner_forget (HlAligner *self)
{
  g_return_if_fail (HL_IS_ALIGNER (self));

  g_ptr_array_set_size (self->pairs, 0);
}

static gboolean
is_same (const HlAlignerText *a,
         const HlAlignerText *b)
{
  return a->n_sinks == b->n_sinks && a->first == b->first && a->end == b->end && a->n == b->n &&
         hl_token_strings_equal (a->strings, b->strings);
}

/* The same texts, whoever keeps them, moved to the end. */
static Pair *
find (HlAligner  *self,
      const Pair *wanted)
{
  for (guint i = 0; i < self->pairs->len; i++)
    {
      const Pair *pair = g_ptr_array_index (self->pairs, i);
      if (!is_same (&pair->a, &wanted->a) || !is_same (&pair->b, &wanted->b))
        continue;
      Pair *found = g_ptr_array_steal_index (self->pairs, i);
      g_ptr_array_add (self->pairs, found);
      return found;
    }
  return NULL;
}

/**
 * hl_aligner_align:
 * @self: (nullable): an aligner; %NULL to wait as long as it takes
 * @a: a text
 * @b: another
 *
 * Aligns as hl_token_alignment_new() does, or by place where the tokens of one are not known: what is between padding, and
 * each the padding before it and that behind it. Where only one has padding, and both as many tokens, the same or not known,
 * all is aligned by place: nobody said what is padding of the other. A pair that others have been asked for since is forgotten
 * after a while, done or not.
 *
 * Returns: (transfer full) (nullable): the alignment; %NULL while a worker makes it, then ask again after
 *   #HlAligner::aligned
 */
HlTokenAlignment *
hl_aligner_align (HlAligner           *self,
                  const HlAlignerText *a,
                  const HlAlignerText *b)
{
  const Pair wanted = { .a = *a, .b = *b };

  g_return_val_if_fail (self == NULL || HL_IS_ALIGNER (self), NULL);
  g_return_val_if_fail (a->n_sinks <= a->first && a->first <= a->end && a->end <= a->n, NULL);
  g_return_val_if_fail (b->n_sinks <= b->first && b->first <= b->end && b->end <= b->n, NULL);

  if (a->strings != NULL && a->strings == b->strings && is_same (a, b))
    return hl_token_alignment_new_by_index (a->n, b->n);
  if (self == NULL || a->strings == NULL || b->strings == NULL || a->n + b->n <= MAX_SHORT)
    return pair_align (&wanted, NULL);
  Pair *pair = find (self, &wanted);
  if (pair == NULL)
    {
      pair = pair_new (&wanted);
      if (self->pairs->len == MAX_KNOWN)
        g_ptr_array_remove_index (self->pairs, 0);
      g_ptr_array_add (self->pairs, pair);
      start (self, pair);
    }
  return pair->alignment != NULL ? hl_token_alignment_ref (pair->alignment) : NULL;
}

/**
 * hl_aligner_get_text:
 * @attention: an attention
 * @source: its weights, or what is made of them
 * @side: queries or keys
 *
 * Returns: all its tokens, which stay those of @attention; padding is what hl_attention_get_n_used() and hl_head_used_find() say
 */
HlAlignerText
hl_aligner_get_text (HlAttention       *attention,
                     HlAttentionSource *source,
                     HlSide             side)
{
  const HlHeadUsed used = hl_head_used_find (attention, source);
  const gsize n_used = hl_attention_get_n_used (attention, side);
  const gsize n_sinks = hl_sink_is_at (attention, side, 0);
  const gsize first = CLAMP (used.first[side], n_sinks, n_used);

  return (HlAlignerText){
    .strings = hl_attention_has_tokens (attention, side) ? hl_attention_get_strings (attention, side) : NULL,
    .n = hl_attention_get_n (attention, side),
    .n_sinks = n_sinks,
    .first = first,
    .end = CLAMP (used.end[side], first, n_used),
  };
}

/* What tells tokens that nobody spelt: where they stand in their text, and how many of them are put together. Padding and what is
 * no token, which are parts by themselves, have nothing to be told by. */
static HlTokenStrings *
spell_places (HlAttention         *attention,
              HlSide               side,
              const HlAlignerText *text,
              gsize                begin)
{
  const gsize n = hl_attention_get_n (attention, side);
  HlTokenMap *map = hl_attention_get_map (attention, side);
  g_autoptr (HlTokenMap) spans = map != NULL ? hl_token_map_ref (map) : hl_token_map_new_each (n);
  char **strings = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      const HlTokenSpan span = hl_token_map_get_spans (spans)[i];
      const gint64 place = (gint64) span.first - (gint64) begin;

      strings[i] = i >= text->first && i < text->end ? g_strdup_printf ("%" G_GINT64_FORMAT "+%zu", place, span.n)
                                                     : g_strdup ("");
    }
  return hl_token_strings_new (strings);
}

/**
 * hl_aligner_align_side:
 * @self: (nullable): an aligner; %NULL to wait as long as it takes
 * @side: queries or keys
 * @a: an attention
 * @source_a: its weights, or what is made of them
 * @b: another
 * @source_b: likewise
 *
 * Aligns tokens that are not padding by their spelling, see hl_aligner_align(), or, where the tokens of one are not known, by their
 * places in the text, whatever was left out or put together.
 *
 * Returns: (transfer full) (nullable): the alignment; %NULL while a worker makes it
 */
HlTokenAlignment *
hl_aligner_align_side (HlAligner         *self,
                       HlSide             side,
                       HlAttention       *a,
                       HlAttentionSource *source_a,
                       HlAttention       *b,
                       HlAttentionSource *source_b)
{
  g_return_val_if_fail (HL_IS_ATTENTION (a) && HL_IS_ATTENTION (b), NULL);

  HlAlignerText text_a = hl_aligner_get_text (a, source_a, side), text_b = hl_aligner_get_text (b, source_b, side);
  text_a.n = hl_attention_get_n_used (a, side);
  text_b.n = hl_attention_get_n_used (b, side);
  if ((text_a.strings != NULL && text_b.strings != NULL) ||
      (hl_attention_get_map (a, side) == NULL && hl_attention_get_map (b, side) == NULL))
    return hl_aligner_align (self, &text_a, &text_b);

  const gsize n_a = hl_attention_count_tokens (a, side), n_b = hl_attention_count_tokens (b, side);
  HlTokenSpan used_a = hl_head_used_find_tokens (a, source_a, side);
  HlTokenSpan used_b = hl_head_used_find_tokens (b, source_b, side);
  /* As are_same_places() takes texts of which nothing is left out. */
  if (n_a == n_b && (used_a.n == n_a || used_b.n == n_b))
    {
      text_a = get_places (&text_a);
      text_b = get_places (&text_b);
      used_a.first = used_b.first = 0;
    }
  g_autoptr (HlTokenStrings) places_a = spell_places (a, side, &text_a, used_a.first);
  g_autoptr (HlTokenStrings) places_b = spell_places (b, side, &text_b, used_b.first);
  text_a.strings = places_a;
  text_b.strings = places_b;
  return hl_aligner_align (self, &text_a, &text_b);
}

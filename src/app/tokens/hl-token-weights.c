/* SPDX-License-Identifier: MIT */
/*
 * What one token attends to, or what attends to it; of several that were gathered, the mean or the sum. The question is taken from the view state on the main thread; the
 * answer, strongest first, is read on any thread, and after that nothing changes any more. While two sides are compared
 * each answers its own question: side by side the list is made of both, in a difference both are told besides. Tokens
 * are then those of both sides, as the comparison aligns them.
 */
#include "app/tokens/hl-token-weights.h"

#include "core/document/attention/hl-attention-text.h"

#include <math.h>
#include <string.h>

struct _HlTokenWeights
{
  GObject parent_instance;

  /* The question. */
  HlAttention *attention;
  HlAttentionSource *source;
  HlAttentionSource *shown_source;
  guint layer;
  gboolean is_in_layer; /* a layer stands beside the other, and it is of one of them */
  HlShownHead *heads;
  guint n_heads;
  char *head_name;
  HlSide side;
  gsize subject;
  HlTokenSet *gathered; /* of which the subject is one; NULL where it stands alone */
  HlRange listed;
  gsize sentence_b; /* where the second text begins; 0 where there is one */
  /* While two sides are compared, what each of them answers by itself; either may have nothing in focus. */
  HlComparison *comparison;
  HlTokenWeights *sides[2];

  /* The answer. */
  HlTokenWeight *rows;
  guint n_rows;
  guint *in_text; /* which row each is, in the order of the text */
  float *parts;
  double sum;
  double side_max;
  double least_whole; /* of the picture, which bars go by as lines do */
};

G_DEFINE_FINAL_TYPE (HlTokenWeights, hl_token_weights, G_TYPE_OBJECT)

static void
hl_token_weights_finalize (GObject *object)
{
  HlTokenWeights *self = HL_TOKEN_WEIGHTS (object);

  g_clear_object (&self->attention);
  g_clear_object (&self->comparison);
  g_clear_object (&self->sides[0]);
  g_clear_object (&self->sides[1]);
  g_clear_object (&self->source);
  g_clear_object (&self->shown_source);
  g_clear_pointer (&self->gathered, hl_token_set_unref);
  g_free (self->heads);
  g_free (self->head_name);
  g_free (self->rows);
  g_free (self->in_text);
  g_free (self->parts);
  G_OBJECT_CLASS (hl_token_weights_parent_class)->finalize (object);
}

static void
hl_token_weights_class_init (HlTokenWeightsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_token_weights_finalize;
}

static void
hl_token_weights_init (HlTokenWeights *self)
{
}

/* Most views show one head, whatever was chosen there. */
static void
take_heads (HlTokenWeights *self,
            HlViewState    *state)
{
  const HlShown *shown = hl_view_state_get_shown (state);

  if (hl_view_kind_get_traits (shown->options.view)->mixes_layers)
    self->heads = hl_shown_list_heads (shown, &self->n_heads);
  else if (!shown->shows_one_head)
    self->heads = hl_shown_list_heads_of_layer (shown, self->layer, &self->n_heads);
  else
    {
      self->heads = g_new (HlShownHead, 1);
      self->heads[self->n_heads++] = (HlShownHead){ self->layer, shown->head, shown->head };
    }
}

/* Without a second side. */
static HlTokenWeights *
new_alone (HlViewState *state)
{
  const HlFocus *in_focus = hl_view_state_get_in_focus (state);
  const HlPick *focus = &in_focus->pick;
  if (focus->kind == HL_PICK_NONE)
    return NULL;

  g_autoptr (HlTokenWeights) self = g_object_new (HL_TYPE_TOKEN_WEIGHTS, NULL);
  const HlShown *shown = hl_view_state_get_shown (state);
  const gboolean shows_all_layers = hl_view_kind_get_traits (shown->options.view)->shows_all_layers;
  self->layer = shows_all_layers ? focus->layer : shown->layer;
  take_heads (self, state);
  if (self->n_heads == 0)
    return NULL;
  self->head_name = self->heads[0].layer == self->layer && !shows_all_layers
                      ? hl_shown_dup_head_name (shown, self->heads[0].head)
                      : hl_shown_dup_map_name (shown, self->heads[0].layer, self->heads[0].head);
  self->is_in_layer = shows_all_layers && !shown->merges_layers;
  self->attention = g_object_ref (hl_view_state_get_shown (state)->attention);
  self->source = g_object_ref (hl_view_state_get_shown (state)->source);
  self->shown_source = g_object_ref (hl_view_state_get_shown (state)->filtered);
  self->least_whole = hl_shown_get_least_whole (hl_view_state_get_shown (state));
  self->side = hl_side_get_other (hl_pick_get_side (focus));
  self->subject = focus->tokens[hl_pick_get_side (focus)];
  self->gathered = hl_token_set_ref (in_focus->gathered);
  self->listed = hl_view_state_get_shown (state)->ranges[self->side];
  self->sentence_b =
    hl_attention_find_second_text (shown->original, hl_token_weights_lists_keys (self) ? HL_KEYS : HL_QUERIES);
  return g_steal_pointer (&self);
}

static gsize
get_token (const HlAlignedToken *token,
           guint                 which)
{
  return which == 0 ? token->a : token->b;
}

static gboolean
has_head (HlTokenWeights *self,
          guint           head)
{
  for (guint i = 0; i < self->n_heads; i++)
    if (self->heads[i].head == head)
      return TRUE;
  return FALSE;
}

/* What it is about, in its attention. */
static HlFocus
get_subjects (HlTokenWeights *self)
{
  return (HlFocus){ hl_pick_of (hl_side_get_other (self->side), self->subject), self->gathered };
}

typedef struct
{
  const HlTokenAlignment *alignment;
  guint which;
} Side;

static HlPick
find_on_side (const HlPick *common,
              gconstpointer data)
{
  const Side *of = data;
  const HlSide side = hl_pick_get_side (common);
  const gsize token = get_token (&hl_token_alignment_get_positions (of->alignment)[common->tokens[side]], of->which);

  return token != HL_TOKEN_NONE ? hl_pick_of (side, token) : (HlPick){ HL_PICK_NONE };
}

static HlPick
find_common (const HlPick *pick,
             gconstpointer data)
{
  const Side *of = data;
  const HlSide side = hl_pick_get_side (pick);
  const gsize token = of->which == 0 ? hl_token_alignment_find_a (of->alignment, pick->tokens[side])
                                     : hl_token_alignment_find_b (of->alignment, pick->tokens[side]);

  return token != HL_TOKEN_NONE ? hl_pick_of (side, token) : (HlPick){ HL_PICK_NONE };
}

/* What the difference is of, on one side; nothing where that side does not have the token. */
static HlTokenWeights *
new_of_side (HlTokenWeights *difference,
             guint           which)
{
  HlComparison *comparison = difference->comparison;
  const HlTokenAlignment *alignment = hl_comparison_get_alignment (comparison, hl_side_get_other (difference->side));
  const HlFocus subjects = get_subjects (difference);
  g_auto (HlFocus) found = hl_focus_map (&subjects, find_on_side, &(Side){ alignment, which });

  if (found.pick.kind == HL_PICK_NONE)
    return NULL;
  g_autoptr (HlTokenWeights) self = g_object_new (HL_TYPE_TOKEN_WEIGHTS, NULL);
  self->heads = g_new (HlShownHead, difference->n_heads);
  for (guint i = 0; i < difference->n_heads; i++)
    {
      guint layer = difference->layer, head = difference->heads[i].head;
      /* What has no partner is still a head of the first side. */
      if (which == 1 && !hl_comparison_has_partner (comparison, layer, head))
        continue;
      if (which == 1)
        hl_comparison_get_partner (comparison, difference->layer, difference->heads[i].head, &layer, &head);
      self->layer = layer;
      if (!has_head (self, head))
        self->heads[self->n_heads++] = (HlShownHead){ layer, head, head };
    }
  if (self->n_heads == 0)
    return NULL;
  self->attention =
    g_object_ref (which == 0 ? hl_comparison_get_attention_a (comparison) : hl_comparison_get_attention_b (comparison));
  self->source =
    g_object_ref (which == 0 ? hl_comparison_get_source_a (comparison) : hl_comparison_get_source_b (comparison));
  self->shown_source = g_object_ref (self->source);
  self->side = difference->side;
  self->subject = found.pick.tokens[hl_pick_get_side (&found.pick)];
  self->gathered = g_steal_pointer (&found.gathered);
  self->listed.n = hl_attention_source_get_n (self->source, self->side);
  return g_steal_pointer (&self);
}

/* Where what is in focus on one side stands among the tokens of both. */
static HlFocus
find_subjects (HlComparison   *comparison,
               HlTokenWeights *answer,
               guint           which)
{
  const HlTokenAlignment *alignment = hl_comparison_get_alignment (comparison, hl_side_get_other (answer->side));
  const HlFocus subjects = get_subjects (answer);

  return hl_focus_map (&subjects, find_common, &(Side){ alignment, which });
}

/* Whether both sides are asked about the same; several tokens may be fewer on one of them. */
static gboolean
is_about_same (HlComparison   *comparison,
               HlTokenWeights *b,
               const HlFocus  *subjects)
{
  g_auto (HlFocus) own = find_subjects (comparison, b, 1);

  if (own.gathered == NULL && subjects->gathered == NULL)
    return hl_pick_equal (&own.pick, &subjects->pick);
  return own.pick.kind == subjects->pick.kind;
}

/* Two pictures: what is in focus in each, or in one of them where the other does not have it. */
static HlTokenWeights *
new_of_both (HlTokenWeights *a,
             HlTokenWeights *b,
             HlViewState    *state)
{
  HlTokenWeights *first = a != NULL ? a : b;
  HlComparison *comparison = hl_view_state_get_shown_comparison (state);
  g_auto (HlFocus) subjects = { { HL_PICK_NONE }, NULL };

  if (comparison != NULL)
    subjects = find_subjects (comparison, first, a == NULL);
  /* Padding is not aligned, and long texts not yet. */
  if (subjects.pick.kind == HL_PICK_NONE)
    return a != NULL ? g_object_ref (a) : NULL;
  HlTokenWeights *self = g_object_new (HL_TYPE_TOKEN_WEIGHTS, NULL);
  self->comparison = g_object_ref (comparison);
  self->attention = g_object_ref (hl_comparison_get_attention (comparison));
  self->side = first->side;
  self->layer = first->layer;
  self->heads = g_memdup2 (first->heads, first->n_heads * sizeof *first->heads);
  self->n_heads = first->n_heads;
  self->head_name = g_strdup (first->head_name);
  self->is_in_layer = first->is_in_layer;
  self->subject = subjects.pick.tokens[hl_pick_get_side (&subjects.pick)];
  if (a != NULL && b != NULL && !is_about_same (self->comparison, b, &subjects))
    b = NULL;
  self->gathered = g_steal_pointer (&subjects.gathered);
  g_set_object (&self->sides[0], a);
  g_set_object (&self->sides[1], b);
  return self;
}

/* What is asked of one side becomes what is asked of both, if there are two. */
static HlTokenWeights *
join_sides (HlTokenWeights *self,
            HlViewState    *state)
{
  HlViewState *beside = hl_view_state_get_beside (state);
  g_autoptr (HlTokenWeights) own = self;

  if (own != NULL && hl_view_state_get_shown (state)->comparison != NULL)
    {
      own->comparison = g_object_ref (hl_view_state_get_shown (state)->comparison);
      for (guint i = 0; i < G_N_ELEMENTS (own->sides); i++)
        own->sides[i] = new_of_side (own, i);
      return g_steal_pointer (&own);
    }
  g_autoptr (HlTokenWeights) other = beside != NULL ? new_alone (beside) : NULL;
  if (beside == NULL || (own == NULL && other == NULL))
    return g_steal_pointer (&own);
  return new_of_both (own, other, state);
}

static gboolean
have_same_sides (HlTokenWeights *self,
                 HlTokenWeights *other)
{
  if (self->comparison != other->comparison)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    if ((self->sides[i] == NULL) != (other->sides[i] == NULL) ||
        (self->sides[i] != NULL && !hl_token_weights_is_same_question (self->sides[i], other->sides[i])))
      return FALSE;
  return TRUE;
}

/* Takes the question from what is in focus: the keys of a query, also with a cell in focus; the queries of a key. While
 * two sides are compared it is that of both, and tokens are those of both. */
HlTokenWeights *
hl_token_weights_new (HlViewState *state)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), NULL);

  return join_sides (new_alone (state), state);
}

gboolean
hl_token_weights_is_same_question (HlTokenWeights *self,
                                   HlTokenWeights *other)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (other), FALSE);

  return have_same_sides (self, other) && self->source == other->source && self->shown_source == other->shown_source &&
         self->layer == other->layer && self->is_in_layer == other->is_in_layer && self->side == other->side &&
         self->subject == other->subject && hl_token_set_equal (self->gathered, other->gathered) &&
         self->listed.first == other->listed.first && self->listed.n == other->listed.n &&
         self->n_heads == other->n_heads &&
         memcmp (self->heads, other->heads, self->n_heads * sizeof *self->heads) == 0;
}

/* The rows of a side by their tokens, in place of by their weights. */
static const HlTokenWeight **
index_rows (HlTokenWeights *side,
            gsize           n_aligned)
{
  const gsize n = side != NULL ? hl_attention_source_get_n (side->source, side->side) : 0;
  const HlTokenWeight **rows = g_new0 (const HlTokenWeight *, MAX (MAX (n, n_aligned), 1));

  for (guint i = 0; side != NULL && i < side->n_rows; i++)
    rows[side->rows[i].index] = &side->rows[i];
  return rows;
}

static gboolean
is_stronger (float a,
             float b)
{
  return !isnan (a) && (isnan (b) || fabsf (a) > fabsf (b));
}

/* A token that is listed on either side, or on both. */
static HlTokenWeight
make_row (gsize                index,
          const HlTokenWeight *a,
          const HlTokenWeight *b)
{
  const HlTokenWeight *const sides[] = { a, b };
  HlTokenWeight row = { .index = index, .mean = NAN, .is_masked = TRUE, .is_filtered = TRUE, .sides = { NAN, NAN } };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      if (sides[i] == NULL)
        continue;
      row.is_masked &= sides[i]->is_masked;
      row.is_filtered &= sides[i]->is_filtered;
      if (sides[i]->is_masked)
        continue;
      row.sides[i] = sides[i]->mean;
      if (is_stronger (row.sides[i], row.mean))
        row.mean = row.sides[i];
    }
  return row;
}

/* Strongest first, whatever the sign; then what is not a number, then what is masked; equals in the order of the
 * text. */
static int
compare_rows (gconstpointer a,
              gconstpointer b)
{
  const HlTokenWeight *x = a;
  const HlTokenWeight *y = b;

  if (x->is_masked != y->is_masked)
    return x->is_masked - y->is_masked;
  if (is_stronger (x->mean, y->mean) || is_stronger (y->mean, x->mean))
    return is_stronger (x->mean, y->mean) ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static void
list_both (HlTokenWeights         *self,
           const HlTokenAlignment *alignment,
           const HlTokenWeight   **of_a,
           const HlTokenWeight   **of_b)
{
  const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);

  self->rows = g_new (HlTokenWeight, MAX (hl_token_alignment_get_n (alignment), 1));
  for (gsize i = 0; i < hl_token_alignment_get_n (alignment); i++)
    {
      const HlTokenWeight *a = positions[i].a != HL_TOKEN_NONE ? of_a[positions[i].a] : NULL;
      const HlTokenWeight *b = positions[i].b != HL_TOKEN_NONE ? of_b[positions[i].b] : NULL;
      if (a != NULL || b != NULL)
        self->rows[self->n_rows++] = make_row (i, a, b);
    }
  qsort (self->rows, self->n_rows, sizeof *self->rows, compare_rows);
}

static void
annotate (HlTokenWeights         *self,
          const HlTokenAlignment *alignment,
          const HlTokenWeight   **of_a,
          const HlTokenWeight   **of_b)
{
  const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);

  for (guint i = 0; i < self->n_rows; i++)
    {
      const HlAlignedToken *token = &positions[self->rows[i].index];
      const HlTokenWeight both = make_row (self->rows[i].index, token->a != HL_TOKEN_NONE ? of_a[token->a] : NULL,
                                           token->b != HL_TOKEN_NONE ? of_b[token->b] : NULL);
      memcpy (self->rows[i].sides, both.sides, sizeof both.sides);
    }
}

/* Reads what both sides answer; in a difference, after that itself was read. */
static gboolean
read_sides (HlTokenWeights *self,
            GCancellable   *cancellable,
            GError        **error)
{
  const HlTokenAlignment *alignment = hl_comparison_get_alignment (self->comparison, self->side);
  const gsize n = hl_token_alignment_get_n (alignment);

  for (guint i = 0; i < G_N_ELEMENTS (self->sides); i++)
    if (self->sides[i] != NULL && !hl_token_weights_read (self->sides[i], cancellable, error))
      return FALSE;
  g_autofree const HlTokenWeight **of_a = index_rows (self->sides[0], n);
  g_autofree const HlTokenWeight **of_b = index_rows (self->sides[1], n);
  (self->source == NULL ? list_both : annotate) (self, alignment, of_a, of_b);
  for (guint i = 0; i < self->n_rows; i++)
    for (guint j = 0; j < G_N_ELEMENTS (self->sides); j++)
      if (isfinite (self->rows[i].sides[j]))
        self->side_max = MAX (self->side_max, fabsf (self->rows[i].sides[j]));
  return TRUE;
}

typedef struct
{
  HlTokenWeights *weights;
  HlAttentionSource *source;
  const HlShownHead *head;
  gsize n;
  GCancellable *cancellable;
  GError **error;
} Reading;

/* All weights of a token in one head: its row, or its column. */
static gboolean
read_token (gsize    token,
            float   *target,
            gpointer data)
{
  const Reading *self = data;
  const gboolean is_row = self->weights->side == HL_KEYS;
  const HlAttentionRequest request = {
    .layer = self->head->layer,
    .head = self->head->head,
    .first_query = is_row ? token : 0,
    .n_queries = is_row ? 1 : self->n,
    .first_key = is_row ? 0 : token,
    .n_keys = is_row ? self->n : 1,
    .n_rows = is_row ? 1 : self->n,
    .n_columns = is_row ? self->n : 1,
    .pooling = HL_POOLING_MAX,
    .marks_masked = TRUE,
  };

  return hl_attention_source_read (self->source, &request, target, self->cancellable, self->error);
}

/* Of all that it is about. */
static gboolean
read_head (HlTokenWeights    *self,
           HlAttentionSource *source,
           const HlShownHead *head,
           gsize              n,
           float             *target,
           GCancellable      *cancellable,
           GError           **error)
{
  const HlFocus subjects = get_subjects (self);
  Reading reading = { self, source, head, n, cancellable, error };

  return hl_focus_combine (&subjects, self->attention, n, read_token, &reading, target);
}

/* The parts, as read in the order of the text, in the order of the rows. */
static void
order_parts (HlTokenWeights *self,
             const float    *parts)
{
  self->parts = g_new (float, (gsize) self->n_rows * self->n_heads);
  for (guint i = 0; i < self->n_rows; i++)
    memcpy (self->parts + (gsize) i * self->n_heads, parts + self->rows[i].index * self->n_heads,
            self->n_heads * sizeof (float));
}

/* Whether no head can see it; each goes by the rule of its layer. */
static gboolean
is_cell_masked (HlTokenWeights *self,
                gsize           query,
                gsize           key)
{
  const gsize n_queries = hl_attention_source_get_n (self->source, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (self->source, HL_KEYS);

  for (guint i = 0; i < self->n_heads; i++)
    if ((i == 0 || self->heads[i].layer != self->heads[i - 1].layer) &&
        hl_mask_is_visible (hl_attention_source_get_mask (self->source, self->heads[i].layer), n_queries, n_keys, query,
                            key))
      return FALSE;
  return TRUE;
}

/* Whether none of those that it is about sees a listed token, or is seen by it. */
static gboolean
is_masked (HlTokenWeights *self,
           const gsize    *tokens,
           gsize           n_tokens,
           gsize           listed)
{
  const gboolean is_row = self->side == HL_KEYS;

  for (gsize t = 0; t < n_tokens; t++)
    if (!is_cell_masked (self, is_row ? tokens[t] : listed, is_row ? listed : tokens[t]))
      return FALSE;
  return TRUE;
}

/* What the first question asks, or the only one. */
static gboolean
read_own (HlTokenWeights *self,
          GCancellable   *cancellable,
          GError        **error)
{
  const HlFocus subjects = get_subjects (self);
  const gsize n = hl_attention_source_get_n (self->source, self->side);
  const gboolean keep_parts = self->n_heads <= HL_TOKEN_WEIGHTS_MAX_PARTS;
  const gboolean is_filtered = self->shown_source != self->source;
  g_autofree float *weights = g_new (float, n);
  g_autofree double *sums = g_new0 (double, n);
  g_autofree float *parts = keep_parts ? g_new (float, n * self->n_heads) : NULL;
  g_autofree gboolean *is_shown = g_new0 (gboolean, n);
  g_autofree guint *n_masked = g_new0 (guint, n); /* heads in which single cells are */
  gsize n_tokens;
  g_autofree gsize *tokens = hl_focus_list_tokens (&subjects, hl_side_get_other (self->side), &n_tokens);
  double total = 0;

  for (guint h = 0; h < self->n_heads; h++)
    {
      if (!read_head (self, self->source, &self->heads[h], n, weights, cancellable, error))
        return FALSE;
      const HlMask *mask = hl_attention_source_get_mask (self->source, self->heads[h].layer);
      for (gsize i = 0; i < n; i++)
        {
          n_masked[i] += hl_weight_is_masked (mask, weights[i]);
          weights[i] += 0.0f;
          sums[i] += weights[i];
          total += weights[i];
          if (keep_parts)
            parts[i * self->n_heads + h] = weights[i];
        }
      if (!is_filtered)
        continue;
      if (!read_head (self, self->shown_source, &self->heads[h], n, weights, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        is_shown[i] |= weights[i] != 0;
    }

  g_assert (self->listed.first + self->listed.n <= n);
  self->n_rows = (guint) self->listed.n;
  self->rows = g_new (HlTokenWeight, self->listed.n);
  for (gsize i = 0; i < self->listed.n; i++)
    {
      const gsize index = self->listed.first + i;
      self->rows[i] = (HlTokenWeight){
        .index = index,
        .mean = (float) (sums[index] / self->n_heads),
        .is_masked = n_masked[index] == self->n_heads || is_masked (self, tokens, n_tokens, index),
        .is_filtered = is_filtered && !is_shown[index],
      };
    }
  qsort (self->rows, self->n_rows, sizeof *self->rows, compare_rows);
  if (keep_parts)
    order_parts (self, parts);
  self->sum = total / self->n_heads;
  return TRUE;
}

static int
compare_places (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  const HlTokenWeight *rows = data;
  const gsize x = rows[*(const guint *) a].index, y = rows[*(const guint *) b].index;

  return (x > y) - (x < y);
}

static void
order_in_text (HlTokenWeights *self)
{
  self->in_text = g_new (guint, MAX (self->n_rows, 1));
  for (guint i = 0; i < self->n_rows; i++)
    self->in_text[i] = i;
  g_qsort_with_data (self->in_text, (int) self->n_rows, sizeof *self->in_text, compare_places, self->rows);
}

/* Once, on any thread. */
gboolean
hl_token_weights_read (HlTokenWeights *self,
                       GCancellable   *cancellable,
                       GError        **error)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);
  g_return_val_if_fail (self->rows == NULL, FALSE);

  if ((self->source != NULL && !read_own (self, cancellable, error)) ||
      (self->comparison != NULL && !read_sides (self, cancellable, error)))
    return FALSE;
  order_in_text (self);
  return TRUE;
}

guint
hl_token_weights_get_n_rows (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->n_rows;
}

const HlTokenWeight *
hl_token_weights_get_row (HlTokenWeights *self,
                          guint           position)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);
  g_return_val_if_fail (position < self->n_rows, NULL);

  return &self->rows[position];
}

/* Which row, strongest first, is the so manieth in the order of the text. */
guint
hl_token_weights_get_nth_in_text (HlTokenWeights *self,
                                  guint           nth)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);
  g_return_val_if_fail (nth < self->n_rows, 0);

  return self->in_text[nth];
}

/* In each of the heads; NULL with more than HL_TOKEN_WEIGHTS_MAX_PARTS heads. */
const float *
hl_token_weights_get_parts (HlTokenWeights *self,
                            guint           position)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);
  g_return_val_if_fail (position < self->n_rows, NULL);

  return self->parts != NULL ? self->parts + (gsize) position * self->n_heads : NULL;
}

gboolean
hl_token_weights_find (HlTokenWeights *self,
                       gsize           index,
                       guint          *position)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  for (guint i = 0; i < self->n_rows; i++)
    if (self->rows[i].index == index)
      {
        *position = i;
        return TRUE;
      }
  return FALSE;
}

/* Of all weights of the subject, also of those not listed; 1 for the keys of a query unless something is odd about the
 * file. */
double
hl_token_weights_get_sum (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->sum;
}

/* What a bar of full length stands for: the strongest in the list without its sign, unless that is next to nothing; 0 when there is none. */
double
hl_token_weights_get_whole (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  if (self->n_rows == 0 || self->rows[0].is_masked || !isfinite (self->rows[0].mean))
    return 0;
  return MAX (fabsf (self->rows[0].mean), self->least_whole);
}

HlSide
hl_token_weights_get_side (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), HL_KEYS);

  return self->side;
}

gsize
hl_token_weights_get_subject (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->subject;
}

/* "mean of 3 queries: time, flies, like"; NULL where it is about one token. */
char *
hl_token_weights_describe_gathered (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);

  const HlFocus subjects = get_subjects (self);
  return hl_focus_describe (&subjects, self->attention);
}

HlAttention *
hl_token_weights_get_attention (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);

  return self->attention;
}

guint
hl_token_weights_get_n_heads (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->n_heads;
}

const HlShownHead *
hl_token_weights_get_head (HlTokenWeights *self,
                           guint           nth)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);
  g_return_val_if_fail (nth < self->n_heads, NULL);

  return &self->heads[nth];
}

const char *
hl_token_weights_get_head_name (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);

  return self->head_name;
}

/* Whether the picture has a layer beside the other, and what is told is of one of them. */
gboolean
hl_token_weights_is_in_layer (HlTokenWeights *self,
                              guint          *layer)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  *layer = self->layer;
  return self->is_in_layer;
}

gboolean
hl_token_weights_is_signed (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  HlAttentionSource *source = self->source != NULL ? self->source : self->sides[self->sides[0] == NULL]->source;
  return hl_attention_source_is_signed (source);
}

/* Tokens on the side of keys stand for keys, unless rows and columns changed over. */
gboolean
hl_token_weights_lists_keys (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  return (self->side == HL_KEYS) != hl_attention_is_transposed (self->attention);
}

/* The position of the first token of the second text; 0 where there is one. */
gsize
hl_token_weights_get_sentence_b (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->sentence_b;
}

gboolean
hl_token_weights_has_sides (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  return self->comparison != NULL;
}

/* Whether its weights are those of one side minus those of the other. */
gboolean
hl_token_weights_is_difference (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  return self->comparison != NULL && self->source != NULL;
}

/* What that side answers by itself; NULL where it does not have the token. */
HlTokenWeights *
hl_token_weights_get_answer (HlTokenWeights *self,
                             guint           which)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), NULL);
  g_return_val_if_fail (which < G_N_ELEMENTS (self->sides), NULL);

  return self->sides[which];
}

/* Likewise of the bars of both sides. */
double
hl_token_weights_get_side_whole (HlTokenWeights *self)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), 0);

  return self->side_max > 0 ? MAX (self->side_max, self->least_whole) : 0;
}

/* Of one side alone, and of a difference, tokens are counted as in the picture. */
static gboolean
is_common (HlTokenWeights *self)
{
  return self->comparison != NULL && self->source == NULL;
}

/* Where a token of the picture that the question was taken from stands in the attention of the answer, if it does. */
gboolean
hl_token_weights_to_common (HlTokenWeights *self,
                            HlSide          side,
                            gsize           index,
                            gsize          *common)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);

  *common = is_common (self) ? hl_token_alignment_find_a (hl_comparison_get_alignment (self->comparison, side), index)
                             : index;
  return *common != HL_TOKEN_NONE;
}

/* The token in the picture that the question was taken from; it may be in the other one only. */
static gboolean
from_common (HlTokenWeights *self,
             HlSide          side,
             gsize           common,
             gsize          *index)
{
  *index = is_common (self)
             ? hl_token_alignment_get_positions (hl_comparison_get_alignment (self->comparison, side))[common].a
             : common;
  return *index != HL_TOKEN_NONE;
}

/* Where a listed token is in the answer of one side, if that has it. */
gboolean
hl_token_weights_to_side (HlTokenWeights *self,
                          guint           which,
                          gsize           index,
                          gsize          *own)
{
  g_return_val_if_fail (HL_IS_TOKEN_WEIGHTS (self), FALSE);
  g_return_val_if_fail (self->comparison != NULL, FALSE);

  const HlTokenAlignment *alignment = hl_comparison_get_alignment (self->comparison, self->side);
  *own = get_token (&hl_token_alignment_get_positions (alignment)[index], which);
  return *own != HL_TOKEN_NONE;
}

/* The token of the listed side that stands out: that of a cell of the token it is about, or one pointed at by
 * itself. */
gboolean
hl_token_weights_find_marked (HlTokenWeights *self,
                              const HlPick   *pick,
                              gsize          *marked)
{
  const HlSide other = hl_side_get_other (self->side);
  gsize subject;

  if (pick->kind == HL_PICK_CELL &&
      !(hl_token_weights_to_common (self, other, pick->tokens[other], &subject) && subject == self->subject))
    return FALSE;
  if (!hl_pick_has (pick, self->side))
    return FALSE;
  return hl_token_weights_to_common (self, self->side, pick->tokens[self->side], marked);
}

/* In the picture that the question was taken from, if that has both; one may be in the picture of the other side
 * only. Beside several tokens a row is no pair, but a token. */
gboolean
hl_token_weights_get_pair (HlTokenWeights      *self,
                           const HlTokenWeight *row,
                           HlPick              *pair)
{
  const HlSide other = hl_side_get_other (self->side);

  *pair = (HlPick){ self->gathered == NULL ? HL_PICK_CELL : hl_pick_kind_of (self->side) };
  if (self->is_in_layer && hl_pick_has (pair, HL_QUERIES))
    pair->layer = self->layer;
  if (self->gathered != NULL)
    return from_common (self, self->side, row->index, &pair->tokens[self->side]);
  return from_common (self, other, self->subject, &pair->tokens[other]) &&
         from_common (self, self->side, row->index, &pair->tokens[self->side]);
}

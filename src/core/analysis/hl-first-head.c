/* SPDX-License-Identifier: MIT */
/*
 * Which head is worth seeing first: one that looks at few tokens, and at others than those where heads park what they have no use for. All heads
 * are measured where that is quick; of large maps some rows from all over the text, and of more heads than there is time for some of all layers. How
 * many follows from sizes alone, never from a clock: the same file has the same first head on every machine.
 */
#include "core/analysis/hl-first-head.h"

#include "core/analysis/hl-head-index.h"
#include "core/analysis/number/hl-head-used.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Multiply-adds that may be spent on measuring maps, on unpacking them, on the name of the one that is chosen, and on running a model before that.
 * Threads share what is of many heads: together a tenth of a second or two on two cores, of 72 maps of 500 tokens that are packed. */
#define MEASURING_BUDGET 2e9
#define UNPACKING_BUDGET 5e9
#define NAMING_BUDGET 5e8
#define RUNNING_BUDGET 1e9

/* What a weight costs that is read and measured, of which its logarithm is most; and to unpack one before. */
#define WEIGHT_COST 256
#define UNPACKING_COST 256

/* Weights of a dense layer: four of width × width for attention, eight for the feed-forward layer. */
#define LAYER_SQUARES 12

/* Of fewer rows the numbers of a head are chance. */
#define LEAST_ROWS 32

/* Where some rows are measured, they are from so many places: what a head does at the beginning of a text it may not do at its end. */
#define BANDS 8

#define NUMBERS                                                                                                        \
  (HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_EVENNESS) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_FIRST) |                              \
   HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_SPECIAL) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_MASS_BARE_FIRST) |                     \
   HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_SELF) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_PREVIOUS) |                               \
   HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_NEXT))

/* What is measured: some heads of all layers that are there, and of each the same rows. */
typedef struct
{
  GArray *heads; /* (element-type guint): places among all heads */
  HlQueryBands rows;
  HlQueryBands named; /* the rows that a name is told by: one band of them */
} Plan;

static void
plan_clear (Plan *self)
{
  g_clear_pointer (&self->heads, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

static double
get_known (const HlHeadStats *stats,
           HlHeadStat         stat)
{
  return isnan (stats->values[stat]) ? 0 : stats->values[stat];
}

/**
 * hl_first_head_get_worth:
 * @stats: the numbers of a head: evenness, first, special, mass-bare-first, self, previous, next; what is not defined counts as 0
 *
 * How much a head is worth to be seen first:
 *
 *     (1 − evenness) · (links + ½ (previous + next)),   links = 1 − parked − self − previous − next, not below 0,
 *
 * where parked is the weight on special tokens and on a first token that is none; without tokens, on the first. A head that is sure of
 * itself (evenness is its entropy as a part of what it can be) is worth what it gives to tokens that are neither parked at nor the query. Of
 * that, what goes to a neighbour counts half: such a head is clear, but much the same in every model. One that looks at itself alone is
 * worth nothing. A formula of ours; that special tokens and the diagonal tell little is Clark et al. 2019, sections 3.1 and 3.2.
 *
 * Returns: its worth, 0 to 1; NaN if it has no evenness
 */
double
hl_first_head_get_worth (const HlHeadStats *stats)
{
  g_return_val_if_fail (stats != NULL, NAN);

  const gboolean has_tokens = !isnan (stats->values[HL_HEAD_STAT_SPECIAL]);
  const double parked = has_tokens
                          ? stats->values[HL_HEAD_STAT_SPECIAL] + get_known (stats, HL_HEAD_STAT_MASS_BARE_FIRST)
                          : get_known (stats, HL_HEAD_STAT_FIRST);
  const double beside = get_known (stats, HL_HEAD_STAT_PREVIOUS) + get_known (stats, HL_HEAD_STAT_NEXT);
  const double links = 1 - parked - get_known (stats, HL_HEAD_STAT_SELF) - beside;

  if (isnan (stats->values[HL_HEAD_STAT_EVENNESS]))
    return NAN;
  return MAX (1 - stats->values[HL_HEAD_STAT_EVENNESS], 0) * (MAX (links, 0) + beside / 2);
}

/* What a weight of a layer costs: it is read, or made of its query and its key. */
static double
get_weight_cost (HlAttention *attention,
                 guint        layer)
{
  const HlLayerTensor *weights = hl_attention_get_weights (attention, layer);
  const HlLayerTensor *keys = hl_attention_get_projection (attention, HL_KEYS, layer);

  if (weights != NULL && weights->tensor != NULL)
    return WEIGHT_COST;
  return WEIGHT_COST + (keys != NULL && keys->tensor != NULL ? (double) hl_layer_tensor_get_n_columns (keys) : 0);
}

/* Whether a map is unpacked whole, however few of its rows are read. */
static gboolean
is_packed (HlAttention *attention,
           guint        layer)
{
  const HlLayerTensor *weights = hl_attention_get_weights (attention, layer);

  return weights != NULL && weights->tensor != NULL && !hl_tensor_is_in_memory (weights->tensor);
}

/**
 * hl_first_head_get_cost:
 * @attention: an attention
 *
 * Returns: about how many multiply-adds it takes to read and measure all heads
 */
double
hl_first_head_get_cost (HlAttention *attention)
{
  const double n_weights = (double) hl_attention_get_n_used (attention, HL_QUERIES) *
                           (double) hl_attention_get_n (attention, HL_KEYS);
  double cost = 0;

  g_return_val_if_fail (HL_IS_ATTENTION (attention), 0);

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_n_heads (attention, layer) > 0)
      cost += hl_attention_get_n_heads (attention, layer) * n_weights *
              (get_weight_cost (attention, layer) + (is_packed (attention, layer) ? UNPACKING_COST : 0));
  return cost;
}

/* Heads of all layers; of a model that runs, of those that are there first. */
static GArray *
list_heads (HlAttention *attention,
            HlModelCall *call)
{
  GArray *heads = g_array_new (FALSE, FALSE, sizeof (guint));
  double left = RUNNING_BUDGET;
  guint next = 0;

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    {
      if (call != NULL)
        {
          const double width =
            (double) hl_model_get_width (hl_model_call_get_model (call), hl_attention_get_kind (attention));
          left -= LAYER_SQUARES * width * width * (double) hl_attention_get_n (attention, HL_QUERIES);
          if (left < 0 && heads->len > 0)
            break;
        }
      for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++, next++)
        g_array_append_val (heads, next);
    }
  return heads;
}

/* As many as there is time for, evenly from all of them, but not in step with the heads of a layer: heads that share their keys stand side by side. */
static void
thin (GArray *heads,
      guint   n)
{
  static const double golden = 0.6180339887498949;
  const guint n_all = heads->len;

  if (n >= n_all)
    return;
  for (guint i = 0; i < n; i++)
    {
      const double place = (i + fmod (i * golden, 1)) * n_all / n;
      g_array_index (heads, guint, i) = g_array_index (heads, guint, MIN ((guint) place, n_all - 1));
    }
  g_array_set_size (heads, n);
}

/* Rows out of as many as there are: all, or bands from all over the text. */
static HlQueryBands
spread (double affordable,
        gsize  n_queries)
{
  const gsize n = (gsize) CLAMP (affordable, MIN (LEAST_ROWS, (double) n_queries), (double) n_queries);
  const guint n_bands = n == n_queries ? 1 : BANDS;
  const gsize step = n_queries / n_bands;

  return (HlQueryBands){ .first = (step - n / n_bands) / 2, .n = n / n_bands, .n_bands = n_bands, .step = step };
}

static void
plan_init (Plan              *self,
           HlAttention       *attention,
           HlAttentionSource *source,
           HlModelCall       *call)
{
  gsize first = 0, n_queries = hl_attention_get_n_used (attention, HL_QUERIES);
  const double n_keys = (double) hl_attention_get_n (attention, HL_KEYS);

  self->heads = list_heads (attention, call);
  if (self->heads->len == 0)
    return;
  hl_head_used_cut_queries (attention, source, &first, &n_queries);
  const double row_cost = n_keys * get_weight_cost (attention, 0);
  if (is_packed (attention, 0))
    thin (self->heads, (guint) CLAMP (UNPACKING_BUDGET / (UNPACKING_COST * n_keys * (double) n_queries), 1, G_MAXINT));
  self->rows = spread (MEASURING_BUDGET / (row_cost * self->heads->len), n_queries);
  self->rows.first += first;
  thin (self->heads,
        (guint) CLAMP (MEASURING_BUDGET / (row_cost * (double) self->rows.n * self->rows.n_bands), 1, G_MAXINT));
  self->named.n = (gsize) CLAMP (NAMING_BUDGET / row_cost, MIN (LEAST_ROWS, (double) n_queries), (double) n_queries);
  self->named.first = first + (n_queries - self->named.n) / 2;
  self->named.n_bands = 1;
}

/* The first of equals is the best. */
static gboolean
measure_heads (const Plan        *plan,
               HlAttention       *attention,
               HlAttentionSource *source,
               HlFirstHead       *choice,
               GCancellable      *cancellable,
               GError           **error)
{
  const guint *heads = (const guint *) (gpointer) plan->heads->data;
  g_autofree HlHeadStats *stats = g_new (HlHeadStats, MAX (plan->heads->len, 1));
  g_auto (HlHeadIndex) index = { 0 };

  hl_head_index_init (&index, source);
  if (!hl_head_stats_compute_heads (attention, source, &plan->rows, heads, plan->heads->len, NUMBERS, stats,
                                    cancellable, error))
    return FALSE;
  for (guint i = 0; i < plan->heads->len; i++)
    {
      const double worth = hl_first_head_get_worth (&stats[i]);

      if (isnan (worth) || (choice->is_chosen && worth <= choice->worth))
        continue;
      choice->is_chosen = TRUE;
      choice->layer = hl_head_index_get_layer (&index, heads[i]);
      choice->head = heads[i] - index.starts[choice->layer];
      choice->worth = worth;
    }
  choice->n_measured = plan->heads->len;
  return TRUE;
}

/**
 * hl_first_head_choose:
 * @attention: an attention
 * @source: its weights, not filtered
 * @call: (nullable): what computes it, if layers are still to come; they are waited for
 * @choice: (out caller-allocates): the head
 * @cancellable: (nullable): stops it
 * @error: what reading says, or %G_IO_ERROR_CANCELLED
 *
 * Chooses the head with the greatest hl_first_head_get_worth(), the first of equals. Where all weights would cost more than 2·10⁹ multiply-adds, of each
 * head some rows are measured, 32 at least, in eight bands from all over the text; where that is too much, too, or where maps that have to be unpacked
 * whole are more than 5·10⁹ multiply-adds, some heads of all layers are. Of a model that runs, it is among the layers that take 10⁹ multiply-adds to
 * compute, one at least. What it is called is told by the middle rows, 5·10⁸ multiply-adds of them. None is chosen where there
 * is one head alone, fewer than %HL_FIRST_HEAD_LEAST_KEYS keys, or something else in place of weights. Blocks: call it from a
 * worker.
 *
 * Returns: whether all went well
 */
gboolean
hl_first_head_choose (HlAttention       *attention,
                      HlAttentionSource *source,
                      HlModelCall       *call,
                      HlFirstHead       *choice,
                      GCancellable      *cancellable,
                      GError           **error)
{
  g_auto (Plan) plan = { NULL };
  HlHeadStats stats;

  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), FALSE);
  g_return_val_if_fail (choice != NULL, FALSE);

  *choice = (HlFirstHead){ .value = NAN };
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    choice->n_heads += hl_attention_get_n_heads (attention, layer);
  if (choice->n_heads < 2 || hl_head_used_count_keys (attention) < HL_FIRST_HEAD_LEAST_KEYS ||
      hl_attention_get_quantity (attention) != NULL)
    return TRUE;
  plan_init (&plan, attention, source, call);
  if (!measure_heads (&plan, attention, source, choice, cancellable, error))
    return FALSE;
  if (!choice->is_chosen)
    return TRUE;
  if (!hl_head_stats_compute (attention, source, choice->layer, choice->head, plan.named.first, plan.named.n,
                              hl_head_name_get_numbers (), &stats, cancellable, error))
    return FALSE;
  choice->first_query = plan.named.first;
  choice->n_queries = plan.named.n;
  choice->name = hl_head_name_find_by_stats (&stats, hl_head_used_count_keys (attention), &choice->value);
  return TRUE;
}

/**
 * hl_first_head_dup_sentence:
 * @self: a head that is chosen
 *
 * Returns: (transfer full): which it is and what it does, for people, translated: "layer 2 · head 8, attends to the next token"
 */
char *
hl_first_head_dup_sentence (const HlFirstHead *self)
{
  g_return_val_if_fail (self != NULL && self->is_chosen, NULL);

  const char *what = self->name != NULL ? _ (self->name->sentence) : _ ("attends to few tokens");
  /* Translators: a head and what it does: “layer 2 · head 8, attends to the next token” */
  return g_strdup_printf (_ ("layer %u · head %u, %s"), self->layer, self->head, what);
}

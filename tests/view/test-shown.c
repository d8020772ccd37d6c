/* SPDX-License-Identifier: MIT */
/* What is shown follows from values alone, and what did not change is taken over. */
#include "view/shown/hl-shown.h"

#include "core/source/make/hl-source-factory.h"
#include "core/test-attentions.h"

typedef struct
{
  HlAttention *attention;
  HlAttentionSource *source;
  HlViewOptions options;
  HlHeadSelection selection;
  HlHiddenTokens hidden;
  HlCounterpart counterpart;
} Fixture;

static void
set_up (Fixture      *self,
        gconstpointer data)
{
  g_autofree float *weights = test_make_weights (1, 6, 4, 4);

  self->attention = test_make_attention_full (2, 3, 4, 4, weights, NULL, NULL, 4, 2, (HlMask){ FALSE, 0 });
  self->source = hl_attention_make_source (self->attention);
  hl_view_options_init (&self->options);
  hl_head_selection_init (&self->selection, self->attention);
  self->hidden = (HlHiddenTokens){ { NULL } };
  self->counterpart = (HlCounterpart){ .pairing = { -1, -1 } };
}

static void
tear_down (Fixture      *self,
           gconstpointer data)
{
  hl_hidden_tokens_clear (&self->hidden);
  hl_head_selection_clear (&self->selection);
  g_object_unref (self->source);
  g_object_unref (self->attention);
}

static HlShown *
make (Fixture       *self,
      const HlShown *before)
{
  const HlShownParts parts = { self->attention,  self->source,  &self->options,
                               &self->selection, &self->hidden, &self->counterpart };

  return hl_shown_new (&parts, before);
}

static void
test_plain (Fixture      *self,
            gconstpointer data)
{
  g_autoptr (HlShown) shown = make (self, NULL);

  g_assert_true (shown->attention == self->attention);
  g_assert_true (shown->source == self->source && shown->filtered == self->source);
  g_assert_null (shown->comparison);
  g_assert_false (shown->merges_heads || shown->merges_layers || shown->shows_steps || shown->shows_one_head);
  g_assert_cmpuint (shown->n_heads, ==, 3);
  g_assert_true (hl_range_equal (shown->queries, (HlRange){ 0, 4 }));
}

/* Maps of the quantity are the same that numbers of heads are of, and read once. */
static void
test_numbered (Fixture      *self,
               gconstpointer data)
{
  self->options.quantity = HL_QUANTITY_RESIDUAL;
  g_autoptr (HlShown) shown = make (self, NULL);
  g_assert_true (shown->source != self->source);
  g_assert_true (shown->source == shown->numbered_source);
  self->options.hide_first = TRUE;
  g_autoptr (HlShown) hiding = make (self, shown);
  g_assert_true (hiding->source != hiding->numbered_source);
  g_assert_true (hiding->numbered_source == shown->numbered_source);

  /* Options that find nothing to do make no others. */
  self->options.hide_first = FALSE;
  self->options.hide_special = TRUE;
  g_autoptr (HlShown) untouched = make (self, hiding);
  g_assert_true (untouched->source == untouched->numbered_source);
  for (HlDirection direction = HL_DIRECTION_TRANSPOSED; direction <= HL_DIRECTION_ASYMMETRY; direction++)
    {
      self->options.direction = direction;
      g_autoptr (HlShown) directed = make (self, untouched);
      g_assert_true (directed->source != directed->numbered_source);
    }
  self->options.direction = HL_DIRECTION_AS_IS;
  self->options.combine = HL_COMBINE_MEAN;
  g_autoptr (HlShown) combined = make (self, untouched);
  g_assert_true (combined->source != combined->numbered_source);
}

/* Of charts, the plane is of one head. */
static void
test_plane (Fixture      *self,
            gconstpointer data)
{
  self->options.view = HL_VIEW_CHART;
  for (HlChartKind chart = 0; chart < HL_N_CHART_KINDS; chart++)
    {
      self->options.chart = chart;
      g_autoptr (HlShown) shown = make (self, NULL);
      g_assert_cmpint (hl_shown_takes_heads (shown), ==, chart != HL_CHART_PLANE);
    }
}

/* A change of what only the picture depends on makes no new numbers. */
static void
test_taken_over (Fixture      *self,
                 gconstpointer data)
{
  self->options.words = TRUE;
  self->options.hide_first = TRUE;
  self->options.threshold = 0.1;
  g_autoptr (HlShown) before = make (self, NULL);
  g_assert_true (before->attention != self->attention);

  self->options.colour_map = HL_COLOUR_MAP_MAGMA;
  self->options.sentences = HL_SENTENCES_A_TO_B;
  self->selection.layer = 1;
  g_autoptr (HlShown) look = make (self, before);
  g_assert_true (look->attention == before->attention);
  g_assert_true (look->source == before->source && look->filtered == before->filtered);
  g_assert_true (!hl_range_equal (look->keys, before->keys));
  g_assert_cmpuint (look->layer, ==, 1);

  self->options.threshold = 0.2;
  g_autoptr (HlShown) filtered = make (self, look);
  g_assert_true (filtered->source == look->source && filtered->filtered != look->filtered);

  self->options.hide_first = FALSE;
  g_autoptr (HlShown) other = make (self, filtered);
  g_assert_true (other->source != filtered->source);
}

static void
test_combined (Fixture      *self,
               gconstpointer data)
{
  self->options.combine = HL_COMBINE_MEAN;
  self->options.combine_over = HL_COMBINE_OVER_ALL;
  hl_head_selection_toggle (&self->selection, self->attention, 0, 2);
  hl_head_selection_toggle (&self->selection, self->attention, 1, 1);
  self->selection.layer = 1;
  g_autoptr (HlShown) shown = make (self, NULL);
  g_assert_true (shown->merges_heads && shown->merges_layers);
  g_assert_cmpuint (shown->layer, ==, 0);
  g_assert_cmpuint (shown->n_heads, ==, 1);
  g_assert_cmpuint (shown->n_others, ==, 0);
  guint n;
  g_autofree HlShownHead *heads = hl_shown_list_heads (shown, &n);
  g_assert_cmpuint (n, ==, 1);
}

/* Of the layer that is looked at, no head is shown twice; a head of another layer has a colour of its own. */
static void
test_heads (Fixture      *self,
            gconstpointer data)
{
  const HlHeadPlace others[] = { { 1, 0 }, { 0, 1 }, { 0, 2 } };
  hl_head_selection_toggle (&self->selection, self->attention, 0, 1);
  hl_head_selection_set_others (&self->selection, others, G_N_ELEMENTS (others));
  g_autoptr (HlShown) shown = make (self, NULL);
  guint n;
  g_autofree HlShownHead *heads = hl_shown_list_heads (shown, &n);
  const HlShownHead expected[] = { { 0, 0, 0 }, { 0, 1, 1 }, { 1, 0, 3 }, { 0, 2, 4 } };
  g_assert_cmpmem (heads, n * sizeof *heads, expected, sizeof expected);
}

/* How much is read of an attention of two layers of three heads. */
static void
test_maps_read (Fixture      *self,
                gconstpointer data)
{
  const struct
  {
    HlViewKind view;
    HlCombine combine;
    HlCombineOver over;
    HlQuantity quantity;
    guint n;
    guint n_of_one;
  } rows[] = {
    { HL_VIEW_HEATMAP, HL_COMBINE_NONE, HL_COMBINE_OVER_HEADS, HL_QUANTITY_WEIGHT, 1, 1 },
    { HL_VIEW_HEATMAP, HL_COMBINE_MEAN, HL_COMBINE_OVER_HEADS, HL_QUANTITY_WEIGHT, 2, 2 },
    { HL_VIEW_HEATMAP, HL_COMBINE_MAX, HL_COMBINE_OVER_LAYERS, HL_QUANTITY_WEIGHT, 2, 2 },
    { HL_VIEW_HEATMAP, HL_COMBINE_MAX, HL_COMBINE_OVER_ALL, HL_QUANTITY_WEIGHT, 4, 4 },
    { HL_VIEW_HEATMAP, HL_COMBINE_NONE, HL_COMBINE_OVER_HEADS, HL_QUANTITY_ROLLOUT, 4, 4 },
    { HL_VIEW_HEAD_VIEW, HL_COMBINE_NONE, HL_COMBINE_OVER_HEADS, HL_QUANTITY_WEIGHT, 3, 1 },
    { HL_VIEW_LAYERS, HL_COMBINE_NONE, HL_COMBINE_OVER_HEADS, HL_QUANTITY_WEIGHT, 4, 1 },
    { HL_VIEW_MODEL, HL_COMBINE_NONE, HL_COMBINE_OVER_HEADS, HL_QUANTITY_WEIGHT, 6, 1 },
    { HL_VIEW_MODEL, HL_COMBINE_MEAN, HL_COMBINE_OVER_HEADS, HL_QUANTITY_WEIGHT, 4, 2 },
    { HL_VIEW_CHART, HL_COMBINE_MEAN, HL_COMBINE_OVER_ALL, HL_QUANTITY_WEIGHT, 6, 1 },
  };
  const HlHeadPlace others[] = { { 1, 0 } };

  hl_head_selection_toggle (&self->selection, self->attention, 0, 1);
  hl_head_selection_set_others (&self->selection, others, G_N_ELEMENTS (others));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      self->options.view = rows[i].view;
      self->options.combine = rows[i].combine;
      self->options.combine_over = rows[i].over;
      self->options.quantity = rows[i].quantity;
      g_autoptr (HlShown) shown = make (self, NULL);
      g_assert_cmpuint (hl_shown_count_maps_read (shown), ==, rows[i].n);
      g_assert_cmpuint (hl_shown_count_maps_of_one (shown), ==, rows[i].n_of_one);
    }
}

static void
test_difference (Fixture      *self,
                 gconstpointer data)
{
  g_autofree float *weights = test_make_weights (2, 6, 4, 4);
  g_autoptr (HlAttention) other = test_make_attention (2, 3, 4, 4, weights);

  self->counterpart.attention = other;
  g_autoptr (HlShown) shown = make (self, NULL);
  g_assert_nonnull (shown->comparison);
  g_assert_true (hl_attention_source_is_signed (shown->source));
  self->options.view = HL_VIEW_STEPS;
  g_autoptr (HlShown) steps = make (self, shown);
  g_assert_null (steps->comparison);
  self->options.view = HL_VIEW_HEATMAP;
  self->options.threshold = 0.1;
  g_autoptr (HlShown) again = make (self, shown);
  g_assert_true (again->comparison == shown->comparison && again->source == shown->source);
}

/* Where the second text begins is counted on either side by itself. */
static void
check_sentences (Fixture    *self,
                 HlSentences sentences,
                 HlRange     queries,
                 HlRange     keys)
{
  self->options.sentences = sentences;
  g_autoptr (HlShown) shown = make (self, NULL);

  g_assert_true (hl_range_equal (shown->queries, queries));
  g_assert_true (hl_range_equal (shown->keys, keys));
}

static void
test_sentences (Fixture      *self,
                gconstpointer data)
{
  g_autofree float *weights = test_make_weights (2, 6, 4, 4);
  g_autoptr (HlAttention)
    other = test_make_attention_full (2, 3, 4, 4, weights, NULL, NULL, 4, 2, (HlMask){ FALSE, 0 });

  check_sentences (self, HL_SENTENCES_A_TO_B, (HlRange){ 0, 2 }, (HlRange){ 2, 2 });
  self->hidden.sets[HL_KEYS] = hl_token_set_change (NULL, 1, 1, TRUE);
  check_sentences (self, HL_SENTENCES_A_TO_A, (HlRange){ 0, 2 }, (HlRange){ 0, 1 });
  check_sentences (self, HL_SENTENCES_A_TO_B, (HlRange){ 0, 2 }, (HlRange){ 1, 2 });
  /* Where rows are keys, the first text still attends to the second. */
  self->options.direction = HL_DIRECTION_TRANSPOSED;
  check_sentences (self, HL_SENTENCES_A_TO_B, (HlRange){ 1, 2 }, (HlRange){ 0, 2 });
  check_sentences (self, HL_SENTENCES_B_TO_A, (HlRange){ 0, 1 }, (HlRange){ 2, 2 });
  check_sentences (self, HL_SENTENCES_A_TO_A, (HlRange){ 0, 1 }, (HlRange){ 0, 2 });
  check_sentences (self, HL_SENTENCES_B_TO_B, (HlRange){ 1, 2 }, (HlRange){ 2, 2 });
  self->counterpart.attention = other;
  check_sentences (self, HL_SENTENCES_A_TO_B, (HlRange){ 1, 2 }, (HlRange){ 0, 2 });
  self->options.direction = HL_DIRECTION_AS_IS;
  check_sentences (self, HL_SENTENCES_A_TO_B, (HlRange){ 0, 2 }, (HlRange){ 1, 2 });
  self->counterpart.attention = NULL;

  self->hidden.sets[HL_QUERIES] = hl_token_set_change (NULL, 0, 2, TRUE);
  check_sentences (self, HL_SENTENCES_B_TO_A, (HlRange){ 0, 2 }, (HlRange){ 0, 1 });
  check_sentences (self, HL_SENTENCES_A_TO_B, (HlRange){ 0, 0 }, (HlRange){ 1, 2 });
}

/* Of three queries that stand at the last of four keys, one is of the first text. */
static void
test_sentences_of_fewer_queries (Fixture      *self,
                                 gconstpointer data)
{
  g_autofree float *weights = test_make_weights (2, 6, 3, 4);

  g_clear_object (&self->source);
  g_clear_object (&self->attention);
  self->attention = test_make_attention_full (2, 3, 3, 4, weights, NULL, NULL, 4, 2, (HlMask){ .causal = TRUE });
  self->source = hl_attention_make_source (self->attention);
  check_sentences (self, HL_SENTENCES_A_TO_A, (HlRange){ 0, 1 }, (HlRange){ 0, 2 });
  check_sentences (self, HL_SENTENCES_B_TO_A, (HlRange){ 1, 2 }, (HlRange){ 0, 2 });
  g_autoptr (HlShown) shown = make (self, NULL);
  g_assert_true (hl_range_equal (hl_shown_get_numbered_queries (shown), (HlRange){ 1, 2 }));
  self->options.direction = HL_DIRECTION_TRANSPOSED;
  check_sentences (self, HL_SENTENCES_A_TO_B, (HlRange){ 2, 2 }, (HlRange){ 0, 1 });
  self->options.direction = HL_DIRECTION_AS_IS;
  self->hidden.sets[HL_QUERIES] = hl_token_set_change (NULL, 0, 1, TRUE);
  check_sentences (self, HL_SENTENCES_A_TO_A, (HlRange){ 0, 0 }, (HlRange){ 0, 2 });
  check_sentences (self, HL_SENTENCES_B_TO_B, (HlRange){ 0, 2 }, (HlRange){ 2, 2 });
}

/* A sink is no token of either text, and stands with the first. */
static void
test_sentences_of_sinks (Fixture      *self,
                         gconstpointer data)
{
  const float sinks[] = { 0, 1, 2 };
  HlLayerTensor layers[] = { *hl_attention_get_weights (self->attention, 0),
                             *hl_attention_get_weights (self->attention, 1) };
  const HlAttentionInit init = { .kind = HL_ATTENTION_SELF,
                                 .weights = layers,
                                 .n_layers = 2,
                                 .n_used = { 4, 4 },
                                 .sentence_b_start = 2,
                                 .rule.sinks = sinks };
  HlAttention *plain = self->attention;
  HlAttentionSource *plain_source = self->source;

  self->attention = hl_attention_new (&init);
  self->source = hl_attention_make_source (self->attention);
  g_object_unref (plain_source);
  g_object_unref (plain);
  check_sentences (self, HL_SENTENCES_A_TO_B, (HlRange){ 0, 2 }, (HlRange){ 3, 2 });
  self->hidden.sets[HL_KEYS] = hl_token_set_change (NULL, 1, 1, TRUE);
  check_sentences (self, HL_SENTENCES_B_TO_A, (HlRange){ 2, 2 }, (HlRange){ 0, 2 });
}

/* Where both sides of a difference are not pairs of the same texts, all tokens are shown, and nothing says anything else. */
static void
test_sentences_of_difference (Fixture      *self,
                              gconstpointer data)
{
  static const HlRange all = { 0, 4 }, none = { 0, 0 }, first = { 0, 2 }, second = { 2, 2 };
  const struct
  {
    HlViewKind view;
    gsize other_b; /* where the second text of the other side begins */
    HlRange expected;
  } rows[] = {
    { HL_VIEW_HEATMAP, 2, second }, { HL_VIEW_HEATMAP, 0, all }, { HL_VIEW_HEATMAP, 1, all },
    { HL_VIEW_HEATMAP, 3, all },    { HL_VIEW_CHART, 0, all },   { HL_VIEW_CHART, 1, second },
    { HL_VIEW_STEPS, 0, second },
  };
  g_autofree float *weights = test_make_weights (2, 6, 4, 4);

  self->options.sentences = HL_SENTENCES_B_TO_B;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (HlAttention)
        other = test_make_attention_full (2, 3, 4, 4, weights, NULL, NULL, 4, rows[i].other_b, (HlMask){ FALSE, 0 });
      self->options.view = rows[i].view;
      self->counterpart.attention = other;
      g_autoptr (HlShown) shown = make (self, NULL);
      const gboolean is_all = hl_range_equal (rows[i].expected, all);
      g_assert_true (hl_range_equal (shown->queries, rows[i].expected));
      g_assert_true (hl_range_equal (shown->keys, rows[i].expected));
      g_assert_cmpint (shown->options.sentences, ==, is_all ? HL_SENTENCES_ALL : HL_SENTENCES_B_TO_B);
      g_assert_true (hl_range_equal (hl_shown_get_numbered_queries (shown), rows[i].expected));
    }

  /* Nothing is left of the first texts, which can be told apart all the same. */
  g_autoptr (HlAttention)
    other = test_make_attention_full (2, 3, 4, 4, weights, NULL, NULL, 4, 2, (HlMask){ FALSE, 0 });
  self->options.view = HL_VIEW_HEATMAP;
  self->counterpart.attention = other;
  self->hidden.sets[HL_QUERIES] = hl_token_set_change (NULL, 0, 2, TRUE);
  check_sentences (self, HL_SENTENCES_A_TO_B, none, second);
  check_sentences (self, HL_SENTENCES_B_TO_A, first, first);
  self->counterpart.attention = NULL;
}

static void
test_picks (Fixture      *self,
            gconstpointer data)
{
  self->options.sentences = HL_SENTENCES_A_TO_B;
  g_autoptr (HlShown) shown = make (self, NULL);

  g_assert_true (hl_shown_has_pick (shown, &(HlPick){ HL_PICK_NONE }));
  g_assert_true (hl_shown_has_pick (shown, &(HlPick){ HL_PICK_CELL, .query = 1, .key = 2 }));
  g_assert_false (hl_shown_has_pick (shown, &(HlPick){ HL_PICK_CELL, .query = 2, .key = 2 }));
  g_assert_false (hl_shown_has_pick (shown, &(HlPick){ HL_PICK_KEY, .key = 1 }));
  g_assert_true (hl_shown_has_pick (shown, &(HlPick){ HL_PICK_HEAD, .head = 2 }));
  g_assert_false (hl_shown_has_pick (shown, &(HlPick){ HL_PICK_HEAD, .head = 3 }));
  g_assert_true (hl_shown_has_pick (shown, &(HlPick){ HL_PICK_MAP, .layer = 1, .head = 2 }));
  g_assert_false (hl_shown_has_pick (shown, &(HlPick){ HL_PICK_MAP, .layer = 2 }));
}

static void
assert_token (const HlShown *shown,
              HlPick         pick,
              HlSide         side,
              gsize          expected)
{
  gsize token = G_MAXSIZE;

  g_assert_cmpint (hl_shown_find_token (shown, &pick, side, &token), ==, expected != G_MAXSIZE);
  g_assert_cmpuint (token, ==, expected);
}

/* Whatever is left out and whichever way round: queries are those of the attention that is looked at. */
static void
test_token (Fixture      *self,
            gconstpointer data)
{
  self->hidden.sets[HL_QUERIES] = hl_token_set_change (NULL, 0, 1, TRUE);
  g_autoptr (HlShown) shown = make (self, NULL);
  assert_token (shown, hl_pick_of (HL_QUERIES, 1), HL_QUERIES, 2);
  assert_token (shown, hl_pick_of (HL_QUERIES, 1), HL_KEYS, G_MAXSIZE);
  assert_token (shown, hl_pick_of (HL_QUERIES, 3), HL_QUERIES, G_MAXSIZE);
  assert_token (shown, (HlPick){ HL_PICK_CELL, .query = 0, .key = 3 }, HL_QUERIES, 1);
  assert_token (shown, (HlPick){ HL_PICK_CELL, .query = 0, .key = 3 }, HL_KEYS, 3);

  self->options.direction = HL_DIRECTION_TRANSPOSED;
  g_autoptr (HlShown) turned = make (self, NULL);
  assert_token (turned, hl_pick_of (HL_KEYS, 1), HL_QUERIES, 2);
  assert_token (turned, hl_pick_of (HL_QUERIES, 1), HL_QUERIES, G_MAXSIZE);
  assert_token (turned, hl_pick_of (HL_QUERIES, 1), HL_KEYS, 1);
  assert_token (turned, (HlPick){ HL_PICK_CELL, .query = 3, .key = 0 }, HL_QUERIES, 1);
}

/* What only the other side of a difference has is no token of this one, neither the next nor one behind its last. */
static void
test_token_of_other (Fixture      *self,
                     gconstpointer data)
{
  static const char *const tokens[] = { "x", "y", NULL }, *const other_tokens[] = { "x", "new", "y", "more", NULL };
  g_autofree float *weights = test_make_weights (1, 6, 2, 2);
  g_autofree float *other_weights = test_make_weights (2, 6, 4, 4);
  g_autoptr (HlAttention)
    other = test_make_attention_full (2, 3, 4, 4, other_weights, other_tokens, other_tokens, 4, 0, (HlMask){ 0 });
  static const gsize expected[] = { 0, G_MAXSIZE, 1, G_MAXSIZE };

  self->counterpart.attention = other;
  g_object_unref (self->source);
  g_object_unref (self->attention);
  self->attention = test_make_attention_full (2, 3, 2, 2, weights, tokens, tokens, 2, 0, (HlMask){ 0 });
  self->source = hl_attention_make_source (self->attention);
  g_autoptr (HlShown) shown = make (self, NULL);
  g_assert_nonnull (shown->comparison);
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
      assert_token (shown, hl_pick_of (side, i), side, expected[i]);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/shown/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("plain", test_plain);
  ADD ("taken-over", test_taken_over);
  ADD ("combined", test_combined);
  ADD ("heads", test_heads);
  ADD ("maps-read", test_maps_read);
  ADD ("difference", test_difference);
  ADD ("numbered", test_numbered);
  ADD ("plane", test_plane);
  ADD ("sentences", test_sentences);
  ADD ("sentences-of-fewer-queries", test_sentences_of_fewer_queries);
  ADD ("sentences-of-sinks", test_sentences_of_sinks);
  ADD ("sentences-of-difference", test_sentences_of_difference);
  ADD ("picks", test_picks);
  ADD ("token", test_token);
  ADD ("token-of-other", test_token_of_other);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT */
/* What one token attends to, against the numbers themselves: which are read, how they are ordered, and what is said of
 * those that are masked, filtered or not numbers. */
#include "panel-support.h"

#include "app/tokens/hl-token-list.h"
#include "app/tokens/hl-token-weights-text.h"

#include <math.h>

static const PanelAttention plain = { .n_layers = 3, .n_heads = 20, .n = 20 };

static HlTokenWeights *
ask (HlViewState *state,
     HlPickKind   kind,
     gsize        query,
     gsize        key)
{
  hl_view_state_set_hovered (state, &(HlPick){ .kind = kind, .query = query, .key = key });
  return hl_token_weights_new (state);
}

static HlTokenWeights *
answer (HlViewState *state,
        HlPickKind   kind,
        gsize        query,
        gsize        key)
{
  HlTokenWeights *weights = ask (state, kind, query, key);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_token_weights_read (weights, NULL, &error));
  g_assert_no_error (error);
  return weights;
}

/* Each token once, strongest first, with the number that it has. */
static void
check_rows (HlTokenWeights       *weights,
            const PanelAttention *attention,
            guint                 layer,
            const guint          *heads,
            guint                 n_heads,
            gsize                 subject,
            gsize                 first,
            gsize                 n)
{
  const gboolean lists_keys = hl_token_weights_get_side (weights) == HL_KEYS;
  g_autofree gboolean *seen = g_new0 (gboolean, attention->n);
  float last = INFINITY;

  g_assert_cmpuint (hl_token_weights_get_n_rows (weights), ==, n);
  for (guint i = 0; i < n; i++)
    {
      const HlTokenWeight *row = hl_token_weights_get_row (weights, i);
      const float *parts = hl_token_weights_get_parts (weights, i);
      double mean = 0;
      guint position;
      g_assert_cmpuint (row->index, >=, first);
      g_assert_cmpuint (row->index, <, first + n);
      g_assert_false (seen[row->index]);
      seen[row->index] = TRUE;
      g_assert_true ((parts != NULL) == (n_heads <= HL_TOKEN_WEIGHTS_MAX_PARTS));
      for (guint h = 0; h < n_heads; h++)
        {
          const float weight = panel_weight (attention, layer, heads[h], (guint) (lists_keys ? subject : row->index),
                                             (guint) (lists_keys ? row->index : subject));
          if (parts != NULL)
            g_assert_cmpfloat (parts[h], ==, weight);
          mean += (double) weight / n_heads;
        }
      g_assert_cmpfloat_with_epsilon (row->mean, mean, 1e-6);
      g_assert_cmpfloat (row->mean, <=, last);
      last = row->mean;
      g_assert_true (hl_token_weights_find (weights, row->index, &position));
      g_assert_cmpuint (position, ==, i);
    }
}

static void
test_sides (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  const guint one[] = { 4 };
  double sum = 0;

  g_assert_null (ask (state, HL_PICK_NONE, 0, 0));
  hl_view_state_go_to (state, 2, 4);
  {
    g_autoptr (HlTokenWeights) keys = answer (state, HL_PICK_QUERY, 6, 0);
    g_assert_cmpint (hl_token_weights_get_side (keys), ==, HL_KEYS);
    g_assert_cmpuint (hl_token_weights_get_subject (keys), ==, 6);
    g_assert_cmpstr (hl_token_weights_get_subject_text (keys), ==, "");
    g_assert_cmpstr (hl_token_weights_get_token (keys, 1), ==, "flies");
    check_rows (keys, &plain, 2, one, 1, 6, 0, plain.n);
    for (guint key = 0; key < plain.n; key++)
      sum += panel_weight (&plain, 2, 4, 6, key);
    g_assert_cmpfloat_with_epsilon (hl_token_weights_get_sum (keys), sum, 1e-6);
    g_assert_cmpfloat (hl_token_weights_get_whole (keys), ==, hl_token_weights_get_row (keys, 0)->mean);
  }
  {
    g_autoptr (HlTokenWeights) queries = answer (state, HL_PICK_KEY, 0, 6);
    g_assert_cmpint (hl_token_weights_get_side (queries), ==, HL_QUERIES);
    check_rows (queries, &plain, 2, one, 1, 6, 0, plain.n);
  }
  {
    g_autoptr (HlTokenWeights) cell = answer (state, HL_PICK_CELL, 6, 9);
    g_autoptr (HlTokenWeights) query = ask (state, HL_PICK_QUERY, 6, 0);
    g_autoptr (HlTokenWeights) other = ask (state, HL_PICK_QUERY, 7, 0);
    check_rows (cell, &plain, 2, one, 1, 6, 0, plain.n);
    g_assert_true (hl_token_weights_is_same_question (cell, query));
    g_assert_false (hl_token_weights_is_same_question (cell, other));
  }
}

/* Several queries have the mean of their rows, several keys the sum of their columns. */
static void
test_gathered (void)
{
  const gsize chosen[] = { 3, 6, 11 };

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      g_autoptr (HlViewState) state = panel_state_new (&plain);
      g_autoptr (GError) error = NULL;

      hl_view_state_go_to (state, 2, 4);
      hl_view_state_toggle_head (state, 5);
      g_autoptr (HlTokenWeights) nothing = hl_token_weights_new (state);
      g_assert_null (nothing);
      for (guint i = 0; i < 3; i++)
        {
          const HlPick pick = hl_pick_of (side, chosen[i]);
          hl_view_state_gather (state, &pick);
        }
      g_autoptr (HlTokenWeights) weights = hl_token_weights_new (state);
      g_autoptr (HlTokenWeights) same = hl_token_weights_new (state);
      g_assert_true (hl_token_weights_read (weights, NULL, &error));
      g_assert_no_error (error);
      g_assert_true (hl_token_weights_is_same_question (weights, same));
      g_assert_cmpuint (hl_token_weights_get_n_rows (weights), ==, plain.n);
      for (guint i = 0; i < plain.n; i++)
        {
          const HlTokenWeight *row = hl_token_weights_get_row (weights, i);
          double sum = 0;
          for (guint t = 0; t < 3; t++)
            for (guint head = 4; head <= 5; head++)
              sum += panel_weight (&plain, 2, head, (guint) (side == HL_QUERIES ? chosen[t] : row->index),
                                   (guint) (side == HL_QUERIES ? row->index : chosen[t]));
          g_assert_cmpfloat_with_epsilon (row->mean, sum / 2 / (side == HL_QUERIES ? 3 : 1), 1e-6);
        }
      g_autofree char *title = hl_token_weights_describe_gathered (weights);
      g_assert_true (g_str_has_prefix (title, side == HL_QUERIES ? "mean of 3 queries: " : "sum of 3 keys: "));

      /* A row is no pair with several, but a token of the list. */
      HlPick pick;
      g_assert_true (hl_token_weights_get_pair (weights, hl_token_weights_get_row (weights, 0), &pick));
      g_assert_cmpint (pick.kind, ==, hl_pick_kind_of (hl_side_get_other (side)));

      const HlPick first = hl_pick_of (side, chosen[0]);
      hl_view_state_gather (state, &first);
      g_autoptr (HlTokenWeights) fewer = hl_token_weights_new (state);
      g_assert_false (hl_token_weights_is_same_question (weights, fewer));
    }
}

static void
test_heads (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  const guint three[] = { 1, 4, 11 };
  const guint all[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 };

  hl_view_state_go_to (state, 1, 1);
  hl_view_state_toggle_head (state, 11);
  hl_view_state_toggle_head (state, 4);
  g_autoptr (HlTokenWeights) some = answer (state, HL_PICK_QUERY, 3, 0);
  g_assert_cmpuint (hl_token_weights_get_n_heads (some), ==, 3);
  check_rows (some, &plain, 1, three, 3, 3, 0, plain.n);

  hl_view_state_select_all_heads (state);
  g_autoptr (HlTokenWeights) every = answer (state, HL_PICK_QUERY, 3, 0);
  check_rows (every, &plain, 1, all, plain.n_heads, 3, 0, plain.n);
  g_assert_false (hl_token_weights_is_same_question (some, every));

  /* A heatmap shows one head. */
  hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
  g_autoptr (HlTokenWeights) one = answer (state, HL_PICK_QUERY, 3, 0);
  check_rows (one, &plain, 1, three, 1, 3, 0, plain.n);

  /* So does a plane, but no other chart. */
  hl_view_state_set_option (state, view, HL_VIEW_CHART);
  hl_view_state_set_option (state, chart, HL_CHART_PLANE);
  g_autoptr (HlTokenWeights) of_plane = answer (state, HL_PICK_QUERY, 3, 0);
  check_rows (of_plane, &plain, 1, three, 1, 3, 0, plain.n);

  hl_view_state_set_option (state, view, HL_VIEW_HEAD_VIEW);
  hl_view_state_select_no_heads (state);
  g_assert_null (ask (state, HL_PICK_QUERY, 3, 0));
}

/* What is listed is what the picture shows; the sum is of all. */
static void
test_range (void)
{
  const PanelAttention attention = { .n_layers = 1, .n_heads = 2, .n = 20, .n_used = 15, .sentence_b_start = 6 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  const guint head[] = { 0 };
  double sum = 0;

  for (guint key = 0; key < attention.n; key++)
    sum += panel_weight (&attention, 0, 0, 8, key);
  g_autoptr (HlTokenWeights) cropped = answer (state, HL_PICK_QUERY, 8, 0);
  check_rows (cropped, &attention, 0, head, 1, 8, 0, 15);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_B_TO_A);
  g_autoptr (HlTokenWeights) first_text = answer (state, HL_PICK_QUERY, 8, 0);
  check_rows (first_text, &attention, 0, head, 1, 8, 0, 6);
  g_assert_cmpfloat_with_epsilon (hl_token_weights_get_sum (first_text), sum, 1e-6);
  g_autoptr (HlTokenWeights) second_text = answer (state, HL_PICK_KEY, 0, 3);
  check_rows (second_text, &attention, 0, head, 1, 3, 6, 9);
  hl_view_state_set_option (state, sentences, HL_SENTENCES_ALL);
  hl_view_state_set_option (state, crop_padding, FALSE);
  g_autoptr (HlTokenWeights) whole = answer (state, HL_PICK_QUERY, 8, 0);
  check_rows (whole, &attention, 0, head, 1, 8, 0, 20);
}

/* Masked keys stand last, in the order of the text, and nowhere else. */
static void
test_masked (void)
{
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 12, .causal = TRUE };
  g_autoptr (HlViewState) state = panel_state_new (&attention);

  g_autoptr (HlTokenWeights) keys = answer (state, HL_PICK_QUERY, 4, 0);
  for (guint i = 0; i < 12; i++)
    {
      const HlTokenWeight *row = hl_token_weights_get_row (keys, i);
      g_assert_true (row->is_masked == (row->index > 4));
      g_assert_true (row->is_masked == (i > 4));
      if (row->is_masked)
        g_assert_cmpuint (row->index, ==, i);
    }
  g_autoptr (HlTokenWeights) queries = answer (state, HL_PICK_KEY, 0, 4);
  for (guint i = 0; i < 12; i++)
    {
      const HlTokenWeight *row = hl_token_weights_get_row (queries, i);
      g_assert_true (row->is_masked == (row->index < 4));
      g_assert_true (row->is_masked == (i >= 8));
    }
  g_autofree char *text = hl_token_weights_to_text (keys);
  g_assert_true (g_str_has_suffix (text, "arrow\t11\tmasked\n"));
}

/* What is not a number is no number to rank by: it stands between the weights and what is masked. */
static void
test_nan (void)
{
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 12, .causal = TRUE, .nan_key = 2 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  g_autoptr (HlTokenWeights) keys = answer (state, HL_PICK_QUERY, 4, 0);

  g_assert_true (isfinite (hl_token_weights_get_row (keys, 3)->mean));
  g_assert_true (isnan (hl_token_weights_get_row (keys, 4)->mean));
  g_assert_cmpuint (hl_token_weights_get_row (keys, 4)->index, ==, 2);
  g_assert_false (hl_token_weights_get_row (keys, 4)->is_masked);
  g_assert_true (hl_token_weights_get_row (keys, 5)->is_masked);
  g_assert_true (isnan (hl_token_weights_get_sum (keys)));
  g_assert_true (isfinite (hl_token_weights_get_whole (keys)));
}

/* A sum has as many digits as can be read, also of scores that stand for what is masked. */
static void
test_sums (void)
{
  static const struct
  {
    float factor; /* of 84 / 169 */
    const char *text;
  } cases[] = {
    { 1, "0.497" },       { -1, "−0.497" },      { -1e-3f, "0.000" },
    { 1e4f, "4970.414" }, { 1e25f, "4.97e+24" }, { -3e38f, "−1.49e+38" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 12, .factor = cases[i].factor };
      g_autoptr (HlViewState) state = panel_state_new (&attention);
      g_autoptr (HlTokenWeights) keys = answer (state, HL_PICK_QUERY, 0, 0);
      g_autofree char *sum = hl_token_weights_describe_sum (keys);
      g_assert_cmpstr (sum, ==, cases[i].text);
    }
}

/* Filters mark, and leave numbers and order alone. A token that one head still shows is not filtered. */
static void
test_filtered (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&plain);
  g_autoptr (HlTokenWeights) before = NULL;
  guint n_filtered = 0;
  guint n_split = 0;

  hl_view_state_toggle_head (state, 7);
  before = answer (state, HL_PICK_QUERY, 3, 0);
  hl_view_state_set_option (state, threshold, 0.025);
  for (guint pass = 0; pass < 2; pass++)
    {
      const HlPickKind kind = pass == 0 ? HL_PICK_QUERY : HL_PICK_KEY;
      g_autoptr (HlTokenWeights) after = answer (state, kind, 3, 3);
      for (guint i = 0; i < plain.n; i++)
        {
          const HlTokenWeight *row = hl_token_weights_get_row (after, i);
          const float *parts = hl_token_weights_get_parts (after, i);
          g_assert_true (row->is_filtered == (parts[0] < 0.025f && parts[1] < 0.025f));
          n_filtered += row->is_filtered;
          n_split += (parts[0] < 0.025f) != (parts[1] < 0.025f);
          if (pass == 0)
            {
              g_assert_cmpuint (row->index, ==, hl_token_weights_get_row (before, i)->index);
              g_assert_false (hl_token_weights_get_row (before, i)->is_filtered);
            }
        }
    }
  /* The threshold was chosen so that all of this occurs. */
  g_assert_cmpuint (n_filtered, >, 0);
  g_assert_cmpuint (n_filtered, <, 2 * plain.n);
  g_assert_cmpuint (n_split, >, 0);
}

static void
test_cancel (void)
{
  const PanelAttention slow = { .n_layers = 1, .n_heads = 1, .n = 8, .delay = 1000000 };
  g_autoptr (HlViewState) state = panel_state_new (&slow);
  g_autoptr (HlTokenWeights) weights = ask (state, HL_PICK_QUERY, 1, 0);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_token_weights_read (weights, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (hl_token_weights_get_n_rows (weights), ==, 0);
}

typedef struct
{
  guint n_changes;
  guint position;
  guint n_removed;
  guint n_added;
  guint n_refreshed;
} Log;

static void
on_items_changed (GListModel *model,
                  guint       position,
                  guint       n_removed,
                  guint       n_added,
                  Log        *log)
{
  *log = (Log){ log->n_changes + 1, position, n_removed, n_added, log->n_refreshed };
}

static void
on_refreshed (HlTokenList *list,
              Log         *log)
{
  log->n_refreshed++;
}

/* A token as long as the one before replaces no item: rows stay, what they stand for differs. */
static void
test_list (void)
{
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 20, .sentence_b_start = 6 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  g_autoptr (HlTokenWeights) first = answer (state, HL_PICK_QUERY, 2, 0);
  g_autoptr (HlTokenWeights) second = answer (state, HL_PICK_QUERY, 9, 0);
  HlTokenList *list = hl_token_list_new ();
  GListModel *model = G_LIST_MODEL (list);
  Log log = { 0 };

  g_signal_connect (list, "items-changed", G_CALLBACK (on_items_changed), &log);
  g_signal_connect (list, "refreshed", G_CALLBACK (on_refreshed), &log);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 0);
  g_assert_null (g_list_model_get_item (model, 0));

  hl_token_list_set_weights (list, first);
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, 20);
  g_assert_cmpuint (log.n_added, ==, 20);
  g_autoptr (HlTokenRow) row = g_list_model_get_item (model, 3);
  g_assert_true (hl_token_row_get_weight (row) == hl_token_weights_get_row (first, 3));
  hl_token_list_set_weights (list, second);
  g_assert_cmpuint (log.n_changes, ==, 1);
  g_assert_cmpuint (log.n_refreshed, ==, 2);
  g_assert_true (hl_token_row_get_weight (row) == hl_token_weights_get_row (second, 3));

  hl_token_list_set_marked (list, hl_token_weights_get_row (second, 3)->index);
  g_assert_true (hl_token_row_is_marked (row));
  hl_token_list_set_marked (list, HL_TOKEN_LIST_NOTHING);
  g_assert_false (hl_token_row_is_marked (row));

  hl_view_state_set_option (state, sentences, HL_SENTENCES_B_TO_A);
  g_autoptr (HlTokenWeights) fewer = answer (state, HL_PICK_QUERY, 9, 0);
  hl_token_list_set_weights (list, fewer);
  g_assert_cmpuint (log.position, ==, 6);
  g_assert_cmpuint (log.n_removed, ==, 14);
  g_assert_cmpuint (log.n_added, ==, 0);
  hl_token_list_set_weights (list, NULL);
  g_assert_null (hl_token_row_get_weight (row));
  g_assert_null (hl_token_row_dup_label (row));

  g_clear_object (&row);
  g_assert_finalize_object (list);
}

static void
test_text (void)
{
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 7 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  g_autoptr (HlTokenWeights) weights = answer (state, HL_PICK_QUERY, 2, 0);
  g_autoptr (HlTokenList) list = hl_token_list_new ();
  g_autofree char *text = hl_token_weights_to_text (weights);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, 8);
  hl_token_list_set_weights (list, weights);
  for (guint i = 0; i < 7; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);
      const HlTokenWeight *row = hl_token_weights_get_row (weights, i);
      g_assert_cmpuint (g_strv_length (fields), ==, 3);
      g_assert_cmpstr (fields[0], ==, hl_token_weights_get_token (weights, row->index));
      g_assert_cmpuint (g_ascii_strtoull (fields[1], NULL, 10), ==, row->index);
      g_assert_true ((float) g_ascii_strtod (fields[2], NULL) == row->mean);

      g_autoptr (HlTokenRow) item = g_list_model_get_item (G_LIST_MODEL (list), i);
      g_autofree char *label = hl_token_row_dup_label (item);
      g_autofree char *token = hl_token_row_dup_token (item);
      g_assert_cmpstr (token, ==, *fields[0] == '\0' ? "∅" : fields[0]);
      g_autofree char *prefix = g_strdup_printf ("%s, position %zu, ", token, row->index);
      g_assert_true (g_str_has_prefix (label, prefix));
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (label + strlen (prefix), NULL), row->mean, 0.00501);
    }
}

/* Spreadsheets, to which it is pasted, split it as CSV: no token takes rows with it, or is computed. */
static void
test_text_hostile (void)
{
  static const char *const tokens[] = { "\"", "=1+1", "\"", "a\tb", "a\n@b", "end", NULL };
  static const char *const fields[] = { "\"\"\"\"", "\"'=1+1\"", "\"\"\"\"", "\"a\tb\"", "\"a\n'@b\"", "end" };
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 6, .tokens = tokens };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  g_autoptr (HlTokenWeights) weights = answer (state, HL_PICK_QUERY, 2, 0);
  g_autofree char *text = hl_token_weights_to_text (weights);

  const char *rest = text;
  for (guint i = 0; i < attention.n; i++)
    {
      const gsize index = hl_token_weights_get_row (weights, i)->index;
      g_autofree char *start = g_strdup_printf ("%s\t%zu\t", fields[index], index);
      g_assert_true (g_str_has_prefix (rest, start));
      rest += strlen (start);
      rest += strcspn (rest, "\n") + 1;
    }
  g_assert_cmpstr (rest, ==, "");
}

/* Of a head that the second side has not, the first still has its numbers; also where the second has no such layer. */
static void
test_head_of_one (void)
{
  const PanelAttention few = { .n_layers = 2, .n_heads = 3, .n = 20 };

  for (guint layer = 1; layer < 3; layer++)
    {
      g_autoptr (HlViewState) state = panel_state_new (&plain);
      g_autoptr (HlViewState) other = panel_state_new (&few);

      hl_view_state_set_option (state, view, HL_VIEW_HEATMAP);
      hl_view_state_set_difference (state, hl_view_state_get_attention (other), NULL);
      hl_view_state_go_to (state, layer, 4);
      g_autoptr (HlTokenWeights) weights = answer (state, HL_PICK_QUERY, 6, 0);
      g_assert_true (hl_token_weights_is_difference (weights));
      g_assert_null (hl_token_weights_get_answer (weights, 1));
      g_assert_nonnull (hl_token_weights_get_answer (weights, 0));
      check_rows (hl_token_weights_get_answer (weights, 0), &plain, layer, (guint[]){ 4 }, 1, 6, 0, plain.n);
      for (guint i = 0; i < plain.n; i++)
        {
          const HlTokenWeight *row = hl_token_weights_get_row (weights, i);
          g_assert_cmpfloat (row->sides[0], ==, panel_weight (&plain, layer, 4, 6, (guint) row->index));
          g_assert_true (isnan (row->sides[1]));
        }
    }
}

/* The same token twice is told apart by where it stands; in the order of the text rows are the tokens of the text. */
static void
test_places (void)
{
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 14, .sentence_b_start = 8 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  g_autoptr (HlTokenWeights) weights = answer (state, HL_PICK_QUERY, 2, 0);
  g_autoptr (HlTokenList) list = hl_token_list_new ();

  hl_token_list_set_weights (list, weights);
  g_assert_cmpuint (hl_token_list_get_place_length (list), ==, strlen ("B 13"));
  hl_token_list_set_in_text_order (list, TRUE);
  for (guint i = 0; i < attention.n; i++)
    {
      g_autoptr (HlTokenRow) row = g_list_model_get_item (G_LIST_MODEL (list), i);
      g_autofree char *place = hl_token_row_dup_place (row);
      g_autofree char *wanted = g_strdup_printf ("%s %u", i < 8 ? "A" : "B", i);
      g_assert_cmpuint (hl_token_row_get_weight (row)->index, ==, i);
      g_assert_cmpfloat (hl_token_row_get_parts (row)[0], ==, panel_weight (&attention, 0, 0, 2, i));
      g_assert_cmpstr (place, ==, wanted);
    }
  hl_token_list_set_in_text_order (list, FALSE);
  g_autoptr (HlTokenRow) first = g_list_model_get_item (G_LIST_MODEL (list), 0);
  g_assert_true (hl_token_row_get_weight (first) == hl_token_weights_get_row (weights, 0));
}

/* In the table a token stands where it does in the list. */
static void
test_text_left (void)
{
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 7 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);

  hl_view_state_set_hidden (state, "k0,k3");
  g_autoptr (HlTokenWeights) weights = answer (state, HL_PICK_QUERY, 2, 0);
  g_autofree char *text = hl_token_weights_to_text (weights);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 6);
  for (guint i = 0; i < 5; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);
      g_autofree char *place = hl_token_weights_dup_place (weights, hl_token_weights_get_row (weights, i)->index);
      g_assert_cmpstr (fields[1], ==, place);
    }
}

/* A sink stands nowhere in the text. */
static void
test_text_sink (void)
{
  const float sinks[] = { 1 };
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 7 };
  g_autoptr (HlExample) example = panel_example_new (&attention, 1);
  HlAttention *whole = hl_example_get_attention (example, 0);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions, hl_attention_new (&(HlAttentionInit){
                                 .kind = HL_ATTENTION_SELF,
                                 .weights = hl_attention_get_weights (whole, 0),
                                 .n_layers = 1,
                                 .tokens = { hl_attention_get_tokens (whole, HL_QUERIES),
                                             hl_attention_get_tokens (whole, HL_KEYS) },
                                 .n_used = { 7, 7 },
                                 .rule.sinks = sinks,
                               }));
  g_autoptr (HlExample) sunk = hl_example_new (NULL, NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (sunk);
  g_autoptr (HlTokenWeights) weights = answer (state, HL_PICK_QUERY, 2, 0);
  g_autofree char *text = hl_token_weights_to_text (weights);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n_sinks = 0;
  g_assert_cmpuint (g_strv_length (lines), ==, 9);
  for (guint i = 0; i < 8; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);
      const gsize index = hl_token_weights_get_row (weights, i)->index;
      g_autofree char *place = index > 0 ? g_strdup_printf ("%zu", index - 1) : g_strdup ("");
      g_assert_cmpstr (fields[1], ==, place);
      n_sinks += index == 0;
    }
  g_assert_cmpuint (n_sinks, ==, 1);
}

/* Whether others are left out among the queries or among the keys, a token is of its own text. */
static void
test_places_left (void)
{
  static const char *const hidden[] = { "k1", "q1,q3" };
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 6, .sentence_b_start = 3 };

  for (guint i = 0; i < G_N_ELEMENTS (hidden); i++)
    {
      g_autoptr (HlViewState) state = panel_state_new (&attention);
      hl_view_state_set_hidden (state, hidden[i]);
      g_autoptr (HlTokenWeights) weights = answer (state, HL_PICK_QUERY, 0, 0);

      for (guint key = 0; key < (i == 0 ? 5 : 6); key++)
        {
          const guint position = i == 0 && key > 0 ? key + 1 : key;
          g_autofree char *place = hl_token_weights_dup_place (weights, key);
          g_autofree char *wanted = g_strdup_printf ("%s %u", position < 3 ? "A" : "B", position);
          g_assert_cmpstr (place, ==, wanted);
        }
    }
}

/* Names of patches are cut in the middle: they end with what tells one from another. */
static void
test_patches (void)
{
  static const char *const tokens[] = { "CLS", "patch 1,1", "patch 1,2", "patch 2,1", "patch 2,2", NULL };
  const PanelAttention attention = { .n_layers = 1, .n_heads = 1, .n = 5, .tokens = tokens };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  g_autoptr (HlTokenWeights) weights = answer (state, HL_PICK_QUERY, 2, 0);
  g_autoptr (HlTokenList) list = hl_token_list_new ();

  hl_token_list_set_weights (list, weights);
  for (guint i = 0; i < attention.n; i++)
    {
      g_autoptr (HlTokenRow) row = g_list_model_get_item (G_LIST_MODEL (list), i);
      g_assert_cmpint (hl_token_row_is_patch (row), ==, hl_token_row_get_weight (row)->index > 0);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/token-weights/sides", test_sides);
  g_test_add_func ("/token-weights/gathered", test_gathered);
  g_test_add_func ("/token-weights/heads", test_heads);
  g_test_add_func ("/token-weights/range", test_range);
  g_test_add_func ("/token-weights/masked", test_masked);
  g_test_add_func ("/token-weights/nan", test_nan);
  g_test_add_func ("/token-weights/sums", test_sums);
  g_test_add_func ("/token-weights/filtered", test_filtered);
  g_test_add_func ("/token-weights/cancel", test_cancel);
  g_test_add_func ("/token-weights/list", test_list);
  g_test_add_func ("/token-weights/text", test_text);
  g_test_add_func ("/token-weights/text-hostile", test_text_hostile);
  g_test_add_func ("/token-weights/text-left", test_text_left);
  g_test_add_func ("/token-weights/text-sink", test_text_sink);
  g_test_add_func ("/token-weights/head-of-one", test_head_of_one);
  g_test_add_func ("/token-weights/places", test_places);
  g_test_add_func ("/token-weights/places-left", test_places_left);
  g_test_add_func ("/token-weights/patches", test_patches);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT */
/* The page of a head, and the section of a pair, against the numbers themselves; whom they follow, and that they let go. */
#include "panel-support.h"

#include "app/details/hl-head-page.h"
#include "app/details/hl-head-facts.h"
#include "app/details/hl-head-picture.h"
#include "app/details/hl-pair-grid.h"
#include "app/details/hl-pair-section.h"
#include "core/base/hl-limits.h"
#include "core/test-attentions.h"
#include "draw/paint/hl-diverging-map.h"

#include <adwaita.h>
#include <math.h>

static const PanelAttention small = { .n_layers = 3, .n_heads = 4, .few_heads = 2, .n = 12 };

/* What changes with the pointer is an inscription, which takes the same room whatever it says. */
static const char *
get_inscription (GtkWidget *inscription)
{
  const char *text = gtk_inscription_get_text (GTK_INSCRIPTION (inscription));

  return text != NULL ? text : "";
}

static const char *
get_title (GtkWidget *page)
{
  return get_inscription (panel_get_child (page, "title"));
}

/* Before the name of a pair stand patches. */
static GtkWidget *
get_name (GtkListBoxRow *row)
{
  GtkWidget *first = gtk_widget_get_first_child (gtk_list_box_row_get_child (row));

  return GTK_IS_INSCRIPTION (first) ? first : gtk_widget_get_next_sibling (first);
}

/* What a row of a list says: its name, or its number. */
static const char *
get_row (GtkWidget  *panel,
         const char *list,
         int         index,
         gboolean    number)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (panel_get_child (panel, list)), index);
  GtkWidget *name = get_name (row);

  return get_inscription (number ? gtk_widget_get_next_sibling (name) : name);
}

static gboolean
tells (GtkWidget  *page,
       const char *title)
{
  return g_str_equal (get_title (page), title) && *get_row (page, "alike", 0, TRUE) != '\0';
}

static void
test_life (void)
{
  HlViewState *state = panel_state_new (&small);
  GtkWidget *page = g_object_ref_sink (g_object_new (HL_TYPE_HEAD_PAGE, NULL));

  g_object_set (page, "view-state", state, NULL);
  g_object_set (page, "view-state", NULL, NULL);
  g_assert_cmpstr (get_title (page), ==, "");
  g_object_set (page, "view-state", state, NULL);
  g_assert_finalize_object (page);
  hl_view_state_go_to (state, 2, 1);
  g_assert_finalize_object (state);
}

/* The strongest of all weights of the head, by brute force. */
static void
find_strongest (guint  layer,
                guint  head,
                guint *query,
                guint *key)
{
  *query = *key = 0;
  for (guint q = 0; q < small.n; q++)
    for (guint k = 0; k < small.n; k++)
      if (panel_weight (&small, layer, head, q, k) > panel_weight (&small, layer, head, *query, *key))
        {
          *query = q;
          *key = k;
        }
}

static void
test_facts (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  const HlThumbnailStyle style = {
    .kind = HL_THUMBNAIL_HEATMAP, .value_scale = HL_VALUE_SCALE_LINEAR, .width = 20, .height = 20, .scale = 1
  };
  g_autoptr (GError) error = NULL;
  gsize n_compared;
  guint n, query, key;

  g_assert_null (hl_head_facts_new (state, 1, 2, &style));
  g_autoptr (HlHeadFacts) facts = hl_head_facts_new (state, 2, 3, &style);
  g_autoptr (HlHeadFacts) again = hl_head_facts_new (state, 2, 3, &style);
  g_autoptr (HlHeadFacts) other = hl_head_facts_new (state, 2, 2, &style);
  g_assert_true (hl_head_facts_is_same_question (facts, again));
  g_assert_false (hl_head_facts_is_same_question (facts, other));
  g_assert_true (hl_head_facts_read (facts, NULL, &error) && hl_head_facts_read_alike (facts, NULL, &error));
  g_assert_no_error (error);

  const HlStrongPair *pairs = hl_head_facts_get_pairs (facts, &n);
  g_assert_cmpuint (n, ==, HL_HEAD_FACTS_PAIRS);
  find_strongest (2, 3, &query, &key);
  g_assert_cmpuint (pairs[0].query, ==, query);
  g_assert_cmpuint (pairs[0].key, ==, key);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpfloat (pairs[i].weight, ==,
                         panel_weight (&small, 2, 3, (guint) pairs[i].query, (guint) pairs[i].key));
      g_assert_true (i == 0 || pairs[i].weight <= pairs[i - 1].weight);
    }
  g_assert_cmpfloat (hl_head_facts_get_max (facts), ==, pairs[0].weight);

  const HlAlikeHead *alike = hl_head_facts_get_alike (facts, &n, &n_compared);
  g_assert_cmpuint (n, ==, HL_HEAD_FACTS_ALIKE);
  g_assert_cmpuint (n_compared, ==, small.n);
  for (guint i = 0; i < n; i++)
    {
      g_assert_false (alike[i].layer == 2 && alike[i].head == 3);
      g_assert_true (alike[i].likeness > 0 && alike[i].likeness <= 1);
      g_assert_true (i == 0 || alike[i].likeness <= alike[i - 1].likeness);
    }
  g_assert_true (isfinite (hl_head_facts_get_number (facts, HL_HEAD_STAT_ENTROPY)));
}

static void
test_page (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *page = g_object_new (HL_TYPE_HEAD_PAGE, NULL);
  GtkListBox *list = GTK_LIST_BOX (panel_get_child (page, "pairs"));
  guint query, key;

  hl_state_panel_set_view_state (HL_STATE_PANEL (page), state);
  hl_view_state_go_to (state, 2, 1);
  GtkWidget *window = panel_show (page, 260, 700);
  PANEL_WAIT_UNTIL (tells (page, "Layer 2 · Head 1"));

  /* The map that is pointed at goes first; then it is the one that is looked at again. */
  hl_view_state_set_hovered (state, &(HlPick){ .kind = HL_PICK_MAP, .layer = 0, .head = 3 });
  PANEL_WAIT_UNTIL (tells (page, "Layer 0 · Head 3"));
  hl_view_state_set_hovered (state, NULL);
  PANEL_WAIT_UNTIL (tells (page, "Layer 2 · Head 1"));

  /* A row pins its pair. */
  find_strongest (2, 1, &query, &key);
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 0));
  const HlPick *pinned = hl_view_state_get_pinned (state);
  g_assert_cmpint (pinned->kind, ==, HL_PICK_CELL);
  g_assert_cmpuint (pinned->query, ==, query);
  g_assert_cmpuint (pinned->key, ==, key);
  hl_view_state_set_pinned (state, NULL);

  /* One of those like it is gone to. */
  g_autofree char *like = g_strdup (get_row (page, "alike", 0, FALSE));
  list = GTK_LIST_BOX (panel_get_child (page, "alike"));
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 0));
  g_autofree char *here = g_strdup_printf ("%u·%u", hl_view_state_get_layer (state), hl_view_state_get_head (state));
  g_autofree char *title =
    g_strdup_printf ("Layer %u · Head %u", hl_view_state_get_layer (state), hl_view_state_get_head (state));
  /* In a list heads go by one form of name, whatever they are called besides. */
  g_assert_true (g_str_equal (here, like) || (g_str_has_prefix (like, here) && like[strlen (here)] == ' '));
  PANEL_WAIT_UNTIL (tells (page, title));

  /* Several heads are listed, and none alone. */
  g_assert_false (gtk_widget_get_visible (panel_get_child (page, "chips")));
  hl_view_state_select_all_heads (state);
  GtkFlowBox *chips = GTK_FLOW_BOX (panel_get_child (page, "chips"));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (chips)));
  g_assert_nonnull (gtk_flow_box_get_child_at_index (chips, 1));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What is told from its like by its name is read whole: of times and patches, half says nothing. */
static void
test_places (void)
{
  static const char *const times[] = { "12.84–13.42 s", "13.42–14.00 s", "14.00–14.58 s", "14.58–15.16 s" };
  static const char *const patches[] = { "patch 1,1", "patch 1,2", "patch 2,1", "patch 2,2" };
  static const char *const words[] = { "internationalisation", "antidisestablishment", "uncharacteristically",
                                       "counterrevolutionary" };
  const struct
  {
    const char *const *tokens;
    gboolean is_whole;
    guint n_lines;
  } cases[] = { { times, TRUE, 2 }, { patches, TRUE, 1 }, { words, FALSE, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const PanelAttention four = { .n_layers = 1, .n_heads = 2, .n = 4, .tokens = cases[i].tokens };
      g_autoptr (HlViewState) state = panel_state_new (&four);
      GtkWidget *page = g_object_new (HL_TYPE_HEAD_PAGE, NULL);

      hl_state_panel_set_view_state (HL_STATE_PANEL (page), state);
      GtkWidget *window = panel_show (page, 260, 700);
      PANEL_WAIT_UNTIL (*get_row (page, "pairs", 0, TRUE) != '\0');
      const char *said = get_row (page, "pairs", 0, FALSE);
      g_autofree char *pair = NULL;
      for (guint query = 0; query < four.n; query++)
        for (guint key = 0; key < four.n; key++)
          {
            g_autofree char *whole = g_strdup_printf (cases[i].n_lines > 1 ? "%s\n→ %s" : "%s → %s",
                                                      cases[i].tokens[query], cases[i].tokens[key]);
            if (g_str_equal (said, whole))
              pair = g_steal_pointer (&whole);
          }
      g_assert_true ((pair != NULL) == cases[i].is_whole);
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (panel_get_child (page, "pairs")), 0);
      GtkWidget *name = get_name (row);
      /* There is no image. */
      g_assert_false (gtk_widget_get_visible (gtk_widget_get_prev_sibling (name)));
      g_assert_cmpuint (gtk_inscription_get_min_lines (GTK_INSCRIPTION (name)), ==, cases[i].n_lines);
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

/* Patches of an image stand before the names of a pair, which have a line each; names beside them that have room are read whole. */
static void
test_patches (void)
{
  static const char *const tokens[] = { "register 3", "patch 1,1", "patch 1,2", "patch 2,1", "patch 2,2" };
  const gsize n = G_N_ELEMENTS (tokens);
  const HlShape shape = { 4, { 1, 1, n, n } };
  float weights[G_N_ELEMENTS (tokens) * G_N_ELEMENTS (tokens)];
  g_autoptr (HlImage) image = hl_image_new (20, 20, NULL);
  const HlPictureGrid grid = { 0, 1, 2, 2, 2, { 0, 0, 20, 20 } };
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;

  memset (image->pixels, 99, 20 * 20 * 3);
  for (gsize i = 0; i < n * n; i++)
    weights[i] = i == 0 ? 0.9f : i == n + 2 ? 0.8f : 0.01f;
  g_autoptr (GBytes) bytes = g_bytes_new (weights, sizeof weights);
  g_autoptr (HlTensor) tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 0, &error);
  g_assert_no_error (error);
  g_autoptr (HlPicture) picture = hl_picture_new (&image, 1, &grid, 1, n, &error);
  g_assert_no_error (error);
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = 0, .batch_axis = -1, .head_axis = 1, .row_axis = 2, .column_axis = 3
  };
  const HlAttentionInit init = { .weights = &layer,
                                 .n_layers = 1,
                                 .tokens = { tokens, tokens },
                                 .n_used = { n, n },
                                 .pictures = { picture, picture },
                                 .rule = { .scale = 1 } };
  g_ptr_array_add (attentions, hl_attention_new (&init));
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  GtkWidget *page = g_object_new (HL_TYPE_HEAD_PAGE, NULL);

  hl_state_panel_set_view_state (HL_STATE_PANEL (page), state);
  GtkWidget *window = panel_show (page, 260, 700);
  PANEL_WAIT_UNTIL (*get_row (page, "pairs", 0, TRUE) != '\0');
  g_assert_cmpstr (get_row (page, "pairs", 0, FALSE), ==, "register 3 0\n→ register 3 0");
  g_assert_cmpstr (get_row (page, "pairs", 1, FALSE), ==, "patch 1,1\n→ patch 1,2");
  for (int i = 0; i < 2; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (panel_get_child (page, "pairs")), i);
      GtkWidget *patches = gtk_widget_get_prev_sibling (get_name (row));
      g_assert_true (gtk_widget_get_visible (patches));
      PANEL_WAIT_UNTIL (gtk_widget_get_width (patches) >= 16);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

static GtkEventController *
find_motion (GtkWidget *widget)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        return controller;
    }
  g_assert_not_reached ();
}

/* A cell of the small picture is pointed at in the large one, too, and the page stays. */
static void
test_picture (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  HlHeadPage *page = g_object_new (HL_TYPE_HEAD_PAGE, NULL);
  GtkWidget *picture = panel_get_child (GTK_WIDGET (page), "picture");
  const double cell = HL_HEAD_PICTURE_SIDE / (double) small.n;

  hl_state_panel_set_view_state (HL_STATE_PANEL (page), state);
  GtkWidget *window = panel_show (GTK_WIDGET (page), 260, 700);
  PANEL_WAIT_UNTIL (tells (GTK_WIDGET (page), "Layer 0 · Head 0"));
  GtkEventController *motion = find_motion (picture);
  g_signal_emit_by_name (motion, "motion", 4.5 * cell, 9.5 * cell);
  const HlPick *hovered = hl_view_state_get_hovered (state);
  g_assert_cmpint (hovered->kind, ==, HL_PICK_CELL);
  g_assert_cmpuint (hovered->query, ==, 9);
  g_assert_cmpuint (hovered->key, ==, 4);
  g_assert_true (hl_head_page_points_at (page, hovered));
  /* Beside it is its scale. */
  g_signal_emit_by_name (motion, "motion", HL_HEAD_PICTURE_SIDE + 5.0, 20.0);
  g_assert_cmpint (hovered->kind, ==, HL_PICK_NONE);
  g_signal_emit_by_name (motion, "motion", 1.0, 1.0);
  g_assert_cmpint (hovered->kind, ==, HL_PICK_CELL);
  g_signal_emit_by_name (motion, "leave");
  g_assert_cmpint (hovered->kind, ==, HL_PICK_NONE);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Heads race past whose maps come slowly: what is told always belongs to the title. */
static void
test_race (void)
{
  const PanelAttention slow = { .n_layers = 40, .n_heads = 2, .n = 10, .delay = 4000 };
  g_autoptr (HlViewState) state = panel_state_new (&slow);
  GtkWidget *page = g_object_new (HL_TYPE_HEAD_PAGE, NULL);

  hl_state_panel_set_view_state (HL_STATE_PANEL (page), state);
  GtkWidget *window = panel_show (page, 260, 700);
  for (guint i = 0; i < 120; i++)
    {
      hl_view_state_go_to (state, i / 3 % slow.n_layers, i % slow.n_heads);
      panel_wait (i % 11);
    }
  hl_view_state_go_to (state, 7, 1);
  PANEL_WAIT_UNTIL (g_str_equal (get_title (page), "Layer 7 · Head 1") && *get_row (page, "pairs", 0, TRUE) != '\0');
  float max = 0;
  for (guint q = 0; q < slow.n; q++)
    for (guint k = 0; k < slow.n; k++)
      max = MAX (max, panel_weight (&slow, 7, 1, q, k));
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (get_row (page, "pairs", 0, TRUE), NULL), max, 0.0051);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Another attention comes with what is known of its heads, of which it has fewer, while those are told that are like a head of the first. */
static void
test_other_numbers (void)
{
  static const PanelAttention tiny = { .n_layers = 1, .n_heads = 1, .n = 5 };
  g_autoptr (HlViewState) state = panel_state_new (&small);
  g_autoptr (HlExample) other = panel_example_new (&tiny, 1);
  HlAttention *attention = hl_example_get_attention (other, 0);
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_new (attention, 0, tiny.n);
  GtkWidget *page = g_object_ref_sink (g_object_new (HL_TYPE_HEAD_PAGE, NULL));
  GtkWidget *window = panel_show (page, 320, 700);

  hl_view_state_go_to (state, 2, 3);
  g_object_set (page, "view-state", state, NULL);
  PANEL_WAIT_UNTIL (tells (page, "Layer 2 · Head 3"));
  g_object_freeze_notify (G_OBJECT (state));
  hl_view_state_set_example (state, other);
  hl_view_state_set_numbers (state, numbers);
  g_object_thaw_notify (G_OBJECT (state));
  g_assert_true (hl_view_state_get_numbers (state) == numbers);
  PANEL_WAIT_UNTIL (g_str_equal (get_title (page), "Layer 0 · Head 0"));
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (page);
}

/* Of a difference, numbers of heads as they are are those of the first side, and said to be; so is all beside a chart, which subtracts no
 * maps. */
static void
test_difference (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  g_autoptr (HlExample) other = panel_example_new (&small, 1);
  GtkWidget *page = g_object_new (HL_TYPE_HEAD_PAGE, NULL);
  GtkWidget *note = panel_get_child (page, "numbers_note");
  GtkLabel *alike_note = GTK_LABEL (panel_get_child (page, "alike_note"));
  GtkWidget *subtitle = panel_get_child (page, "subtitle");

  g_object_set (state, "view", HL_VIEW_CHART, NULL);
  hl_state_panel_set_view_state (HL_STATE_PANEL (page), state);
  GtkWidget *window = panel_show (page, 260, 700);
  PANEL_WAIT_UNTIL (tells (page, "Layer 0 · Head 0"));
  g_assert_cmpstr (get_inscription (subtitle), ==, "attention weight");
  g_assert_cmpstr (gtk_label_get_label (alike_note), ==, "");
  g_assert_false (gtk_widget_get_visible (note));

  hl_view_state_set_difference (state, hl_example_get_attention (other, 0), NULL);
  PANEL_WAIT_UNTIL (g_str_equal (get_inscription (subtitle), "attention weight in A"));
  PANEL_WAIT_UNTIL (g_str_equal (gtk_label_get_label (alike_note), "in A"));
  g_assert_true (gtk_widget_get_visible (note));

  g_object_set (state, "view", HL_VIEW_HEATMAP, NULL);
  PANEL_WAIT_UNTIL (g_str_equal (get_inscription (subtitle), "difference B − A of attention weight"));
  PANEL_WAIT_UNTIL (g_str_equal (gtk_label_get_label (alike_note), "in A"));
  g_assert_true (gtk_widget_get_visible (note));
  hl_view_state_set_difference (state, NULL, NULL);
  PANEL_WAIT_UNTIL (!gtk_widget_get_visible (note) && *gtk_label_get_label (alike_note) == '\0');
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_pair (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&small);
  GtkWidget *section = g_object_new (HL_TYPE_PAIR_SECTION, NULL);
  GtkWidget *grid = panel_get_child (section, "grid");
  guint best_layer = 0, best_head = 0;
  graphene_rect_t area;

  hl_state_panel_set_view_state (HL_STATE_PANEL (section), state);
  GtkWidget *window = panel_show (section, 260, 300);
  g_assert_false (gtk_widget_get_visible (panel_get_child (section, "content")));
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_CELL, .query = 3, .key = 5 });
  g_assert_true (gtk_widget_get_visible (panel_get_child (section, "content")));
  for (guint layer = 0; layer < small.n_layers; layer++)
    for (guint head = 0; head < (layer == 1 ? small.few_heads : small.n_heads); head++)
      if (panel_weight (&small, layer, head, 3, 5) > panel_weight (&small, best_layer, best_head, 3, 5))
        {
          best_layer = layer;
          best_head = head;
        }
  g_autofree char *beginning = g_strdup_printf ("Strongest: layer %u · head %u, ", best_layer, best_head);
  PANEL_WAIT_UNTIL (
    g_str_has_prefix (gtk_label_get_label (GTK_LABEL (panel_get_child (section, "legend"))), beginning));

  PANEL_WAIT_UNTIL (hl_pair_grid_get_area (HL_PAIR_GRID (grid), 2, 3, &area) && area.size.width > 3);
  g_assert_false (hl_pair_grid_get_area (HL_PAIR_GRID (grid), 1, 2, &area));

  /* By keys, from the head that is looked at. */
  g_assert_true (panel_press (grid, GDK_KEY_Right, 0));
  g_assert_true (panel_press (grid, GDK_KEY_Down, 0));
  g_assert_true (panel_press (grid, GDK_KEY_Down, 0));
  g_assert_true (panel_press (grid, GDK_KEY_Return, 0));
  g_assert_cmpuint (hl_view_state_get_layer (state), ==, 2);
  g_assert_cmpuint (hl_view_state_get_head (state), ==, 1);
  hl_view_state_set_pinned (state, NULL);
  g_assert_false (gtk_widget_get_visible (panel_get_child (section, "content")));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Whether all of its cells have one colour. */
static gboolean
is_blank (GtkWidget *grid)
{
  GdkRGBA first, other;
  graphene_rect_t area;

  for (guint layer = 0; hl_pair_grid_get_area (HL_PAIR_GRID (grid), layer, 0, &area); layer++)
    for (guint head = 0; hl_pair_grid_get_area (HL_PAIR_GRID (grid), layer, head, &area); head++)
      {
        graphene_point_t centre;
        graphene_rect_get_center (&area, &centre);
        panel_get_pixel (grid, (int) centre.x, (int) centre.y, layer + head == 0 ? &first : &other);
        if (layer + head > 0 && !gdk_rgba_equal (&first, &other))
          return FALSE;
      }
  return TRUE;
}

static guint32
get_cell_pixel (GtkWidget *grid,
                guint      layer,
                guint      head)
{
  graphene_rect_t area;
  graphene_point_t centre;
  GdkRGBA colour;

  g_assert_true (hl_pair_grid_get_area (HL_PAIR_GRID (grid), layer, head, &area));
  graphene_rect_get_center (&area, &centre);
  panel_get_pixel (grid, (int) centre.x, (int) centre.y, &colour);
  return hl_colour_to_pixel (&(HlColour){ colour.red, colour.green, colour.blue, colour.alpha }) & 0xffffff;
}

/* The colours of numbers that have a sign are those of every other picture of them; where there is no number there is no colour. */
static void
test_pair_signs (void)
{
  static const PanelAttention attention = { .n_layers = 3, .n_heads = 4, .n = 12, .nan_key = 7 };
  g_autoptr (HlViewState) state = panel_state_new (&attention);
  GtkWidget *section = g_object_new (HL_TYPE_PAIR_SECTION, NULL);
  GtkWidget *grid = panel_get_child (section, "grid");
  GtkLabel *legend = GTK_LABEL (panel_get_child (section, "legend"));
  double differences[3][4], max = 0;
  guint n_above = 0, n_below = 0;

  for (guint layer = 0; layer < 3; layer++)
    for (guint head = 0; head < 4; head++)
      {
        differences[layer][head] = (double) panel_weight (&attention, layer, head, 3, 5) -
                                   (double) panel_weight (&attention, layer, head, 5, 3);
        max = MAX (max, fabs (differences[layer][head]));
        n_above += differences[layer][head] > 0;
        n_below += differences[layer][head] < 0;
      }
  g_assert_true (n_above > 0 && n_below > 0);

  g_object_set (state, "direction", HL_DIRECTION_ASYMMETRY, NULL);
  hl_state_panel_set_view_state (HL_STATE_PANEL (section), state);
  GtkWidget *window = panel_show (section, 260, 300);
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_CELL, .query = 3, .key = 5 });
  PANEL_WAIT_UNTIL (g_str_has_prefix (gtk_label_get_label (legend), "Strongest: ") && gtk_widget_get_width (grid) > 0);
  PANEL_WAIT_UNTIL (!is_blank (grid));
  for (guint layer = 0; layer < 3; layer++)
    for (guint head = 0; head < 4; head++)
      g_assert_cmphex (get_cell_pixel (grid, layer, head), ==,
                       hl_diverging_map_lookup (FALSE, differences[layer][head] / max) & 0xffffff);

  /* 7 → 7 is no number in any head. */
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_CELL, .query = 7, .key = 7 });
  PANEL_WAIT_UNTIL (g_str_equal (gtk_label_get_label (legend), ""));
  PANEL_WAIT_UNTIL (get_cell_pixel (grid, 1, 2) == 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* So large that none of it is kept. */
#define N_UNKEPT 5100

/* What was read once cannot be read any more: the weights of a pair are not shown for the next. */
static void
test_pair_unreadable (void)
{
  int fails = FALSE;
  const PanelAttention large = { .n_layers = 2, .n_heads = 3, .n = N_UNKEPT, .fails = &fails };
  g_autoptr (HlViewState) state = panel_state_new (&large);
  GtkWidget *section = g_object_new (HL_TYPE_PAIR_SECTION, NULL);
  GtkWidget *grid = panel_get_child (section, "grid");
  GtkLabel *legend = GTK_LABEL (panel_get_child (section, "legend"));

  g_assert_cmpuint (sizeof (float) * N_UNKEPT * N_UNKEPT, >, HL_LIMIT_KEPT_HEAD);
  hl_state_panel_set_view_state (HL_STATE_PANEL (section), state);
  GtkWidget *window = panel_show (section, 260, 300);
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_CELL, .query = 1, .key = 1 });
  PANEL_WAIT_UNTIL (g_str_has_prefix (gtk_label_get_label (legend), "Strongest: ") && gtk_widget_get_width (grid) > 0);
  PANEL_WAIT_UNTIL (!is_blank (grid));

  g_atomic_int_set (&fails, TRUE);
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_CELL, .query = 1, .key = 0 });
  PANEL_WAIT_UNTIL (g_str_equal (gtk_label_get_label (legend), "It cannot be read"));
  PANEL_WAIT_UNTIL (is_blank (grid));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The weights of a pair are of all maps: of a file that holds far less than these they are not read before that is allowed. */
static void
test_pair_expansion (void)
{
  g_autoptr (HlExample) example = test_make_hollow_example (9, 4096);
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  GtkWidget *section = g_object_new (HL_TYPE_PAIR_SECTION, NULL);
  GtkWidget *content = panel_get_child (section, "content");

  hl_state_panel_set_view_state (HL_STATE_PANEL (section), state);
  GtkWidget *window = panel_show (section, 260, 300);
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_CELL, .query = 3, .key = 5 });
  g_assert_false (gtk_widget_get_visible (content));
  hl_view_state_allow_expansion (state, FALSE);
  g_assert_true (gtk_widget_get_visible (content));
  hl_view_state_set_pinned (state, NULL);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/head-page/life", test_life);
  g_test_add_func ("/head-page/facts", test_facts);
  g_test_add_func ("/head-page/page", test_page);
  g_test_add_func ("/head-page/picture", test_picture);
  g_test_add_func ("/head-page/places", test_places);
  g_test_add_func ("/head-page/patches", test_patches);
  g_test_add_func ("/head-page/race", test_race);
  g_test_add_func ("/head-page/other-numbers", test_other_numbers);
  g_test_add_func ("/head-page/difference", test_difference);
  g_test_add_func ("/head-page/pair", test_pair);
  g_test_add_func ("/head-page/pair-signs", test_pair_signs);
  g_test_add_func ("/head-page/pair-unreadable", test_pair_unreadable);
  g_test_add_func ("/head-page/pair-expansion", test_pair_expansion);
  return g_test_run ();
}

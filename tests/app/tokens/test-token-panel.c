/* SPDX-License-Identifier: MIT */
/* The token panel: what it says of the token in focus, that title and rows always belong together, and that it lets go. */
#include "panel-support.h"

#include "app/details/hl-head-picture.h"
#include "app/tokens/hl-token-list.h"
#include "app/tokens/hl-token-weights-text.h"
#include "app/tokens/hl-token-panel.h"
#include "app/tokens/hl-weight-bar.h"
#include "app/widgets/hl-steady-label.h"
#include "draw/paint/hl-palette.h"

#include <adwaita.h>

static const PanelAttention quick = { .n_layers = 2, .n_heads = 4, .n = 14 };

static void
hover (HlViewState *state,
       HlPickKind   kind,
       gsize        query,
       gsize        key)
{
  hl_view_state_set_hovered (state, &(HlPick){ .kind = kind, .query = query, .key = key });
}

static const char *
get_label (GtkWidget  *panel,
           const char *name)
{
  return pango_layout_get_text (hl_steady_label_get_layout (HL_STEADY_LABEL (panel_get_child (panel, name))));
}

static const char *
get_page (GtkWidget *panel)
{
  return gtk_stack_get_visible_child_name (GTK_STACK (panel_get_child (panel, "stack")));
}

static HlTokenList *
get_list (GtkWidget *panel)
{
  GtkListView *view = GTK_LIST_VIEW (panel_get_child (panel, "view"));
  GtkNoSelection *selection = GTK_NO_SELECTION (gtk_list_view_get_model (view));

  return HL_TOKEN_LIST (gtk_no_selection_get_model (selection));
}

/* Spaces that nothing breaks at are spaces. */
static char *
dup_title (GtkWidget *panel)
{
  g_auto (GStrv) parts = g_strsplit (get_label (panel, "title"), "\u00a0", -1);

  return g_strjoinv (" ", parts);
}

static gboolean
shows (GtkWidget  *panel,
       const char *title)
{
  g_autofree char *plain = dup_title (panel);

  return g_str_equal (get_page (panel), "token") && hl_token_list_get_weights (get_list (panel)) != NULL &&
         g_str_equal (plain, title);
}

/* The rows on the screen, from top to bottom. */
static GPtrArray *
collect_bars (GtkWidget *panel)
{
  GPtrArray *bars = g_ptr_array_new ();
  GtkWidget *view = panel_get_child (panel, "view");

  for (GtkWidget *row = gtk_widget_get_first_child (view); row != NULL; row = gtk_widget_get_next_sibling (row))
    if (HL_IS_WEIGHT_BAR (gtk_widget_get_first_child (row)) && gtk_widget_get_mapped (row))
      g_ptr_array_add (bars, gtk_widget_get_first_child (row));
  return bars;
}

static void
test_life (void)
{
  HlViewState *state = panel_state_new (&quick);
  GtkWidget *panel = g_object_ref_sink (g_object_new (HL_TYPE_TOKEN_PANEL, NULL));

  g_assert_cmpstr (get_page (panel), ==, "hint");
  g_object_set (panel, "view-state", state, NULL);
  g_assert_true (hl_state_panel_get_view_state (HL_STATE_PANEL (panel)) == state);
  hover (state, HL_PICK_QUERY, 1, 0);
  PANEL_WAIT_UNTIL (shows (panel, "flies (query 1)"));
  g_object_set (panel, "view-state", NULL, NULL);
  g_assert_cmpstr (get_page (panel), ==, "hint");
  g_object_set (panel, "view-state", state, NULL);
  PANEL_WAIT_UNTIL (shows (panel, "flies (query 1)"));
  g_assert_finalize_object (panel);
  hover (state, HL_PICK_QUERY, 2, 0);
  g_assert_finalize_object (state);
}

static void
test_titles (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&quick);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 400);
  /* Without a token, the head. */
  g_assert_cmpstr (get_page (panel), ==, "head");

  hover (state, HL_PICK_QUERY, 2, 0);
  PANEL_WAIT_UNTIL (shows (panel, "like (query 2)"));
  g_assert_cmpstr (get_label (panel, "subtitle"), ==, "Keys it attends to, head 0");
  g_assert_true (g_str_has_prefix (get_label (panel, "detail"), "row sum "));
  hover (state, HL_PICK_KEY, 0, 2);
  PANEL_WAIT_UNTIL (shows (panel, "like (key 2)"));
  hl_view_state_select_all_heads (state);
  PANEL_WAIT_UNTIL (g_str_equal (get_label (panel, "subtitle"), "Queries that attend to it, mean of 4 heads"));

  hl_view_state_go_to (state, hl_view_state_get_layer (state), 0);
  hover (state, HL_PICK_CELL, 2, 4);
  PANEL_WAIT_UNTIL (shows (panel, "like 2 → arrow 4"));
  HlTokenWeights *weights = hl_token_list_get_weights (get_list (panel));
  guint position;
  g_assert_true (hl_token_weights_find (weights, 4, &position));
  g_autofree char *detail =
    g_strdup_printf ("rank %u of 14 · row sum %.3f", position + 1, hl_token_weights_get_sum (weights));
  g_assert_cmpstr (get_label (panel, "detail"), ==, detail);
  g_assert_cmpuint (hl_token_list_get_marked (get_list (panel)), ==, 4);

  /* The arrow leads from the token that attends, also where keys have the rows. */
  hl_view_state_set_option (state, direction, HL_DIRECTION_TRANSPOSED);
  hover (state, HL_PICK_CELL, 3, 4);
  PANEL_WAIT_UNTIL (shows (panel, "arrow 4 → an 3"));
  hl_view_state_set_option (state, direction, HL_DIRECTION_AS_IS);
  hover (state, HL_PICK_CELL, 2, 4);
  PANEL_WAIT_UNTIL (shows (panel, "like 2 → arrow 4"));

  /* Between two tokens there is none for a moment; then it is the head again. */
  hover (state, HL_PICK_NONE, 0, 0);
  g_assert_true (shows (panel, "like 2 → arrow 4"));
  PANEL_WAIT_UNTIL (g_str_equal (get_page (panel), "head"));
  hover (state, HL_PICK_CELL, 2, 4);
  PANEL_WAIT_UNTIL (shows (panel, "like 2 → arrow 4"));

  hl_view_state_select_no_heads (state);
  g_assert_cmpstr (get_page (panel), ==, "hint");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What is drawn in the rows is the answer, in its order. */
static void
test_rows (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&quick);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 900);
  for (guint query = 0; query < 3; query++)
    {
      hover (state, HL_PICK_QUERY, query, 0);
      PANEL_WAIT_UNTIL (hl_token_list_get_weights (get_list (panel)) != NULL &&
                        hl_token_weights_get_subject (hl_token_list_get_weights (get_list (panel))) == query);
      panel_wait (50);
      g_autoptr (GPtrArray) bars = collect_bars (panel);
      HlTokenWeights *weights = hl_token_list_get_weights (get_list (panel));
      g_assert_cmpuint (bars->len, ==, quick.n);
      for (guint i = 0; i < bars->len; i++)
        g_assert_true (hl_token_row_get_weight (hl_weight_bar_get_row (bars->pdata[i])) ==
                       hl_token_weights_get_row (weights, i));
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* How many pixels of a row, from side to side, have the colour of a head. */
static guint
count_pixels (GtkWidget *bar,
              guint      head)
{
  const HlColour wanted = hl_palette_get_head_colour (head, FALSE);
  guint n = 0;

  for (int x = 0; x < gtk_widget_get_width (bar); x++)
    {
      GdkRGBA seen;
      panel_get_pixel (bar, x, gtk_widget_get_height (bar) / 2, &seen);
      n += ABS (seen.red - wanted.r) < 0.02 && ABS (seen.green - wanted.g) < 0.02 &&
           ABS (seen.blue - wanted.b) < 0.02 && seen.alpha > 0.98;
    }
  return n;
}

/* Bars have a part for each head; those of other heads stand back while a head's chip is pointed at. */
static void
test_dimmed (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&quick);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 700);
  hl_view_state_toggle_head (state, 1);
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 2 });
  PANEL_WAIT_UNTIL (hl_token_list_get_weights (get_list (panel)) != NULL);
  panel_wait (50);
  g_autoptr (GPtrArray) bars = collect_bars (panel);
  GtkWidget *bar = bars->pdata[0];
  const guint n[] = { count_pixels (bar, 0), count_pixels (bar, 1) };
  g_assert_cmpuint (n[0], >, 0);
  g_assert_cmpuint (n[1], >, 0);
  for (guint head = 0; head < 2; head++)
    {
      hl_view_state_set_hovered (state, &(HlPick){ .kind = HL_PICK_HEAD, .head = head });
      panel_wait (100);
      g_assert_cmpuint (count_pixels (bar, head), ==, n[head]);
      g_assert_cmpuint (count_pixels (bar, 1 - head), ==, 0);
    }
  hl_view_state_set_hovered (state, &(HlPick){ HL_PICK_NONE });
  panel_wait (100);
  g_assert_cmpuint (count_pixels (bar, 0), ==, n[0]);
  g_assert_cmpuint (count_pixels (bar, 1), ==, n[1]);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Pointer and keys race over tokens and heads whose numbers come slowly: at no time may a row stand under another
 * token's title, or another head's. */
static void
test_race (void)
{
  /* A head that was read once is quick ever after: there are as many as it takes. */
  const PanelAttention slow = { .n_layers = 60, .n_heads = 4, .n = 40, .delay = 5000 };
  g_autoptr (HlViewState) state = panel_state_new (&slow);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);
  guint n_seen = 0;
  guint last = G_MAXUINT;

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 400);
  for (guint i = 0; i < 400; i++)
    {
      hl_view_state_go_to (state, i / 10 % slow.n_layers, i / 20 % slow.n_heads);
      hover (state, HL_PICK_QUERY, i / 5 % slow.n, 0);
      panel_wait (i % 7);
      HlTokenWeights *weights = hl_token_list_get_weights (get_list (panel));
      if (weights == NULL)
        continue;
      const guint subject = (guint) hl_token_weights_get_subject (weights);
      g_autofree char *query = g_strdup_printf ("(query %u)", subject);
      g_autofree char *head = g_strdup_printf ("head %u", hl_token_weights_get_head (weights, 0)->head);
      g_autofree char *title = dup_title (panel);
      g_assert_true (g_str_has_suffix (title, query));
      g_assert_true (g_str_has_suffix (get_label (panel, "subtitle"), head));
      n_seen += subject != last;
      last = subject;
    }
  g_assert_cmpuint (n_seen, >, 3);
  hover (state, HL_PICK_QUERY, 7, 0);
  PANEL_WAIT_UNTIL (shows (panel, "time (query 7)"));
  g_assert_cmpuint (hl_token_weights_get_subject (hl_token_list_get_weights (get_list (panel))), ==, 7);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* When numbers do not come soon, the old ones go and the new title says that they are being read. */
static void
test_patience (void)
{
  const PanelAttention slow = { .n_layers = 3, .n_heads = 1, .n = 14, .delay = 1500000 };
  g_autoptr (HlViewState) state = panel_state_new (&slow);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 400);
  hover (state, HL_PICK_QUERY, 1, 0);
  PANEL_WAIT_UNTIL (shows (panel, "flies (query 1)"));
  hl_view_state_set_layer (state, 1);
  hover (state, HL_PICK_QUERY, 2, 0);
  g_assert_true (shows (panel, "flies (query 1)"));
  PANEL_WAIT_UNTIL (g_str_has_prefix (get_label (panel, "title"), "like ("));
  g_autofree char *title = dup_title (panel);
  g_assert_cmpstr (title, ==, "like (query 2)");
  /* The rows are there, and tell nothing. */
  g_autoptr (HlTokenRow) row = g_list_model_get_item (G_LIST_MODEL (get_list (panel)), 0);
  g_assert_null (hl_token_row_dup_label (row));
  PANEL_WAIT_UNTIL (shows (panel, "like (query 2)"));
  /* Nothing waits for a panel that is gone. */
  hl_view_state_set_layer (state, 2);
  panel_wait (20);
  g_object_ref (panel);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_add_weak_pointer (G_OBJECT (panel), (gpointer *) &panel);
  g_object_unref (panel);
  PANEL_WAIT_UNTIL (panel == NULL);
}

static void
test_pin (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&quick);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 400);
  GtkWidget *pin = panel_get_child (panel, "pin");
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 2 });
  PANEL_WAIT_UNTIL (shows (panel, "like (query 2)"));
  g_assert_true (gtk_widget_get_sensitive (pin));

  /* What is hovered besides the pin is marked, not told about. */
  hover (state, HL_PICK_KEY, 0, 5);
  g_assert_true (shows (panel, "like (query 2)"));
  g_assert_cmpuint (hl_token_list_get_marked (get_list (panel)), ==, 5);

  /* A row that is activated pins its pair. */
  const HlTokenWeight first = *hl_token_weights_get_row (hl_token_list_get_weights (get_list (panel)), 0);
  g_signal_emit_by_name (panel_get_child (panel, "view"), "activate", 0);
  const HlPick *pinned = hl_view_state_get_pinned (state);
  g_assert_cmpint (pinned->kind, ==, HL_PICK_CELL);
  g_assert_cmpuint (pinned->query, ==, 2);
  g_assert_cmpuint (pinned->key, ==, first.index);
  g_assert_cmpuint (hl_token_list_get_marked (get_list (panel)), ==, first.index);

  g_signal_emit_by_name (pin, "clicked");
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_NONE);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_copy (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&quick);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 400);
  g_assert_false (gtk_widget_activate_action (panel, "panel.copy", NULL) &&
                  hl_token_list_get_weights (get_list (panel)) != NULL);
  hover (state, HL_PICK_QUERY, 2, 0);
  PANEL_WAIT_UNTIL (shows (panel, "like (query 2)"));
  g_assert_true (gtk_widget_activate_action (panel, "panel.copy", NULL));
  g_autofree char *copied = panel_read_clipboard (panel);
  g_autofree char *wanted = hl_token_weights_to_text (hl_token_list_get_weights (get_list (panel)));
  g_assert_cmpstr (copied, ==, wanted);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The edge of the small picture where the row of a query is. */
static void
get_edge (GtkWidget *picture,
          guint      query,
          GdkRGBA   *colour)
{
  panel_get_pixel (picture, 0, (int) ((query + 0.5) * 164 / quick.n), colour);
}

/* A token that is pointed at is marked in the picture of the head, where there is room for it. */
static void
test_picture (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&quick);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);
  GtkWidget *picture = panel_get_child (panel, "picture");
  GdkRGBA marked, plain;

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 700);
  hover (state, HL_PICK_QUERY, 3, 0);
  PANEL_WAIT_UNTIL (shows (panel, "an (query 3)"));
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (picture));
  panel_wait (300);
  get_edge (picture, 3, &marked);
  hover (state, HL_PICK_QUERY, 9, 0);
  PANEL_WAIT_UNTIL (shows (panel, "like (query 9)"));
  panel_wait (100);
  get_edge (picture, 3, &plain);
  g_assert_false (gdk_rgba_equal (&marked, &plain));
  get_edge (picture, 9, &plain);
  g_assert_true (gdk_rgba_equal (&marked, &plain));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* One cell of each row. */
static void
get_cells (GtkWidget *picture,
           GdkRGBA   *colours)
{
  for (guint i = 0; i < quick.n; i++)
    panel_get_pixel (picture, (int) ((i / 2 + 0.5) * 164 / quick.n), (int) ((i + 0.5) * 164 / quick.n), &colours[i]);
}

static gboolean
has_picture (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();

  gdk_paintable_snapshot (paintable, snapshot, 1, 1);
  g_autoptr (GskRenderNode) node = gtk_snapshot_to_node (snapshot);
  return node != NULL;
}

/* It has been read, and drawn. */
static gboolean
is_drawn (GtkWidget *picture)
{
  HlPick cell;

  if (!hl_head_picture_find_cell (HL_HEAD_PICTURE (picture), 1, 1, &cell))
    return FALSE;
  panel_wait (100);
  return hl_head_picture_find_cell (HL_HEAD_PICTURE (picture), 1, 1, &cell) && has_picture (picture);
}

static gboolean
looks_like (GtkWidget     *picture,
            const GdkRGBA *wanted)
{
  GdkRGBA seen[14];

  if (!is_drawn (picture))
    return FALSE;
  get_cells (picture, seen);
  for (guint i = 0; i < quick.n; i++)
    if (!gdk_rgba_equal (&seen[i], &wanted[i]))
      return FALSE;
  return TRUE;
}

/* Of all layers a token is of one: that is named, and the picture is of it. */
static void
test_layers (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&quick);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);
  GtkWidget *picture = panel_get_child (panel, "picture");
  GdkRGBA wanted[2][14];

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 700);
  hover (state, HL_PICK_QUERY, 3, 0);
  PANEL_WAIT_UNTIL (shows (panel, "an (query 3)"));
  PANEL_WAIT_UNTIL (gtk_widget_get_mapped (picture));
  for (guint layer = 0; layer < 2; layer++)
    {
      hl_view_state_set_layer (state, layer);
      panel_wait (500);
      PANEL_WAIT_UNTIL (is_drawn (picture));
      get_cells (picture, wanted[layer]);
    }
  g_assert_false (looks_like (picture, wanted[0]));

  hl_view_state_set_layer (state, 0);
  hl_view_state_set_option (state, view, HL_VIEW_LAYERS);
  hl_view_state_set_hovered (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 3, .layer = 1 });
  PANEL_WAIT_UNTIL (g_str_equal (get_label (panel, "subtitle"), "Keys it attends to, layer 1 · head 0"));
  PANEL_WAIT_UNTIL (looks_like (picture, wanted[1]));
  /* It does not go back while the token is still told of. */
  hover (state, HL_PICK_NONE, 0, 0);
  panel_wait (100);
  g_assert_true (shows (panel, "an (query 3)"));
  hl_view_state_set_hovered (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 3, .layer = 0 });
  PANEL_WAIT_UNTIL (g_str_equal (get_label (panel, "subtitle"), "Keys it attends to, layer 0 · head 0"));
  PANEL_WAIT_UNTIL (looks_like (picture, wanted[0]));
  hl_view_state_select_all_heads (state);
  PANEL_WAIT_UNTIL (g_str_equal (get_label (panel, "subtitle"), "Keys it attends to, layer 0 · mean of 4 heads"));

  /* A row's pair is of that layer, and what is told of it, too. */
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 3, .layer = 1 });
  hl_view_state_go_to (state, 0, 0);
  PANEL_WAIT_UNTIL (g_str_equal (get_label (panel, "subtitle"), "Keys it attends to, layer 1 · head 0"));
  PANEL_WAIT_UNTIL (looks_like (picture, wanted[1]));
  g_signal_emit_by_name (panel_get_child (panel, "view"), "activate", 0);
  g_assert_cmpint (hl_view_state_get_pinned (state)->kind, ==, HL_PICK_CELL);
  g_assert_cmpuint (hl_view_state_get_pinned (state)->layer, ==, 1);
  panel_wait (500);
  PANEL_WAIT_UNTIL (looks_like (picture, wanted[1]));
  guint layer;
  g_assert_true (hl_token_weights_is_in_layer (hl_token_list_get_weights (get_list (panel)), &layer));
  g_assert_cmpuint (layer, ==, 1);

  /* So is a cell that is pointed at in the small picture. */
  hl_view_state_set_pinned (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 3, .layer = 1 });
  PANEL_WAIT_UNTIL (looks_like (picture, wanted[1]));
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (picture);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        g_signal_emit_by_name (controller, "motion", 1.0, 1.0);
    }
  g_assert_cmpint (hl_view_state_get_hovered (state)->kind, ==, HL_PICK_CELL);
  g_assert_cmpuint (hl_view_state_get_hovered (state)->layer, ==, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Words that are repeated are told apart in whatever the panel is headed with, long ones too. */
static void
test_places (void)
{
  static const char *const tokens[] = { "flies", "antidisestablishmentarianism-and-more", "flies" };
  const PanelAttention repeated = { .n_layers = 1, .n_heads = 2, .n = 3, .tokens = tokens };
  g_autoptr (HlViewState) state = panel_state_new (&repeated);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 400);
  hover (state, HL_PICK_CELL, 2, 0);
  PANEL_WAIT_UNTIL (shows (panel, "flies 2 → flies 0"));
  hover (state, HL_PICK_CELL, 1, 2);
  PANEL_WAIT_UNTIL (shows (panel, "antidisestab…sm-and-more 1 → flies 2"));
  hover (state, HL_PICK_QUERY, 1, 0);
  PANEL_WAIT_UNTIL (shows (panel, "antidisestab…sm-and-more (query 1)"));
  /* Nothing of it is cut. */
  HlSteadyLabel *title = HL_STEADY_LABEL (panel_get_child (panel, "title"));
  g_assert_false (pango_layout_is_ellipsized (hl_steady_label_get_layout (title)));
  hl_view_state_gather (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 0 });
  hl_view_state_gather (state, &(HlPick){ .kind = HL_PICK_QUERY, .query = 2 });
  PANEL_WAIT_UNTIL (shows (panel, "mean of 2 queries: flies (0), flies (2)"));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The panel asks for the same room whatever it tells about: a title must not push the picture. */
static void
test_width (void)
{
  g_autoptr (HlViewState) state = panel_state_new (&quick);
  GtkWidget *panel = g_object_new (HL_TYPE_TOKEN_PANEL, NULL);
  int before, after;

  hl_state_panel_set_view_state (HL_STATE_PANEL (panel), state);
  GtkWidget *window = panel_show (panel, 260, 400);
  gtk_widget_measure (panel, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &before, NULL, NULL);
  hl_view_state_select_all_heads (state);
  hover (state, HL_PICK_CELL, 2, 4);
  PANEL_WAIT_UNTIL (shows (panel, "like 2 → arrow 4"));
  gtk_widget_measure (panel, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &after, NULL, NULL);
  g_assert_cmpint (before, ==, after);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/token-panel/life", test_life);
  g_test_add_func ("/token-panel/titles", test_titles);
  g_test_add_func ("/token-panel/rows", test_rows);
  g_test_add_func ("/token-panel/dimmed", test_dimmed);
  g_test_add_func ("/token-panel/race", test_race);
  g_test_add_func ("/token-panel/patience", test_patience);
  g_test_add_func ("/token-panel/pin", test_pin);
  g_test_add_func ("/token-panel/copy", test_copy);
  g_test_add_func ("/token-panel/picture", test_picture);
  g_test_add_func ("/token-panel/layers", test_layers);
  g_test_add_func ("/token-panel/places", test_places);
  g_test_add_func ("/token-panel/width", test_width);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT */
/* What a model says without some heads: the panel follows heads, pin and token, fills the table of heads, and drops what is stale. */
#include "model-support.h"
#include "panel-support.h"

#include "app/experiment/hl-experiment-panel.h"
#include "app/page/hl-side-panel.h"
#include "core/model/hl-model-run.h"

#include <adwaita.h>
#include <math.h>
#include <string.h>

typedef struct
{
  GFile *folder;
  HlViewState *state;
  GtkWidget *panel;
  GtkWidget *window;
} Fixture;

static HlViewState *
new_state (GFile      *folder,
           const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  g_assert_no_error (error);
  const HlModelText read = { .text = text, .target_text = hl_model_has_decoder (model) ? "w10 w11 w12" : NULL };
  g_autoptr (HlModelRun) run = hl_model_run_new (model, &read, &error);
  g_assert_no_error (error);
  g_assert_true (hl_model_run_execute (run, NULL, NULL, &error));
  HlDocument *document = hl_model_run_get_document (run);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  HlViewState *state = hl_view_state_new (example);

  hl_view_state_set_call (state, hl_model_call_of (document));
  return state;
}

static void
show (Fixture *self)
{
  self->panel = g_object_ref_sink (g_object_new (HL_TYPE_EXPERIMENT_PANEL, NULL));
  self->window = panel_show (self->panel, 300, 800);
  hl_state_panel_set_view_state (HL_STATE_PANEL (self->panel), self->state);
}

static void
set_up (Fixture      *self,
        gconstpointer checkpoint)
{
  self->folder = model_folder_new (checkpoint);
  self->state = new_state (self->folder, "w5 w6 w7 w8 w9");
  show (self);
}

#define LONG_NAME 4000

/* Token 9 has a long name, of which a letter would turn the order of those after it, and is the last of the text. */
static void
set_up_long (Fixture      *self,
             gconstpointer checkpoint)
{
  g_autofree char *letters = g_strnfill (LONG_NAME, 'n');
  g_autofree char *name = g_strconcat ("\u202e", letters, NULL);
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", name);
  g_autofree char *text = g_strconcat ("w5 w6 w7 w8 ", name, NULL);
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;

  self->folder = model_folder_new (checkpoint);
  g_autofree char *path = g_build_filename (g_file_peek_path (self->folder), "tokenizer.json", NULL);
  g_file_get_contents (path, &content, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GString) tokenizer = g_string_new (content);
  g_assert_cmpuint (g_string_replace (tokenizer, "\"w9\"", quoted, 0), ==, 1);
  g_file_set_contents (path, tokenizer->str, (gssize) tokenizer->len, &error);
  g_assert_no_error (error);
  self->state = new_state (self->folder, text);
  show (self);
}

static void
tear_down (Fixture      *self,
           gconstpointer checkpoint)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  hl_state_panel_set_view_state (HL_STATE_PANEL (self->panel), NULL);
  panel_wait (200);
  g_assert_finalize_object (self->panel);
  g_assert_finalize_object (self->state);
  model_folder_remove (self->folder);
}

static const char *
get_text (Fixture    *self,
          const char *label)
{
  return gtk_label_get_label (GTK_LABEL (panel_get_child (self->panel, label)));
}

static gboolean
says (Fixture    *self,
      const char *label,
      const char *part)
{
  return strstr (get_text (self, label), part) != NULL;
}

static gboolean
has_focus (Fixture    *self,
           const char *child)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (self->panel)),
            *widget = panel_get_child (self->panel, child);

  return focus != NULL && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

static guint
count_rows (Fixture    *self,
            const char *list)
{
  guint n = 0;

  while (gtk_list_box_get_row_at_index (GTK_LIST_BOX (panel_get_child (self->panel, list)), (int) n) != NULL)
    n++;
  return n;
}

static void
test_follows (Fixture      *self,
              gconstpointer checkpoint)
{
  const HlHeadSet two = { { 6 } };
  const HlPick pin = { HL_PICK_QUERY, .query = 1 };

  PANEL_WAIT_UNTIL (says (self, "sentence", "without head 0·0 “"));
  g_assert_true (says (self, "intact", "at token 4, “"));
  g_assert_cmpuint (count_rows (self, "items"), ==, 11);
  g_assert_true (says (self, "logit", "the logit of “"));

  hl_view_state_go_to (self->state, 1, 2);
  PANEL_WAIT_UNTIL (says (self, "sentence", "without head 1·2 “"));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (panel_get_child (self->panel, "heads")), 1);
  hl_view_state_set_heads (self->state, &two);
  PANEL_WAIT_UNTIL (says (self, "sentence", "without heads 1·1, 1·2 “"));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (panel_get_child (self->panel, "method")), 1);
  PANEL_WAIT_UNTIL (says (self, "sentence", "with uniform attention of heads 1·1, 1·2 “"));

  hl_view_state_set_pinned (self->state, &pin);
  PANEL_WAIT_UNTIL (says (self, "intact", "at token 1, “"));
  g_assert_true (says (self, "position", "token 1"));

  gtk_editable_set_text (GTK_EDITABLE (panel_get_child (self->panel, "token")), "w9");
  PANEL_WAIT_UNTIL (says (self, "sentence", "“w9”"));
  gtk_editable_set_text (GTK_EDITABLE (panel_get_child (self->panel, "token")), "nonsense");
  PANEL_WAIT_UNTIL (says (self, "note", "“nonsense”"));
}

static void
test_all (Fixture      *self,
          gconstpointer checkpoint)
{
  HlHeadNumbers *numbers;

  PANEL_WAIT_UNTIL (says (self, "sentence", "without head 0·0 “"));
  g_assert_false (gtk_widget_get_visible (panel_get_child (self->panel, "effects_part")));
  g_assert_true (gtk_widget_activate_action (self->panel, "experiment.all", NULL));
  g_assert_false (gtk_widget_get_visible (panel_get_child (self->panel, "run_all")));
  gtk_widget_grab_focus (panel_get_child (self->panel, "token"));
  PANEL_WAIT_UNTIL (count_rows (self, "effects") == 6);
  g_assert_true (has_focus (self, "token"));
  numbers = hl_view_state_get_numbers (self->state);
  g_assert_nonnull (numbers);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_STATS + HL_HEAD_STAT_ABLATION_ZERO, i), >, 0);
  g_assert_true (gtk_widget_get_visible (panel_get_child (self->panel, "run_all")));

  /* Each row leads to its head. */
  for (int i = 0; i < 6; i++)
    {
      GtkListBox *list = GTK_LIST_BOX (panel_get_child (self->panel, "effects"));
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (list, i);
      g_autofree char *name = NULL;

      g_signal_emit_by_name (list, "row-activated", row);
      name =
        g_strdup_printf ("head %u·%u", hl_view_state_get_layer (self->state), hl_view_state_get_head (self->state));
      g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (gtk_widget_get_first_child (gtk_list_box_row_get_child (row)))),
                       ==, name);
    }

  /* They are of one token; of another they are not. */
  gtk_editable_set_text (GTK_EDITABLE (panel_get_child (self->panel, "token")), "w9");
  PANEL_WAIT_UNTIL (count_rows (self, "effects") == 0);
}

#define N_HELD 40

static GMutex gate;

static void
wait_at_gate (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  g_task_return_boolean (task, TRUE);
}

/* Until the gate is opened, what is to be computed waits. */
static void
hold_workers (void)
{
  g_mutex_lock (&gate);
  for (guint i = 0; i < N_HELD; i++)
    {
      g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
      g_task_run_in_thread (task, wait_at_gate);
    }
}

/* Heads that are switched off while another token is pinned are not listed under that; their numbers are of the whole text, and
 * go to the table. */
static void
test_all_of_another (Fixture      *self,
                     gconstpointer checkpoint)
{
  const HlPick pin = { HL_PICK_QUERY, .query = 1 };

  PANEL_WAIT_UNTIL (says (self, "sentence", "without head 0·0 “"));
  hold_workers ();
  gtk_widget_activate_action (self->panel, "experiment.all", NULL);
  hl_view_state_set_pinned (self->state, &pin);
  PANEL_WAIT_UNTIL (says (self, "position", "token 1"));
  g_mutex_unlock (&gate);
  PANEL_WAIT_UNTIL (gtk_widget_get_visible (panel_get_child (self->panel, "run_all")));
  g_assert_cmpuint (count_rows (self, "effects"), ==, 0);
  g_assert_cmpfloat (hl_head_numbers_get (hl_view_state_get_numbers (self->state),
                                          HL_HEAD_MEASURE_STATS + HL_HEAD_STAT_ABLATION_ZERO, 0),
                     >, 0);
  PANEL_WAIT_UNTIL (says (self, "intact", "at token 1, “"));
  g_assert_cmpuint (count_rows (self, "effects"), ==, 0);
}

/* Beside means over texts, what is found out of one text is listed, and is none of them. */
static void
test_all_beside_means (Fixture      *self,
                       gconstpointer checkpoint)
{
  const HlHeadMeasure without = HL_HEAD_MEASURE_STATS + HL_HEAD_STAT_ABLATION_ZERO;
  g_autoptr (HlHeadNumbers) none = hl_view_state_ref_numbers (self->state);
  g_autofree HlHeadSpread *spreads = g_new0 (HlHeadSpread, HL_N_HEAD_STATS * hl_head_numbers_get_n (none));

  for (guint i = 0; i < HL_N_HEAD_STATS * hl_head_numbers_get_n (none); i++)
    hl_head_spread_add (&spreads[i], 7);
  g_autoptr (HlHeadNumbers) means = hl_head_numbers_set_texts (none, 20, spreads, NULL);
  hl_view_state_set_numbers (self->state, means);
  PANEL_WAIT_UNTIL (says (self, "sentence", "without head 0·0 “"));
  gtk_widget_activate_action (self->panel, "experiment.all", NULL);
  PANEL_WAIT_UNTIL (count_rows (self, "effects") == 6);
  HlHeadNumbers *shown = hl_view_state_get_numbers (self->state);
  g_assert_cmpuint (hl_head_numbers_get_n_texts (shown), ==, 20);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (hl_head_numbers_get (shown, without, i), ==, 7);
}

/* Whoever reads a sentence does not read thousands of letters. */
static void
test_long_name (Fixture      *self,
                gconstpointer checkpoint)
{
  static const char *const labels[] = { "position", "intact", "sentence", "logit" };
  const HlPick pin = { HL_PICK_QUERY, .query = 4 };
  g_autofree char *letters = g_strnfill (59, 'n');
  g_autofree char *cut = g_strdup_printf ("“\uFFFD%s…”", letters);

  hl_view_state_set_pinned (self->state, &pin);
  gtk_editable_set_text (GTK_EDITABLE (panel_get_child (self->panel, "token")), "#9");
  PANEL_WAIT_UNTIL (says (self, "sentence", "nnn") && says (self, "position", "token 4"));
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    g_assert_nonnull (strstr (get_text (self, labels[i]), cut));
}

static double
get_number (Fixture *self,
            int      row)
{
  GtkListBox *items = GTK_LIST_BOX (panel_get_child (self->panel, "items"));
  GtkWidget *box = gtk_list_box_row_get_child (gtk_list_box_get_row_at_index (items, row));
  const char *text = gtk_label_get_label (GTK_LABEL (gtk_widget_get_last_child (box)));
  const char *minus = "−";
  const gboolean is_negative = g_str_has_prefix (text, minus);

  return (is_negative ? -1 : 1) * g_ascii_strtod (text + (is_negative ? strlen (minus) : 0), NULL);
}

/* What is listed adds up: the strongest terms, all others together, and what they are a sum of. */
static void
test_sum (Fixture      *self,
          gconstpointer checkpoint)
{
  double sum = 0;

  PANEL_WAIT_UNTIL (count_rows (self, "items") > 0);
  g_assert_cmpuint (count_rows (self, "items"), ==, 14);
  for (int row = 0; row < 13; row++)
    sum += get_number (self, row);
  g_assert_cmpfloat_with_epsilon (sum, get_number (self, 13), 0.01);
  const char *logit = strstr (get_text (self, "logit"), " is ");
  g_assert_nonnull (logit);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (logit + strlen (" is "), NULL), get_number (self, 13), 0.002);
}

/* Who has gone elsewhere while heads are switched off stays there; who has not finds the button that was there before. */
static void
test_focus (Fixture      *self,
            gconstpointer checkpoint)
{
  GtkWidget *run_all = panel_get_child (self->panel, "run_all"), *token = panel_get_child (self->panel, "token");

  PANEL_WAIT_UNTIL (says (self, "sentence", "without head 0·0 “"));
  gtk_widget_activate_action (self->panel, "experiment.all", NULL);
  g_assert_true (gtk_widget_has_focus (panel_get_child (self->panel, "stop")));
  gtk_widget_activate_action (self->panel, "experiment.stop", NULL);
  PANEL_WAIT_UNTIL (gtk_widget_get_visible (run_all));
  g_assert_true (gtk_widget_has_focus (run_all));

  gtk_widget_activate_action (self->panel, "experiment.all", NULL);
  gtk_widget_grab_focus (token);
  PANEL_WAIT_UNTIL (gtk_widget_get_visible (run_all));
  g_assert_false (gtk_widget_has_focus (run_all));
}

static GtkListBoxRow *
find_cross_head (Fixture *self)
{
  GtkListBox *items = GTK_LIST_BOX (panel_get_child (self->panel, "items"));

  for (int i = 0;; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (items, i);
      GtkWidget *name = gtk_widget_get_first_child (gtk_list_box_row_get_child (row));
      if (g_str_has_prefix (gtk_label_get_label (GTK_LABEL (name)), "cross head "))
        return row;
    }
}

/* A head of the decoder's other attention is shown with the same token pinned, and the row that led there keeps the keyboard. */
static void
test_cross (Fixture      *self,
            gconstpointer checkpoint)
{
  GtkListBox *items = GTK_LIST_BOX (panel_get_child (self->panel, "items"));
  HlExample *example = hl_view_state_get_example (self->state);
  const HlPick pin = { HL_PICK_QUERY, .query = 1 };

  hl_view_state_set_attention (self->state, hl_example_find_attention (example, HL_ATTENTION_DECODER));
  hl_view_state_set_pinned (self->state, &pin);
  PANEL_WAIT_UNTIL (says (self, "intact", "at token 1, “"));
  GtkListBoxRow *row = find_cross_head (self);
  gtk_widget_grab_focus (GTK_WIDGET (row));
  g_signal_emit_by_name (items, "row-activated", row);
  PANEL_WAIT_UNTIL (says (self, "sentence", "without cross head "));
  g_assert_cmpint (hl_attention_get_kind (hl_view_state_get_attention (self->state)), ==, HL_ATTENTION_CROSS);
  g_assert_true (says (self, "intact", "at token 1, “"));
  g_assert_true (says (self, "position", "token 1"));
  g_assert_true (has_focus (self, "items"));
}

/* It is the same token where the other attention shows fewer of them, and whichever way round. */
static void
test_cross_pin (Fixture      *self,
                gconstpointer checkpoint)
{
  HlExample *example = hl_view_state_get_example (self->state);
  HlAttention *decoder = hl_example_find_attention (example, HL_ATTENTION_DECODER);
  HlAttention *cross = hl_example_find_attention (example, HL_ATTENTION_CROSS);

  hl_view_state_set_attention (self->state, cross);
  hl_view_state_set_hidden (self->state, "q0");
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const HlPick pin = hl_pick_of (side, 2), expected = hl_pick_of (side, 1);

      hl_view_state_set_option (self->state, direction, side == HL_KEYS ? HL_DIRECTION_TRANSPOSED : HL_DIRECTION_AS_IS);
      hl_view_state_set_attention (self->state, decoder);
      hl_view_state_set_pinned (self->state, &pin);
      PANEL_WAIT_UNTIL (says (self, "intact", "at token 2, “") && says (self, "position", "token 2"));
      g_signal_emit_by_name (panel_get_child (self->panel, "items"), "row-activated", find_cross_head (self));
      g_assert_true (hl_view_state_get_attention (self->state) == cross);
      g_assert_true (hl_pick_equal (hl_view_state_get_pinned (self->state), &expected));
    }
}

/* The rows of a cross attention that is turned round are tokens of the encoder, of which there are more: nothing follows after these. */
static void
test_cross_turned (Fixture      *self,
                   gconstpointer checkpoint)
{
  HlAttention *cross = hl_example_find_attention (hl_view_state_get_example (self->state), HL_ATTENTION_CROSS);
  const gsize n = hl_attention_get_n (cross, HL_QUERIES);
  const HlPick query = hl_pick_of (HL_KEYS, 1), key = hl_pick_of (HL_QUERIES, n);

  g_assert_cmpuint (n, <, hl_attention_get_n (cross, HL_KEYS));
  hl_view_state_set_attention (self->state, cross);
  hl_view_state_set_option (self->state, direction, HL_DIRECTION_TRANSPOSED);
  hl_view_state_set_pinned (self->state, &query);
  PANEL_WAIT_UNTIL (says (self, "intact", "at token 1, “") && says (self, "position", "token 1"));
  hl_view_state_set_pinned (self->state, &key);
  PANEL_WAIT_UNTIL (says (self, "position", "pin another") && !says (self, "intact", "at token 1, “"));
}

/* Stopped, or of a text that is no longer there, nothing is shown. */
static void
test_stop (Fixture      *self,
           gconstpointer checkpoint)
{
  PANEL_WAIT_UNTIL (says (self, "sentence", "without head 0·0 “"));
  gtk_widget_activate_action (self->panel, "experiment.all", NULL);
  gtk_widget_activate_action (self->panel, "experiment.stop", NULL);
  PANEL_WAIT_UNTIL (gtk_widget_get_visible (panel_get_child (self->panel, "run_all")));
  g_assert_true (has_focus (self, "run_all"));

  g_autoptr (HlViewState) other = new_state (self->folder, "w9 w8");
  gtk_widget_activate_action (self->panel, "experiment.all", NULL);
  hl_state_panel_set_view_state (HL_STATE_PANEL (self->panel), other);
  PANEL_WAIT_UNTIL (says (self, "intact", "at token 1, “"));
  panel_wait (200);
  g_assert_cmpuint (count_rows (self, "effects"), ==, 0);
  g_assert_true (gtk_widget_get_visible (panel_get_child (self->panel, "run_all")));
}

static void
on_intact (GtkLabel   *label,
           GParamSpec *spec,
           gpointer    data)
{
  g_assert_null (strstr (gtk_label_get_label (label), "at token 4, “"));
}

/* What is ready when another text comes is of the text before, and is not shown. */
static void
test_stale (Fixture      *self,
            gconstpointer checkpoint)
{
  g_autoptr (HlViewState) other = new_state (self->folder, "w9 w8");

  PANEL_WAIT_UNTIL (says (self, "intact", "at token 4, “"));
  hl_view_state_go_to (self->state, 1, 2);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  hl_state_panel_set_view_state (HL_STATE_PANEL (self->panel), other);
  g_signal_connect (panel_get_child (self->panel, "intact"), "notify::label", G_CALLBACK (on_intact), NULL);
  g_usleep (G_USEC_PER_SEC / 2);
  PANEL_WAIT_UNTIL (says (self, "intact", "at token 1, “"));
}

/* Without a head that predicts there is the change of the states, and why there is no more. */
static void
test_states_only (Fixture      *self,
                  gconstpointer checkpoint)
{
  PANEL_WAIT_UNTIL (says (self, "sentence", "the mean final state changes by"));
  g_assert_true (says (self, "note", "no head that predicts"));
  g_assert_false (gtk_widget_get_visible (panel_get_child (self->panel, "items_part")));
  gtk_widget_activate_action (self->panel, "experiment.all", NULL);
  PANEL_WAIT_UNTIL (count_rows (self, "effects") == 6);
}

/* The page is there for models only. */
static void
test_page (Fixture      *self,
           gconstpointer checkpoint)
{
  const PanelAttention plain = { .n_layers = 2, .n_heads = 3, .n = 10 };
  g_autoptr (HlViewState) file = panel_state_new (&plain);
  GtkWidget *side = g_object_ref_sink (g_object_new (HL_TYPE_SIDE_PANEL, NULL));
  GtkWidget *window = panel_show (side, 400, 600);
  GtkStack *stack = GTK_STACK (panel_get_child (side, "stack"));

  hl_side_panel_set_view_state (HL_SIDE_PANEL (side), file);
  hl_side_panel_show_model (HL_SIDE_PANEL (side));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), !=, "model");
  hl_side_panel_set_view_state (HL_SIDE_PANEL (side), self->state);
  hl_side_panel_set_shows_heads (HL_SIDE_PANEL (side), TRUE);
  hl_side_panel_show_model (HL_SIDE_PANEL (side));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "model");
  g_assert_false (hl_side_panel_get_shows_heads (HL_SIDE_PANEL (side)));
  hl_side_panel_set_view_state (HL_SIDE_PANEL (side), file);
  g_assert_cmpstr (gtk_stack_get_visible_child_name (stack), ==, "token");
  gtk_window_destroy (GTK_WINDOW (window));
  panel_wait (200);
  g_assert_finalize_object (side);
}

int
main (int   argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/experiment-panel/follows", Fixture, "gpt2", set_up, test_follows, tear_down);
  g_test_add ("/experiment-panel/all", Fixture, "gpt2", set_up, test_all, tear_down);
  g_test_add ("/experiment-panel/all-of-another", Fixture, "gpt2", set_up, test_all_of_another, tear_down);
  g_test_add ("/experiment-panel/all-beside-means", Fixture, "gpt2", set_up, test_all_beside_means, tear_down);
  g_test_add ("/experiment-panel/long-name", Fixture, "gpt2", set_up_long, test_long_name, tear_down);
  g_test_add ("/experiment-panel/cross", Fixture, "t5", set_up, test_cross, tear_down);
  g_test_add ("/experiment-panel/cross-pin", Fixture, "t5", set_up, test_cross_pin, tear_down);
  g_test_add ("/experiment-panel/cross-turned", Fixture, "t5", set_up, test_cross_turned, tear_down);
  g_test_add ("/experiment-panel/sum", Fixture, "gemma3", set_up, test_sum, tear_down);
  g_test_add ("/experiment-panel/focus", Fixture, "gpt2", set_up, test_focus, tear_down);
  g_test_add ("/experiment-panel/stop", Fixture, "gpt2", set_up, test_stop, tear_down);
  g_test_add ("/experiment-panel/stale", Fixture, "gpt2", set_up, test_stale, tear_down);
  g_test_add ("/experiment-panel/states-only", Fixture, "bert", set_up, test_states_only, tear_down);
  g_test_add ("/experiment-panel/page", Fixture, "gpt2", set_up, test_page, tear_down);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/window/hl-commands.h"

#include "app/base/hl-file-choice.h"
#include "app/base/hl-recent.h"
#include "app/base/hl-settings.h"
#include "app/base/hl-toast.h"
#include "app/heads/hl-head-grid.h"
#include "app/page/hl-texts-dialog.h"
#include "app/reading/hl-axes-dialog.h"
#include "app/reading/hl-details-dialog.h"
#include "app/window/hl-compare-dialog.h"
#include "app/window/hl-models-dialog.h"
#include "app/window/hl-output.h"
#include "core/archive/format/hl-format.h"
#include "core/source/derive/hl-sink-source.h"

#include <glib/gi18n.h>

#define ZOOM_STEP 1.41

static void
present (const HlCommandSubject *on,
         GtkWidget              *dialog)
{
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (on->window));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
open_file (const HlCommandSubject *on,
           GFile                  *file)
{
  hl_window_open_files (gtk_window_get_application (GTK_WINDOW (on->window)), on->window, &file, 1);
}

static void
on_chosen (HlWindow             *window,
           int                   response,
           GtkFileChooserNative *chooser)
{
  if (response != GTK_RESPONSE_ACCEPT)
    return;
  g_autoptr (GListModel) chosen = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (chooser));
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items (chosen); i++)
    g_ptr_array_add (files, g_list_model_get_item (chosen, i));
  hl_window_open_files (gtk_window_get_application (GTK_WINDOW (window)), window, (GFile **) files->pdata, files->len);
}

/* Begins beside what is open. */
static void
show_chooser (const HlCommandSubject *on,
              GtkFileChooserNative   *chooser)
{
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_chosen), on->window, G_CONNECT_SWAPPED);
  hl_file_choice_show (chooser, on->page != NULL ? hl_document_page_get_file (on->page) : NULL);
}

static void
open_files (const HlCommandSubject *on)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Open Attention"), GTK_WINDOW (on->window),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);
  g_autofree char *labels = hl_format_list_labels ();
  guint n_formats;
  const HlFormat *formats = hl_format_get_all (&n_formats);
  g_autoptr (GtkFileFilter) dumps = gtk_file_filter_new ();
  g_autoptr (GtkFileFilter) everything = gtk_file_filter_new ();

  /* Translators: %s is a list of kinds of file */
  g_autofree char *name = g_strdup_printf (_ ("Attention (%s)"), labels);
  gtk_file_filter_set_name (dumps, name);
  for (guint i = 0; i < n_formats; i++)
    for (guint k = 0; formats[i].suffixes[k] != NULL; k++)
      gtk_file_filter_add_suffix (dumps, formats[i].suffixes[k]);
  gtk_file_filter_add_suffix (dumps, "headlight");
  gtk_file_filter_set_name (everything, _ ("All Files"));
  gtk_file_filter_add_pattern (everything, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), dumps);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), everything);
  show_chooser (on, chooser);
}

static void
open_model (const HlCommandSubject *on)
{
  show_chooser (on, gtk_file_chooser_native_new (_ ("Open Model Folder"), GTK_WINDOW (on->window),
                                                 GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Open"), NULL));
}

static void
on_pixels_chosen (HlDocumentPage       *page,
                  int                   response,
                  GtkFileChooserNative *chooser)
{
  g_autoptr (GFile) file = hl_file_choice_get_file (chooser, response);

  if (file != NULL && hl_document_page_takes_pixels (page))
    hl_document_page_set_pixels (page, file);
}

static void
open_pixels (const HlCommandSubject *on)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Open Pixels"), GTK_WINDOW (on->window),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), NULL);
  HlLiveModel *live = on->session != NULL ? hl_session_get_live (on->session) : NULL;
  GFile *before = live != NULL ? hl_live_model_get_pixels (live) : NULL;
  g_autoptr (GtkFileFilter) arrays = gtk_file_filter_new ();

  gtk_file_filter_set_name (arrays, _ ("Arrays of NumPy"));
  gtk_file_filter_add_suffix (arrays, "npy");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), arrays);
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_pixels_chosen), on->page, G_CONNECT_SWAPPED);
  hl_file_choice_show (chooser, before != NULL ? before : hl_document_page_get_file (on->page));
}

static void
on_model_chosen (HlWindow *window,
                 GFile    *file)
{
  hl_window_open_files (gtk_window_get_application (GTK_WINDOW (window)), window, &file, 1);
}

static void
list_models (const HlCommandSubject *on)
{
  GtkWidget *dialog = hl_models_dialog_new ();

  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_model_chosen), on->window, G_CONNECT_SWAPPED);
  present (on, dialog);
}

static void
open_recent (const HlCommandSubject *on)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (on->value, NULL));

  open_file (on, file);
}

static void
open_sample (const HlCommandSubject *on)
{
  g_autoptr (GFile) file = hl_sample_get_file ();

  open_file (on, file);
}

static void
on_folder_opened (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  g_autoptr (AdwToastOverlay) toasts = data;
  g_autoptr (GError) error = NULL;

  if (!g_app_info_launch_default_for_uri_finish (result, &error))
    hl_toast_say_error (toasts, error);
}

static void
open_folder (const HlCommandSubject *on)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (on->window));
  g_autoptr (GdkAppLaunchContext) context = gdk_display_get_app_launch_context (display);

  g_app_info_launch_default_for_uri_async (g_variant_get_string (on->value, NULL), G_APP_LAUNCH_CONTEXT (context), NULL,
                                           on_folder_opened, g_object_ref (hl_window_get_toasts (on->window)));
}

static void
reload (const HlCommandSubject *on)
{
  hl_document_page_load (on->page);
}

static void
close_tab (const HlCommandSubject *on)
{
  if (!hl_window_close_tab (on->window))
    gtk_window_close (GTK_WINDOW (on->window));
}

static void
edit_text (const HlCommandSubject *on)
{
  hl_document_page_focus (on->page);
}

static void
generate (const HlCommandSubject *on)
{
  hl_document_page_generate (on->page);
}

static void
mask_token (const HlCommandSubject *on)
{
  const HlPick *focus = hl_view_state_get_focus (on->state);
  const HlShown *shown = hl_view_state_get_shown (on->state);
  gsize token;

  if (hl_shown_find_token (shown, focus, HL_QUERIES, &token) || hl_shown_find_token (shown, focus, HL_KEYS, &token))
    hl_live_model_mask (hl_session_get_live (on->session), token);
}

static void
space_letters (const HlCommandSubject *on)
{
  hl_document_page_space_letters (on->page);
}

static void
show_details (const HlCommandSubject *on)
{
  present (on, hl_details_dialog_new (on->session));
}

static void
choose_axes (const HlCommandSubject *on)
{
  GtkWidget *dialog = hl_axes_dialog_new (hl_document_page_get_file (on->page), hl_session_get_document (on->session));

  g_signal_connect_object (dialog, "applied", G_CALLBACK (hl_document_page_show), on->page, G_CONNECT_SWAPPED);
  present (on, dialog);
}

/* Of a file that could not be opened. */
static void
choose_axes_of (const HlCommandSubject *on)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (on->value, NULL));
  GtkWidget *dialog = hl_axes_dialog_new (file, NULL);

  g_signal_connect_object (dialog, "applied", G_CALLBACK (hl_window_show_document), on->window, G_CONNECT_SWAPPED);
  present (on, dialog);
}

typedef struct
{
  AdwToastOverlay *toasts;
  HlDocumentPage *page;
  HlSession *session; /* what is to be replaced, if it is still there */
} Reading;

static void
on_read (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autofree Reading *reading = data;
  g_autoptr (AdwToastOverlay) toasts = reading->toasts;
  g_autoptr (HlDocumentPage) page = reading->page;
  g_autoptr (HlSession) session = reading->session;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load_finish (result, &error);

  if (hl_document_page_get_session (page) != session)
    return;
  if (document != NULL)
    hl_document_page_show (page, document);
  else
    hl_toast_say_error (toasts, error);
}

/* As it is read, but as scores. */
static void
show_softmax (const HlCommandSubject *on)
{
  HlDocument *document = hl_session_get_document (on->session);
  const HlOpenOptions *before = hl_document_get_options (document);
  const HlOpenOptions none = { 0 };
  g_autoptr (HlOpenOptions) options = hl_open_options_copy (before != NULL ? before : &none);
  Reading *reading = g_new0 (Reading, 1);

  options->softmax = TRUE;
  *reading =
    (Reading){ g_object_ref (hl_window_get_toasts (on->window)), g_object_ref (on->page), g_object_ref (on->session) };
  hl_document_read_again_async (document, options, NULL, on_read, reading);
}

/* Only what somebody chose is remembered, not what a narrow window made of it. */
static void
change_panel (const HlCommandSubject *on)
{
  g_autoptr (GSettings) settings = hl_settings_new ();
  const char *property = g_str_equal (on->name, "sidebar") ? "sidebar-visible" : "panel-visible";

  g_object_set (on->window, property, g_variant_get_boolean (on->value), NULL);
  g_settings_set_value (settings, property, on->value);
}

static void
change_fullscreen (const HlCommandSubject *on)
{
  if (g_variant_get_boolean (on->value))
    gtk_window_fullscreen (GTK_WINDOW (on->window));
  else
    gtk_window_unfullscreen (GTK_WINDOW (on->window));
}

static void
compare (const HlCommandSubject *on)
{
  g_autoptr (GListModel) pages = hl_window_create_pages (on->window);

  present (on, hl_compare_dialog_new (on->page, pages));
}

/* There is one for what a tab shows: results stay in it while it is hidden. */
static void
take_several_texts (const HlCommandSubject *on)
{
  static const char key[] = "hl-texts-dialog";
  GtkWidget *dialog = g_object_get_data (G_OBJECT (on->page), key);

  if (dialog != NULL && hl_texts_dialog_get_session (HL_TEXTS_DIALOG (dialog)) != on->session)
    {
      gtk_window_destroy (GTK_WINDOW (dialog));
      dialog = NULL;
    }
  if (dialog == NULL)
    {
      dialog = hl_texts_dialog_new (on->session, hl_document_page_get_file (on->page));
      g_object_set_data_full (G_OBJECT (on->page), key, g_object_ref (dialog), g_object_unref);
      g_signal_connect_object (on->page, "destroy", G_CALLBACK (gtk_window_destroy), dialog, G_CONNECT_SWAPPED);
    }
  present (on, dialog);
}

static void
stop_comparing (const HlCommandSubject *on)
{
  hl_compare_view_stop (on->compare_view);
}

static void
change_difference (const HlCommandSubject *on)
{
  hl_compare_view_set_difference (on->compare_view, g_variant_get_boolean (on->value));
}

static void
find_token (const HlCommandSubject *on)
{
  hl_token_search_open (hl_document_page_get_token_search (on->page));
}

static void
find_next (const HlCommandSubject *on)
{
  hl_token_search_move (hl_document_page_get_token_search (on->page), 1);
}

static void
find_previous (const HlCommandSubject *on)
{
  hl_token_search_move (hl_document_page_get_token_search (on->page), -1);
}

static void
reveal_heads (const HlCommandSubject *on)
{
  g_object_set (on->window, "panel-visible", TRUE, NULL);
  hl_side_panel_set_shows_heads (hl_document_page_get_side_panel (on->page), TRUE);
}

static HlHeadsPanel *
get_heads (const HlCommandSubject *on)
{
  return hl_side_panel_get_heads (hl_document_page_get_side_panel (on->page));
}

/* The tokens of the document that one of the shown stands for. */
static HlTokenRun
find_run (HlAttention *shown,
          HlSide       side,
          gsize        token)
{
  HlTokenMap *map = hl_attention_get_map (shown, side);

  if (map == NULL)
    return (HlTokenRun){ token, 1 };
  const HlTokenSpan *span = &hl_token_map_get_spans (map)[token];
  return (HlTokenRun){ span->first, span->n };
}

/* The pinned query and key as the document has them, unless one is a sink, which is no token of it. */
static char *
spell_pin (HlViewState *state)
{
  const HlPick *pin = hl_view_state_get_pinned (state);
  HlAttention *shown = hl_view_state_get_shown (state)->attention;
  const HlSide queries = hl_attention_is_transposed (shown) ? HL_KEYS : HL_QUERIES, keys = hl_side_get_other (queries);

  if (pin->kind != HL_PICK_CELL || hl_sink_is_at (shown, HL_QUERIES, pin->query) ||
      hl_sink_is_at (shown, HL_KEYS, pin->key))
    return NULL;
  return hl_token_pairs_spell (hl_view_state_get_attention (state), find_run (shown, queries, pin->tokens[queries]),
                               find_run (shown, keys, pin->tokens[keys]));
}

/* The keyboard stays where it is: somebody picks in the scene. */
static void
find_heads_of_pin (const HlCommandSubject *on)
{
  g_autofree char *pairs = spell_pin (on->state);

  reveal_heads (on);
  if (pairs != NULL)
    hl_heads_panel_find (get_heads (on), pairs);
}

static void
find_heads (const HlCommandSubject *on)
{
  find_heads_of_pin (on);
  hl_heads_panel_focus_pairs (get_heads (on));
}

static void
ask_model (const HlCommandSubject *on)
{
  g_object_set (on->window, "panel-visible", TRUE, NULL);
  hl_side_panel_show_model (hl_document_page_get_side_panel (on->page));
}

static void
change_head_table (const HlCommandSubject *on)
{
  if (on->page == NULL)
    return;
  if (g_variant_get_boolean (on->value))
    reveal_heads (on);
  else
    hl_side_panel_set_shows_heads (hl_document_page_get_side_panel (on->page), FALSE);
}

/* From the short list of a comparison to all of it. */
static void
show_changes (const HlCommandSubject *on)
{
  reveal_heads (on);
  hl_heads_panel_sort_by_change (get_heads (on));
}

static void
change_adapter (const HlCommandSubject *on)
{
  hl_live_model_set_adapter (hl_session_get_live (on->session), g_variant_get_boolean (on->value));
}

static void
change_flag (const HlCommandSubject *on)
{
  if (on->state != NULL)
    g_object_set (on->state, on->name, g_variant_get_boolean (on->value), NULL);
}

/* What the pointer is at, else what is pinned: who points at a token means that one, whatever else is pinned. */
static const HlPick *
get_pick (HlViewState *state)
{
  const HlPick *hovered = hl_view_state_get_hovered (state);

  return hl_pick_is_token (hovered) || hovered->kind == HL_PICK_CELL ? hovered : hl_view_state_get_pinned (state);
}

static void
hide_token (const HlCommandSubject *on)
{
  const HlPick pick = *get_pick (on->state);

  hl_view_state_hide (on->state, &pick);
}

static void
show_all_tokens (const HlCommandSubject *on)
{
  hl_view_state_show_all_tokens (on->state);
}

/* How a property of the view state is spelt that is one of several. */
static GEnumClass *
get_choices (const HlCommandSubject *on)
{
  return G_PARAM_SPEC_ENUM (g_object_class_find_property (G_OBJECT_GET_CLASS (on->state), on->name))->enum_class;
}

static void
change_choice (const HlCommandSubject *on)
{
  const GEnumValue *found =
    on->state != NULL ? g_enum_get_value_by_nick (get_choices (on), g_variant_get_string (on->value, NULL)) : NULL;

  if (found != NULL)
    g_object_set (on->state, on->name, found->value, NULL);
}

static void
change_view (const HlCommandSubject *on)
{
  HlViewKind kind;

  if (on->state != NULL && hl_view_kind_from_nick (g_variant_get_string (on->value, NULL), &kind))
    hl_view_state_set_option (on->state, view, kind);
}

static void
previous_head (const HlCommandSubject *on)
{
  hl_head_grid_move (on->state, 0, -1);
}

static void
next_head (const HlCommandSubject *on)
{
  hl_head_grid_move (on->state, 0, 1);
}

static void
previous_layer (const HlCommandSubject *on)
{
  hl_head_grid_move (on->state, -1, 0);
}

static void
next_layer (const HlCommandSubject *on)
{
  hl_head_grid_move (on->state, 1, 0);
}

static void
select_all_heads (const HlCommandSubject *on)
{
  hl_view_state_select_all_heads (on->state);
}

static void
select_no_heads (const HlCommandSubject *on)
{
  hl_view_state_select_no_heads (on->state);
}

static void
free_pin (const HlCommandSubject *on)
{
  hl_view_state_set_pinned (on->state, NULL);
  hl_view_state_set_hovered (on->state, NULL);
}

static void
zoom_in (const HlCommandSubject *on)
{
  hl_scene_view_zoom (hl_document_page_get_scene_view (on->page), ZOOM_STEP);
}

static void
zoom_out (const HlCommandSubject *on)
{
  hl_scene_view_zoom (hl_document_page_get_scene_view (on->page), 1 / ZOOM_STEP);
}

static void
zoom_fit (const HlCommandSubject *on)
{
  hl_scene_view_fit (hl_document_page_get_scene_view (on->page));
}

/* Whether the table is there to be seen. */
static gboolean
shows_head_table (const HlCommandSubject *on)
{
  gboolean shows;

  g_object_get (on->window, "panel-visible", &shows, NULL);
  return on->session != NULL && shows && hl_side_panel_get_shows_heads (hl_document_page_get_side_panel (on->page));
}

static void
save_as (const HlCommandSubject *on)
{
  hl_output_save_attention (GTK_WINDOW (on->window), hl_window_get_toasts (on->window), on->page);
}

static void
save_session (const HlCommandSubject *on)
{
  hl_output_save_session (GTK_WINDOW (on->window), hl_window_get_toasts (on->window), on->page);
}

static void
export_figure (const HlCommandSubject *on)
{
  hl_output_export_figure (GTK_WINDOW (on->window), hl_window_get_toasts (on->window), on->page);
}

static void
export_numbers (const HlCommandSubject *on)
{
  hl_output_save_numbers (GTK_WINDOW (on->window), hl_window_get_toasts (on->window), on->page, shows_head_table (on));
}

static void
copy_figure (const HlCommandSubject *on)
{
  hl_output_copy_figure (hl_window_get_toasts (on->window), on->page);
}

static void
copy_command (const HlCommandSubject *on)
{
  hl_output_copy_command (hl_window_get_toasts (on->window), on->page);
}

static const HlViewTraits *
get_view_traits (const HlCommandSubject *on)
{
  return hl_view_kind_get_traits (hl_view_state_get_options (on->state)->view);
}

static gboolean
has_session (const HlCommandSubject *on)
{
  return on->session != NULL;
}

static gboolean
has_text (const HlCommandSubject *on)
{
  return on->session != NULL && hl_session_get_live (on->session) != NULL;
}

static gboolean
takes_texts (const HlCommandSubject *on)
{
  return has_text (on) && hl_live_model_takes_texts (hl_session_get_live (on->session));
}

static gboolean
takes_pixels (const HlCommandSubject *on)
{
  return on->page != NULL && hl_document_page_takes_pixels (on->page);
}

static gboolean
can_reload (const HlCommandSubject *on)
{
  return on->page != NULL && !hl_document_page_get_loading (on->page);
}

static gboolean
has_archive (const HlCommandSubject *on)
{
  return on->session != NULL && hl_document_get_archive (hl_session_get_document (on->session)) != NULL;
}

/* Whether a softmax could be made of what a file has stored. */
static gboolean
can_be_scores (const HlCommandSubject *on)
{
  g_autoptr (HlExample)
    example = has_archive (on) ? hl_document_get_example (hl_session_get_document (on->session), 0, NULL, NULL) : NULL;
  HlAttention *attention = example != NULL ? hl_example_get_attention (example, 0) : NULL;

  return attention != NULL && hl_attention_get_weights (attention, 0) != NULL && !hl_attention_has_scores (attention);
}

static gboolean
can_generate (const HlCommandSubject *on)
{
  return has_text (on) && hl_live_model_can_write (hl_session_get_live (on->session));
}

static gboolean
has_adapter (const HlCommandSubject *on)
{
  return has_text (on) && hl_live_model_get_counterpart (hl_session_get_live (on->session)) != NULL;
}

/* A token in focus that can be guessed: one of the text, whichever side it is on. */
static gboolean
can_mask (const HlCommandSubject *on)
{
  const HlPickKind kind = has_text (on) ? hl_view_state_get_focus (on->state)->kind : HL_PICK_NONE;

  return (kind == HL_PICK_QUERY || kind == HL_PICK_KEY || kind == HL_PICK_CELL) &&
         hl_live_model_can_mask (hl_session_get_live (on->session));
}

static gboolean
is_live (const HlCommandSubject *on)
{
  return on->session != NULL && hl_session_get_live (on->session) != NULL;
}

static gboolean
compares (const HlCommandSubject *on)
{
  return on->compare_view != NULL && hl_compare_view_get_active (on->compare_view);
}

static gboolean
has_sides (const HlCommandSubject *on)
{
  return on->compare_view != NULL && hl_compare_view_get_sides (on->compare_view) != NULL;
}

/* What the second side will show is not known before it is there. */
static gboolean
is_settled (const HlCommandSubject *on)
{
  return on->session != NULL && (!compares (on) || has_sides (on));
}

/* Thumbnails have no tokens to go to. */
static gboolean
has_tokens (const HlCommandSubject *on)
{
  return on->state != NULL && !get_view_traits (on)->shows_all_heads;
}

static gboolean
can_turn (const HlCommandSubject *on)
{
  return on->state != NULL && get_view_traits (on)->can_turn;
}

static gboolean
can_be_read (const HlCommandSubject *on)
{
  return on->state != NULL && get_view_traits (on)->offers_reading;
}

static gboolean
hides_tokens (const HlCommandSubject *on)
{
  return on->state != NULL && !hl_view_state_get_shown (on->state)->is_plain;
}

static gboolean
can_hide (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_state_can_hide (on->state, get_pick (on->state));
}

static gboolean
has_hidden (const HlCommandSubject *on)
{
  return hides_tokens (on) && hl_view_state_hides (on->state);
}

static guint
count_chosen_heads (HlViewState *state)
{
  return hl_head_selection_get_n (hl_view_state_get_selection (state));
}

/* Of several heads, the first goes on alone. */
static gboolean
has_previous_head (const HlCommandSubject *on)
{
  return on->state != NULL && (hl_view_state_get_head (on->state) > 0 || count_chosen_heads (on->state) > 1);
}

static gboolean
has_next_head (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_state_get_head (on->state) + 1 < hl_view_state_get_n_heads (on->state);
}

static gboolean
has_previous_layer (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_state_get_layer (on->state) > 0;
}

static gboolean
has_next_layer (const HlCommandSubject *on)
{
  return on->state != NULL &&
         hl_view_state_get_layer (on->state) + 1 < hl_attention_get_n_layers (hl_view_state_get_attention (on->state));
}

static gboolean
has_heads_to_choose (const HlCommandSubject *on)
{
  return on->state != NULL && hl_shown_takes_heads (hl_view_state_get_shown (on->state)) &&
         (hl_head_set_count (hl_view_state_get_heads (on->state)) < hl_view_state_get_n_heads (on->state) ||
          count_chosen_heads (on->state) > hl_head_set_count (hl_view_state_get_heads (on->state)));
}

static gboolean
has_heads_to_drop (const HlCommandSubject *on)
{
  return on->state != NULL && hl_shown_takes_heads (hl_view_state_get_shown (on->state)) &&
         count_chosen_heads (on->state) > 0;
}

static gboolean
has_focus (const HlCommandSubject *on)
{
  return on->state != NULL && hl_view_state_get_focus (on->state)->kind != HL_PICK_NONE;
}

static gboolean
can_zoom (const HlCommandSubject *on)
{
  HlScene *scene = on->session != NULL ? hl_scene_view_get_scene (hl_document_page_get_scene_view (on->page)) : NULL;

  return scene != NULL && hl_scene_can_zoom (scene);
}

static GVariant *
get_panel (const HlCommandSubject *on)
{
  gboolean shows;

  g_object_get (on->window, g_str_equal (on->name, "sidebar") ? "sidebar-visible" : "panel-visible", &shows, NULL);
  return g_variant_new_boolean (shows);
}

static GVariant *
get_fullscreen (const HlCommandSubject *on)
{
  return g_variant_new_boolean (gtk_window_is_fullscreen (GTK_WINDOW (on->window)));
}

static GVariant *
get_difference (const HlCommandSubject *on)
{
  return g_variant_new_boolean (on->compare_view != NULL && hl_compare_view_get_difference (on->compare_view));
}

static GVariant *
get_head_table (const HlCommandSubject *on)
{
  return g_variant_new_boolean (shows_head_table (on));
}

static GVariant *
get_adapter (const HlCommandSubject *on)
{
  return g_variant_new_boolean (has_adapter (on) && hl_live_model_get_adapter (hl_session_get_live (on->session)));
}

static GVariant *
get_flag (const HlCommandSubject *on)
{
  gboolean value = FALSE;

  if (on->state != NULL)
    g_object_get (on->state, on->name, &value, NULL);
  return g_variant_new_boolean (value);
}

static GVariant *
get_choice (const HlCommandSubject *on)
{
  int value;

  if (on->state == NULL)
    return g_variant_new_string ("");
  g_object_get (on->state, on->name, &value, NULL);
  return g_variant_new_string (g_enum_get_value (get_choices (on), value)->value_nick);
}

static GVariant *
get_view (const HlCommandSubject *on)
{
  return g_variant_new_string (on->state != NULL ? get_view_traits (on)->nick : "");
}

static const HlCommand commands[] = {
  { "previous-head", has_previous_head, previous_head, .late_keys = { "<Alt>Left", "<Control>Left" },
    .group = HL_COMMANDS_HEADS, .title = N_ ("Previous or Next Head"), .shown = "<Alt>Left <Alt>Right" },
  { "next-head", has_next_head, next_head, .late_keys = { "<Alt>Right", "<Control>Right" } },
  { "previous-layer", has_previous_layer, previous_layer, .late_keys = { "<Alt>Up", "<Control>Up" },
    .group = HL_COMMANDS_HEADS, .title = N_ ("Previous or Next Layer"), .shown = "<Alt>Up <Alt>Down" },
  { "next-layer", has_next_layer, next_layer, .late_keys = { "<Alt>Down", "<Control>Down" } },
  { "find-heads", has_session, find_heads, .keys = { "<Control><Shift>f" }, .group = HL_COMMANDS_HEADS,
    .title = N_ ("Find Heads by the Pinned Pair, or by Two Words") },
  { "ask-model", is_live, ask_model, .keys = { "<Control><Shift>m" }, .group = HL_COMMANDS_HEADS,
    .title = N_ ("Switch Heads Off, and See What the Model Says") },
  { "all-heads", has_heads_to_choose, select_all_heads, .late_keys = { "<Control>a" }, .group = HL_COMMANDS_HEADS,
    .title = N_ ("Show All Heads") },
  { "no-heads", has_heads_to_drop, select_no_heads, .late_keys = { "<Control><Shift>a" }, .group = HL_COMMANDS_HEADS,
    .title = N_ ("Show No Heads") },
  { "several-texts", has_session, take_several_texts, .keys = { "<Control><Shift>n" }, .group = HL_COMMANDS_HEADS,
    .title = N_ ("Numbers of Heads over Several Texts") },
  { .group = HL_COMMANDS_HEADS,
    .title = N_ ("Add the Next Head or Layer, in the Picker"),
    .shown = "<Shift>Left <Shift>Right <Shift>Up <Shift>Down" },

  { "view", has_session, change_view, get_view, "s", .of_views = TRUE, .group = HL_COMMANDS_VIEW },
  { "zoom-in", can_zoom, zoom_in, .keys = { "<Control>plus", "<Control>equal", "<Control>KP_Add" },
    .group = HL_COMMANDS_VIEW, .title = N_ ("Zoom In") },
  { "zoom-out", can_zoom, zoom_out, .keys = { "<Control>minus", "<Control>KP_Subtract" }, .group = HL_COMMANDS_VIEW,
    .title = N_ ("Zoom Out") },
  { "zoom-fit", can_zoom, zoom_fit, .keys = { "<Control>0", "<Control>KP_0" }, .group = HL_COMMANDS_VIEW,
    .title = N_ ("Fit to Window") },
  { "sidebar", has_session, change_panel, get_panel, .keys = { "F9" }, .group = HL_COMMANDS_VIEW,
    .title = N_ ("Layers, Heads and Filters") },
  { "token-panel", has_session, change_panel, get_panel, .keys = { "<Control>F9" }, .group = HL_COMMANDS_VIEW,
    .title = N_ ("Token Panel") },
  { "head-table", has_session, change_head_table, get_head_table, .keys = { "<Control><Shift>h" },
    .group = HL_COMMANDS_VIEW, .title = N_ ("Table of Heads") },
  { "fullscreen", NULL, change_fullscreen, get_fullscreen, .keys = { "F11" }, .group = HL_COMMANDS_VIEW,
    .title = N_ ("Fullscreen") },

  { "compare", has_session, compare, .keys = { "<Control>d" }, .group = HL_COMMANDS_COMPARISON,
    .title = N_ ("Compare with Something") },
  { "difference", has_sides, change_difference, get_difference, .keys = { "<Control>m" },
    .group = HL_COMMANDS_COMPARISON, .title = N_ ("Difference, or Side by Side") },
  { "stop-comparing", compares, stop_comparing, .keys = { "<Control><Shift>d" }, .group = HL_COMMANDS_COMPARISON,
    .title = N_ ("Stop Comparing") },

  { "find", has_tokens, find_token, .keys = { "<Control>f" }, .group = HL_COMMANDS_PICTURE,
    .title = N_ ("Find a Token") },
  { "find-next", has_tokens, find_next, .keys = { "<Control>g" }, .group = HL_COMMANDS_PICTURE,
    .title = N_ ("Next or Previous Token Found"), .shown = "<Control>g <Control><Shift>g" },
  { "find-previous", has_tokens, find_previous, .keys = { "<Control><Shift>g" } },
  { .group = HL_COMMANDS_PICTURE, .title = N_ ("Next or Previous Token, or Cell"), .shown = "Up Down" },
  { .group = HL_COMMANDS_PICTURE, .title = N_ ("Queries or Keys; in Matrices, the Next Cell"), .shown = "Left Right" },
  { .group = HL_COMMANDS_PICTURE, .title = N_ ("Ten Tokens on"), .shown = "Page_Up Page_Down" },
  { .group = HL_COMMANDS_PICTURE, .title = N_ ("First or Last Token, or Cell of the Row"), .shown = "Home End" },
  { .group = HL_COMMANDS_PICTURE, .title = N_ ("First or Last Token, or Cell"), .shown = "<Control>Home <Control>End" },
  { .group = HL_COMMANDS_PICTURE, .title = N_ ("Pin, or Free Again"), .shown = "Return space" },
  { .group = HL_COMMANDS_PICTURE,
    .title = N_ ("Pin the Next Token as Well"),
    .shown = "<Shift>Up <Shift>Down <Shift>Left <Shift>Right" },
  { .group = HL_COMMANDS_PICTURE,
    .title = N_ ("Point at Another Token"),
    .shown = "<Control><Shift>Up <Control><Shift>Down" },
  { .group = HL_COMMANDS_PICTURE,
    .title = N_ ("Pin the Token Pointed at as Well, or Free It"),
    .shown = "<Control>Return <Control>space" },
  { "free-pin", has_focus, free_pin, .late_keys = { "Escape" }, .follows = HL_CHANGED_PIN | HL_CHANGED_HOVER,
    .group = HL_COMMANDS_PICTURE, .title = N_ ("Free the Pin") },
  { "hide-token", can_hide, hide_token, .follows = HL_CHANGED_ANYTHING, .group = HL_COMMANDS_PICTURE,
    .title = N_ ("Hide the Token"), .shown = "h Delete" },
  { "mask-token", can_mask, mask_token, .follows = HL_CHANGED_PIN | HL_CHANGED_HOVER, .group = HL_COMMANDS_PICTURE,
    .title = N_ ("Mask the Token, for the Model to Guess"), .shown = "m" },
  { .group = HL_COMMANDS_PICTURE, .title = N_ ("Menu of the Token"), .shown = "Menu <Shift>F10" },
  { "hide-special", hides_tokens, change_flag, get_flag, .keys = { "<Control><Shift>t" }, .group = HL_COMMANDS_PICTURE,
    .title = N_ ("Hide Special Tokens, or Show Them") },
  { "words", hides_tokens, change_flag, get_flag, .keys = { "<Control><Shift>w" }, .group = HL_COMMANDS_PICTURE,
    .title = N_ ("Whole Words, or Pieces") },

  { "open", NULL, open_files, .keys = { "<Control>o" }, .group = HL_COMMANDS_FILES, .title = N_ ("Open a File") },
  { "open-model", NULL, open_model, .keys = { "<Control><Shift>o" }, .group = HL_COMMANDS_FILES,
    .title = N_ ("Open a Model Folder") },
  { "models", NULL, list_models, .keys = { "<Control><Shift>l" }, .group = HL_COMMANDS_FILES,
    .title = N_ ("Models on This Computer") },
  { "reload", can_reload, reload, .keys = { "F5", "<Control>r" }, .group = HL_COMMANDS_FILES, .title = N_ ("Reload"),
    .shown = "F5 <Control>r" },
  { "axes", has_archive, choose_axes, .keys = { "<Control><Shift>x" }, .group = HL_COMMANDS_FILES,
    .title = N_ ("Axes") },
  { "close-tab", NULL, close_tab, .keys = { "<Control>w" }, .group = HL_COMMANDS_FILES, .title = N_ ("Close the Tab") },
  { "app.new-window", .keys = { "<Control>n" }, .group = HL_COMMANDS_FILES, .title = N_ ("New Window") },
  { "details", has_session, show_details, .keys = { "<Control>i" }, .group = HL_COMMANDS_FILES,
    .title = N_ ("What Is in the File") },

  { "open-pixels", takes_pixels, open_pixels, .keys = { "<Control><Shift>p" }, .group = HL_COMMANDS_TEXT,
    .title = N_ ("Open Pixels, for a Model That Takes Them") },
  { "edit-text", takes_texts, edit_text, .keys = { "<Control>l" }, .group = HL_COMMANDS_TEXT,
    .title = N_ ("Type a Text") },
  { .group = HL_COMMANDS_TEXT, .title = N_ ("Compute at Once"), .shown = "Return" },
  { "generate", can_generate, generate, .keys = { "<Control>j" }, .group = HL_COMMANDS_TEXT,
    .title = N_ ("Go on with the Text, or Stop") },
  { "adapter", has_adapter, change_adapter, get_adapter, .keys = { "<Control>b" }, .group = HL_COMMANDS_TEXT,
    .title = N_ ("Without the Adapter, or with It") },
  { .group = HL_COMMANDS_TEXT, .title = N_ ("New Line"), .shown = "<Shift>Return" },
  { .group = HL_COMMANDS_TEXT, .title = N_ ("Back to the Picture"), .shown = "Escape" },

  { "save-session", is_settled, save_session, .keys = { "<Control>s" }, .group = HL_COMMANDS_RESULTS,
    .title = N_ ("Save the Session") },
  { "save-as", has_session, save_as, .keys = { "<Control><Shift>s" }, .group = HL_COMMANDS_RESULTS,
    .title = N_ ("Save As") },
  { "export", has_session, export_figure, .keys = { "<Control>e" }, .group = HL_COMMANDS_RESULTS,
    .title = N_ ("Export the Figure") },
  { "export-csv", has_session, export_numbers, .keys = { "<Control><Shift>e" }, .group = HL_COMMANDS_RESULTS,
    .title = N_ ("Export Numbers") },
  { "copy-figure", has_session, copy_figure, .late_keys = { "<Control>c" }, .group = HL_COMMANDS_RESULTS,
    .title = N_ ("Copy the Figure") },
  { "copy-command", is_settled, copy_command, .keys = { "<Control><Shift>k" }, .group = HL_COMMANDS_RESULTS,
    .title = N_ ("Copy as a Command") },
  { .group = HL_COMMANDS_RESULTS, .title = N_ ("Copy the Token Panel"), .shown = "<Control><Shift>c" },

  { "app.preferences", .keys = { "<Control>comma" }, .group = HL_COMMANDS_GENERAL, .title = N_ ("Preferences") },
  { "show-help-overlay", .keys = { "<Control>question", "<Control>F1" }, .group = HL_COMMANDS_GENERAL,
    .title = N_ ("Keyboard Shortcuts") },
  { .group = HL_COMMANDS_GENERAL, .title = N_ ("Main Menu"), .shown = "F10" },
  { .group = HL_COMMANDS_GENERAL, .title = N_ ("Next or Previous Tab"), .shown = "<Control>Tab <Control><Shift>Tab" },
  { "app.quit", .keys = { "<Control>q" }, .group = HL_COMMANDS_GENERAL, .title = N_ ("Quit") },

  /* In menus, panels and messages alone. */
  { "open-recent", NULL, open_recent, .parameter = "s" },
  { "open-sample", NULL, open_sample },
  { "open-folder", NULL, open_folder, .parameter = "s" },
  { "axes-of", NULL, choose_axes_of, .parameter = "s" },
  { "softmax", can_be_scores, show_softmax },
  { "space-letters", takes_texts, space_letters },
  { "find-heads-of-pin", has_session, find_heads_of_pin },
  { "show-changes", has_session, show_changes },
  { "hide-first", hides_tokens, change_flag, get_flag },
  { "renormalise", hides_tokens, change_flag, get_flag },
  { "show-all-tokens", has_hidden, show_all_tokens },
  { "orientation", can_turn, change_choice, get_choice, "s" },
  { "reading", can_be_read, change_choice, get_choice, "s" },
};

const HlCommand *
hl_commands_get (guint *n)
{
  *n = G_N_ELEMENTS (commands);
  return commands;
}

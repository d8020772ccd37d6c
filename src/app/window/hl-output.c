/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/window/hl-output.h"

#include "app/base/hl-file-choice.h"
#include "app/base/hl-toast.h"
#include "app/canvas/hl-figure.h"
#include "app/heads/hl-number-chooser.h"
#include "app/page/hl-export-dialog.h"
#include "app/session/hl-session-name.h"
#include "app/session/hl-session.h"
#include "app/window/hl-reading-question.h"
#include "app/window/hl-saving.h"
#include "core/analysis/hl-head-stats-csv.h"
#include "core/archive/format/hl-format.h"
#include "core/base/file/hl-file-name.h"
#include "core/document/hl-expansion.h"
#include "core/source/save/hl-dump-writer.h"
#include "core/source/save/hl-head-csv.h"
#include "draw/chart/hl-chart-data.h"
#include "view/session/hl-image-store.h"

#include <glib/gi18n.h>
#include <string.h>

#define CLIPBOARD_SCALE 2

/* What the system takes as one argument, and a bit less. */
#define MAX_COMMAND 100000

/* What is to be saved once somebody has said where. */
typedef struct
{
  GtkWindow *window;
  AdwToastOverlay *toasts;
  HlSession *session;
  HlSavedSession *saved;
  gboolean of_head_table;
} Choice;

static void
choice_free (Choice   *choice,
             GClosure *closure)
{
  g_object_unref (choice->window);
  g_object_unref (choice->toasts);
  g_object_unref (choice->session);
  g_clear_pointer (&choice->saved, hl_saved_session_free);
  g_free (choice);
}

static Choice *
choice_new (GtkWindow       *window,
            AdwToastOverlay *toasts,
            HlSession       *session)
{
  Choice *choice = g_new0 (Choice, 1);

  *choice = (Choice){ g_object_ref (window), g_object_ref (toasts), g_object_ref (session) };
  return choice;
}

/* What is done of a page once it may read what that takes. */
typedef struct _Wish Wish;

struct _Wish
{
  void (*fulfil) (const Wish *self);
  GtkWindow *window;
  AdwToastOverlay *toasts;
  HlDocumentPage *page;
  gboolean of_both; /* of what it is compared with, too */
  gboolean of_head_table;
};

static void
wish_free (gpointer data)
{
  Wish *self = data;

  g_object_unref (self->window);
  g_object_unref (self->toasts);
  g_object_unref (self->page);
  g_free (self);
}

static void
on_allowed (gpointer data)
{
  const Wish *self = data;
  HlSession *session = hl_document_page_get_session (self->page);

  if (session == NULL)
    return;
  hl_view_state_allow_expansion (hl_session_get_view_state (session), self->of_both);
  self->fulfil (self);
}

/* At once, or where something speaks against it, when somebody wants it nevertheless. */
static void
fulfil (const Wish   *wish,
        const GError *refusal)
{
  if (refusal == NULL)
    {
      wish->fulfil (wish);
      return;
    }
  Wish *kept = g_new (Wish, 1);
  *kept = *wish;
  g_object_ref (kept->window);
  g_object_ref (kept->toasts);
  g_object_ref (kept->page);
  hl_reading_question_ask (kept->window, refusal, on_allowed, kept, wish_free);
}

static GtkFileChooser *
create_chooser (GtkWindow  *window,
                const char *title,
                const char *name)
{
  GtkFileChooserNative *chooser =
    gtk_file_chooser_native_new (title, window, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  return GTK_FILE_CHOOSER (chooser);
}

static void
ask (GtkFileChooser *chooser,
     GFile          *beside,
     GCallback       on_chosen,
     Choice         *choice)
{
  g_signal_connect_data (chooser, "response", on_chosen, choice, (GClosureNotify) choice_free, 0);
  hl_file_choice_show_to_save (GTK_FILE_CHOOSER_NATIVE (chooser), beside, G_USER_DIRECTORY_DOCUMENTS);
}

/* A file whose name somebody typed without an ending. */
static GFile *
add_ending (AdwToastOverlay *toasts,
            GFile           *chosen,
            const char      *ending)
{
  g_autoptr (GError) error = NULL;
  GFile *target = hl_file_choice_add_ending (chosen, ending, &error);

  if (target == NULL)
    hl_toast_say_error (toasts, error);
  return target;
}

typedef struct
{
  HlDocument *document;
  HlDumpStore store;
} Dump;

static void
dump_free (gpointer data)
{
  Dump *dump = data;

  g_object_unref (dump->document);
  g_free (dump);
}

static gboolean
run_save_attention (gpointer      data,
                    GFile        *target,
                    HlProgress   *progress,
                    GCancellable *cancellable,
                    GError      **error)
{
  const Dump *dump = data;

  return hl_dump_writer_save (dump->document, dump->store, NULL, NULL, target, progress, cancellable, error);
}

static Dump *
create_dump (HlSession *session)
{
  Dump *dump = g_new (Dump, 1);

  dump->document = g_object_ref (hl_session_get_document (session));
  /* Queries and keys of a model need what else it does to them; its weights say it all. */
  dump->store = hl_session_get_live (session) != NULL ? HL_DUMP_STORE_ATTENTION : HL_DUMP_STORE_ALL;
  return dump;
}

/* The first format that can be written is what is suggested. */
static const HlFormat *
get_chosen_format (GtkFileChooser *chooser)
{
  GtkFileFilter *filter = chooser != NULL ? gtk_file_chooser_get_filter (chooser) : NULL;
  guint n_formats;
  const HlFormat *formats = hl_format_get_all (&n_formats);
  const HlFormat *chosen = filter != NULL ? g_object_get_data (G_OBJECT (filter), "format") : NULL;

  while (chosen == NULL && formats->create == NULL)
    formats++;
  return chosen != NULL ? chosen : formats;
}

/* The suggested name follows the format that is chosen; what somebody typed without an ending gets one in the end. */
static void
on_filter_changed (GtkFileChooser *chooser)
{
  g_autofree char *name = gtk_file_chooser_get_current_name (chooser);
  const HlFormat *format = get_chosen_format (chooser);
  const HlFormat *named = name != NULL ? hl_format_find_writable (name) : NULL;

  if (named == NULL || named == format)
    return;
  *strrchr (name, '.') = '\0';
  g_autofree char *renamed = g_strdup_printf ("%s.%s", name, format->suffixes[0]);
  gtk_file_chooser_set_current_name (chooser, renamed);
}

static void
on_attention_chosen (GtkFileChooserNative *chooser,
                     int                   response,
                     Choice               *choice)
{
  g_autoptr (GFile) target = hl_file_choice_get_file (chooser, response);
  g_autofree char *name = target != NULL ? g_file_get_basename (target) : NULL;

  if (name != NULL && hl_format_find_writable (name) == NULL)
    {
      const HlFormat *format = get_chosen_format (GTK_FILE_CHOOSER (chooser));
      g_autofree char *ending = g_strconcat (".", format->suffixes[0], NULL);
      g_autoptr (GFile) chosen = g_steal_pointer (&target);

      target = add_ending (choice->toasts, chosen, ending);
    }
  if (target != NULL)
    hl_saving_start (HL_WINDOW (choice->window), target, run_save_attention, create_dump (choice->session), dump_free);
}

/* The name of what is open. */
static char *
suggest_name (HlDocumentPage *page)
{
  g_autofree char *stem = hl_session_dup_document_name (hl_document_page_get_session (page));
  const char *ending = get_chosen_format (NULL)->suffixes[0];
  g_autofree char *name = g_strdup_printf ("%s.%s", stem, ending);
  g_autofree char *own = g_file_get_basename (hl_document_page_get_file (page));

  if (g_strcmp0 (name, own) != 0)
    return g_steal_pointer (&name);
  /* Translators: %s is a file's name without its ending */
  g_autofree char *copy = g_strdup_printf (_ ("%s copy"), stem);
  return g_strdup_printf ("%s.%s", copy, ending);
}

static void
add_filter (GtkFileChooser *chooser,
            const HlFormat *format)
{
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  /* Translators: a kind of file and the ending of its name, such as NumPy (*.npz) */
  g_autofree char *name = g_strdup_printf (_ ("%s (*.%s)"), _ (format->label), format->suffixes[0]);

  gtk_file_filter_set_name (filter, name);
  for (guint i = 0; format->suffixes[i] != NULL; i++)
    gtk_file_filter_add_suffix (filter, format->suffixes[i]);
  g_object_set_data (G_OBJECT (filter), "format", (gpointer) format);
  gtk_file_chooser_add_filter (chooser, filter);
}

static void
choose_attention (const Wish *wish)
{
  HlDocumentPage *page = wish->page;
  g_autofree char *name = suggest_name (page);
  GtkFileChooser *chooser = create_chooser (wish->window, _ ("Save Attention"), name);
  guint n_formats;
  const HlFormat *formats = hl_format_get_all (&n_formats);

  for (guint i = 0; i < n_formats; i++)
    if (formats[i].create != NULL)
      add_filter (chooser, &formats[i]);
  g_signal_connect (chooser, "notify::filter", G_CALLBACK (on_filter_changed), NULL);
  ask (chooser, hl_document_page_get_file (page), G_CALLBACK (on_attention_chosen),
       choice_new (wish->window, wish->toasts, hl_document_page_get_session (page)));
}

/* All that the document has, in the container that the name asks for; of a model, the attention that it computed. */
void
hl_output_save_attention (GtkWindow       *window,
                          AdwToastOverlay *toasts,
                          HlDocumentPage  *page)
{
  const Wish wish = { .fulfil = choose_attention, .window = window, .toasts = toasts, .page = page };
  HlViewState *state = hl_session_get_view_state (hl_document_page_get_session (page));
  g_autoptr (GError) refusal = NULL;

  if (!hl_view_state_get_allows_expansion (state))
    hl_expansion_ask (hl_view_state_get_example (state), &refusal);
  fulfil (&wish, refusal);
}

/* A moment's work; it is done also when the window goes. */
static gboolean
run_save_session (gpointer      saved,
                  GFile        *target,
                  HlProgress   *progress,
                  GCancellable *cancellable,
                  GError      **error)
{
  g_autofree char *images = hl_image_store_dup_path ();

  return hl_image_store_save_session (images, saved, target, error);
}

static void
on_session_chosen (GtkFileChooserNative *chooser,
                   int                   response,
                   Choice               *choice)
{
  g_autoptr (GFile) chosen = hl_file_choice_get_file (chooser, response);
  g_autofree char *name = chosen != NULL ? g_file_get_basename (chosen) : NULL;

  if (chosen == NULL)
    return;
  g_autoptr (GFile) target = g_str_has_suffix (name, HL_SAVED_SESSION_SUFFIX)
                               ? g_object_ref (chosen)
                               : add_ending (choice->toasts, chosen, HL_SAVED_SESSION_SUFFIX);
  if (target != NULL)
    hl_saving_start (HL_WINDOW (choice->window), target, run_save_session, g_steal_pointer (&choice->saved),
                     (GDestroyNotify) hl_saved_session_free);
}

void
hl_output_save_session (GtkWindow       *window,
                        AdwToastOverlay *toasts,
                        HlDocumentPage  *page)
{
  HlSession *session = hl_document_page_get_session (page);
  GFile *session_file = hl_document_page_get_session_file (page);
  g_autofree char *stem = hl_session_dup_document_name (session);
  g_autofree char *name = session_file != NULL ? hl_file_dup_display_name (session_file)
                                               : g_strconcat (stem, HL_SAVED_SESSION_SUFFIX, NULL);
  GtkFileChooser *chooser = create_chooser (window, _ ("Save Session"), name);
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  Choice *choice = choice_new (window, toasts, session);

  gtk_file_filter_set_name (filter, _ ("Sessions (*.headlight)"));
  gtk_file_filter_add_suffix (filter, HL_SAVED_SESSION_SUFFIX + 1);
  gtk_file_chooser_add_filter (chooser, filter);
  /* It may change while somebody thinks of a name. */
  choice->saved = hl_document_page_save (page);
  /* Over the session that is open, or beside the file, where it finds it again. */
  ask (chooser, session_file != NULL ? session_file : hl_document_page_get_file (page), G_CALLBACK (on_session_chosen),
       choice);
}

typedef struct
{
  HlAttention *attention;
  gboolean of_all_heads;
  HlHeadNumbers *known;
  HlHeadNumberSet set;
  HlComparison *compared;
  HlModelCall *call;
  HlAttentionSource *weights; /* what the maps were made of; NULL where they are these */
  HlChartData *subtracted;    /* the second side of a chart of a difference; NULL of what is no such chart */
  HlHeadCsv csv;
} Table;

static void
table_free (Table *table)
{
  g_object_unref (table->csv.source);
  g_object_unref (table->attention);
  g_clear_pointer (&table->known, hl_head_numbers_unref);
  g_clear_object (&table->compared);
  g_clear_object (&table->call);
  g_clear_object (&table->weights);
  g_clear_pointer (&table->subtracted, hl_scene_data_unref);
  g_free (table);
}

/* What the chart draws, and of what it is the difference. */
static gboolean
save_difference (const Table               *table,
                 const HlHeadNumberRequest *request,
                 GFile                     *target,
                 HlProgress                *progress,
                 GCancellable              *cancellable,
                 GError                   **error)
{
  const HlChartOthers *others = &table->subtracted->others;

  return hl_chart_data_read (table->subtracted, NULL, NULL, cancellable, error) &&
         hl_head_stats_csv_save_difference (request, table->known, others->measure, others->values, target, progress,
                                            cancellable, error);
}

static gboolean
run_save_numbers (gpointer      data,
                  GFile        *target,
                  HlProgress   *progress,
                  GCancellable *cancellable,
                  GError      **error)
{
  const Table *table = data;
  const HlHeadCsv *csv = &table->csv;
  const HlHeadNumberRequest request = { .attention = table->attention,
                                        .source = csv->source,
                                        .own = table->weights != NULL ? table->attention : NULL,
                                        .weights = table->weights,
                                        .first_query = csv->first_query,
                                        .n_queries = csv->n_queries,
                                        .call = table->call };

  if (table->subtracted != NULL)
    return save_difference (table, &request, target, progress, cancellable, error);
  return table->of_all_heads ? hl_head_stats_csv_save (&request, table->known, table->set, table->compared, target,
                                                       progress, cancellable, error)
                             : hl_head_csv_save (csv, target, progress, cancellable, error);
}

/* What the table of heads shows. */
static Table *
create_head_table (HlViewState *state)
{
  Table *table = g_new0 (Table, 1);
  const HlHeadNumberRequest request = hl_view_state_get_number_request (state);

  table->attention = g_object_ref (request.attention);
  table->of_all_heads = TRUE;
  table->known = hl_view_state_ref_numbers (state);
  table->set = hl_number_chooser_get_chosen () | hl_view_state_get_charted_numbers (state);
  g_set_object (&table->compared, hl_view_state_get_compared (state));
  g_set_object (&table->weights, request.weights);
  g_set_object (&table->call, request.call);
  table->csv = (HlHeadCsv){ .source = g_object_ref (request.source),
                            .first_query = request.first_query,
                            .n_queries = request.n_queries };
  return table;
}

/* Whether the picture is of all heads, as they are or as points of a chart. */
static gboolean
shows_all_heads (HlViewState *state)
{
  const HlViewOptions *options = hl_view_state_get_options (state);
  const HlViewTraits *view = hl_view_kind_get_traits (options->view);

  return view->shows_all_heads || (view->shows_charts && options->chart != HL_CHART_PLANE);
}

/* What a chart of a difference subtracts from; NULL where there is nothing that can be subtracted. */
static HlChartData *
create_subtracted (HlViewState *state)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);

  /* What is known of several texts is of the first side alone. */
  if (!hl_view_kind_get_traits (shown->options.view)->shows_charts ||
      hl_view_state_get_charted (state) == HL_HEAD_MEASURE_NONE ||
      (numbers != NULL && hl_head_numbers_get_n_texts (numbers) > 0))
    return NULL;
  g_autoptr (HlChartData)
    data = hl_chart_data_new (shown, numbers, hl_view_state_get_pairs (state), hl_view_state_get_other_call (state));
  return data->others.attention != NULL ? g_steal_pointer (&data) : NULL;
}

/* Of the numbers that the table of heads has columns for, those that what is shown has. */
static HlHeadNumberSet
choose_numbers (HlAttention       *attention,
                HlAttentionSource *source,
                HlRange            queries)
{
  const HlHeadNumberRequest request = {
    .attention = attention, .source = source, .first_query = queries.first, .n_queries = queries.n
  };
  HlHeadNumberSet set = hl_number_chooser_get_chosen ();

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if ((set & HL_HEAD_NUMBER_BIT (stat)) && !hl_head_number_check (stat, &request, NULL))
      set &= ~HL_HEAD_NUMBER_BIT (stat);
  return set;
}

/* The weights as they are, of what is shown: filters are for the eye. Where all heads are seen, the numbers that tell
 * them apart. */
static Table *
create_table (HlViewState *state)
{
  Table *table = g_new0 (Table, 1);
  const HlRange queries = hl_view_state_get_shown (state)->queries;
  const HlRange keys = hl_view_state_get_shown (state)->keys;

  table->attention = g_object_ref (hl_view_state_get_shown (state)->attention);
  table->of_all_heads = shows_all_heads (state);
  table->set = choose_numbers (table->attention, hl_view_state_get_shown (state)->source, queries);
  table->csv = (HlHeadCsv){
    .source = g_object_ref (hl_view_state_get_shown (state)->source),
    .layer = hl_view_state_get_shown (state)->layer,
    .head = hl_view_state_get_shown (state)->head,
    .first_query = queries.first,
    .n_queries = queries.n,
    .first_key = keys.first,
    .n_keys = keys.n,
    .query_tokens = hl_attention_get_tokens (table->attention, HL_QUERIES),
    .key_tokens = hl_attention_get_tokens (table->attention, HL_KEYS),
  };
  return table;
}

/* What a table is of. */
typedef enum
{
  TABLE_OF_HEAD,       /* a map, number by number */
  TABLE_OF_PICTURE,    /* all heads, as the picture shows them */
  TABLE_OF_HEADS,      /* all heads, as the table of heads shows them; charts are of its numbers */
  TABLE_OF_DIFFERENCE, /* the number of a chart, in both sides */
} TableKind;

static TableKind
find_table_kind (HlViewState *state,
                 gboolean     of_head_table)
{
  const HlShown *shown = hl_view_state_get_shown (state);
  g_autoptr (HlChartData) subtracted = NULL;

  if (of_head_table)
    return TABLE_OF_HEADS;
  if (!shows_all_heads (state))
    return TABLE_OF_HEAD;
  subtracted = create_subtracted (state);
  if (subtracted != NULL)
    return TABLE_OF_DIFFERENCE;
  return hl_view_kind_get_traits (shown->options.view)->shows_charts ||
             shown->source == hl_view_state_get_attention_source (state)
           ? TABLE_OF_HEADS
           : TABLE_OF_PICTURE;
}

static Table *
create_table_of (HlViewState *state,
                 TableKind    kind)
{
  if (kind == TABLE_OF_HEAD || kind == TABLE_OF_PICTURE)
    return create_table (state);
  Table *table = create_head_table (state);
  if (kind == TABLE_OF_DIFFERENCE)
    table->subtracted = create_subtracted (state);
  return table;
}

static void
on_numbers_chosen (GtkFileChooserNative *chooser,
                   int                   response,
                   Choice               *choice)
{
  HlViewState *state = hl_session_get_view_state (choice->session);
  g_autoptr (GFile) target = hl_file_choice_get_file (chooser, response);

  if (target != NULL)
    hl_saving_start (HL_WINDOW (choice->window), target, run_save_numbers,
                     create_table_of (state, find_table_kind (state, choice->of_head_table)),
                     (GDestroyNotify) table_free);
}

static char *
make_table_title (const HlShown *shown,
                  TableKind      kind)
{
  if (kind == TABLE_OF_DIFFERENCE)
    /* Translators: of two sides that are compared, A and B */
    return g_strdup (_ ("Export Numbers of All Heads, B − A"));
  if (kind == TABLE_OF_HEADS && shown->other != NULL)
    /* Translators: of two sides that are compared, A and B */
    return g_strdup (_ ("Export Numbers of All Heads of A"));
  if (kind != TABLE_OF_HEAD)
    return g_strdup (_ ("Export Numbers of All Heads"));
  if (!shown->merges_heads && !shown->merges_layers)
    return g_strdup_printf (_ ("Export Numbers of Layer %u, Head %u"), shown->layer, shown->head);

  g_autofree char *name = hl_shown_dup_map_name (shown, shown->layer, shown->head);
  /* Translators: “layer 3 · mean of heads 0, 2” */
  return g_strdup_printf (_ ("Export Numbers: %s"), name);
}

/* The picture's, where the numbers are those that are seen in it. */
static char *
make_table_name (HlSession *session,
                 TableKind  kind,
                 gboolean   of_head_table)
{
  const HlShown *shown = hl_view_state_get_shown (hl_session_get_view_state (session));
  const gboolean is_seen = !of_head_table && (kind != TABLE_OF_HEADS || shown->other == NULL);
  g_autofree char *stem = kind == TABLE_OF_HEAD ? hl_session_dup_head_name (session)
                          : is_seen             ? hl_session_dup_figure_name (session)
                                                : hl_session_dup_table_name (session);

  return g_strconcat (stem, kind == TABLE_OF_DIFFERENCE ? "-difference.csv" : ".csv", NULL);
}

static void
choose_numbers_file (const Wish *wish)
{
  HlSession *session = hl_document_page_get_session (wish->page);
  HlViewState *state = hl_session_get_view_state (session);
  const TableKind kind = find_table_kind (state, wish->of_head_table);
  g_autofree char *name = make_table_name (session, kind, wish->of_head_table);
  g_autofree char *title = make_table_title (hl_view_state_get_shown (state), kind);
  Choice *choice = choice_new (wish->window, wish->toasts, session);

  choice->of_head_table = wish->of_head_table;
  ask (create_chooser (wish->window, title, name), hl_document_page_get_file (wish->page),
       G_CALLBACK (on_numbers_chosen), choice);
}

void
hl_output_save_numbers (GtkWindow       *window,
                        AdwToastOverlay *toasts,
                        HlDocumentPage  *page,
                        gboolean         of_head_table)
{
  HlViewState *state = hl_session_get_view_state (hl_document_page_get_session (page));
  const gboolean of_all_heads = of_head_table || shows_all_heads (state);
  const Wish wish = { .fulfil = choose_numbers_file,
                      .window = window,
                      .toasts = toasts,
                      .page = page,
                      .of_both = of_all_heads ? hl_view_state_get_compared (state) != NULL
                                              : hl_view_state_reads_both (state),
                      .of_head_table = of_head_table };
  g_autoptr (GError) refusal = NULL;

  hl_view_state_check_reading (state,
                               of_all_heads ? hl_view_state_count_maps (state)
                                            : hl_shown_count_maps_of_one (hl_view_state_get_shown (state)),
                               wish.of_both, &refusal);
  fulfil (&wish, refusal);
}

static void
on_exported (AdwToastOverlay *toasts,
             GFile           *file,
             guint            n_left_out)
{
  g_autofree char *name = hl_file_dup_display_name (file);
  g_autofree char *title = NULL;

  if (n_left_out > 0)
    title = g_strdup_printf (ngettext ("Saved “%s”; %u line too faint to see is not in it",
                                       "Saved “%s”; %u lines too faint to see are not in it", n_left_out),
                             name, n_left_out);
  else
    title = g_strdup_printf (_ ("Saved “%s”"), name);
  hl_toast_say (toasts, title, file, HL_TOAST_SENTENCE_SECONDS);
}

/* All that is in it is read. */
static void
fulfil_of_figure (const Wish *wish)
{
  g_autoptr (HlScene) scene = hl_compare_view_create_scene (hl_document_page_get_compare_view (wish->page));
  g_autoptr (GError) refusal = NULL;

  hl_figure_check (scene, HL_EXPORT_PNG, &refusal);
  fulfil (wish, refusal);
}

static void
show_export_dialog (const Wish *wish)
{
  HlSession *session = hl_document_page_get_session (wish->page);
  g_autofree char *name = hl_session_dup_figure_name (session);
  g_autoptr (HlScene) scene = hl_compare_view_create_scene (hl_document_page_get_compare_view (wish->page));
  GtkWidget *dialog = hl_export_dialog_new (scene, hl_document_page_get_file (wish->page), name, session);

  g_signal_connect_object (dialog, "exported", G_CALLBACK (on_exported), wish->toasts, G_CONNECT_SWAPPED);
  gtk_window_set_transient_for (GTK_WINDOW (dialog), wish->window);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
hl_output_export_figure (GtkWindow       *window,
                         AdwToastOverlay *toasts,
                         HlDocumentPage  *page)
{
  const Wish wish = { .fulfil = show_export_dialog, .window = window, .toasts = toasts, .page = page, .of_both = TRUE };

  fulfil_of_figure (&wish);
}

/* Both kinds of a figure go onto the clipboard: whoever pastes takes what it can use. Made one after the other. */
static const struct
{
  HlExportFormat format;
  const char *type;
} copies[] = { { HL_EXPORT_PNG, "image/png" }, { HL_EXPORT_SVG, "image/svg+xml" } };

typedef struct
{
  AdwToastOverlay *toasts;
  HlFigure *figure;
  GdkContentProvider *providers[G_N_ELEMENTS (copies)];
  guint n_made;
} Copy;

static void
copy_free (Copy *copy)
{
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    g_clear_object (&copy->providers[i]);
  g_object_unref (copy->figure);
  g_object_unref (copy->toasts);
  g_free (copy);
}

static void
finish_copy (Copy *copy)
{
  /* The union takes the providers over. */
  g_autoptr (GdkContentProvider) all = gdk_content_provider_new_union (copy->providers, G_N_ELEMENTS (copies));
  memset (copy->providers, 0, sizeof copy->providers);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (copy->toasts)), all);
  hl_toast_say (copy->toasts, _ ("Figure copied"), NULL, HL_TOAST_WORD_SECONDS);
}

static void make_copy (Copy *copy);

static void
on_copy_made (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  Copy *copy = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hl_figure_make_finish (copy->figure, result, NULL, &error);

  if (bytes == NULL)
    {
      hl_toast_say_error (copy->toasts, error);
      copy_free (copy);
      return;
    }
  copy->providers[copy->n_made] = gdk_content_provider_new_for_bytes (copies[copy->n_made].type, bytes);
  if (++copy->n_made < G_N_ELEMENTS (copies))
    {
      make_copy (copy);
      return;
    }
  finish_copy (copy);
  copy_free (copy);
}

static void
make_copy (Copy *copy)
{
  const HlExportOptions options = { .format = copies[copy->n_made].format, .scale = CLIPBOARD_SCALE };

  hl_figure_make_async (copy->figure, &options, NULL, NULL, on_copy_made, copy);
}

static void
copy_figure (const Wish *wish)
{
  g_autoptr (HlScene) scene = hl_compare_view_create_scene (hl_document_page_get_compare_view (wish->page));
  double width, height;

  hl_scene_get_viewport (scene, &width, &height, NULL);
  if (width <= 0 || height <= 0)
    return;
  Copy *copy = g_new0 (Copy, 1);
  copy->toasts = g_object_ref (wish->toasts);
  copy->figure =
    hl_figure_new (scene, width, height, hl_view_state_get_options (hl_scene_get_state (scene))->dark, FALSE);
  make_copy (copy);
}

void
hl_output_copy_figure (AdwToastOverlay *toasts,
                       HlDocumentPage  *page)
{
  const Wish wish = { .fulfil = copy_figure,
                      .window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (toasts))),
                      .toasts = toasts,
                      .page = page,
                      .of_both = TRUE };

  fulfil_of_figure (&wish);
}

/* Which others are chosen is not seen where one head is shown, and render takes one there. */
static void
leave_head_in_front (HlSavedSession *saved,
                     HlViewState    *state)
{
  g_autofree char *head = g_strdup_printf ("%u", hl_view_state_get_head (state));

  if (!hl_view_state_get_shown (state)->shows_one_head ||
      (hl_view_state_get_shown (state)->merges_heads && !hl_view_state_get_shown (state)->shows_steps))
    return;
  hl_state_texts_set (&saved->state, "heads", hl_view_state_get_head (state) > 0 ? head : NULL);
  hl_state_texts_set (&saved->state, "head", NULL);
}

void
hl_output_copy_command (AdwToastOverlay *toasts,
                        HlDocumentPage  *page)
{
  HlSession *session = hl_document_page_get_session (page);
  g_autoptr (HlScene) scene = hl_compare_view_create_scene (hl_document_page_get_compare_view (page));
  g_autoptr (HlSavedSession) saved = hl_document_page_save (page);
  g_autofree char *name = hl_session_dup_figure_name (session);
  g_autofree char *output = g_strconcat (name, ".png", NULL);
  HlViewState *state = hl_session_get_view_state (session);
  double width, height;

  leave_head_in_front (saved, state);
  hl_scene_get_viewport (scene, &width, &height, NULL);
  g_autofree char *command = hl_saved_session_to_command (saved, output, width, height, CLIPBOARD_SCALE);
  if (strlen (command) > MAX_COMMAND)
    {
      hl_toast_say (toasts,
                    _ ("This does not fit on a command line; save a session, which headlight-cli "
                       "render takes as well"),
                    NULL, HL_TOAST_SENTENCE_SECONDS);
      return;
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (toasts)), command);
  hl_toast_say (toasts, _ ("Command copied"), NULL, HL_TOAST_WORD_SECONDS);
}

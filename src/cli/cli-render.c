/* SPDX-License-Identifier: MIT */
/* headlight-cli render: a figure, made by the code that makes the window's. */
#include "cli/cli-commands.h"
#include "cli/base/cli-corpus.h"
#include "cli/base/cli-pairs.h"
#include "cli/cli-render-other.h"
#include "cli/base/cli-session.h"
#include "cli/base/cli-source.h"
#include "cli/base/cli-text.h"
#include "cli/base/cli-view-options.h"
#include "core/base/file/hl-file-argument.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/hl-expansion.h"
#include "draw/chart/hl-chart-scene.h"
#include "draw/export/hl-export.h"
#include "draw/export/hl-pair-scene.h"
#include "draw/scene/hl-scene-whole.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Logical pixels, unless asked for otherwise. A head view is as high as its tokens need. */
#define DEFAULT_WIDTH 800
#define DEFAULT_HEIGHT 720

typedef struct
{
  char *example;
  char *output;
  HlExportFormat format;
  int width;
  int height;
  gboolean as_seen;
  double scale;
  char *title;
  CliPlace place;
  CliViewOptions view;
  CliPairs pairs;
  CliModelText text;
  CliCorpus corpus;
  CliOpenOptions open;
  CliOtherSide other;
  CliOtherView other_view;
  char *difference;
  char *beside;
  gboolean takes_quantity; /* from a session, or as seen: what there is of it is drawn, as a window does, or weights */
  gsize n_left_out;
} Render;

/* Whether what is read of a document for the picture of a state is worth waiting for; of another side it is as much. */
static gboolean
check_expansion (Render      *self,
                 HlDocument  *document,
                 HlExample   *example,
                 HlAttention *attention,
                 HlViewState *state,
                 GError     **error)
{
  return hl_expansion_refuse_maps (example, attention, hl_export_count_maps_read (state, self->format),
                                   hl_document_get_options (document), error);
}

/* What is looked at, how, and by which words heads are ranked. */
static gboolean
set_up_state (Render      *self,
              CliJob      *job,
              HlDocument  *document,
              HlViewState *state,
              GError     **error)
{
  HlStateTexts *written = &self->view.written;

  if (!cli_pairs_is_empty (&self->pairs))
    {
      char *lines = cli_pairs_load (&self->pairs, job, error);
      if (lines == NULL)
        return FALSE;
      hl_state_texts_set (written, "pairs", lines);
      g_free (lines);
    }
  const gboolean is_alone = !self->as_seen && self->difference == NULL && self->beside == NULL;
  return hl_state_texts_apply (written, state, error) &&
         (!is_alone || cli_view_options_check_tokens (&self->view, state, error)) &&
         hl_state_check_view (state, error) && (self->takes_quantity || hl_state_check_quantity (state, error)) &&
         check_expansion (self, document, hl_view_state_get_example (state), hl_view_state_get_attention (state), state,
                          error) &&
         hl_view_state_complete_numbers (state, job->cancellable, error);
}

static HlScene *
create_scene (HlViewState *state,
              HlViewState *other)
{
  g_autoptr (HlScene) scene = hl_scene_new (hl_view_state_get_options (state)->view, state);

  if (other == NULL)
    return g_steal_pointer (&scene);
  g_autoptr (HlScene) beside = hl_scene_new (hl_view_state_get_options (other)->view, other);
  return hl_pair_scene_new (scene, beside);
}

/* Both sides are zoomed alike. */
static void
go_to_place (Render  *self,
             HlScene *scene,
             gboolean is_pair)
{
  double width, height;

  /* The sides of a pair get their places when it is measured. */
  hl_scene_measure (scene, &width, &height);
  for (guint side = 0; side < (is_pair ? 2 : 1); side++)
    {
      HlScene *one = is_pair ? hl_pair_scene_get_side (HL_PAIR_SCENE (scene), side) : scene;
      const gboolean own = side == 1 && self->other_view.scroll_known;
      hl_scene_set_zoom (one, self->place.zoom);
      hl_scene_set_scroll (one, own ? self->other_view.scroll_x : self->place.scroll_x,
                           own ? self->other_view.scroll_y : self->place.scroll_y);
    }
}

/* What nobody gave a size is as large as what it shows. */
static void
fit_viewport (Render             *self,
              HlScene            *scene,
              const HlViewTraits *view,
              double              width,
              double              height)
{
  double whole_width, whole_height;

  /* What is zoomed is a part, and the size of it is a choice. */
  if (self->as_seen || (self->width > 0 && self->height > 0) || (view->keeps_proportions && self->place.zoom > 0))
    return;
  hl_export_get_whole_size (scene, &whole_width, &whole_height);
  if (self->width == 0)
    width = MIN (whole_width, HL_LIMIT_FIGURE_SIDE);
  if (self->height == 0)
    {
      /* As high as it is in this width. */
      hl_scene_set_viewport (scene, width, height, self->scale);
      hl_export_get_whole_size (scene, &whole_width, &whole_height);
      height = MIN (whole_height, HL_LIMIT_FIGURE_SIDE);
    }
  hl_scene_set_viewport (scene, width, height, self->scale);
}

/* A figure of nothing but a notice is none; the job's file is then that whose it is. */
static gboolean
check_notice (CliJob  *job,
              HlScene *scene,
              GError **error)
{
  Render *self = job->data;

  if (!hl_scene_prepare (scene, job->cancellable, error))
    return FALSE;
  for (guint side = 0; side < (HL_IS_PAIR_SCENE (scene) ? 2 : 1); side++)
    {
      HlScene *one = HL_IS_PAIR_SCENE (scene) ? hl_pair_scene_get_side (HL_PAIR_SCENE (scene), side) : scene;
      g_autofree char *notice = HL_IS_CHART_SCENE (one) ? hl_chart_scene_dup_notice (HL_CHART_SCENE (one)) : NULL;

      if (notice == NULL)
        continue;
      job->file = side == 1 ? self->other.file : job->file;
      g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING, notice);
      return FALSE;
    }
  return TRUE;
}

/* Frames and an order that are asked for by what no head has say nothing, those of a session show what its window shows; the job's file is then
 * that of these heads. */
static gboolean
check_order (CliJob      *job,
             const char  *file,
             HlViewState *state,
             GError     **error)
{
  static const char *const options[] = { "sort", "colour-by" };
  const HlHeadMeasure measures[] = { hl_view_state_get_applied_sort (state),
                                     hl_view_state_get_applied_colour_by (state) };
  const Render *self = job->data;
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);

  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    {
      gboolean has_any = measures[i] == HL_HEAD_MEASURE_NONE || !self->view.is_given[hl_state_text_find (options[i])];

      for (guint head = 0; !has_any && head < hl_head_numbers_get_n (numbers); head++)
        has_any = isfinite (hl_head_numbers_get (numbers, measures[i], head));
      if (has_any)
        continue;
      job->file = file;
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("No head has a number for “%s” here"),
                   hl_head_measure_get_label (measures[i]));
      return FALSE;
    }
  return TRUE;
}

static gboolean
draw (CliJob      *job,
      HlDocument  *document,
      HlViewState *state,
      HlViewState *other,
      GError     **error)
{
  Render *self = job->data;
  g_autoptr (HlScene) scene = create_scene (state, other);
  const HlExportOptions options = {
    .format = self->format,
    .scale = self->scale,
    .background = HL_EXPORT_BACKGROUND_THEME,
    .title = self->title,
    .model = hl_document_get_model (document),
    .text_mode = HL_TEXT_GLYPHS,
  };
  double width = self->width > 0 ? self->width : other != NULL ? 2 * DEFAULT_WIDTH : DEFAULT_WIDTH;
  double height = self->height > 0 ? self->height : DEFAULT_HEIGHT;

  hl_scene_set_viewport (scene, width, height, self->scale);
  g_object_set (scene, "is-cut", !self->as_seen, NULL);
  fit_viewport (self, scene, hl_view_kind_get_traits (hl_view_state_get_options (state)->view), width, height);
  go_to_place (self, scene, other != NULL);
  if (!self->as_seen && hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->shows_charts &&
      !check_notice (job, scene, error))
    return FALSE;
  /* A page has neither. */
  if (!self->as_seen && self->format != HL_EXPORT_HTML &&
      (!check_order (job, job->file, state, error) ||
       (other != NULL && !check_order (job, self->other.file, other, error))))
    return FALSE;
  g_autoptr (GBytes) figure = hl_export_scene_to_bytes (scene, &options, &self->n_left_out, job->cancellable, error);
  if (figure == NULL)
    return FALSE;

  job->file = self->output;
  g_autoptr (GFile) target = hl_file_new_for_argument (self->output);
  return hl_export_save (figure, target, error);
}

/* Whether it is the chart that needs queries and keys. */
static gboolean
shows_plane (const HlViewOptions *options)
{
  return hl_view_kind_get_traits (options->view)->shows_charts && options->chart == HL_CHART_PLANE;
}

/* What is known of the second side may be needed of the first as well. */
static gboolean
check_expansion_of_both (Render      *self,
                         CliJob      *job,
                         HlDocument  *document,
                         HlViewState *state,
                         CliOther    *other,
                         GError     **error)
{
  HlAttention *attention = hl_view_state_get_attention (other->state);
  HlExample *example = hl_view_state_get_example (other->state);
  const char *file = job->file;

  if (!check_expansion (self, document, hl_view_state_get_example (state), hl_view_state_get_attention (state), state,
                        error))
    return FALSE;
  job->file = self->other.file;
  if (!check_expansion (self, other->document, example, attention, self->difference != NULL ? state : other->state,
                        error))
    return FALSE;
  job->file = file;
  return TRUE;
}

/* The difference in place of the first side, or a second one beside it. */
static HlSides *
compare (Render      *self,
         CliJob      *job,
         HlDocument  *document,
         HlViewState *state,
         GError     **error)
{
  g_autoptr (HlDocument) other_document = NULL;
  g_autoptr (HlExample)
    other_example = cli_other_side_load (&self->other, job, &self->open, self->example, &other_document, error);

  if (other_example == NULL)
    return NULL;
  g_autoptr (HlViewState) other_state = hl_view_state_new (other_example);
  hl_view_state_set_call (other_state, hl_model_call_of (other_document));
  const HlSentences sentences = hl_state_texts_get_options (&self->view.written).sentences;
  CliOther other = {
    job, &self->other, &self->other_view, other_document, other_state, sentences, self->takes_quantity
  };
  g_autoptr (HlSides) sides = cli_render_compare (&other, state, document, self->difference != NULL, error);
  if (sides == NULL || !check_expansion_of_both (self, job, document, state, &other, error) ||
      !hl_view_state_complete_numbers (state, job->cancellable, error))
    return NULL;
  if (self->difference == NULL && !hl_view_state_complete_numbers (other_state, job->cancellable, error))
    return NULL;
  return g_steal_pointer (&sides);
}

/* A picture of means: the first text stands for all, for their layers and heads are the same. */
static gboolean
render_texts (Render  *self,
              CliJob  *job,
              GError **error)
{
  CliCorpus *corpus = &self->corpus;
  g_autoptr (HlExample) example = NULL;

  if (!cli_corpus_open (corpus, job, &self->open, error))
    return FALSE;
  if (hl_corpus_get_n (corpus->corpus) == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no text in it"));
      return FALSE;
    }
  g_autoptr (HlDocument) document = hl_corpus_read (corpus->corpus, 0, &example, job->cancellable, error);
  if (document == NULL)
    return FALSE;
  g_autoptr (HlViewState) state = hl_view_state_new (example);
  hl_view_state_set_call (state, hl_model_call_of (document));
  if (!hl_state_texts_apply (&self->view.written, state, error) ||
      !(self->takes_quantity || hl_state_check_quantity (state, error)))
    return FALSE;
  /* Numbers of heads are of all tokens, whatever is left out of maps. */
  g_auto (CliViewOptions) quantity = { 0 };
  if (hl_view_state_get_shown (state)->numbered != HL_QUANTITY_WEIGHT)
    hl_state_texts_set (&quantity.written, "quantity", hl_state_texts_get (&self->view.written, "quantity"));
  const HlHeadNumberSet drawn = hl_head_measure_get_set (hl_view_state_get_charted (state)) |
                                hl_head_measure_get_set (hl_view_state_get_applied_sort (state)) |
                                hl_head_measure_get_set (hl_view_state_get_applied_colour_by (state));
  return cli_corpus_measure (corpus, job, &quantity,
                             hl_view_state_get_wanted_numbers (state) | (drawn & HL_PROBE_NUMBERS),
                             hl_view_state_draws_distances (state), error) &&
         cli_corpus_give (corpus, state, error) && draw (job, document, state, NULL, error);
}

static gboolean
render (CliJob  *job,
        GError **error)
{
  Render *self = job->data;

  if (!cli_check_target (job, self->output, error))
    return FALSE;
  if (!cli_corpus_is_empty (&self->corpus))
    return render_texts (self, job, error);
  g_autoptr (HlDocument) document = cli_load_document (job, &self->text, &self->open, error);

  if (document == NULL)
    return FALSE;
  g_autoptr (HlExample) example = cli_load_example (job, document, self->example, error);
  if (example == NULL)
    return FALSE;

  g_autoptr (HlViewState) state = hl_view_state_new (example);
  hl_view_state_set_call (state, hl_model_call_of (document));
  if (!set_up_state (self, job, document, state, error))
    return FALSE;
  g_autoptr (HlSides) sides = NULL;
  if (self->beside != NULL || self->difference != NULL)
    {
      sides = compare (self, job, document, state, error);
      if (sides == NULL)
        return FALSE;
    }
  HlViewState *other = self->beside != NULL ? hl_sides_get_b (sides) : NULL;
  /* A figure of nothing but a notice is none. */
  if (!self->as_seen &&
      (hl_view_state_get_shown (state)->shows_steps || shows_plane (hl_view_state_get_options (state))) &&
      (!hl_head_steps_check (hl_view_state_get_attention (state), error) ||
       (other != NULL && !hl_head_steps_check (hl_view_state_get_attention (other), error))))
    return FALSE;
  return draw (job, document, state, other, error);
}

/* Several heads that become one map are one. A window shows which others are chosen. */
static gboolean
needs_one_head (Render *self)
{
  const HlViewOptions options = hl_state_texts_get_options (&self->view.written);
  const HlViewTraits *view = hl_view_kind_get_traits (options.view);
  const HlLens lens = { .quantity = options.quantity,
                        .combine = options.combine,
                        .combine_over = options.combine_over };

  if (self->as_seen || hl_state_texts_get (&self->view.written, "head") != NULL)
    return FALSE;
  return shows_plane (&options) || (view->shows_one_head && (!hl_lens_merges_heads (&lens) || view->shows_steps));
}

/* The option that asks for one of such numbers of heads, if there is one. */
static const char *
find_asking (const HlStateTexts *written, gboolean (*is_such) (HlHeadMeasure measure))
{
  const HlViewOptions options = hl_state_texts_get_options (written);

  if (hl_view_kind_get_traits (options.view)->shows_charts)
    return is_such (options.number) && hl_chart_kind_draws_number (options.chart) ? "number" : NULL;
  return is_such (options.sort) ? "sort" : is_such (options.colour_by) ? "colour-by" : NULL;
}

static gboolean
is_of_pair (HlHeadMeasure measure)
{
  return measure == HL_HEAD_MEASURE_PAIR;
}

static gboolean
is_change (HlHeadMeasure measure)
{
  return measure == HL_HEAD_MEASURE_CHANGE;
}

static gboolean
is_of_annotations (HlHeadMeasure measure)
{
  return (hl_head_measure_get_set (measure) & HL_PROBE_NUMBERS) != 0;
}

/* What options say of the view that does not go together. */
static int
check_view (Render *self)
{
  const HlStateTexts *written = &self->view.written;
  const char *by_pair = find_asking (written, is_of_pair);
  const HlViewTraits *view = hl_view_kind_get_traits (hl_state_texts_get_options (written).view);
  guint n_guests;
  const guint n_heads = hl_state_texts_count_heads (written, &n_guests);

  if (by_pair != NULL && !self->as_seen && cli_pairs_is_empty (&self->pairs))
    return cli_print_misuse (_ ("--%s pair needs --pair QUERY:KEY or --pairs FILE"), by_pair);
  if (n_heads > 1 && needs_one_head (self))
    return cli_print_misuse (_ ("this view shows one head; --head says which of several"));
  if (n_heads == 0 && hl_state_texts_get (written, "heads") != NULL && needs_one_head (self))
    return cli_print_misuse (_ ("this view shows one head, and --heads names none"));
  if (n_guests > 0 && n_heads > 1 && !view->mixes_layers && !view->shows_all_heads)
    return cli_print_misuse (_ ("this view shows heads of one layer"));
  return 0;
}

/* What options say of the second side; what a session says of one counts where none is written. */
static int
settle_other (Render               *self,
              const HlSavedSession *saved,
              const char           *by_change,
              const char           *file)
{
  const gboolean shows_steps =
    hl_view_kind_get_traits (hl_state_texts_get_options (&self->view.written).view)->shows_steps;
  const gboolean is_written = self->difference != NULL || self->beside != NULL;

  if (self->difference != NULL && self->beside != NULL)
    return cli_print_misuse (_ ("--compare and --difference exclude one another"));
  const gboolean subtracts = self->difference != NULL || (!is_written && saved != NULL && saved->difference);
  if (subtracts && hl_state_texts_get (&self->other_view.written, "hidden") != NULL)
    return cli_print_misuse (
      _ ("--other-hidden is not for --difference: what --hidden leaves out is left out of both sides"));
  const HlViewOptions options = hl_state_texts_get_options (&self->view.written);
  if (self->difference != NULL && !self->as_seen && hl_view_kind_get_traits (options.view)->shows_charts &&
      !hl_chart_kind_draws_number (options.chart))
    return cli_print_misuse (_ ("--difference is not for the charts shares, scatter and plane; --compare is"));
  if (self->difference != NULL && !self->as_seen && shows_steps)
    return cli_print_misuse (_ ("--difference is not for the views steps and neuron; --compare is"));
  /* The steps to weights are of one side also where the window shows the difference of these: that of a session is not needed. */
  if (subtracts && !is_written && shows_steps)
    saved = NULL;
  /* Side by side each side makes one map of its own heads. */
  const HlLens lens = cli_view_options_get_lens (&self->view);
  const int status = self->as_seen || self->difference == NULL ? 0 : cli_other_side_check_made (&self->other, &lens);
  if (status != 0)
    return status;
  if (!is_written && saved != NULL)
    {
      cli_session_take_other (saved, file, &self->other, &self->other_view);
      *(saved->difference ? &self->difference : &self->beside) = g_strdup (self->other.file);
    }
  else if (is_written)
    self->other.file = g_strdup (self->difference != NULL ? self->difference : self->beside);
  else if (!cli_other_side_is_empty (&self->other) || !cli_other_view_is_empty (&self->other_view))
    return cli_print_misuse (_ ("options that begin with --other need --compare or --difference"));
  else if (by_change != NULL && !self->as_seen)
    return cli_print_misuse (_ ("--%s change needs --compare or --difference"), by_change);
  else
    return 0;
  return cli_other_side_parse (&self->other, file, &self->text);
}

/* What does not go together with several texts. */
static int
check_texts (Render *self)
{
  const HlViewOptions options = hl_state_texts_get_options (&self->view.written);
  const gboolean charts = hl_view_kind_get_traits (options.view)->shows_charts;
  const char *by_annotations = find_asking (&self->view.written, is_of_annotations);
  const char *by_pair = find_asking (&self->view.written, is_of_pair);
  const char *by_change = find_asking (&self->view.written, is_change);

  if (cli_corpus_is_empty (&self->corpus))
    return by_annotations != NULL && !self->as_seen
             ? cli_print_misuse (_ ("--%s dependency and coreference need --annotations, or --examples of a file "
                                    "that has them"),
                                 by_annotations)
           : self->corpus.relation != NULL
             ? cli_print_misuse (_ ("--relation goes with --texts, --examples or --annotations"))
             : 0;
  if (!cli_model_text_is_empty (&self->text) || self->example != NULL)
    return cli_print_misuse (
      _ ("--text, --ids and --example are for one text; --texts, --examples and --annotations for several"));
  if (!charts && !hl_view_kind_get_traits (options.view)->shows_all_heads)
    return cli_print_misuse (
      _ ("--texts, --examples and --annotations are for --view chart and model-view: maps are of one text"));
  if (charts && options.chart == HL_CHART_PLANE)
    return cli_print_misuse (
      _ ("--texts, --examples and --annotations are for all charts but plane, which is of one text"));
  if (by_pair != NULL || by_change != NULL)
    return cli_print_misuse (_ ("--%s pair and change are of one text, not of --texts, --examples or --annotations"),
                             by_pair != NULL ? by_pair : by_change);
  if (self->difference != NULL || self->beside != NULL)
    return cli_print_misuse (
      _ ("--compare and --difference are of one text, not of --texts, --examples or --annotations"));
  return 0;
}

/* What can be wrong with the arguments without a look at the file. */
static int
check_arguments (Render *self)
{
  if (self->output == NULL)
    return cli_print_misuse (_ ("render needs --output FIGURE"));
  if (!hl_export_format_from_path (self->output, &self->format))
    return cli_print_misuse (_ ("--output must end in .png, .svg, .pdf or .html"));
  if (self->width < 0 || self->width > HL_LIMIT_FIGURE_SIDE || self->height < 0 || self->height > HL_LIMIT_FIGURE_SIDE)
    return cli_print_misuse (_ ("--width and --height are 1 to %d"), HL_LIMIT_FIGURE_SIDE);
  if (!(self->scale >= 0.1 && self->scale <= 16))
    return cli_print_misuse (_ ("--scale is 0.1 to 16"));

  int status = cli_view_options_read (&self->view);
  if (status == 0)
    status = cli_place_parse (&self->place);
  if (status == 0)
    status = cli_other_view_parse (&self->other_view);
  if (status == 0)
    status = check_texts (self);
  return status == 0 ? check_view (self) : status;
}

/* What a session may say as well: options that act on something, and a page that has it. A window keeps what acts on nothing until there is
 * something, and whoever asks for what it shows may say it all. */
static int
check_use (Render *self)
{
  const HlViewOptions options = hl_state_texts_get_options (&self->view.written);

  if (self->format == HL_EXPORT_HTML && hl_view_kind_get_traits (options.view)->shows_charts)
    return cli_print_misuse (_ ("a page has maps and no charts: --view chart is for .png, .svg and .pdf"));
  if (self->format == HL_EXPORT_HTML && !cli_corpus_is_empty (&self->corpus))
    return cli_print_misuse (_ ("a page is of one text, not of --texts, --examples or --annotations"));
  return self->as_seen ? 0 : cli_view_options_check (&self->view);
}

static void
render_clear (Render *self)
{
  g_free (self->example);
  g_free (self->output);
  g_free (self->title);
  g_free (self->place.scroll);
  cli_view_options_clear (&self->view);
  cli_pairs_clear (&self->pairs);
  cli_model_text_clear (&self->text);
  cli_corpus_clear (&self->corpus);
  cli_open_options_clear (&self->open);
  cli_other_side_clear (&self->other);
  cli_other_view_clear (&self->other_view);
  g_free (self->difference);
  g_free (self->beside);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Render, render_clear)

/* A session that is drawn over texts has its look from it, but not its own text. What it is looked at as may be new, too. */
static int
check_source_of_texts (Render     *self,
                       const char *file)
{
  const HlViewOptions options = hl_state_texts_get_options (&self->view.written);
  const gboolean charts = hl_view_kind_get_traits (options.view)->shows_charts;
  const HlHeadNumberSet drawn = charts ? hl_head_measure_get_set (options.number)
                                       : hl_head_measure_get_set (options.sort) |
                                           hl_head_measure_get_set (options.colour_by);

  const CliModelPart part = self->text.part;
  self->text.part.stop_after_layer = NULL;
  cli_model_text_clear (&self->text);
  self->text = (CliModelText){ .part = part };
  self->corpus.part = &self->text.part;
  g_clear_pointer (&self->example, g_free);
  int status = check_texts (self);
  if (status == 0 && !charts && drawn == 0)
    return cli_print_misuse (_ (
      "in --view model-view, --texts, --examples and --annotations need a number of heads as --sort or --colour-by"));
  if (status == 0)
    status = cli_corpus_check (&self->corpus, file, &self->open, drawn, charts ? "--number" : "--sort");
  if (status == 0)
    status = cli_model_text_parse (&self->text);
  return status == 0 ? cli_open_options_parse (&self->open, &self->text) : status;
}

static int
run_render (char **arguments)
{
  g_auto (Render) self = { .scale = 1, .other = CLI_OTHER_SIDE_INIT };
  g_auto (GStrv) files = NULL;
  g_autoptr (HlSavedSession) saved_other = NULL;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output, N_ ("The file to write: .png, .svg, .pdf or .html"),
      N_ ("FIGURE") },
    { "example", 0, 0, G_OPTION_ARG_STRING, &self.example,
      N_ ("Which example, if the file has several; the first otherwise"), N_ ("NAME|N") },
    { "width", 0, 0, G_OPTION_ARG_INT, &self.width, N_ ("Width in pixels, in points for SVG and PDF"), "N" },
    { "height", 0, 0, G_OPTION_ARG_INT, &self.height, N_ ("Height likewise"), "N" },
    { "as-seen", 0, 0, G_OPTION_ARG_NONE, &self.as_seen,
      N_ ("What a window of this size shows, with all heads to choose from, rather than cut to what is shown"), NULL },
    { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &self.scale, N_ ("How many pixels a PNG has for each of these"), "S" },
    { "difference", 0, 0, G_OPTION_ARG_FILENAME, &self.difference,
      N_ ("Draw how attention differs from this source to that: that minus SOURCE"), N_ ("SOURCE") },
    { "compare", 0, 0, G_OPTION_ARG_FILENAME, &self.beside, N_ ("Draw that beside this source"), N_ ("SOURCE") },
    { "title", 0, 0, G_OPTION_ARG_STRING, &self.title, N_ ("A line over the figure"), N_ ("TEXT") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (context, _ ("Draws attention of SOURCE as the window does."));
  cli_view_options_add_entries (&self.view, context);
  cli_place_add_entries (&self.place, context);
  cli_corpus_add_entries (&self.corpus, context);
  cli_pairs_add_entries (&self.pairs, context);
  cli_other_side_add_entries (&self.other, context);
  cli_other_view_add_entries (&self.other_view, context);
  cli_open_options_add_entries (&self.open, context);
  cli_open_options_add_tokenizer (&self.open, context);
  cli_open_options_add_expansion (&self.open, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &self.text.part, &files);
  /* What a session is sorted by, it may have been compared for before. */
  const char *by_change = find_asking (&self.view.written, is_change);
  if (status == 0)
    status = check_arguments (&self);
  const gboolean names_quantity = hl_state_texts_get (&self.view.written, "quantity") != NULL;
  if (status == 0)
    status = cli_session_take (&files[0], &self.view, &self.open, &self.text, &self.place, &self.example, &saved_other);
  self.takes_quantity = self.as_seen ||
                        (!names_quantity && hl_state_texts_get (&self.view.written, "quantity") != NULL);
  if (status == 0)
    status = check_use (&self);
  self.text.has_other_text = cli_other_side_has_text (&self.other);
  const gboolean is_one = cli_corpus_is_empty (&self.corpus);
  /* Of one text it depends on the picture how much of it is read. */
  if (is_one)
    self.open.value.expansion = HL_EXPANSION_SHOWN;
  if (status == 0)
    status = is_one ? cli_check_source (files[0], &self.text, &self.open) : check_source_of_texts (&self, files[0]);
  if (status == 0 && is_one)
    status = settle_other (&self, saved_other, by_change, files[0]);
  if (status != 0)
    return status;

  CliJob job = { .work = render, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status == 0 && !is_one)
    cli_corpus_note (&self.corpus);
  if (status == 0 && self.n_left_out > 0)
    g_print (g_dngettext (GETTEXT_PACKAGE, "%zu line too faint to be seen was left out\n",
                          "%zu lines too faint to be seen were left out\n", self.n_left_out),
             self.n_left_out);
  return status;
}

const CliCommand cli_render = {
  "render",
  N_ ("render SOURCE --output FIGURE"),
  N_ ("a figure, the same as the window exports"),
  run_render,
};

/* SPDX-License-Identifier: MIT */
/* headlight-cli render: a figure, made by the code that makes the window's. */
#include "cli/cli-commands.h"
#include "cli/cli-maps.h"
#include "cli/cli-pairs.h"
#include "cli/cli-render-other.h"
#include "cli/cli-source.h"
#include "cli/cli-text.h"
#include "cli/cli-view-options.h"
#include "core/base/hl-error.h"
#include "draw/hl-export.h"
#include "draw/hl-pair-scene.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>

/* Logical pixels, unless asked for otherwise. A head view is as high as its tokens need. */
#define DEFAULT_WIDTH 800
#define DEFAULT_HEIGHT 720
#define MAX_SIZE 32767

typedef struct
{
  int layer;
  CliMaps maps;
  char *block;
  HlBlockKind kind;
  char *example;
  int token;
  char *output;
  HlExportFormat format;
  int width;
  int height;
  double scale;
  char *theme;
  char *title;
  CliViewOptions view;
  CliPairs pairs;
  CliModelText text;
  CliOpenOptions open;
  CliOtherSide other;
  char *difference;
  char *beside;
  gsize n_left_out;
} Render;

static gboolean
choose_block (Render      *self,
              HlViewState *state,
              GError     **error)
{
  if (self->block == NULL)
    return TRUE;
  HlBlock *block = hl_example_find_block (hl_view_state_get_example (state), self->kind);
  if (block == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no block “%s” in it"),
                   self->block);
      return FALSE;
    }
  hl_view_state_set_block (state, block);
  return TRUE;
}

static gboolean
pin_token (Render      *self,
           HlViewState *state,
           GError     **error)
{
  HlTokenMap *map = hl_block_get_query_map (hl_view_state_get_shown_block (state));
  const HlRange shown = hl_view_state_get_shown_queries (state);
  gsize index = (gsize) MAX (self->token, 0);

  if (self->token < 0)
    return TRUE;
  if (map != NULL && !hl_token_map_find (map, index, &index))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no token %d among those shown"), self->token);
      return FALSE;
    }
  if (index < shown.first || index >= shown.first + shown.n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("there is no token %d among those shown, which are %zu"
                      " to %zu"),
                   self->token, shown.first, shown.first + shown.n - 1);
      return FALSE;
    }
  const HlPick pick = { .kind = HL_PICK_QUERY, .query = index };
  hl_view_state_set_pinned (state, &pick);
  return TRUE;
}

/* Which words heads are ranked by, and what the picture says of the heads. */
static gboolean
choose_pairs (Render      *self,
              CliJob      *job,
              HlViewState *state,
              GError     **error)
{
  if (!cli_pairs_is_empty (&self->pairs))
    {
      g_autofree char *lines = cli_pairs_load (&self->pairs, job, error);
      g_autoptr (HlTokenPairs) pairs =
        lines != NULL ? hl_token_pairs_parse (hl_view_state_get_block (state), lines, error) : NULL;
      if (pairs == NULL)
        return FALSE;
      hl_view_state_set_pairs (state, lines);
    }
  return hl_view_state_complete_numbers (state, job->cancellable, error);
}

static HlScene *
create_scene (HlViewState *state,
              HlViewState *other)
{
  g_autoptr (HlScene) scene = hl_scene_new (hl_view_state_get_view (state), state);

  if (other == NULL)
    return g_steal_pointer (&scene);
  g_autoptr (HlScene) beside = hl_scene_new (hl_view_state_get_view (other), other);
  return hl_pair_scene_new (scene, beside);
}

static gboolean
draw (CliJob      *job,
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
    .text_mode = HL_TEXT_GLYPHS,
  };
  double width = self->width > 0 ? self->width : other != NULL ? 2 * DEFAULT_WIDTH : DEFAULT_WIDTH;
  double height = self->height > 0 ? self->height : DEFAULT_HEIGHT;

  hl_scene_set_viewport (scene, width, height, self->scale);
  if (self->height == 0 && hl_view_state_get_view (state) != HL_VIEW_HEATMAP)
    {
      double content_width;
      hl_scene_measure (scene, &content_width, &height);
      /* Features that do not fit would be cut off. */
      if (self->width == 0)
        width = MIN (MAX (width, content_width), MAX_SIZE);
      hl_scene_set_viewport (scene, width, MIN (height, MAX_SIZE), self->scale);
    }
  g_autoptr (GBytes)
    figure = hl_export_scene_to_bytes (scene, &options, &self->n_left_out, job->cancellable, error);
  if (figure == NULL)
    return FALSE;

  job->file = self->output;
  g_autoptr (GFile) target = g_file_new_for_commandline_arg (self->output);
  return hl_export_save (figure, target, error);
}

/* The difference in place of the first side, or a second one beside it. */
static gboolean
compare (Render       *self,
         CliJob       *job,
         HlDocument   *document,
         HlViewState  *state,
         HlViewState **other,
         GError      **error)
{
  g_autoptr (HlDocument) other_document = NULL;
  g_autoptr (HlExample)
    other_example = cli_other_side_load (&self->other, job, &self->open, self->example, &other_document, error);

  if (other_example == NULL)
    return FALSE;
  if (self->difference != NULL)
    return cli_render_difference (&self->other, state, document, other_document, other_example, error);
  *other = hl_view_state_new (other_example);
  hl_view_state_set_dark (*other, hl_view_state_get_dark (state));
  cli_view_options_apply (&self->view, *other);
  return cli_render_beside (&self->other, state, document, other_document, *other, error) &&
         hl_view_state_complete_numbers (*other, job->cancellable, error);
}

static gboolean
render (CliJob  *job,
        GError **error)
{
  Render *self = job->data;
  g_autoptr (HlDocument) document = cli_load_document (job, &self->text, &self->open, error);

  if (document == NULL)
    return FALSE;
  g_autoptr (HlExample) example = cli_load_example (job, document, self->example, error);
  if (example == NULL)
    return FALSE;

  g_autoptr (HlViewState) state = hl_view_state_new (example);
  hl_view_state_set_dark (state, g_strcmp0 (self->theme, "dark") == 0);
  if (!choose_block (self, state, error))
    return FALSE;
  cli_view_options_apply (&self->view, state);
  if (!cli_maps_apply (&self->maps, state, (guint) self->layer, error) ||
      !pin_token (self, state, error) || !choose_pairs (self, job, state, error))
    return FALSE;
  g_autoptr (HlViewState) other = NULL;
  if ((self->beside != NULL || self->difference != NULL) && !compare (self, job, document, state, &other, error))
    return FALSE;
  /* A figure of nothing but a notice is none. */
  if (hl_view_state_shows_steps (state) && (!hl_head_steps_check (hl_view_state_get_block (state), error) ||
                                            (other != NULL && !hl_head_steps_check (hl_view_state_get_block (other), error))))
    return FALSE;
  return draw (job, state, other, error);
}

/* Several heads that become one map are one. */
static gboolean
shows_one_head (Render *self)
{
  const int view = cli_view_options_get_enum (&self->view, "view");
  const gboolean combines = cli_view_options_get_enum (&self->view, "combine") != HL_COMBINE_NONE &&
                            cli_view_options_get_enum (&self->view, "combine-over") != HL_COMBINE_OVER_LAYERS;

  if (view == HL_VIEW_HEAD_VIEW || view == HL_VIEW_MODEL)
    return FALSE;
  return !combines || view == HL_VIEW_STEPS || view == HL_VIEW_NEURON;
}

/* The option that asks for weights of pairs, if there is one. */
static const char *
find_measured_by_pair (const CliViewOptions *options)
{
  for (guint i = 0; i < CLI_N_VIEW_OPTIONS; i++)
    if (G_VALUE_HOLDS (&options->values[i], HL_TYPE_HEAD_MEASURE) &&
        g_value_get_enum (&options->values[i]) == HL_HEAD_MEASURE_PAIR)
      return cli_view_options_get_name (i);
  return NULL;
}

/* What can be wrong with the arguments without a look at the file. */
static int
check_arguments (Render *self)
{
  if (self->output == NULL)
    return cli_print_misuse (_ ("render needs --output FIGURE"));
  if (!hl_export_format_from_path (self->output, &self->format))
    return cli_print_misuse (_ ("--output must end in .png, .svg or .pdf"));
  if (self->block != NULL && !hl_block_kind_from_name (self->block, &self->kind))
    return cli_print_misuse (
      _ ("--block cannot be “%s”; it is one of attention, encoder, decoder, cross"), self->block);
  if (self->theme != NULL && !g_str_equal (self->theme, "light") &&
      !g_str_equal (self->theme, "dark"))
    return cli_print_misuse (_ ("--theme cannot be “%s”; it is light or dark"), self->theme);
  if (self->layer < 0)
    return cli_print_misuse (_ ("--layer cannot be negative"));
  if (self->width < 0 || self->width > MAX_SIZE || self->height < 0 || self->height > MAX_SIZE)
    return cli_print_misuse (_ ("--width and --height are 1 to %d"), MAX_SIZE);
  if (!(self->scale >= 0.1 && self->scale <= 16))
    return cli_print_misuse (_ ("--scale is 0.1 to 16"));

  int status = cli_view_options_parse (&self->view);
  if (status == 0)
    status = cli_maps_parse (&self->maps);
  const char *by_pair = status == 0 ? find_measured_by_pair (&self->view) : NULL;
  if (by_pair != NULL && cli_pairs_is_empty (&self->pairs))
    return cli_print_misuse (_ ("--%s pair needs --pair QUERY:KEY or --pairs FILE"), by_pair);
  if (status == 0 && self->difference != NULL && self->view.texts[0] != NULL &&
      (g_value_get_enum (&self->view.values[0]) == HL_VIEW_STEPS || g_value_get_enum (&self->view.values[0]) == HL_VIEW_NEURON))
    return cli_print_misuse (_ ("--difference is not for the views steps and neuron; --compare is"));
  if (status == 0 && (self->maps.all_heads || hl_head_set_count (&self->maps.heads) > 1) && shows_one_head (self))
    return cli_print_misuse (_ ("this view shows one head"));
  return status;
}

static void
render_clear (Render *self)
{
  g_free (self->block);
  g_free (self->example);
  g_free (self->output);
  g_free (self->theme);
  g_free (self->title);
  cli_maps_clear (&self->maps);
  cli_view_options_clear (&self->view);
  cli_pairs_clear (&self->pairs);
  cli_model_text_clear (&self->text);
  cli_open_options_clear (&self->open);
  cli_other_side_clear (&self->other);
  g_free (self->difference);
  g_free (self->beside);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Render, render_clear)

int
cli_render (char **arguments)
{
  g_auto (Render) self = { .token = -1, .scale = 1, .other = CLI_OTHER_SIDE_INIT };
  g_auto (GStrv) files = NULL;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self.output,
      N_ ("The file to write: .png, .svg or .pdf"), N_ ("FIGURE") },
    { "layer", 0, 0, G_OPTION_ARG_INT, &self.layer, N_ ("Which layer, from 0"), "L" },
    { "block", 0, 0, G_OPTION_ARG_STRING, &self.block,
      N_ ("Which attention of an encoder–decoder model"), "encoder|decoder|cross" },
    { "example", 0, 0, G_OPTION_ARG_STRING, &self.example,
      N_ ("Which example, if the file has several; the first otherwise"), N_ ("NAME|N") },
    { "token", 0, 0, G_OPTION_ARG_INT, &self.token,
      N_ ("Pin a query: show only what it attends to"), "I" },
    { "width", 0, 0, G_OPTION_ARG_INT, &self.width,
      N_ ("Width in pixels, in points for SVG and PDF"), "N" },
    { "height", 0, 0, G_OPTION_ARG_INT, &self.height, N_ ("Height likewise"), "N" },
    { "scale", 0, 0, G_OPTION_ARG_DOUBLE, &self.scale,
      N_ ("How many pixels a PNG has for each of these"), "S" },
    { "theme", 0, 0, G_OPTION_ARG_STRING, &self.theme, N_ ("Colours"), "light|dark" },
    { "difference", 0, 0, G_OPTION_ARG_FILENAME, &self.difference,
      N_ ("Draw how attention differs from this source to that: that minus SOURCE"), N_ ("SOURCE") },
    { "compare", 0, 0, G_OPTION_ARG_FILENAME, &self.beside, N_ ("Draw that beside this source"), N_ ("SOURCE") },
    { "title", 0, 0, G_OPTION_ARG_STRING, &self.title, N_ ("A line over the figure"), N_ ("TEXT") },
    G_OPTION_ENTRY_NULL,
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (context, _ ("Draws attention of SOURCE as the window does."));
  cli_maps_add_entries (&self.maps, context);
  cli_view_options_add_entries (&self.view, context);
  cli_pairs_add_entries (&self.pairs, context);
  cli_other_side_add_entries (&self.other, context);
  cli_open_options_add_entries (&self.open, context);
  cli_model_text_add_entries (&self.text, context);
  int status = cli_parse_options (context, entries, arguments, &files);
  if (status == 0)
    status = check_arguments (&self);
  if (status == 0)
    status = cli_check_source (files[0], &self.text, &self.open);
  if (status == 0 && self.difference == NULL && self.beside == NULL && !cli_other_side_is_empty (&self.other))
    return cli_print_misuse (_ ("options that begin with --other need --compare or --difference"));
  if (status == 0 && self.difference != NULL && self.beside != NULL)
    return cli_print_misuse (_ ("--compare and --difference exclude one another"));
  if (status == 0 && (self.difference != NULL || self.beside != NULL))
    {
      self.other.file = g_strdup (self.difference != NULL ? self.difference : self.beside);
      status = cli_other_side_parse (&self.other, files[0], &self.text);
    }
  if (status != 0)
    return status;

  CliJob job = { .work = render, .file = files[0], .data = &self };
  status = cli_job_run (&job);
  if (status == 0 && self.n_left_out > 0)
    printf (g_dngettext (GETTEXT_PACKAGE,
                         "%zu line too faint to be seen was left out\n",
                         "%zu lines too faint to be seen were left out\n",
                         self.n_left_out),
            self.n_left_out);
  return status;
}

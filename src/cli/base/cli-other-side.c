/* SPDX-License-Identifier: MIT */
/* The options that say what a source is compared with: another file, example, text, layer or head. */
#include "cli/base/cli-other-side.h"

#include "cli/base/cli-source.h"
#include "cli/base/cli-locate.h"
#include "cli/base/cli-need.h"
#include "cli/base/cli-text.h"
#include "core/base/file/hl-file-argument.h"
#include "core/base/file/hl-file-version.h"
#include "core/base/hl-error.h"
#include "core/model/local/hl-file-stamp.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
cli_other_side_add_entries (CliOtherSide   *self,
                            GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "other-example", 0, 0, G_OPTION_ARG_STRING, &self->example,
      N_ ("Which example of the second side; the same otherwise"), N_ ("NAME|N") },
    { "other-text", 0, 0, G_OPTION_ARG_FILENAME, &self->text, N_ ("What its model is run on; the same otherwise"),
      N_ ("TEXT") },
    { "other-text-pair", 0, 0, G_OPTION_ARG_FILENAME, &self->text_pair, N_ ("A second text behind that"), N_ ("TEXT") },
    { "other-target-text", 0, 0, G_OPTION_ARG_FILENAME, &self->target_text,
      N_ ("What its decoder is to write; the same otherwise"), N_ ("TEXT") },
    { "other-pixels", 0, 0, G_OPTION_ARG_FILENAME, &self->pixels,
      N_ ("The pixels that its model is run on; the same otherwise"), "F.npy" },
    { "other-image", 0, 0, G_OPTION_ARG_FILENAME, &self->image,
      N_ ("The image that its model is run on; the same otherwise"), N_ ("FILE") },
    { "other-stop-after-layer", 0, 0, G_OPTION_ARG_STRING, &self->stop_after_layer,
      N_ ("The last layer of its model that is computed; the same otherwise, and with an empty one all are"), "L" },
    { "other-dataset", 0, 0, G_OPTION_ARG_STRING, &self->dataset,
      N_ ("Its --dataset; the same otherwise, and an empty one for what is found in its file"), N_ ("NAME") },
    { "other-axes", 0, 0, G_OPTION_ARG_STRING, &self->axes, N_ ("Likewise --axes"), N_ ("AXIS,AXIS…") },
    { "other-tokens", 0, 0, G_OPTION_ARG_FILENAME, &self->tokens, N_ ("Likewise --tokens"), N_ ("FILE|LIST") },
    { "other-softmax", 0, 0, G_OPTION_ARG_STRING, &self->softmax,
      N_ ("Whether its file has scores; the same otherwise"), "yes|no" },
    { "other-layer", 0, 0, G_OPTION_ARG_INT, &self->layer, N_ ("Its layer; the same otherwise"), "L" },
    { "other-head", 0, 0, G_OPTION_ARG_INT, &self->head, N_ ("Its head; the same otherwise"), "H" },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Returns whether there is none of them, so that the second side would be the first. */
gboolean
cli_other_side_is_empty (const CliOtherSide *self)
{
  const char *const texts[] = {
    self->file,    self->example, self->text,   self->text_pair, self->target_text,      self->pixels,
    self->dataset, self->axes,    self->tokens, self->softmax,   self->stop_after_layer, self->image
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i] != NULL)
      return FALSE;
  return self->layer == -1 && self->head == -1;
}

/* Returns whether its model is given a text of its own to read. */
gboolean
cli_other_side_has_text (const CliOtherSide *self)
{
  return self->text != NULL || self->target_text != NULL;
}

static gboolean
is_model (const char *name)
{
  g_autoptr (GFile) file = hl_file_new_for_argument (name);

  return cli_is_meant_as_model (file);
}

/* An empty one is for what is found in the file, and means nothing of what is none. */
static gboolean
is_written (const char *option)
{
  return option != NULL && *option != '\0';
}

/* How its file is read, as far as that can be wrong by itself. */
static int
check_open_options (CliOtherSide *self)
{
  g_autoptr (GError) error = NULL;
  HlLayoutAxes axes;

  if (is_written (self->axes) && !hl_layout_axes_parse (&axes, self->axes, &error))
    return cli_print_misuse ("--other-axes: %s", error->message);
  if (self->softmax != NULL && !g_str_equal (self->softmax, "yes") && !g_str_equal (self->softmax, "no"))
    {
      g_autofree char *rule = g_strdup_printf (_ ("one of %s"), "yes|no");
      return cli_print_misuse (_ ("--%s cannot be “%s”; it is %s"), "other-softmax", self->softmax, rule);
    }
  return 0;
}

static char *
dup_option (const char *own,
            const char *of_first)
{
  const char *text = own != NULL ? own : of_first;

  return is_written (text) ? g_strdup (text) : NULL;
}

/* What its model reads: nothing is told apart from an empty text only for the text of the decoder, which a model can do without. */
static void
settle_texts (CliOtherSide       *self,
              const CliModelText *text)
{
  const char *target_text = self->target_text != NULL ? self->target_text : text->target_text;

  self->model_text.part.stop_after_layer = dup_option (self->stop_after_layer, text->part.stop_after_layer);
  if (self->pixels != NULL || self->image != NULL)
    {
      self->model_text.pixels_file = g_strdup (self->pixels);
      self->model_text.image_file = g_strdup (self->image);
      return;
    }
  if (self->text != NULL)
    {
      self->model_text.text = g_strdup (self->text);
      self->model_text.text_pair = g_strdup (self->text_pair);
    }
  else
    {
      self->model_text.text = g_strdup (text->text);
      self->model_text.text_pair = g_strdup (text->text_pair);
      self->model_text.ids_list = g_strdup (text->ids_list);
      self->model_text.pixels_file = g_strdup (text->pixels_file);
      self->model_text.image_file = g_strdup (text->image_file);
    }
  if (is_written (target_text))
    self->model_text.target_text = g_strdup (target_text);
  /* Letters that are apart stay as they are. */
  self->model_text.letters = text->letters && (self->model_text.text != NULL || self->model_text.target_text != NULL);
  if (self->target_text == NULL)
    self->model_text.decoder_ids_list = g_strdup (text->decoder_ids_list);
}

/* Layers and heads of the second side are looked for where those are not made one. What cannot be is said on standard error. Returns 0, or
 * the exit status for wrong usage. */
int
cli_other_side_check_made (const CliOtherSide *self,
                           const HlLens       *lens)
{
  const CliNeed needs[] = {
    { "other-layer", self->layer != -1, !hl_lens_merges_layers (lens),
      _ ("the layers apart, of which --combine makes one map") },
    { "other-head", self->head != -1, !hl_lens_merges_heads (lens),
      _ ("the heads apart, of which --combine, or rollout or flow, makes one map") },
  };

  return cli_needs_check (needs, G_N_ELEMENTS (needs));
}

/* Settles what the second side is. What cannot be is said on standard error. Returns 0, or the exit status for wrong
 * usage. */
int
cli_other_side_parse (CliOtherSide       *self,
                      const char         *file,
                      const CliModelText *text)
{
  if (self->file == NULL)
    {
      self->file = g_strdup (file);
      self->model_text.part.is_bare = text->part.is_bare;
    }
  else if (cli_locate (&self->file, &self->model_text.part) != 0)
    {
      return 1;
    }
  if (self->layer < -1 || self->head < -1)
    return cli_print_misuse (_ ("--other-layer and --other-head cannot be negative"));
  if (self->text_pair != NULL && self->text == NULL)
    return cli_print_misuse (_ ("--other-text-pair needs --other-text"));
  if (self->pixels != NULL && (self->text != NULL || self->target_text != NULL))
    return cli_print_misuse (_ ("--other-pixels excludes --other-text and --other-target-text"));
  if (self->image != NULL && (self->text != NULL || self->target_text != NULL || self->pixels != NULL))
    return cli_print_misuse (_ ("--other-image excludes --other-text, --other-target-text and --other-pixels"));
  const int status = check_open_options (self);
  if (status != 0)
    return status;
  if (!is_model (self->file))
    return self->text == NULL && self->target_text == NULL && self->pixels == NULL && self->image == NULL &&
               self->stop_after_layer == NULL
             ? 0
             : cli_print_misuse (_ ("“%s” is no model: --other-text, --other-image, --other-pixels and "
                                    "--other-stop-after-layer are for models"),
                                 self->file);

  if (is_written (self->dataset) || is_written (self->axes) || is_written (self->tokens) ||
      g_strcmp0 (self->softmax, "yes") == 0)
    return cli_print_misuse (_ (
                               "“%s” is a model: --other-dataset, --other-axes, --other-tokens and --other-softmax are "
                               "for files"),
                             self->file);
  settle_texts (self, text);
  if (cli_model_text_is_empty (&self->model_text))
    return cli_print_misuse (_ ("“%s” is a model, which needs --other-text, --other-image or --other-pixels"),
                             self->file);
  return cli_model_text_parse (&self->model_text);
}

/* The first side was read: what tokens it got is known. */
static gboolean
settle_open_options (CliOtherSide         *self,
                     const CliOpenOptions *open,
                     GError              **error)
{
  CliOpenOptions *own = &self->open;

  /* As HDF5's own tools write a path. */
  own->value.dataset =
    dup_option (self->dataset != NULL ? self->dataset + strspn (self->dataset, "/") : NULL, open->value.dataset);
  own->axes = dup_option (self->axes, NULL);
  own->tokens = dup_option (self->tokens, NULL);
  if (self->tokens == NULL && own->value.tokens == NULL)
    own->value.tokens = g_strdupv (open->value.tokens);
  own->value.softmax = self->softmax != NULL ? g_str_equal (self->softmax, "yes") : open->value.softmax;
  own->value.expansion = open->value.expansion;
  if (self->axes == NULL)
    own->value.axes = open->value.axes;
  return own->axes == NULL || hl_layout_axes_parse (&own->value.axes, own->axes, error);
}

/* Whether the file of both sides is what it was before the first was read: what was read at once is not looked at again. */
static gboolean
check_version (const CliOtherSide *self,
               CliJob             *job,
               GError            **error)
{
  g_autoptr (GFile) file = hl_file_new_for_argument (self->file);
  g_autofree char *now = hl_file_stamp_take (file, NULL, job->cancellable);

  return g_strcmp0 (now, job->stamp) == 0 || hl_file_version_set_changed (error);
}

/* Opens the second side. While it does so, the job's file is the second one. Returns what the first side is compared
 * with. */
HlExample *
cli_other_side_load (CliOtherSide         *self,
                     CliJob               *job,
                     const CliOpenOptions *open,
                     const char           *example,
                     HlDocument          **document,
                     GError              **error)
{
  const char *before = job->file;

  job->file = self->file;
  if (!settle_open_options (self, open, error))
    return NULL;
  g_autoptr (HlDocument) loaded = cli_load_document (job, &self->model_text, &self->open, error);
  if (loaded == NULL)
    return NULL;
  /* The example of the same name, in a file that has several. */
  const char *wanted = self->example != NULL || hl_document_get_n_examples (loaded) == 1 ? self->example : example;
  g_autoptr (HlExample) other = cli_load_example (job, loaded, wanted, error);
  if (other == NULL || (g_str_equal (self->file, before) && !check_version (self, job, error)))
    return NULL;
  job->file = before;
  if (document != NULL)
    *document = g_steal_pointer (&loaded);
  return g_steal_pointer (&other);
}

/* Returns whether the attention has the layer and the head; what is wrong then is with its file. */
gboolean
cli_other_side_check_heads (const CliOtherSide *self,
                            CliJob             *job,
                            HlAttention        *attention,
                            GError            **error)
{
  const HlHeadPairing pairing = { self->layer, self->head };
  const guint n_layers = hl_attention_get_n_layers (attention);

  if (hl_head_pairing_fits (&pairing, attention))
    return TRUE;
  job->file = self->file;
  if (self->layer >= 0 && (guint) self->layer >= n_layers)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no layer %u; the last one is %u"), (guint) self->layer,
                 n_layers - 1);
  else if (self->layer >= 0 && hl_attention_get_n_heads (attention, (guint) self->layer) == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                 hl_attention_get_rule (attention, (guint) self->layer)->left_out
                   ? _ ("layer %u was not captured")
                   : _ ("there is no attention in layer %u"),
                 (guint) self->layer);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no head %d in it"), self->head);
  return FALSE;
}

void
cli_other_side_clear (CliOtherSide *self)
{
  g_free (self->file);
  g_free (self->example);
  g_free (self->text);
  g_free (self->text_pair);
  g_free (self->target_text);
  g_free (self->pixels);
  g_free (self->image);
  g_free (self->dataset);
  g_free (self->axes);
  g_free (self->tokens);
  g_free (self->softmax);
  g_free (self->stop_after_layer);
  cli_open_options_clear (&self->open);
  cli_model_text_clear (&self->model_text);
}

/* SPDX-License-Identifier: MIT */
/* A model is loaded if it was not, and tokens are made of what was typed: a run, ready to be executed. */
#include "config.h"

#include "app/live/hl-live-preparation.h"

#include "core/base/file/hl-file-name.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"
#include "core/model/vision/hl-image-resize.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

/* Pixels of the longer side, of a screen with two for each. */
#define THUMBNAIL 128

/* What one sees of a model before a word was typed: the examples of BertViz. */
#define EXAMPLE_TEXT "The cat sat on the mat"
#define EXAMPLE_PAIR "The cat lay on the rug"
#define EXAMPLE_SOURCE "She sees the small elephant."
#define EXAMPLE_TARGET "Sie sieht den kleinen Elefanten."

/* Returns what a second text is to a model. */
HlSecondText
hl_second_text_of (HlModel *model)
{
  g_return_val_if_fail (HL_IS_MODEL (model), HL_SECOND_TEXT_NONE);

  if (hl_model_has_decoder (model))
    return HL_SECOND_TEXT_TARGET;
  return hl_model_is_causal (model) ? HL_SECOND_TEXT_NONE : HL_SECOND_TEXT_PAIR;
}

/* Of what is asked; there is no answer yet. */
HlLivePreparation *
hl_live_preparation_copy (const HlLivePreparation *self)
{
  g_return_val_if_fail (self->run == NULL, NULL);

  HlLivePreparation *copy = g_memdup2 (self, sizeof *self);

  g_object_ref (copy->folder);
  copy->model = self->model != NULL ? g_object_ref (self->model) : NULL;
  copy->text = g_strdup (self->text);
  copy->second_text = g_strdup (self->second_text);
  copy->thumbnail = NULL;
  copy->pixels = self->pixels != NULL ? g_object_ref (self->pixels) : NULL;
  return copy;
}

void
hl_live_preparation_free (HlLivePreparation *self)
{
  g_object_unref (self->folder);
  g_clear_object (&self->model);
  g_free (self->text);
  g_free (self->second_text);
  g_clear_object (&self->pixels);
  g_clear_pointer (&self->thumbnail, hl_image_unref);
  g_clear_object (&self->run);
  g_free (self);
}

static gboolean
load_model (HlLivePreparation *self,
            GError           **error)
{
  if (!hl_model_is_model (self->folder))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE,
                   _ ("this is no model: no folder with a “config.json”, and no GGUF file"));
      return FALSE;
    }
  g_autoptr (HlModel) model = self->is_bare ? hl_model_load_base (self->folder, error)
                                            : hl_model_load (self->folder, error);
  if (model == NULL || (self->n_layers > 0 && !hl_model_stop_after (model, self->n_layers - 1, error)))
    return FALSE;
  self->model = g_steal_pointer (&model);
  return self->pixels != NULL || hl_model_takes_pixels (self->model) ||
         hl_model_require_tokenizer (self->model, error) != NULL;
}

/* What begins as NumPy's arrays do is one, whatever it is called. A pipe, which would have to be waited for, is none. */
static gboolean
is_array (GFile *file)
{
  struct stat info;
  const int fd = hl_file_open_regular (file, &info, NULL);
  char start[6];

  if (fd < 0)
    return FALSE;
  const gboolean is_one = read (fd, start, sizeof start) == sizeof start &&
                          memcmp (start, "\x93NUMPY", sizeof start) == 0;
  close (fd);
  return is_one;
}

/* A small one of an image, for the bar below the picture. */
static HlImage *
make_thumbnail (HlImage *image,
                GError **error)
{
  const double scale = MIN (THUMBNAIL / (double) MAX (image->height, image->width), 1);
  const double height = MAX (scale * (double) image->height, 1), width = MAX (scale * (double) image->width, 1);

  return hl_image_resize (image, (gsize) height, (gsize) width, HL_IMAGE_FILTER_BICUBIC, HL_IMAGE_ROUNDING_PILLOW,
                          error);
}

static gboolean
prepare_image (HlLivePreparation *self,
               GError           **error)
{
  GError *reason = NULL;
  g_autoptr (HlImage) image = hl_image_load (self->pixels, NULL, &reason);
  const HlModelText text = { .image = image };

  if (image != NULL)
    self->run = hl_model_run_new (self->model, &text, &reason);
  if (self->run != NULL)
    self->thumbnail = make_thumbnail (image, &reason);
  if (self->thumbnail != NULL)
    return TRUE;
  g_autofree char *name = hl_file_dup_display_name (self->pixels);
  g_propagate_prefixed_error (error, reason, "%s: ", name);
  return FALSE;
}

static gboolean
prepare_pixels (HlLivePreparation *self,
                GError           **error)
{
  if (self->pixels == NULL)
    {
      g_autofree char *size = hl_model_describe_pixels (self->model);
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the model takes pixels, %s numbers"), size);
      return FALSE;
    }
  if (!is_array (self->pixels))
    return prepare_image (self, error);
  GError *reason = NULL;
  g_autoptr (HlPixels) pixels = hl_pixels_load (self->pixels, &reason);
  const HlModelText text = { .pixels = pixels };

  if (pixels == NULL)
    {
      g_autofree char *name = hl_file_dup_display_name (self->pixels);
      g_propagate_prefixed_error (error, reason, "%s: ", name);
      return FALSE;
    }
  self->run = hl_model_run_new (self->model, &text, error);
  return self->run != NULL;
}

static void
take_example (HlLivePreparation *self)
{
  switch (hl_second_text_of (self->model))
    {
    case HL_SECOND_TEXT_TARGET:
      self->text = g_strdup (EXAMPLE_SOURCE);
      self->second_text = g_strdup (EXAMPLE_TARGET);
      break;
    case HL_SECOND_TEXT_PAIR:
      self->second_text = g_strdup (EXAMPLE_PAIR);
      G_GNUC_FALLTHROUGH;
    default:
      self->text = g_strdup (EXAMPLE_TEXT);
    }
}

static gboolean
prepare_texts (HlLivePreparation *self,
               GError           **error)
{
  if (self->text == NULL)
    take_example (self);

  /* An empty second text is none. */
  const HlSecondText kind = hl_second_text_of (self->model);
  const char *second = self->second_text != NULL && *self->second_text != '\0' ? self->second_text : NULL;
  const HlModelText text = {
    .text = self->text,
    .text_pair = kind == HL_SECOND_TEXT_PAIR ? second : NULL,
    .target_text = kind == HL_SECOND_TEXT_TARGET ? second : NULL,
  };
  self->run = hl_model_run_new (self->model, &text, error);
  return self->run != NULL;
}

/* Blocks: in a worker. */
gboolean
hl_live_preparation_run (HlLivePreparation *self,
                         GError           **error)
{
  if (self->model == NULL && !load_model (self, error))
    return FALSE;
  return self->pixels != NULL || hl_model_takes_pixels (self->model) ? prepare_pixels (self, error)
                                                                     : prepare_texts (self, error);
}

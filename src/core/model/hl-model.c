/* SPDX-License-Identifier: MIT */
/* A model: a folder's configuration and weights, made into stacks of layers that can be run on token numbers. */
#include "core/model/hl-model.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-file-version.h"
#include "core/base/hl-error.h"
#include "core/model/checkpoint/hl-model-folder.h"
#include "core/model/checkpoint/hl-packed-weights.h"
#include "core/model/gguf/hl-gguf-checkpoint.h"
#include "core/model/hl-adapt.h"
#include "core/model/hl-stack-embed.h"
#include "core/model/hl-stack-rule.h"
#include "core/model/layer/hl-head-columns.h"
#include "core/model/local/hl-file-stamp.h"
#include "core/model/local/hl-model-place.h"
#include "core/tokenizer/gguf/hl-gguf-tokenizer.h"
#include "core/tokenizer/hl-folder-files.h"

struct _HlModel
{
  GObject parent_instance;

  HlModelPlace place;
  GFile *opened; /* what was asked for */
  char *stamp;   /* of all files of it, before the first was read */
  char *name;
  const HlFamily *family;
  HlFamily *own_family; /* nullable: the row as its file has it */
  HlModelConfig *config;
  HlWeights *weights;
  HlStack *stack;
  HlStack *decoder;
  gboolean has_decoder_start;
  guint32 decoder_start;
  HlTokenizer *tokenizer;
  GError *tokenizer_error; /* why there is none */

  /* What takes pixels, beside what takes texts; loaded when it is asked for. */
  GMutex lock;
  HlModel *vision;
  GError *vision_error; /* why there is none */
};

G_DEFINE_FINAL_TYPE (HlModel, hl_model, G_TYPE_OBJECT)

static void
hl_model_finalize (GObject *object)
{
  HlModel *self = HL_MODEL (object);

  g_clear_pointer (&self->decoder, hl_stack_free);
  g_clear_pointer (&self->stack, hl_stack_free);
  g_clear_pointer (&self->weights, hl_weights_free);
  g_clear_pointer (&self->config, hl_model_config_free);
  g_clear_pointer (&self->own_family, g_free);
  g_clear_object (&self->tokenizer);
  g_clear_error (&self->tokenizer_error);
  hl_model_place_clear (&self->place);
  g_clear_object (&self->opened);
  g_free (self->stamp);
  g_clear_object (&self->vision);
  g_clear_error (&self->vision_error);
  g_mutex_clear (&self->lock);
  g_free (self->name);
  G_OBJECT_CLASS (hl_model_parent_class)->finalize (object);
}

static void
hl_model_class_init (HlModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_model_finalize;
}

static void
hl_model_init (HlModel *self)
{
  g_mutex_init (&self->lock);
}

/* Returns whether it is a folder with a model or an adapter in it, or a GGUF file, which hl_model_load() is for and hl_document_load() is
 * not. */
gboolean
hl_model_is_model (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), FALSE);

  /* A host is not asked for what is not going to be opened. */
  if (!hl_file_is_local (file))
    return FALSE;
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_DIRECTORY)
    return hl_gguf_archive_is_such (file);
  g_autoptr (GFile) folder = hl_model_folder_find (file);
  return folder != NULL;
}

static gboolean
load_decoder_start (HlModel       *self,
                    HlModelConfig *config,
                    GError       **error)
{
  static const char name[] = "decoder_start_token_id";
  guint64 id;

  /* What is wrong with this file, generating says. */
  g_autoptr (HlJsonTree) generation =
    hl_model_is_file (self) ? NULL : hl_folder_files_read_json (self->place.checkpoint, "generation_config.json", NULL);
  if (generation != NULL &&
      hl_json_value_as_uint (hl_json_value_get (hl_json_tree_get_root (generation), name), &self->decoder_start))
    {
      self->has_decoder_start = TRUE;
      return TRUE;
    }
  self->has_decoder_start = hl_model_config_has (config, name);
  if (!self->has_decoder_start)
    return TRUE;
  if (!hl_model_config_read_size (config, name, HL_CONFIG_REQUIRED, &id, error))
    return FALSE;
  self->decoder_start = (guint32) id;
  return TRUE;
}

static gboolean
open_folder (HlModel *self,
             GError **error)
{
  self->config = hl_model_config_load (self->place.checkpoint, error);
  g_autofree char *type = self->config != NULL ? hl_model_config_dup_type (self->config, error) : NULL;
  self->family = type != NULL ? hl_family_find (type, error) : NULL;
  if (self->family == NULL)
    return FALSE;
  self->weights = hl_weights_open (self->place.checkpoint, error);
  if (self->weights == NULL || !hl_packed_weights_join (self->weights, self->config, error))
    return FALSE;
  if (self->family->stack.patches.projection != NULL)
    {
      g_clear_error (&self->tokenizer_error);
      hl_model_place_fail_for_text (self->family, &self->tokenizer_error);
    }
  else if (self->tokenizer == NULL && self->tokenizer_error == NULL)
    self->tokenizer = hl_model_place_load_tokenizer (&self->place, &self->tokenizer_error);
  return TRUE;
}

static gboolean
apply_adapter (HlModel *self,
               GError **error)
{
  if (self->place.adapter == NULL)
    return TRUE;
  g_autoptr (HlAdapter) adapter = hl_adapter_open (self->place.adapter, error);
  return adapter != NULL && hl_adapt (self->family, self->config, self->weights, adapter, error);
}

static gboolean
open_gguf (HlModel *self,
           GError **error)
{
  g_auto (HlGgufCheckpoint) checkpoint = { 0 };

  if (!hl_gguf_checkpoint_open (&checkpoint, self->place.checkpoint, error))
    return FALSE;
  self->family = self->own_family = g_steal_pointer (&checkpoint.family);
  self->config = g_steal_pointer (&checkpoint.config);
  self->weights = g_steal_pointer (&checkpoint.weights);
  if (checkpoint.name != NULL)
    {
      g_free (self->name);
      self->name = g_steal_pointer (&checkpoint.name);
    }
  self->tokenizer = hl_tokenizer_new_from_gguf (checkpoint.archive, &self->tokenizer_error);
  return TRUE;
}

static gboolean
load_stacks (HlModel *self,
             GError **error)
{
  const gboolean two = self->family->decoder.layer != NULL;

  if (!hl_weights_set_prefix (self->weights, self->family->prefixes, self->family->stack.layer, error) ||
      !apply_adapter (self, error))
    return FALSE;
  self->stack =
    hl_stack_load (self->family, two ? HL_STACK_ENCODER : HL_STACK_WHOLE, self->config, self->weights, error);
  if (self->stack == NULL)
    return FALSE;
  if (two)
    self->decoder = hl_stack_load (self->family, HL_STACK_DECODER, self->config, self->weights, error);
  return !two || (self->decoder != NULL && load_decoder_start (self, self->config, error));
}

/* A model is several files, which somebody may replace one after the other, or all at once where its folder is a link: each of them is whole
 * then, and some are of another model. To be called when any of them was read. Returns whether all are still what they were before the first
 * was. Blocks. */
gboolean
hl_model_check_files (HlModel *self,
                      GError **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  g_autofree char *stamp = hl_file_stamp_take (self->opened, NULL, NULL);

  return g_strcmp0 (stamp, self->stamp) == 0 || hl_file_version_set_changed (error);
}

static gboolean
open_and_load (HlModel *self,
               GError **error)
{
  g_autoptr (GError) reason = NULL;
  const gboolean is_loaded =
    (hl_gguf_archive_is_such (self->place.checkpoint) ? open_gguf (self, &reason) : open_folder (self, &reason)) &&
    load_stacks (self, &reason);

  /* Then everything else that is wrong is a consequence. */
  if (!hl_model_check_files (self, error))
    return FALSE;
  if (!is_loaded)
    g_propagate_error (error, g_steal_pointer (&reason));
  return is_loaded;
}

static HlModel *
new_for_file (GFile   *file,
              GError **error)
{
  g_autoptr (HlModel) self = g_object_new (HL_TYPE_MODEL, NULL);

  self->opened = g_object_ref (file);
  self->stamp = hl_file_stamp_take (file, NULL, NULL);
  return hl_model_place_find (&self->place, file, error) ? g_steal_pointer (&self) : NULL;
}

/* Maps a model: a folder, or a GGUF file; of an adapter its base, which it is added to. The configuration, the headers of the weights and
 * the shapes of all tensors that are needed are checked; the weights themselves are read when they are used. A tokenizer that is not there or cannot be read is no
 * error: the model can still be run on token numbers, and hl_model_require_tokenizer() says what is wrong. Returns
 * the model, which can be run from any thread, also from several at once. */
HlModel *
hl_model_load (GFile   *file,
               GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlModel) self = new_for_file (file, error);
  if (self == NULL)
    return NULL;
  self->name = hl_model_place_dup_name (&self->place);
  return open_and_load (self, error) ? g_steal_pointer (&self) : NULL;
}

/* Maps the model that an adapter changes, as it is without it; the tokenizer is that of the adapter, if it has one. Its file is that of
 * the model. */
HlModel *
hl_model_load_base (GFile   *adapter,
                    GError **error)
{
  g_return_val_if_fail (G_IS_FILE (adapter), NULL);

  g_autoptr (HlModel) self = new_for_file (adapter, error);
  if (self == NULL)
    return NULL;
  self->tokenizer = hl_model_place_load_tokenizer (&self->place, &self->tokenizer_error);
  if (self->place.adapter != NULL)
    g_set_object (&self->place.file, self->place.checkpoint);
  g_clear_object (&self->place.adapter);
  self->name = hl_model_place_dup_name (&self->place);
  return open_and_load (self, error) ? g_steal_pointer (&self) : NULL;
}

/* Returns whether it is run on pixels, and not on a text. */
gboolean
hl_model_takes_pixels (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  return self->stack->patches != NULL;
}

/* Returns whether it takes pixels, or has a part for them, as far as its configuration says. */
gboolean
hl_model_has_vision (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  return hl_model_takes_pixels (self) || hl_model_config_has (self->config, "vision_config/model_type");
}

/* The part of a folder that takes pixels, as a model of its own. */
static HlModel *
load_vision (HlModel *self,
             GError **error)
{
  g_autoptr (HlModel) vision = g_object_new (HL_TYPE_MODEL, NULL);

  if (!hl_model_place_find (&vision->place, self->place.file, error))
    return NULL;
  vision->opened = g_object_ref (self->opened);
  vision->stamp = g_strdup (self->stamp);
  vision->name = g_strdup (self->name);
  vision->config = hl_model_config_new_part (self->config, "vision_config");
  if (vision->config == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the model takes texts, and no pixels"));
      return NULL;
    }
  g_autofree char *type = hl_model_config_dup_type (vision->config, error);
  vision->family = type != NULL ? hl_family_find (type, error) : NULL;
  if (vision->family == NULL)
    return NULL;
  if (vision->family->stack.patches.projection == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("the model’s part for pixels is said to be of type “%s”, which takes texts"), type);
      return NULL;
    }
  hl_model_place_fail_for_text (vision->family, &vision->tokenizer_error);
  vision->weights = hl_weights_open (vision->place.checkpoint, error);
  return vision->weights != NULL && load_stacks (vision, error) && hl_model_check_files (vision, error)
           ? g_steal_pointer (&vision)
           : NULL;
}

/* Returns what takes pixels: the model itself, or that part of it, as of CLIP. What is wrong with the part is no matter before it is
 * asked for. */
HlModel *
hl_model_require_vision (HlModel *self,
                         GError **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  if (hl_model_takes_pixels (self))
    return self;
  g_mutex_lock (&self->lock);
  if (self->vision == NULL && self->vision_error == NULL)
    self->vision = load_vision (self, &self->vision_error);
  g_mutex_unlock (&self->lock);
  if (self->vision == NULL)
    g_propagate_error (error, g_error_copy (self->vision_error));
  return self->vision;
}

/* Returns what pixels a model takes that takes pixels, as “3 × 224 × 224”: those of its training, which it may not insist on. */
char *
hl_model_describe_pixels (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_takes_pixels (self), NULL);

  return hl_patches_describe (self->stack->patches);
}

/* Returns whether it can be run on these, of a model that takes pixels. */
gboolean
hl_model_check_pixels (HlModel        *self,
                       const HlPixels *pixels,
                       GError        **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_takes_pixels (self) && pixels != NULL, FALSE);

  return hl_patches_check (self->stack->patches, pixels, error);
}

/* Returns how many rows and columns of patches it makes of pixels that it can be run on, as “14 × 14”. */
char *
hl_model_describe_grid (HlModel        *self,
                        const HlPixels *pixels)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_takes_pixels (self) && pixels != NULL, NULL);

  return hl_patches_describe_grid (self->stack->patches, pixels);
}

/* Returns how many tokens it makes of pixels that it can be run on. */
gsize
hl_model_count_tokens (HlModel        *self,
                       const HlPixels *pixels)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_takes_pixels (self) && pixels != NULL, 0);

  return hl_patches_count_tokens (self->stack->patches, pixels);
}

/* Returns what they are called; %NULL-terminated. */
char **
hl_model_dup_pixel_names (HlModel        *self,
                          const HlPixels *pixels)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_takes_pixels (self) && pixels != NULL, NULL);

  return hl_patches_dup_names (self->stack->patches, pixels);
}

/* Returns the folder or file it was loaded from. */
GFile *
hl_model_get_file (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->place.file;
}

/* Returns the folder that its config.json and its weights are in, or its GGUF file. */
GFile *
hl_model_get_checkpoint (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->place.checkpoint;
}

/* Returns whether it is an adapter that changes the model in hl_model_get_checkpoint(), which can be loaded without it. */
gboolean
hl_model_has_adapter (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  return self->place.adapter != NULL;
}

/* Returns its tokenizer, if there is one that can be used. */
HlTokenizer *
hl_model_get_tokenizer (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->tokenizer;
}

/* Returns its tokenizer, or why there is none. */
HlTokenizer *
hl_model_require_tokenizer (HlModel *self,
                            GError **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  if (self->tokenizer == NULL)
    g_propagate_error (error, g_error_copy (self->tokenizer_error));
  return self->tokenizer;
}

/* Returns what its config.json calls a class of images; its number behind “#” where it is not called anything. */
char *
hl_model_dup_class (HlModel *self,
                    guint32  id)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  g_autofree char *key = g_strdup_printf ("id2label/%u", id);
  g_autofree char *label = NULL;

  if (hl_model_config_read_string (self->config, key, NULL, &label, NULL) && label != NULL && *label != '\0')
    return g_steal_pointer (&label);
  return g_strdup_printf ("#%u", id);
}

/* Returns a token as the vocabulary spells it; its number where there is none of that number. What takes pixels tells classes. */
char *
hl_model_dup_token_name (HlModel *self,
                         guint32  id)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  if (self->stack->patches != NULL)
    return hl_model_dup_class (self, id);
  const char *name = self->tokenizer != NULL && id < hl_tokenizer_get_n_tokens (self->tokenizer)
                       ? hl_tokenizer_get_token (self->tokenizer, id)
                       : "";
  return *name != '\0' ? g_strdup (name) : g_strdup_printf ("%u", id);
}

const char *
hl_model_get_name (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->name;
}

/* Returns whether it is in one file, and not in a folder. */
gboolean
hl_model_is_file (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  return self->own_family != NULL;
}

/* Returns the name of its family, such as `BERT`. */
const char *
hl_model_get_family (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->family->label;
}

/* Returns whether it is an encoder–decoder model. */
gboolean
hl_model_has_decoder (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  return self->decoder != NULL;
}

/* Returns the row of its family. */
const HlFamily *
hl_model_get_family_row (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->family;
}

/* Returns its config.json. */
HlModelConfig *
hl_model_get_config (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->config;
}

/* Returns its weights, which are asked for without the prefix that their names have. */
HlWeights *
hl_model_get_weights (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->weights;
}

/* Returns the stack that an attention is of; %NULL for the decoder of a model that has none. */
const HlStack *
hl_model_get_stack (HlModel        *self,
                    HlAttentionKind attention)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return attention == HL_ATTENTION_DECODER || attention == HL_ATTENTION_CROSS ? self->decoder : self->stack;
}

guint
hl_model_get_n_layers (HlModel        *self,
                       HlAttentionKind attention)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, 0);

  return hl_model_get_stack (self, attention)->n_run_layers;
}

/* The stack whose last layers nothing else needs. */
static HlStack *
get_last_stack (HlModel *self)
{
  return self->decoder != NULL ? self->decoder : self->stack;
}

/* Leaves out the layers after one, of the decoder if there is one: they are not computed, and it is as if the model did not have them. Before it
 * is run. */
gboolean
hl_model_stop_after (HlModel *self,
                     guint    layer,
                     GError **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  HlStack *stack = get_last_stack (self);
  guint n_heads = 0;

  if (layer >= stack->n_layers)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no layer %u to stop after; the last one is %u"), layer,
                   stack->n_layers - 1);
      return FALSE;
    }
  for (guint i = 0; i <= layer; i++)
    n_heads += stack->shapes[i].n_heads;
  if (n_heads == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("up to layer %u there is no attention"), layer);
      return FALSE;
    }
  stack->n_run_layers = layer + 1;
  return TRUE;
}

/* Returns the last layer that is computed, of the decoder if there is one. @n_layers: (out): how many there are with those that are left out. */
guint
hl_model_get_last_layer (HlModel *self,
                         guint   *n_layers)
{
  g_return_val_if_fail (HL_IS_MODEL (self), 0);

  *n_layers = get_last_stack (self)->n_layers;
  return get_last_stack (self)->n_run_layers - 1;
}

/* Returns whether no layer is left out: what comes behind the last one can be had. */
gboolean
hl_model_check_whole (HlModel *self,
                      GError **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  const HlStack *stack = get_last_stack (self);

  if (stack->n_run_layers == stack->n_layers)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
               _ ("predictions and ablations need all layers of the model, and those after layer %u are left out"),
               stack->n_run_layers - 1);
  return FALSE;
}

/* Returns heads and sizes of a layer. */
const HlLayerShape *
hl_model_get_shape (HlModel        *self,
                    HlAttentionKind attention,
                    guint           layer)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, NULL);
  g_return_val_if_fail (layer < hl_model_get_stack (self, attention)->n_layers, NULL);

  return &hl_model_get_stack (self, attention)->shapes[layer];
}

/* Returns features of what goes from layer to layer. */
gsize
hl_model_get_width (HlModel        *self,
                    HlAttentionKind attention)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, 0);

  return hl_model_get_stack (self, attention)->width;
}

/* Returns the tokens of the longest text that it takes or was made for; 0 when nothing limits them. */
gsize
hl_model_get_max_length (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), 0);

  return self->stack->max_length;
}

/* Returns how many texts it tells apart; 0 when it does not. */
gsize
hl_model_get_n_segments (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), 0);

  return self->stack->n_segments;
}

/* Returns whether a token of its only stack sees none that follow it. */
gboolean
hl_model_is_causal (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  return self->stack->causal;
}

gboolean
hl_model_get_decoder_start (HlModel *self,
                            guint32 *id)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  *id = self->decoder_start;
  return self->has_decoder_start;
}

/* A model at work: what a kind of attention in it follows, and the pass over all layers. */

/* Returns a rule for each layer; free with g_free(). %NULL without memory. */
HlAttentionRule *
hl_model_make_rules (HlModel        *self,
                     HlAttentionKind attention,
                     gsize           n_queries,
                     GBytes        **bias,
                     GError        **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, NULL);

  const HlStack *stack = hl_model_get_stack (self, attention);
  const gboolean cross = attention == HL_ATTENTION_CROSS;
  const gsize n_distances = 2 * n_queries - 1;
  float *numbers = NULL;
  gsize n_numbers;

  if (!cross && !hl_stack_new_bias (stack, n_distances, n_queries, &numbers, &n_numbers, error))
    return NULL;
  HlDistances *distances = stack->distances != NULL ? hl_distance_table_find_rows (stack->distances, n_queries) : NULL;
  HlAttentionRule *rules = g_new (HlAttentionRule, stack->n_layers);

  g_assert (numbers == NULL || distances == NULL);
  for (guint layer = 0; layer < stack->n_layers; layer++)
    {
      rules[layer] = hl_stack_get_rule (stack, layer, cross, numbers, n_distances);
      rules[layer].distances = distances;
    }
  *bias = numbers != NULL ? g_bytes_new_take (numbers, n_numbers * sizeof (float))
          : distances != NULL
            ? g_bytes_new_with_free_func (distances, sizeof *distances, (GDestroyNotify) hl_distances_free, distances)
            : NULL;
  return rules;
}

/* What a layer without heads has of each. */
static HlTensor *
make_empty (gsize n_rows,
            gsize n_columns)
{
  const HlShape shape = { 3, { 0, n_rows, n_columns } };
  g_autoptr (GBytes) bytes = g_bytes_new (NULL, 0);

  return hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 0, NULL);
}

static const HlAttentionSublayer *
get_sublayer (HlModel        *self,
              HlAttentionKind attention,
              guint           layer)
{
  const HlStack *stack = hl_model_get_stack (self, attention);
  const HlLayer *weights = hl_stack_get_layer (stack, layer);

  return attention == HL_ATTENTION_CROSS ? &weights->cross : &weights->attention;
}

/* Returns the rows of a layer's output projection that a head's result is multiplied by, [heads, head size, width]: W_O^h of
 * Kobayashi et al. 2020. The bias belongs to no head and is left out. */
HlTensor *
hl_model_open_output (HlModel        *self,
                      HlAttentionKind attention,
                      guint           layer)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, NULL);

  const HlStack *stack = hl_model_get_stack (self, attention);
  g_return_val_if_fail (layer < stack->n_layers, NULL);

  const HlLayerShape *shape = &stack->shapes[layer];
  if (shape->n_heads == 0)
    return make_empty (shape->value_size, stack->width);
  return g_object_ref (get_sublayer (self, attention, layer)->output_rows);
}

/* Where the columns of queries, keys or values are, of three that may be one: as in the products of a pass. */
typedef struct
{
  const HlLinear *linear;
  guint n_heads;
  gsize size;
  HlHeadLayout layout;
  HlHeadLayout bias_layout;
} Columns;

static Columns
find_columns (const HlStack             *stack,
              const HlAttentionSublayer *attention,
              guint                      layer,
              HlIngredient               weights)
{
  const HlLayerShape *shape = &stack->shapes[layer];
  const gsize size = shape->head_size;
  const gboolean fused = attention->key.tensor == NULL;
  const guint part = weights - HL_INGREDIENT_QUERY_WEIGHTS;
  const HlLinear *linears[] = { &attention->query, &attention->key, &attention->value };
  Columns columns = {
    .linear = fused ? &attention->query : linears[part],
    .n_heads = weights == HL_INGREDIENT_QUERY_WEIGHTS ? shape->n_heads : shape->n_key_heads,
    .size = weights == HL_INGREDIENT_VALUE_WEIGHTS ? shape->value_size : size,
  };

  columns.layout = hl_head_layout_get (shape, fused ? stack->family->fused_order : HL_FUSED_IN_TURN, part);
  columns.bias_layout = columns.layout;
  if (!fused)
    columns.layout.first = 0;
  return columns;
}

/* Returns the weights of a layer's queries, keys or values, [heads, width, head size]; %NULL where these are made by way of fewer
 * features, or are those of another layer. */
HlTensor *
hl_model_open_weights (HlModel        *self,
                       HlAttentionKind attention,
                       guint           layer,
                       HlIngredient    weights)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, NULL);
  g_return_val_if_fail (weights <= HL_INGREDIENT_VALUE_WEIGHTS, NULL);

  const HlStack *stack = hl_model_get_stack (self, attention);
  if (get_sublayer (self, attention, layer)->latent != NULL || stack->shapes[layer].borrows)
    return NULL;
  if (stack->shapes[layer].n_heads == 0)
    return make_empty (stack->width, stack->shapes[layer].head_size);
  const Columns columns = find_columns (stack, get_sublayer (self, attention, layer), layer, weights);
  return hl_head_columns_new (columns.linear->tensor, columns.linear->transposed, columns.n_heads, columns.size,
                              &columns.layout, stack->family->permuted && weights != HL_INGREDIENT_VALUE_WEIGHTS);
}

/* Whether any layer adds something to queries, keys and values. */
static gboolean
has_bias (HlModel        *self,
          HlAttentionKind attention)
{
  for (guint layer = 0; layer < hl_model_get_stack (self, attention)->n_layers; layer++)
    if (get_sublayer (self, attention, layer)->bias != NULL)
      return TRUE;
  return FALSE;
}

/* Returns what is added to them, [heads, 1, head size]; %NULL where that is nothing. */
HlTensor *
hl_model_open_bias (HlModel        *self,
                    HlAttentionKind attention,
                    guint           layer,
                    HlIngredient    weights)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, NULL);
  g_return_val_if_fail (weights <= HL_INGREDIENT_VALUE_WEIGHTS, NULL);

  const HlStack *stack = hl_model_get_stack (self, attention);
  const HlAttentionSublayer *sublayer = get_sublayer (self, attention, layer);

  if (stack->shapes[layer].n_heads == 0)
    return has_bias (self, attention) ? make_empty (1, stack->shapes[layer].head_size) : NULL;
  if (sublayer->bias == NULL)
    return NULL;
  const Columns columns = find_columns (stack, sublayer, layer, weights);
  const HlShape shape = { 3, { columns.n_heads, 1, columns.size } };
  g_autofree float *bias = g_new (float, columns.n_heads *columns.size);
  for (guint head = 0; head < columns.n_heads; head++)
    memcpy (bias + head * columns.size, sublayer->bias + hl_head_layout_find (&columns.bias_layout, head),
            columns.size * sizeof *bias);
  g_autoptr (GBytes)
    bytes = g_bytes_new_take (g_steal_pointer (&bias), columns.n_heads * columns.size * sizeof (float));
  return hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 0, NULL);
}

/* Returns what becomes of queries and keys behind their weights. */
HlFinish
hl_model_get_finish (HlModel        *self,
                     HlAttentionKind attention,
                     guint           layer)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, HL_FINISH_NONE);

  const HlStack *stack = hl_model_get_stack (self, attention);
  const HlAttentionSublayer *sublayer = get_sublayer (self, attention, layer);
  return (sublayer->query_norm.weight != NULL ? HL_FINISH_NORM : HL_FINISH_NONE) |
         (stack->shapes[layer].rope != HL_LAYER_ROPE_NONE ? HL_FINISH_ROTARY : HL_FINISH_NONE) |
         (sublayer->inner.weight != NULL ? HL_FINISH_RESULT_NORM : HL_FINISH_NONE);
}

/* Returns the weights of the layer norms of the sum of attention and what goes from layer to layer, [layers, width]; %NULL
 * where there is none. */
HlTensor *
hl_model_open_output_norm (HlModel        *self,
                           HlAttentionKind attention)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, NULL);

  const HlStack *stack = hl_model_get_stack (self, attention);
  const HlShape shape = { 2, { stack->n_run_layers, stack->width } };
  g_autofree float *weights = g_new (float, stack->n_run_layers * stack->width);

  for (guint layer = 0; layer < stack->n_run_layers; layer++)
    {
      const HlNorm *norm = &get_sublayer (self, attention, layer)->after;

      if (norm->weight == NULL || !norm->centre)
        return NULL;
      memcpy (weights + layer * stack->width, norm->weight, stack->width * sizeof *weights);
    }
  g_autoptr (GBytes)
    bytes = g_bytes_new_take (g_steal_pointer (&weights), stack->n_run_layers * stack->width * sizeof (float));
  return hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 0, NULL);
}

/* Returns whether a layer has a norm of what its queries are projected from. */
gboolean
hl_model_has_norm_before (HlModel        *self,
                          HlAttentionKind attention)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, FALSE);

  const guint last = hl_model_get_stack (self, attention)->n_layers - 1;
  return get_sublayer (self, attention, last)->before.weight != NULL;
}

/* Returns whether it can be run on that. */
gboolean
hl_model_check_input (HlModel            *self,
                      const HlModelInput *input,
                      GError            **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  const HlStackRun first = {
    .ids = input->ids,
    .pixels = input->pixels,
    .segments = input->segments,
    .n_tokens = input->n_ids,
  };
  const HlStackRun second = { .ids = input->decoder_ids, .n_tokens = input->n_decoder_ids };

  return hl_stack_check_run (self->stack, &first, error) &&
         (self->decoder == NULL || input->decoder_ids == NULL || hl_stack_check_run (self->decoder, &second, error));
}

static gboolean
run_stacks (HlModel            *self,
            const HlModelInput *input,
            const HlModelHooks *hooks,
            HlProgress         *progress,
            GCancellable       *cancellable,
            GError            **error)
{
  const gboolean two = self->decoder != NULL && input->decoder_ids != NULL;
  g_autofree float *memory = NULL;
  HlStackRun run = {
    .weights = self->weights,
    .ids = input->ids,
    .pixels = input->pixels,
    .segments = input->segments,
    .n_tokens = input->n_ids,
    .attention = self->decoder != NULL ? HL_ATTENTION_ENCODER : HL_ATTENTION_SELF,
    .edits = hooks->edits,
    .n_edits = hooks->n_edits,
    .func = hooks->func,
    .stream_func = hooks->stream_func,
    .sublayer_func = hooks->sublayer_func,
    .data = hooks->data,
    .progress = progress,
    .progress_begin = 0,
    .progress_end = two ? 0.5 : 1,
  };

  if (!hl_stack_run (self->stack, &run, two ? &memory : NULL, cancellable, error))
    return FALSE;
  run.ids = input->decoder_ids;
  run.segments = NULL;
  run.n_tokens = input->n_decoder_ids;
  run.memory = memory;
  run.n_memory = input->n_ids;
  run.attention = HL_ATTENTION_DECODER;
  run.progress_begin = 0.5;
  run.progress_end = 1;
  return !two || hl_stack_run (self->decoder, &run, NULL, cancellable, error);
}

/* Says what is to blame for a pass that failed. */
static void
explain (HlModel      *self,
         GError       *reason,
         GCancellable *cancellable,
         GError      **error)
{
  g_autoptr (GError) local_error = reason;

  /* Of files that somebody writes anew, everything else that is wrong is a consequence. */
  if (local_error->domain == HL_ERROR && !hl_weights_check (self->weights, error))
    return;
  /* Only what cannot be computed is worth reading all weights for, to say which of them is to blame. */
  if (g_error_matches (local_error, HL_ERROR, HL_ERROR_CORRUPT))
    {
      g_autofree char *name = hl_weights_find_bad (self->weights, cancellable);
      if (name != NULL)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("tensor “%s” holds NaN or infinity"), name);
          return;
        }
    }
  g_propagate_error (error, g_steal_pointer (&local_error));
}

/* Computes queries, keys and values of every layer. No map of tokens by tokens is kept. Blocks. */
gboolean
hl_model_forward (HlModel            *self,
                  const HlModelInput *input,
                  HlLayerFunc         func,
                  gpointer            data,
                  HlProgress         *progress,
                  GCancellable       *cancellable,
                  GError            **error)
{
  const HlModelHooks hooks = { .func = func, .data = data };

  g_return_val_if_fail (func != NULL, FALSE);

  return hl_model_forward_with (self, input, &hooks, progress, cancellable, error);
}

/* Runs the model, telling what is asked for, with heads changed if wanted. Blocks. */
gboolean
hl_model_forward_with (HlModel            *self,
                       const HlModelInput *input,
                       const HlModelHooks *hooks,
                       HlProgress         *progress,
                       GCancellable       *cancellable,
                       GError            **error)
{
  GError *reason = NULL;

  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);
  g_return_val_if_fail (input != NULL && hooks != NULL, FALSE);

  hl_progress_begin (progress, input->n_ids + input->n_decoder_ids);
  if (run_stacks (self, input, hooks, progress, cancellable, &reason))
    return TRUE;
  explain (self, reason, cancellable, error);
  return FALSE;
}

/* Runs the stack that @run's attention is of. @output is what leaves it, [streams, n_tokens, width]; free with
 * g_free(). Blocks. */
gboolean
hl_model_run_stack (HlModel          *self,
                    const HlStackRun *run,
                    float           **output,
                    GCancellable     *cancellable,
                    GError          **error)
{
  GError *reason = NULL;

  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, run->attention) != NULL, FALSE);

  HlStackRun whole = *run;
  whole.weights = self->weights;
  if (hl_stack_run (hl_model_get_stack (self, run->attention), &whole, output, cancellable, &reason))
    return TRUE;
  explain (self, reason, cancellable, error);
  return FALSE;
}

/* SPDX-License-Identifier: MIT */
/* The frequencies of rotary embeddings, and how they are scaled for long texts. */
#include "core/model/layer/hl-rope.h"

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/compute/hl-rotary.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Where a parameter can be: transformers 5 keeps them by the kind of layer or together, transformers 4 in rope_scaling. What is not said by kind is of
 * layers without a window. */
static char *
make_keys (const HlFamily *family,
           gboolean        local,
           const char     *name)
{
  if (local)
    return g_strdup_printf ("rope_parameters/sliding_attention/%s", name);
  if (family->local_theta > 0)
    return g_strdup_printf ("rope_parameters/full_attention/%s|rope_parameters/%s|rope_scaling/%s", name, name, name);
  return g_strdup_printf ("rope_parameters/%s|rope_scaling/%s", name, name);
}

/* Whether layers with a window have the base of all, and lack the scaling only (OLMo 3). */
static gboolean
shares_base (const HlFamily *family)
{
  return family->local_theta == family->theta;
}

static gboolean
read_parameter (HlModelConfig  *config,
                const HlFamily *family,
                gboolean        local,
                const char     *name,
                double          fallback,
                double         *value,
                GError        **error)
{
  g_autofree char *keys = make_keys (family, local, name);

  return hl_model_config_read_number (config, keys, fallback, value, error);
}

static gboolean
read_base (HlRope         *self,
           HlModelConfig  *config,
           const HlFamily *family,
           gboolean        local,
           GError        **error)
{
  g_autofree char *first = make_keys (family, local, "rope_theta");
  g_autofree char *keys = g_strconcat (first,
                                       !local                 ? "|rope_theta|rotary_emb_base|global_rope_theta"
                                       : shares_base (family) ? "|rope_parameters/rope_theta|rope_theta"
                                                              : "|rope_local_base_freq|local_rope_theta",
                                       NULL);

  if (!hl_model_config_read_number (config, keys, local ? family->local_theta : family->theta, &self->base, error))
    return FALSE;
  if (self->base > 1)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not above 1"), "rope_theta");
  return FALSE;
}

static gboolean
read_scaling (HlRope         *self,
              HlModelConfig  *config,
              const HlFamily *family,
              gboolean        local,
              GError        **error)
{
  static const struct
  {
    const char *name;
    HlRopeScaling scaling;
  } kinds[] = {
    { "default", HL_ROPE_PLAIN },   { "linear", HL_ROPE_LINEAR },
    { "dynamic", HL_ROPE_DYNAMIC }, { "yarn", HL_ROPE_YARN },
    { "llama3", HL_ROPE_LLAMA3 },   { "longrope", HL_ROPE_LONG },
    { "su", HL_ROPE_LONG },         { "proportional", HL_ROPE_PROPORTIONAL },
  };
  g_autofree char *new_keys = make_keys (family, local, "rope_type");
  g_autofree char *old_keys = make_keys (family, local, "type");
  g_autofree char *keys = g_strconcat (new_keys, "|", old_keys, NULL);
  g_autofree char *name = NULL;

  if (!hl_model_config_read_string (config, keys, "default", &name, error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].name, name))
      {
        self->scaling = kinds[i].scaling;
        return TRUE;
      }
  g_autofree char *shown = hl_utf8_quote (name, strlen (name), 60);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("rotary embeddings of type “%s” are not known; known are default, linear, dynamic, yarn, llama3, "
                  "longrope and proportional"),
               shown);
  return FALSE;
}

static double
get_mscale (double factor,
            double mscale)
{
  return factor <= 1 ? 1 : 0.1 * mscale * log (factor) + 1;
}

/* What scores are multiplied by for texts longer than those of the training, where config.json says that they are: the square of YaRN's
 * factor of queries and of keys. */
gboolean
hl_rope_read_stretch (HlModelConfig *config,
                      double        *stretch,
                      GError       **error)
{
  double factor, mscale;

  if (!hl_model_config_read_number (config, "rope_parameters/factor|rope_scaling/factor", 1, &factor, error) ||
      !hl_model_config_read_number (config, "rope_parameters/mscale_all_dim|rope_scaling/mscale_all_dim", 0, &mscale,
                                    error))
    return FALSE;
  *stretch = mscale != 0 ? get_mscale (factor, mscale) * get_mscale (factor, mscale) : 1;
  return TRUE;
}

/* What stands beside the factor in a scaling. */
static gboolean
read_bounds (HlRope         *self,
             HlModelConfig  *config,
             const HlFamily *family,
             gboolean        local,
             double          max_length,
             GError        **error)
{
  const gboolean yarn = self->scaling == HL_ROPE_YARN, is_long = self->scaling == HL_ROPE_LONG;
  g_autofree char *truncate_keys = make_keys (family, local, "truncate");
  double mscale, mscale_all, original;

  if (!hl_model_config_read_number (config, "original_max_position_embeddings", max_length, &original, error) ||
      !read_parameter (config, family, local, "original_max_position_embeddings", original, &self->original_length,
                       error) ||
      !read_parameter (config, family, local, "factor", yarn || is_long ? max_length / self->original_length : 1,
                       &self->factor, error) ||
      !read_parameter (config, family, local, yarn ? "beta_slow" : "low_freq_factor", 1, &self->low, error) ||
      !read_parameter (config, family, local, yarn ? "beta_fast" : "high_freq_factor", yarn ? 32 : 4, &self->high,
                       error) ||
      !hl_model_config_read_boolean (config, truncate_keys, !family->rope_untruncated, &self->truncate, error) ||
      !read_parameter (config, family, local, "mscale", 0, &mscale, error) ||
      !read_parameter (config, family, local, "mscale_all_dim", 0, &mscale_all, error))
    return FALSE;
  /* The base grows from there on, whatever else is said of the training. */
  if (self->scaling == HL_ROPE_DYNAMIC)
    self->original_length = max_length;
  if (self->factor <= 0 || self->original_length <= 0 || self->low <= 0 || self->high <= self->low)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the scaling of rotary embeddings in config.json makes no sense"));
      return FALSE;
    }
  double factor = 1;
  if (yarn)
    factor = mscale != 0 && mscale_all != 0 ? get_mscale (self->factor, mscale) / get_mscale (self->factor, mscale_all)
                                            : get_mscale (self->factor, 1);
  else if (is_long && self->factor > 1 && self->original_length > 1)
    factor = sqrt (1 + log (self->factor) / log (self->original_length));
  if ((yarn || is_long) &&
      !read_parameter (config, family, local, "attention_factor", factor, &self->attention_factor, error))
    return FALSE;
  self->long_attention_factor = self->attention_factor;
  return !family->rope_mscales || (read_parameter (config, family, local, "long_mscale", self->attention_factor,
                                                   &self->long_attention_factor, error) &&
                                   read_parameter (config, family, local, "short_mscale", self->attention_factor,
                                                   &self->attention_factor, error));
}

/* A list with a divisor of each frequency, at the first of several keys that has one; NULL without. */
static gboolean
read_list (HlRope        *self,
           HlModelConfig *config,
           const char    *keys,
           double       **divisors,
           GError       **error)
{
  g_auto (GStrv) list = g_strsplit (keys, "|", -1);
  gsize n = 0;

  for (char **key = list; *key != NULL && *divisors == NULL; key++)
    if (!hl_model_config_read_numbers (config, *key, self->n_pairs, divisors, &n, error))
      return FALSE;
  gboolean good = *divisors == NULL || n == self->n_pairs;
  for (gsize i = 0; *divisors != NULL && i < n; i++)
    good &= isfinite ((*divisors)[i]) && (*divisors)[i] > 0;
  if (!good)
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the scaling of rotary embeddings in config.json makes no sense"));
  return good;
}

/* Divisors that somebody computed beforehand, or found. */
static gboolean
read_divisors (HlRope         *self,
               HlModelConfig  *config,
               const HlFamily *family,
               gboolean        local,
               GError        **error)
{
  g_autofree char *short_keys = make_keys (family, local, "short_factor");
  g_autofree char *long_keys = make_keys (family, local, "long_factor");

  if ((self->scaling == HL_ROPE_LONG || self->scaling == HL_ROPE_YARN) &&
      (!read_list (self, config, short_keys, &self->divisors, error) ||
       !read_list (self, config, long_keys, &self->long_divisors, error)))
    return FALSE;
  /* The first files of Phi-3 call it so. */
  if (self->divisors != NULL || self->long_divisors != NULL)
    self->scaling = HL_ROPE_LONG;
  if (self->scaling != HL_ROPE_LONG)
    return local || read_list (self, config, "rope_scaling/divisors", &self->divisors, error);
  if (self->divisors != NULL && self->long_divisors != NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("config.json has no “%s”"),
               self->divisors == NULL ? "short_factor" : "long_factor");
  return FALSE;
}

/* How the code of NomicBERT says it: the base grows for texts longer than those of the training. */
static gboolean
read_ntk (HlRope        *self,
          HlModelConfig *config,
          gboolean      *found,
          GError       **error)
{
  double factor;

  if (!hl_model_config_read_number (config, "rotary_scaling_factor", 0, &factor, error) ||
      !hl_model_config_read_number (config, "max_trained_positions", 2048, &self->original_length, error))
    return FALSE;
  *found = factor != 0;
  if (!*found)
    return TRUE;
  self->scaling = HL_ROPE_DYNAMIC;
  self->factor = factor;
  if (factor > 0 && self->original_length > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the scaling of rotary embeddings in config.json makes no sense"));
  return FALSE;
}

void
hl_rope_clear (HlRope *self)
{
  g_clear_pointer (&self->divisors, g_free);
  g_clear_pointer (&self->long_divisors, g_free);
}

gboolean
hl_rope_load (HlRope         *self,
              HlModelConfig  *config,
              const HlFamily *family,
              gsize           head_size,
              gboolean        local,
              GError        **error)
{
  g_autofree char *keys = make_keys (family, local, "partial_rotary_factor");
  g_autofree char *fraction_keys = g_strconcat (keys, "|partial_rotary_factor|rotary_pct|rotary_emb_fraction", NULL);
  double fraction, max_length;
  guint64 n_turned;
  gboolean is_ntk;

  *self = (HlRope){ .attention_factor = 1 };
  if (!hl_model_config_read_number (config, fraction_keys, family->rotary_fraction, &fraction, error) ||
      !hl_model_config_read_number (config, "max_position_embeddings", 2048, &max_length, error) ||
      !hl_model_config_read_size (config, "rotary_dim", 0, &n_turned, error) ||
      !read_base (self, config, family, local, error) || !read_scaling (self, config, family, local, error))
    return FALSE;
  if (!(fraction > 0 && fraction <= 1))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not between 0 and 1"),
                   hl_model_config_has (config, "rotary_emb_fraction") ? "rotary_emb_fraction"
                                                                       : "partial_rotary_factor");
      return FALSE;
    }
  if (n_turned > head_size)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is more than a head has"), "rotary_dim");
      return FALSE;
    }
  self->n_pairs = (n_turned > 0 ? (gsize) n_turned : (gsize) ((double) head_size * fraction)) / 2;
  self->n_turning = self->n_pairs;
  if (self->scaling == HL_ROPE_PROPORTIONAL)
    self->n_pairs = head_size / 2;
  if (!read_ntk (self, config, &is_ntk, error))
    return FALSE;
  return is_ntk || (read_divisors (self, config, family, local, error) &&
                    (self->scaling == HL_ROPE_PLAIN || read_bounds (self, config, family, local, max_length, error)));
}

static void
scale_llama3 (const HlRope *self,
              float        *frequencies)
{
  for (gsize i = 0; i < self->n_pairs; i++)
    {
      const double turns = self->original_length * frequencies[i] / (2 * G_PI);
      const double smooth = CLAMP ((turns - self->low) / (self->high - self->low), 0, 1);

      frequencies[i] = (float) ((1 - smooth) * frequencies[i] / self->factor + smooth * frequencies[i]);
    }
}

/* The pair that makes so many turns over the original length. */
static double
find_yarn_pair (const HlRope *self,
                double        turns)
{
  return (double) self->n_pairs * log (self->original_length / (turns * 2 * G_PI)) / log (self->base);
}

static void
scale_yarn (const HlRope *self,
            float        *frequencies)
{
  double low = find_yarn_pair (self, self->high);
  double high = find_yarn_pair (self, self->low);

  if (self->truncate)
    {
      low = floor (low);
      high = ceil (high);
    }
  low = MAX (low, 0);
  high = MIN (high, 2 * (double) self->n_pairs - 1);
  if (low == high)
    high += 0.001;
  for (gsize i = 0; i < self->n_pairs; i++)
    {
      const double ramp = CLAMP (((double) i - low) / (high - low), 0, 1);

      frequencies[i] = (float) (ramp * frequencies[i] / self->factor + (1 - ramp) * frequencies[i]);
    }
}

/* Returns whether a text of such a length turns the keys of its first tokens otherwise than a shorter one. */
gboolean
hl_rope_depends_on_length (const HlRope *self,
                           gsize         n_positions)
{
  return (self->scaling == HL_ROPE_DYNAMIC || self->scaling == HL_ROPE_LONG) &&
         (double) n_positions > self->original_length;
}

/* The table of some positions, the last of which ends the text. */
float *
hl_rope_new_table (const HlRope *self,
                   gsize         first_position,
                   gsize         n_positions)
{
  g_autofree float *frequencies = g_new (float, MAX (self->n_pairs, 1));
  float *table = g_new (float, MAX (n_positions * 2 * self->n_pairs, 1));
  const double n = 2 * (double) self->n_pairs;
  double base = self->base;

  if (self->scaling == HL_ROPE_DYNAMIC && n > 2)
    base *=
      pow (self->factor * MAX ((double) (first_position + n_positions), self->original_length) / self->original_length -
             (self->factor - 1),
           n / (n - 2));
  for (gsize i = 0; i < self->n_pairs; i++)
    frequencies[i] = 1 / powf ((float) base, (float) (2 * i) / (float) n); /* in float32, as they were in training */
  for (gsize i = self->n_turning; i < self->n_pairs; i++)
    frequencies[i] = 0;
  if (self->scaling == HL_ROPE_LINEAR || self->scaling == HL_ROPE_PROPORTIONAL)
    for (gsize i = 0; i < self->n_pairs; i++)
      frequencies[i] = (float) (frequencies[i] / self->factor);
  else if (self->scaling == HL_ROPE_LLAMA3)
    scale_llama3 (self, frequencies);
  else if (self->scaling == HL_ROPE_YARN)
    scale_yarn (self, frequencies);
  const gboolean is_long = self->long_divisors != NULL &&
                           (double) (first_position + n_positions) > self->original_length;
  const double *divisors = is_long ? self->long_divisors : self->divisors;
  for (gsize i = 0; divisors != NULL && i < self->n_pairs; i++)
    frequencies[i] = (float) (frequencies[i] / divisors[i]);
  hl_rotary_fill_table (first_position, n_positions, self->n_pairs, frequencies,
                        (float) (is_long ? self->long_attention_factor : self->attention_factor), table);
  return table;
}

/* SPDX-License-Identifier: MIT */
/* Which experts a token goes to. */
#include "core/model/layer/hl-router.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* What config.json says about the experts of all layers. */
gboolean
hl_router_load (HlRouter       *self,
                HlModelConfig  *config,
                const HlFamily *family,
                GError        **error)
{
  guint64 n_experts, n_chosen, n_groups, n_chosen_groups;
  double scale, jitter;
  g_autofree char *method = NULL;

  *self = (HlRouter){ .routing = family->routing };
  if (!hl_model_config_read_size (config, HL_CONFIG_EXPERTS, HL_CONFIG_REQUIRED, &n_experts, error) ||
      !hl_model_config_read_size (config, "num_experts_per_tok", HL_CONFIG_REQUIRED, &n_chosen, error) ||
      !hl_model_config_read_size (config, "n_group", 1, &n_groups, error) ||
      !hl_model_config_read_size (config, "topk_group", 1, &n_chosen_groups, error) ||
      !hl_model_config_read_string (config, "topk_method", "", &method, error) ||
      !hl_model_config_read_number (config, "routed_scaling_factor", 1, &scale, error) ||
      !hl_model_config_read_number (config, "router_jitter_noise", 0.01, &jitter, error) ||
      !hl_switch_read (&family->shares_renormalised, config, &self->renormalised, error))
    return FALSE;
  if (n_groups == 0 || g_str_equal (method, "greedy"))
    n_groups = n_chosen_groups = 1;
  if (!hl_model_config_check_size ("num_experts", n_experts, HL_LIMIT_EXPERTS, error))
    return FALSE;
  if (n_experts == 0 || n_experts % n_groups != 0 || n_chosen_groups == 0 || n_chosen_groups > n_groups ||
      n_chosen == 0 || n_chosen > n_experts / n_groups * n_chosen_groups ||
      (self->routing == HL_ROUTING_MIXER && n_chosen != 2))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the numbers of experts in config.json do not fit one another: %u of %u, %u groups of %u"),
                   (guint) n_chosen, (guint) n_experts, (guint) n_chosen_groups, (guint) n_groups);
      return FALSE;
    }
  self->n_experts = (guint) n_experts;
  self->n_chosen = (guint) n_chosen;
  self->n_groups = (guint) n_groups;
  self->n_chosen_groups = (guint) n_chosen_groups;
  self->scale = (float) scale;
  self->jitter = (float) jitter;
  return TRUE;
}

static void
softmax (float *scores,
         guint  n)
{
  float greatest = scores[0], sum = 0;

  for (guint i = 1; i < n; i++)
    greatest = MAX (greatest, scores[i]);
  for (guint i = 0; i < n; i++)
    sum += scores[i] = expf (scores[i] - greatest);
  for (guint i = 0; i < n; i++)
    scores[i] /= sum;
}

/* The best that is not taken; any of them if none is better than another, as among NaN. */
static guint
take_best (const float *scores,
           gboolean    *taken,
           guint        n)
{
  guint best = n;

  for (guint i = 0; i < n; i++)
    if (!taken[i] && (best == n || scores[i] > scores[best]))
      best = i;
  taken[best] = TRUE;
  return best;
}

/* What speaks for a group: its best expert, or the sum of its best two. */
static float
get_group_score (const HlRouter *self,
                 const float    *scores)
{
  const guint size = self->n_experts / self->n_groups;
  float best = -INFINITY, second = -INFINITY;

  for (guint i = 0; i < size; i++)
    {
      second = MAX (second, MIN (best, scores[i]));
      best = MAX (best, scores[i]);
    }
  return self->routing == HL_ROUTING_SIGMOID && size > 1 ? best + second : best;
}

/* Takes the experts of all but the best groups away. */
static void
leave_groups (const HlRouter *self,
              const float    *scores,
              gboolean       *taken)
{
  const guint size = self->n_experts / self->n_groups;
  float group_scores[HL_LIMIT_EXPERTS];
  gboolean left[HL_LIMIT_EXPERTS] = { FALSE };

  for (guint group = 0; group < self->n_groups; group++)
    group_scores[group] = get_group_score (self, scores + group * size);
  for (guint i = 0; i < self->n_chosen_groups; i++)
    take_best (group_scores, left, self->n_groups);
  for (guint i = 0; i < self->n_experts; i++)
    taken[i] = !left[i / size];
}

/* The share of an expert among those that are hardly worse (Liu et al. 2024, SparseMixer), those before it aside. */
static float
get_mixer_share (const HlRouter *self,
                 const float    *scores,
                 guint           chosen,
                 guint           before)
{
  const float best = scores[chosen];
  float sum = 0;

  for (guint i = 0; i < self->n_experts; i++)
    if (i != before && (best - scores[i]) / MAX (fabsf (scores[i]), best) <= 2 * self->jitter)
      sum += expf (scores[i] - best);
  return 1 / sum;
}

static void
weigh (const HlRouter *self,
       const float    *scores,
       const guint    *chosen,
       float          *shares)
{
  float sum = 0;

  if (self->routing == HL_ROUTING_MIXER)
    {
      shares[0] = get_mixer_share (self, scores, chosen[0], self->n_experts);
      shares[1] = get_mixer_share (self, scores, chosen[1], chosen[0]);
      return;
    }
  for (guint i = 0; i < self->n_chosen; i++)
    shares[i] = scores[chosen[i]];
  if (self->routing == HL_ROUTING_SOFTMAX_OF_CHOSEN)
    softmax (shares, self->n_chosen);
  for (guint i = 0; i < self->n_chosen; i++)
    sum += shares[i];
  for (guint i = 0; i < self->n_chosen; i++)
    shares[i] *= self->scale / (self->renormalised ? sum : 1);
}

/* Gives the experts of a token, [n_chosen], and their shares, from its [n_experts] products with the router. */
void
hl_router_choose (const HlRouter *self,
                  const float    *scores,
                  guint          *chosen,
                  float          *shares)
{
  float weighed[HL_LIMIT_EXPERTS], corrected[HL_LIMIT_EXPERTS];
  gboolean taken[HL_LIMIT_EXPERTS] = { FALSE };

  for (guint i = 0; i < self->n_experts; i++)
    weighed[i] = self->routing == HL_ROUTING_SIGMOID ? 1 / (1 + expf (-scores[i])) : scores[i];
  if (self->routing == HL_ROUTING_SOFTMAX)
    softmax (weighed, self->n_experts);
  for (guint i = 0; i < self->n_experts; i++)
    corrected[i] = weighed[i] + (self->correction != NULL ? self->correction[i] : 0);
  if (self->n_groups > 1)
    leave_groups (self, corrected, taken);
  for (guint i = 0; i < self->n_chosen; i++)
    chosen[i] = take_best (corrected, taken, self->n_experts);
  weigh (self, weighed, chosen, shares);
}

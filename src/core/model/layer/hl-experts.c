/* SPDX-License-Identifier: MIT */
/* Mixtures of experts. The rows of all tokens that go to an expert are multiplied together, so its weights are read once, and those of
 * experts that no token goes to are not read. */
#include "core/model/layer/hl-experts.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

struct _HlExperts
{
  HlRouter router;
  HlLinear products;      /* what gives the scores that the router goes by */
  HlFeedForward *experts; /* [router.n_experts] */
  HlFeedForward shared;   /* what all tokens go through; without tensors when there is none */
  HlLinear shared_gate;   /* what gives its share; without a tensor when that is 1 */
  gsize width;
  gboolean weighs_input;
};

/* What is needed while one is put together. */
typedef struct
{
  HlExperts *experts;
  HlWeights *weights;
  const HlFamily *family;
  const HlExpertNames *names;
  const char *layer;
  gboolean keep_panels;
} Loader;

static char *
make_name (const Loader *self,
           const char   *name,
           guint         expert)
{
  g_autoptr (GString) path = g_string_new (self->layer);
  g_autofree char *number = g_strdup_printf ("%u", expert);

  g_string_append (path, name);
  g_string_replace (path, "%u", number, 1);
  return g_string_free (g_steal_pointer (&path), FALSE);
}

/* A product of one expert: a tensor of its own, or its part of that of all. */
static gboolean
load_product (const Loader *self,
              const char   *name,
              guint         expert,
              gsize         n_in,
              gsize         n_out,
              HlLinear     *linear,
              GError      **error)
{
  const gboolean apart = strstr (name, "%u") != NULL;
  const gboolean bias = self->family->expert_bias;
  g_autofree char *path = make_name (self, name, expert);
  g_autofree char *blocks = g_strconcat (path, "_blocks", NULL);
  /* Numbers that have a scale in common are those that are summed, so they are not stored across. */
  const gboolean transposed = self->family->experts_transposed && !hl_weights_has (self->weights, blocks);

  if (self->keep_panels)
    hl_linear_keep_panels (linear);
  return apart ? hl_linear_load (linear, self->weights, path, n_in, n_out, FALSE, bias, error)
               : hl_linear_load_part (linear, self->weights, path, expert, self->experts->router.n_experts, n_in, n_out,
                                      transposed, bias, error);
}

/* The bias of gate and first product, in the order in which their results lie. */
static void
join_bias (HlFeedForward *expert)
{
  const gsize inner = expert->inner_width;

  if (expert->gate.tensor == NULL || expert->in.bias == NULL)
    {
      expert->bias = g_steal_pointer (&expert->in.bias);
      return;
    }
  expert->bias = g_new (float, 2 * inner);
  memcpy (expert->bias, expert->gate.bias, inner * sizeof (float));
  memcpy (expert->bias + inner, expert->in.bias, inner * sizeof (float));
}

static gboolean
load_expert (const Loader  *self,
             guint          number,
             HlFeedForward *expert,
             GError       **error)
{
  const gsize width = self->experts->width, inner = expert->inner_width;

  if ((self->names->gate != NULL &&
       !load_product (self, self->names->gate, number, width, inner, &expert->gate, error)) ||
      !load_product (self, self->names->in, number, width, self->names->gate != NULL ? inner : 2 * inner, &expert->in,
                     error) ||
      !load_product (self, self->names->out, number, inner, width, &expert->out, error))
    return FALSE;
  join_bias (expert);
  return TRUE;
}

static gboolean
load_shared (const Loader  *self,
             HlModelConfig *config,
             gsize          inner,
             GError       **error)
{
  const HlFeedForwardNames *names = &self->names->shared;
  HlExperts *experts = self->experts;
  HlFeedForward *shared = &experts->shared;
  guint64 n_shared, shared_inner;

  if (!hl_model_config_read_size (config, "n_shared_experts", 1, &n_shared, error) ||
      !hl_model_config_read_size (config, "shared_expert_intermediate_size", n_shared * inner, &shared_inner, error))
    return FALSE;
  if (shared_inner == 0)
    return TRUE;
  if (!hl_model_config_check_size ("shared_expert_intermediate_size", shared_inner, HL_LIMIT_WIDTH, error))
    return FALSE;
  shared->inner_width = shared_inner;
  g_autofree char *gate = make_name (self, names->gate, 0);
  g_autofree char *in = make_name (self, names->in, 0);
  g_autofree char *out = make_name (self, names->out, 0);
  if (!hl_linear_load (&shared->gate, self->weights, gate, experts->width, shared_inner, FALSE, FALSE, error) ||
      !hl_linear_load (&shared->in, self->weights, in, experts->width, shared_inner, FALSE, FALSE, error) ||
      !hl_linear_load (&shared->out, self->weights, out, shared_inner, experts->width, FALSE, FALSE, error))
    return FALSE;
  if (self->names->shared_gate == NULL)
    return TRUE;
  g_autofree char *share = make_name (self, self->names->shared_gate, 0);
  return hl_linear_load_row (&experts->shared_gate, self->weights, share, experts->width, error);
}

/* Newer files have one tensor for all experts. */
static HlExpertNames
find_names (HlWeights           *weights,
            const HlExpertNames *names,
            const char          *layer)
{
  HlExpertNames own = *names;
  g_autofree char *all = names->all_in != NULL ? g_strconcat (layer, names->all_in, NULL) : NULL;

  if (all == NULL || !hl_weights_has (weights, all))
    return own;
  own.gate = NULL;
  own.in = names->all_in;
  own.out = names->all_out;
  return own;
}

/* Finds the tensors of a layer, whose names begin with @layer, and checks their shapes; reads vectors only. */
HlExperts *
hl_experts_load (HlWeights           *weights,
                 HlModelConfig       *config,
                 const HlFamily      *family,
                 const HlExpertNames *names,
                 const char          *layer,
                 gsize                width,
                 HlActivation         activation,
                 gboolean             keep_panels,
                 GError             **error)
{
  g_autoptr (HlExperts) self = g_new0 (HlExperts, 1);
  const HlExpertNames own = find_names (weights, names, layer);
  const Loader loader = { self, weights, family, &own, layer, keep_panels };
  HlFeedForward expert = { .gated = TRUE, .activation = activation };
  guint64 inner;
  double limit, slope;

  self->width = width;
  self->weighs_input = family->experts_weigh_input;
  if (!hl_router_load (&self->router, config, family, error) ||
      !hl_model_config_read_size (config, "moe_intermediate_size|intermediate_size", HL_CONFIG_REQUIRED, &inner,
                                  error) ||
      !hl_model_config_read_number (config, "swiglu_limit", 7, &limit, error) ||
      !hl_model_config_read_number (config, "swiglu_alpha", 1.702, &slope, error))
    return NULL;
  if (!hl_model_config_check_size ("moe_intermediate_size", inner, HL_LIMIT_WIDTH, error))
    return NULL;
  if (inner == 0 || limit <= 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not %s"),
                   limit <= 0 ? "swiglu_limit" : "moe_intermediate_size", limit <= 0 ? _ ("a number") : _ ("a size"));
      return NULL;
    }
  if (family->experts_clamped)
    expert.clamp = (HlGateClamp){ (float) limit, (float) slope, own.gate == NULL };
  expert.inner_width = inner;

  g_autofree char *router = make_name (&loader, names->router, 0);
  if (!hl_linear_load (&self->products, weights, router, width, self->router.n_experts, FALSE, family->expert_bias,
                       error))
    return NULL;
  if (names->correction != NULL)
    {
      g_autofree char *correction = make_name (&loader, names->correction, 0);
      self->router.correction = hl_weights_get_vector (weights, correction, self->router.n_experts, error);
      if (self->router.correction == NULL)
        return NULL;
    }
  self->experts = g_new (HlFeedForward, self->router.n_experts);
  for (guint i = 0; i < self->router.n_experts; i++)
    self->experts[i] = expert;
  for (guint i = 0; i < self->router.n_experts; i++)
    if (!load_expert (&loader, i, &self->experts[i], error))
      return NULL;
  self->shared = expert;
  self->shared.inner_width = 0;
  if (names->shared.in != NULL && !load_shared (&loader, config, inner, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
hl_experts_free (HlExperts *self)
{
  for (guint i = 0; self->experts != NULL && i < self->router.n_experts; i++)
    hl_feed_forward_clear (&self->experts[i]);
  g_free (self->experts);
  g_free (self->router.correction);
  hl_feed_forward_clear (&self->shared);
  hl_linear_clear (&self->products);
  hl_linear_clear (&self->shared_gate);
  g_free (self);
}

/* The tokens of an expert, and what it counts for each. */
typedef struct
{
  gsize n;
  gsize *rows;
  float *shares;
} Visits;

/* Who goes where: [n_rows, n_chosen] as lists, one an expert, whose rows rise. */
static void
list_visits (const HlRouter *router,
             gsize           n_rows,
             const guint    *chosen,
             const float    *shares,
             gsize          *rows,
             float          *sorted,
             Visits         *visits)
{
  gsize first = 0;

  for (gsize i = 0; i < n_rows * router->n_chosen; i++)
    visits[chosen[i]].n++;
  for (guint i = 0; i < router->n_experts; i++)
    {
      visits[i].rows = rows + first;
      visits[i].shares = sorted + first;
      first += visits[i].n;
      visits[i].n = 0;
    }
  for (gsize i = 0; i < n_rows * router->n_chosen; i++)
    {
      Visits *visit = &visits[chosen[i]];

      visit->rows[visit->n] = i / router->n_chosen;
      visit->shares[visit->n++] = shares[i];
    }
}

/* Adds what an expert gives to those that went to it. */
static void
add_expert (const HlExperts     *self,
            const HlFeedForward *expert,
            const Visits        *visits,
            const float         *input,
            float               *result,
            float               *room,
            HlScratch           *scratch)
{
  const gsize width = self->width;
  float *given = room + visits->n * width;
  float *wide = given + visits->n * width;

  for (gsize i = 0; i < visits->n; i++)
    for (gsize k = 0; k < width; k++)
      room[i * width + k] = input[visits->rows[i] * width + k] * (self->weighs_input ? visits->shares[i] : 1);
  hl_feed_forward_multiply (expert, visits->n, room, wide, given, scratch);
  for (gsize i = 0; i < visits->n; i++)
    {
      float *row = result + visits->rows[i] * width;
      const float share = self->weighs_input ? 1 : visits->shares[i];

      for (gsize k = 0; k < width; k++)
        row[k] += share * (given[i * width + k] + (expert->out.bias != NULL ? expert->out.bias[k] : 0));
    }
}

/* What all tokens go through begins the sum. */
static void
begin_sum (const HlExperts *self,
           gsize            n_rows,
           const float     *input,
           float           *result,
           float           *room,
           HlScratch       *scratch)
{
  if (self->shared.in.tensor == NULL)
    {
      memset (result, 0, n_rows * self->width * sizeof (float));
      return;
    }
  hl_feed_forward_multiply (&self->shared, n_rows, input, room, result, scratch);
  if (self->shared_gate.tensor == NULL)
    return;
  hl_linear_apply (&self->shared_gate, n_rows, input, self->width, room, 1, scratch);
  for (gsize i = 0; i < n_rows; i++)
    {
      const float share = 1 / (1 + expf (-room[i]));

      for (gsize k = 0; k < self->width; k++)
        result[i * self->width + k] *= share;
    }
}

/* Returns the numbers that a row takes besides: its scores, and then what it is, becomes and is in between in an expert. */
gsize
hl_experts_get_room (const HlExperts *self)
{
  const gsize inner = MAX (self->experts[0].inner_width, self->shared.inner_width);

  return MAX (2 * self->width + 2 * inner, self->router.n_experts);
}

/* Multiplies rows [n_rows, width] by what the router chooses for each. @room keeps memory from call to call. */
void
hl_experts_apply (const HlExperts *self,
                  gsize            n_rows,
                  const float     *input,
                  float           *result,
                  HlScratch       *room,
                  HlScratch       *scratch)
{
  const HlRouter *router = &self->router;
  const gsize n_visits = n_rows * router->n_chosen;
  float *numbers = hl_scratch_get (room, n_rows * hl_experts_get_room (self));
  g_autofree guint *chosen = g_new (guint, n_visits);
  g_autofree float *shares = g_new (float, 2 * n_visits);
  g_autofree gsize *rows = g_new (gsize, n_visits);
  g_autofree Visits *visits = g_new0 (Visits, router->n_experts);

  hl_linear_apply (&self->products, n_rows, input, self->width, numbers, router->n_experts, scratch);
#pragma omp parallel for if (n_rows * router->n_experts * router->n_chosen >= 65536)
  for (gsize i = 0; i < n_rows; i++)
    {
      float *scores = numbers + i * router->n_experts;

      for (guint k = 0; self->products.bias != NULL && k < router->n_experts; k++)
        scores[k] += self->products.bias[k];
      hl_router_choose (router, scores, chosen + i * router->n_chosen, shares + i * router->n_chosen);
    }
  list_visits (router, n_rows, chosen, shares, rows, shares + n_visits, visits);
  begin_sum (self, n_rows, input, result, numbers, scratch);
  for (guint i = 0; i < router->n_experts; i++)
    if (visits[i].n > 0)
      add_expert (self, &self->experts[i], &visits[i], input, result, numbers, scratch);
}

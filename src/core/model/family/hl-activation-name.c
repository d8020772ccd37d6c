/* SPDX-License-Identifier: MIT */
/* What configurations call the activations. */
#include "core/model/family/hl-activation-name.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"

static const struct
{
  const char *name;
  HlActivation activation;
} names[] = {
  { "gelu", HL_ACTIVATION_GELU },
  { "gelu_python", HL_ACTIVATION_GELU },
  { "gelu_new", HL_ACTIVATION_GELU_TANH },
  { "gelu_fast", HL_ACTIVATION_GELU_TANH },
  { "gelu_pytorch_tanh", HL_ACTIVATION_GELU_TANH },
  { "gated-gelu", HL_ACTIVATION_GELU_TANH },
  { "gated-silu", HL_ACTIVATION_SILU },
  { "gated-relu", HL_ACTIVATION_RELU },
  { "quick_gelu", HL_ACTIVATION_QUICK_GELU },
  { "silu", HL_ACTIVATION_SILU },
  { "swish", HL_ACTIVATION_SILU },
  { "swiglu", HL_ACTIVATION_SILU },
  { "relu", HL_ACTIVATION_RELU },
  { "relu2", HL_ACTIVATION_RELU_SQUARED },
};

gboolean
hl_activation_find (const char   *name,
                    HlActivation *activation,
                    GError      **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (names[i].name, name))
      {
        *activation = names[i].activation;
        return TRUE;
      }
  g_autofree char *shown = hl_utf8_quote (name, strlen (name), 60);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the activation “%s” in config.json is not known"), shown);
  return FALSE;
}

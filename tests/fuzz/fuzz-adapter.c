/* SPDX-License-Identifier: MIT */
/* Any bytes as the adapter_config.json of an adapter: what it says, and the scales of some modules. */
#include "fuzz.h"

#include "core/model/adapter/hl-adapter-config.h"

#include <string.h>

static const char *const modules[] = { "model.layers.0.self_attn.q_proj", "bert.encoder.layer.11.attention.self.query",
                                       "x", "" };

static void
check (const GError *error)
{
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlAdapterConfig) config = hl_adapter_config_parse ((const char *) bytes, size, &error);

  g_assert ((config == NULL) == (error != NULL));
  check (error);
  for (guint i = 0; config != NULL && i < G_N_ELEMENTS (modules); i++)
    {
      g_autoptr (GError) local = NULL;
      float scale;

      g_assert (hl_adapter_config_get_scale (config, modules[i], 8, &scale, &local) == (local == NULL));
      check (local);
    }
  return 0;
}

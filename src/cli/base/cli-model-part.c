/* SPDX-License-Identifier: MIT */
/* The option that leaves out the last layers of a model, the same for all subcommands that take one. */
#include "cli/base/cli-model-part.h"

#include "cli/base/cli-text.h"

#include <glib/gi18n-lib.h>

void
cli_model_part_add_entries (CliModelPart   *self,
                            GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "stop-after-layer", 0, 0, G_OPTION_ARG_STRING, &self->stop_after_layer,
      N_ ("Leave out the layers of a model after this one"), "L" },
    G_OPTION_ENTRY_NULL,
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

/* Finds out what was meant with the @option. What cannot be is said on standard error. Returns 0, or the exit status for wrong usage. */
int
cli_model_part_parse (CliModelPart *self,
                      const char   *option)
{
  guint64 layer;

  if (self->stop_after_layer == NULL)
    return 0;
  if (!g_ascii_string_to_unsigned (self->stop_after_layer, 10, 0, G_MAXINT32 - 1, &layer, NULL))
    return cli_print_misuse (_ ("--%s cannot be “%s”; it is the number of a layer, counted from 0"), option,
                             self->stop_after_layer);
  self->n_layers = (guint) layer + 1;
  return 0;
}

HlModel *
cli_model_part_load (const CliModelPart *self,
                     GFile              *file,
                     GError            **error)
{
  g_autoptr (HlModel) model = self->is_bare ? hl_model_load_base (file, error) : hl_model_load (file, error);

  if (model == NULL || (self->n_layers > 0 && !hl_model_stop_after (model, self->n_layers - 1, error)))
    return NULL;
  return g_steal_pointer (&model);
}

void
cli_model_part_clear (CliModelPart *self)
{
  g_free (self->stop_after_layer);
}

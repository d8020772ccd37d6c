/* SPDX-License-Identifier: MIT */
/* In place of hl-hub-client.c where libsoup is not there. */
#include "core/model/hub/hl-hub-client.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

static void
fail (GError **error)
{
  g_set_error_literal (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                       _ ("this Headlight was built without libsoup, so that it cannot download models"));
}

HlHubClient *
hl_hub_client_new (HlProgress *progress,
                   GError    **error)
{
  fail (error);
  return NULL;
}

void
hl_hub_client_free (HlHubClient *self)
{
}

char *
hl_hub_client_get (HlHubClient  *self,
                   const char   *address,
                   gsize        *size,
                   char        **link,
                   GCancellable *cancellable,
                   GError      **error)
{
  fail (error);
  return NULL;
}

GInputStream *
hl_hub_client_open (HlHubClient  *self,
                    const char   *address,
                    guint64       from,
                    HlHubAnswer  *answer,
                    GCancellable *cancellable,
                    GError      **error)
{
  fail (error);
  return NULL;
}

gboolean
hl_hub_client_wait (HlHubClient  *self,
                    guint         n_failures,
                    GCancellable *cancellable,
                    GError      **error)
{
  fail (error);
  return FALSE;
}

void
hl_hub_answer_clear (HlHubAnswer *self)
{
  g_clear_pointer (&self->hash, g_free);
}

/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/model/hub/hl-hub-choice.h"

G_BEGIN_DECLS

/**
 * HlHubOffer:
 * @repository: `org/name`
 * @revision: what was asked for
 * @commit: the commit that it is
 * @files: (element-type HlHubFile): all files of it
 * @choices: (element-type HlHubChoice): what can be had, at least one
 * @preferred: the place of the one to propose
 *
 * What the hub has of a model. Immutable; usable from any thread.
 */
typedef struct
{
  char      *repository;
  char      *revision;
  char      *commit;
  GPtrArray *files;
  GPtrArray *choices;
  guint      preferred;
} HlHubOffer;

HlHubOffer        *hl_hub_offer_new        (const char           *name,
                                            GCancellable         *cancellable,
                                            GError              **error);
void               hl_hub_offer_new_async  (const char           *name,
                                            GCancellable         *cancellable,
                                            GAsyncReadyCallback   callback,
                                            gpointer              data);
HlHubOffer        *hl_hub_offer_new_finish (GAsyncResult         *result,
                                            GError              **error);
HlHubOffer        *hl_hub_offer_ref        (HlHubOffer           *self);
void               hl_hub_offer_unref      (HlHubOffer           *self);
const HlHubChoice *hl_hub_offer_get_choice (HlHubOffer           *self,
                                            guint                 choice);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHubOffer, hl_hub_offer_unref)

G_END_DECLS

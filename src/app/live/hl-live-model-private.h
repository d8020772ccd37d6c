/* SPDX-License-Identifier: MIT */
/* What the files of HlLiveModel share. */
#pragma once

#include "app/live/hl-live-model.h"

G_BEGIN_DECLS

struct _HlLiveModel
{
  GObject parent_instance;

  GFile *folder;
  HlProgress *progress;
  HlModel *model;

  /* As typed. */
  char *text;
  char *second_text;
  guint pause;

  /* Of the run that is under way. */
  GCancellable *cancellable;
  HlModelRun *run;
  HlDocument *pending; /* while it is not shown */
  guint patience;
  gboolean again;

  HlDocument *document;
  HlAttentionKind wanted_attention;
  guint wanted_layer;
  GError *error;
};

void hl_live_model_watch_progress (HlLiveModel *self);

G_END_DECLS

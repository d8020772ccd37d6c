/* SPDX-License-Identifier: MIT */
/* What the files of HlHeadsPanel share. */
#pragma once

#include "app/heads/hl-heads-panel.h"
#include "app/heads/hl-pair-entry.h"

G_BEGIN_DECLS

struct _HlHeadsPanel
{
  GtkWidget parent_instance;

  HlViewState *state;
  gulong notify_id;
  HlHeadWork *work;
  GListStore *rows;
  HlAttention *rows_of; /* whose heads the rows are */
  GtkSelectionModel *selection;
  /* Set while the selection follows the view, so that it does not answer back. */
  gboolean is_following;
  /* Somebody asked just now: as soon as the answer is there, it is shown. */
  gboolean shows_best;
  gboolean sorts_by_pair;

  GtkWidget *content;
  HlPairEntry *pairs;
  GtkLabel *message;
  GtkColumnView *view;
  GtkWidget *progress_row;
  GtkProgressBar *progress;
  GtkButton *stop;
};

void hl_heads_panel_init_rows    (HlHeadsPanel *self);
void hl_heads_panel_follow_heads (HlHeadsPanel *self);

G_END_DECLS

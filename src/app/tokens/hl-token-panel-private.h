/* SPDX-License-Identifier: MIT */
/* What the files of HlTokenPanel share. */
#pragma once

#include "app/tokens/hl-token-list.h"
#include "app/tokens/hl-token-panel.h"
#include "app/tokens/hl-token-row.h"

G_BEGIN_DECLS

struct _HlTokenPanel
{
  HlStatePanel parent_instance;

  HlViewState *beside;
  gulong beside_id;
  HlTokenList *list;
  HlTokenWeights *running;
  HlTokenWeights *wanted;
  GCancellable *cancellable;
  guint patience_id;

  GtkWidget *stack;
  GtkLabel *hint;
  GtkLabel *shown;
  GtkLabel *title;
  GtkLabel *subtitle;
  GtkLabel *detail;
  GtkWidget *pin;
  GtkWidget *scroller;
  GtkWidget *view;
};

void hl_token_panel_show_hint    (HlTokenPanel   *self,
                                  const char     *hint);
void hl_token_panel_show_wait    (HlTokenPanel   *self,
                                  HlTokenWeights *awaited);
void hl_token_panel_show_weights (HlTokenPanel   *self,
                                  HlTokenWeights *weights);
void hl_token_panel_update_marks (HlTokenPanel   *self);
void hl_token_panel_install_rows (GtkWidgetClass *widget_class);

G_END_DECLS

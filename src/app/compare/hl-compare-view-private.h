/* SPDX-License-Identifier: MIT */
/* What the files that make up a compare view share. */
#pragma once

#include "app/compare/hl-compare-view.h"

#include "app/base/hl-loading-page.h"
#include "app/compare/hl-compare-bar.h"
#include "app/compare/hl-compare-scroll.h"
#include "app/live/hl-text-bar.h"

G_BEGIN_DECLS

struct _HlCompareView
{
  AdwBin parent_instance;

  HlCompareBar *bar;
  GtkPaned *paned;
  GtkWidget *other_side;
  GtkStack *other_stack;
  HlLoadingPage *loading_page;
  HlSceneView *other_view;
  HlTextBar *other_text_bar;

  HlSession *session;
  HlSceneView *scene_view;
  HlSession *other;
  HlCompareLink *link;
  HlCompareScroll *scroll;
  GCancellable *cancellable;
  gboolean was_active;
  /* Whether the second side is the first once more, of the same text and the same example. */
  gboolean follows_document;
  gboolean follows_example;
};

void hl_compare_view_update       (HlCompareView *self);
void hl_compare_view_stop_opening (HlCompareView *self);
void hl_compare_view_restore      (HlCompareView *self);

G_END_DECLS

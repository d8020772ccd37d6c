/* SPDX-License-Identifier: MIT */
/* The numbers of a page: maps of heads, each number in 16 bits between the least and the greatest of all. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/* The steps from the least number to the greatest. Even, so that zero is exact where the two are as far from it. */
#define HL_PAGE_STEPS 65532
/* What a mask hides, and what is no finite number. */
#define HL_PAGE_MASKED 65534
#define HL_PAGE_NOT_FINITE 65535

typedef struct
{
  guint  layer;
  guint  n_heads;
  guint *heads; /* which of the layer, in rising order */
  float *maps;  /* [n_heads, queries, keys] */
  char **names; /* what each head is called; "" where that is not clear; NULL where none can be */
} HlPageLayer;

/* What fits of the maps that are shown. */
typedef struct
{
  GArray *layers; /* of HlPageLayer, in rising order */
  gsize   n_map;  /* numbers of a map */
  guint   n_left; /* heads that are left out */
  double  min;
  double  max;
} HlPageNumbers;

HlPageNumbers *hl_page_numbers_new    (HlViewState         *state,
                                       GCancellable        *cancellable,
                                       GError             **error);
void           hl_page_numbers_free   (HlPageNumbers       *self);
gboolean       hl_page_numbers_have   (const HlPageNumbers *self,
                                       guint                layer,
                                       guint                head);
char          *hl_page_numbers_encode (const HlPageNumbers *self,
                                       guint                index);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPageNumbers, hl_page_numbers_free)

G_END_DECLS

/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/guess/hl-layout-lister.h"
#include "core/document/guess/hl-layout-steps.h"
#include "core/document/guess/hl-layout.h"

G_BEGIN_DECLS

/**
 * HL_LAYOUT_N_KINDS:
 *
 * How many kinds of attention there are.
 */
#define HL_LAYOUT_N_KINDS 4

/**
 * HlLayoutFinder:
 * @archive: what is looked through
 * @group: the group that @members are of
 * @members: (array zero-terminated=1): names
 * @lister: looks into other groups, and can be stopped
 * @layout: what was found
 * @axes: (nullable): those that somebody chose
 * @element: which element of what is called attention is meant; -1 for all of it
 * @n_lists: of tokens, one for each example; 0 where that is not known
 *
 * Where attention is looked for, and what is known of it. It owns nothing.
 */
typedef struct
{
  HlArchive          *archive;
  const char         *group;
  char              **members;
  HlLayoutLister     *lister;
  HlLayout           *layout;
  const HlLayoutAxes *axes;
  gint64              element;
  guint               n_lists;
} HlLayoutFinder;

void               hl_layout_finder_say           (HlLayoutFinder          *self,
                                                   gboolean                 ambiguous,
                                                   const char              *text);
void               hl_layout_finder_note          (HlLayoutFinder          *self,
                                                   const char              *name,
                                                   const HlShape           *shape,
                                                   const HlLayoutAxes      *axes,
                                                   gboolean                 ambiguous);
void               hl_layout_finder_note_layers   (HlLayoutFinder          *self,
                                                   const GArray            *numbers);
HlLayoutAttention *hl_layout_finder_add_attention (HlLayoutFinder          *self,
                                                   HlAttentionKind          kind,
                                                   char                   **paths,
                                                   const HlLayoutAxes      *axes,
                                                   gboolean                 ambiguous);
gboolean           hl_layout_finder_choose_axes   (HlLayoutFinder          *self,
                                                   HlLayoutAxes            *axes,
                                                   const char              *path,
                                                   const HlShape           *shape,
                                                   gboolean                 one_layer,
                                                   gboolean                *ambiguous);
gboolean           hl_layout_finder_add_tensor    (HlLayoutFinder          *self,
                                                   HlAttentionKind          kind,
                                                   const char              *name);
gboolean           hl_layout_finder_add_steps     (HlLayoutFinder          *self,
                                                   HlAttentionKind          kind,
                                                   const char              *name,
                                                   const HlLayoutSteps     *steps);
gboolean           hl_layout_finder_wants_heads   (const HlLayoutFinder    *self,
                                                   const HlLayoutSteps     *steps);
gboolean           hl_layout_finder_are_heads     (const HlLayoutFinder    *self,
                                                   const HlShape           *common,
                                                   guint                    n,
                                                   const char              *pattern);
gboolean           hl_layout_finder_add_heads     (HlLayoutFinder          *self,
                                                   HlAttentionKind          kind,
                                                   const char              *name,
                                                   const HlLayoutSteps     *steps);
guint64            hl_layout_finder_get_length    (HlLayoutFinder          *self,
                                                   const HlLayoutAttention *attention,
                                                   char                     letter);
void               hl_layout_finder_tell_kinds    (HlLayoutFinder          *self,
                                                   const char *const       *names);

G_END_DECLS

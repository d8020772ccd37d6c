/* SPDX-License-Identifier: MIT */
/* What the window says about each kind of view. A new view is one more line in the table. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/**
 * HlViewKindInfo:
 * @kind: the kind
 * @nick: its name in actions, settings and file names
 * @label: its name for people, not yet translated
 */
typedef struct
{
  HlViewKind kind;
  const char *nick;
  const char *label;
} HlViewKindInfo;

#define HL_N_VIEW_KINDS (HL_VIEW_LAYERS + 1)

extern const HlViewKindInfo hl_view_kinds[HL_N_VIEW_KINDS];

gboolean hl_view_kind_from_nick (const char *nick,
                                 HlViewKind *kind);

G_END_DECLS

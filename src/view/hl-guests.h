/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HL_MAX_GUESTS:
 *
 * So many heads of other layers can be guests.
 */
#define HL_MAX_GUESTS 24

/**
 * HlGuest:
 * @layer: its layer
 * @head: which head of it
 *
 * A head that is shown beside those of another layer.
 */
typedef struct
{
  guint layer;
  guint head;
} HlGuest;

/**
 * HlGuests:
 * @n: how many
 * @heads: (array length=n): in the order in which they came
 *
 * The guests of a layer, none twice. A value: copy it by assignment.
 */
typedef struct
{
  guint   n;
  HlGuest heads[HL_MAX_GUESTS];
} HlGuests;

/**
 * HlShownHead:
 * @layer: its layer
 * @head: which head of it
 * @colour: the number of its colour in the palette: that of the head; of a guest, one that no head of the layer has
 *   while the palette reaches
 *
 * A head among those that are shown together.
 */
typedef struct
{
  guint layer;
  guint head;
  guint colour;
} HlShownHead;

gboolean hl_guests_find      (const HlGuests *self,
                              guint           layer,
                              guint           head,
                              guint          *index);
gboolean hl_guests_contain   (const HlGuests *self,
                              guint           layer,
                              guint           head);
gboolean hl_guests_add       (HlGuests       *self,
                              guint           layer,
                              guint           head);
void     hl_guests_remove    (HlGuests       *self,
                              guint           layer,
                              guint           head);
gboolean hl_guests_equal     (const HlGuests *a,
                              const HlGuests *b);
gboolean hl_guests_parse     (HlGuests       *self,
                              const char     *text);
char    *hl_guests_format    (const HlGuests *self);

G_END_DECLS

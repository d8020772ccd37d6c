/* SPDX-License-Identifier: MIT */
/* An image that is pasted or dropped, and the side of a comparison that it is for. */
#pragma once

#include "app/page/hl-document-page.h"

G_BEGIN_DECLS

/* Nothing more is read; whether all of the image was. */
typedef void (*HlIncomingImageRead) (gpointer user_data, gboolean is_read);

/* Where an image goes: to the page, or to the side that it is compared with. */
typedef struct
{
  HlDocumentPage *page;
  HlLiveModel *other; /* NULL for the page itself */
  AdwToastOverlay *toasts;
  guint number;  /* of those that came, from 1 */
  GFile *before; /* what the side had when it came; NULL for none */
  HlIncomingImageRead told;
  gpointer user_data;
} HlIncomingImage;

HlLiveModel     *hl_incoming_image_get_other   (HlDocumentPage      *page);
gboolean         hl_incoming_image_is_wanted   (HlDocumentPage      *page);
const char      *hl_incoming_image_find_type   (GdkContentFormats   *formats);
HlIncomingImage *hl_incoming_image_new         (HlDocumentPage      *page,
                                                GtkWidget           *place,
                                                AdwToastOverlay     *toasts);
void             hl_incoming_image_take_file   (HlIncomingImage     *self,
                                                GFile               *file);
void             hl_incoming_image_take_stream (HlIncomingImage     *self,
                                                GInputStream        *stream,
                                                HlIncomingImageRead  told,
                                                gpointer             user_data);
void             hl_incoming_image_say         (HlIncomingImage     *self,
                                                const char          *sentence);
void             hl_incoming_image_free        (HlIncomingImage     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlIncomingImage, hl_incoming_image_free)

G_END_DECLS

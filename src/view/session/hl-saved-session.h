/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compare/hl-comparison.h"
#include "core/document/guess/hl-open-options.h"
#include "view/spelling/hl-state-text.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HL_SAVED_SESSION_SUFFIX:
 *
 * What names of session files end in.
 */
#define HL_SAVED_SESSION_SUFFIX ".headlight"

typedef struct _HlSavedSession HlSavedSession;

/**
 * HlSavedSession:
 * @file: what is looked at: a file of attention, or the folder of a model; of a second side, %NULL for that of the
 *   first
 * @fallback: (nullable): where that was when the session was saved, if @file is beside the session
 * @options: how the file is read
 * @example: which example
 * @pixels: (nullable): the file of what a model is run on that takes pixels, in place of a text
 * @is_image: whether that is an image, and not an array
 * @text: (nullable): what a model is run on; %NULL for a file
 * @text_pair: (nullable): a second text behind it
 * @target_text: (nullable): what the decoder is to write
 * @n_layers: how many layers of the model are computed; 0 for all
 * @is_bare: whether the model is without its adapter
 * @state: how it is looked at
 * @zoom: as hl_scene_get_zoom() gives it
 * @scroll_x: how far the content is scrolled, logical pixels
 * @scroll_y: likewise
 * @other: (nullable): what it is compared with
 * @difference: of what something is compared with: whether the difference is shown in place of both sides
 *
 * Everything that makes a picture. What it says is well formed; whether the document has it shows when it is opened.
 *
 * A second side looks as the first does, which is zoomed alike. Of its own it has what hl_saved_session_is_of_side()
 * names: a layer and a head only where these stay when those of the first change, and a token only where what is pinned
 * on the first does not say which. One without a file is read as the first is; without a text too, it is the same
 * document.
 */
struct _HlSavedSession
{
  GFile        *file;
  GFile        *fallback;
  HlOpenOptions options;
  guint         example;
  GFile        *pixels;
  gboolean      is_image;
  char         *text;
  char         *text_pair;
  char         *target_text;
  guint         n_layers;
  gboolean      is_bare;
  HlStateTexts  state;
  double        zoom;
  double        scroll_x;
  double        scroll_y;

  HlSavedSession *other;
  gboolean        difference;
};

gboolean        hl_saved_session_is_file    (GFile                 *file,
                                             GCancellable          *cancellable);
gboolean        hl_saved_session_is_again   (const HlSavedSession  *other);
gboolean        hl_saved_session_is_of_side (guint                  index);
HlSavedSession *hl_saved_session_parse      (const char            *text,
                                             gsize                  size,
                                             GFile                 *folder,
                                             GError               **error);
HlSavedSession *hl_saved_session_load       (GFile                 *file,
                                             GCancellable          *cancellable,
                                             GError               **error);
HlSavedSession *hl_saved_session_get_missing (HlSavedSession       *self,
                                              GCancellable         *cancellable);
void            hl_saved_session_use_located (HlSavedSession       *self,
                                              GPtrArray            *located,
                                              GCancellable         *cancellable);
gboolean        hl_saved_session_find_file  (HlSavedSession        *self,
                                             GCancellable          *cancellable,
                                             GError               **error);
char           *hl_saved_session_dup_last_layer (const HlSavedSession *self);
HlHeadPairing   hl_saved_session_get_pairing (const HlSavedSession *self);
char           *hl_saved_session_to_json    (const HlSavedSession  *self,
                                             GFile                 *folder);
gboolean        hl_saved_session_save       (const HlSavedSession  *self,
                                             GFile                 *target,
                                             GError               **error);
char           *hl_saved_session_to_command (const HlSavedSession  *self,
                                             const char            *output,
                                             double                 width,
                                             double                 height,
                                             double                 scale);
HlSavedSession *hl_saved_session_copy       (const HlSavedSession  *self);
void            hl_saved_session_free       (HlSavedSession        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlSavedSession, hl_saved_session_free)

G_END_DECLS

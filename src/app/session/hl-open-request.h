/* SPDX-License-Identifier: MIT */
/* What is to be opened: a file, what it is to look like, and what a model is to be run on. */
#pragma once

#include "app/session/hl-session.h"

G_BEGIN_DECLS

/**
 * HlOpenAdapter:
 * @HL_OPEN_ADAPTER_LIKE: as in what it is to be like; on, if there is none
 * @HL_OPEN_ADAPTER_ON: it is on
 * @HL_OPEN_ADAPTER_OFF: it is off
 *
 * Whether a model is opened with its adapter.
 */
typedef enum
{
  HL_OPEN_ADAPTER_LIKE,
  HL_OPEN_ADAPTER_ON,
  HL_OPEN_ADAPTER_OFF,
} HlOpenAdapter;

typedef struct
{
  GFile *file;           /* a dump, a model or its folder, or a session file */
  GFile *session_file;   /* if the file was named by one, that */
  GPtrArray *located;    /* of files: where those are now that a session file names and that are missing; or NULL */
  HlSavedSession *saved; /* what a session file would hold, in place of one; or NULL */
  GFile *pixels;         /* for a model that takes some; or NULL */
  HlOpenAdapter adapter;
  char *texts[2];        /* for a model that takes any, the second NULL for none; both NULL for what it is shown with by itself */
} HlOpenRequest;

HlOpenRequest  *hl_open_request_new         (GFile                *file);
HlOpenRequest  *hl_open_request_copy        (const HlOpenRequest  *self);
void            hl_open_request_free        (HlOpenRequest        *self);
void            hl_open_request_set_saved   (HlOpenRequest        *self,
                                             const HlSavedSession *saved);
void            hl_open_request_set_texts   (HlOpenRequest        *self,
                                             const char           *text,
                                             const char           *second_text);
void            hl_open_request_take_opened (HlOpenRequest        *self,
                                             HlSession            *session,
                                             gboolean              is_first);
HlSavedSession *hl_open_request_save        (const HlOpenRequest  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlOpenRequest, hl_open_request_free)

G_END_DECLS

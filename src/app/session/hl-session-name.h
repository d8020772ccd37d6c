/* SPDX-License-Identifier: MIT */
/* Names for files that are made of what a session shows. */
#pragma once

#include "app/session/hl-session.h"

G_BEGIN_DECLS

char *hl_session_dup_document_name (HlSession *self);
char *hl_session_dup_figure_name   (HlSession *self);
char *hl_session_dup_table_name    (HlSession *self);
char *hl_session_dup_head_name     (HlSession *self);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/* Asks whether far more numbers may be read than a file holds. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef void (*HlReadingAllowed) (gpointer data);

void hl_reading_question_ask (GtkWindow        *window,
                              const GError     *refusal,
                              HlReadingAllowed  on_allowed,
                              gpointer          data,
                              GDestroyNotify    free_data);

G_END_DECLS

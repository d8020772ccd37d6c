/* SPDX-License-Identifier: MIT */
/* JSON as it may stand in a script element of a page: no text in it can end the element or begin another. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_page_json_append_string  (GString    *json,
                                  const char *text);
void hl_page_json_append_number  (GString    *json,
                                  double      number);
void hl_page_json_begin_member   (GString    *json,
                                  const char *name);
void hl_page_json_append_member  (GString    *json,
                                  const char *name,
                                  const char *text);
void hl_page_json_append_integer (GString    *json,
                                  const char *name,
                                  guint64     number);
void hl_page_append_html         (GString    *html,
                                  const char *text);

G_END_DECLS

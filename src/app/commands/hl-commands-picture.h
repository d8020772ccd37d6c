/* SPDX-License-Identifier: MIT */
/* Commands about how the picture is looked at: view, zoom, what is left out, panels. */
#pragma once

#include "app/commands/hl-command-subject.h"

G_BEGIN_DECLS

void       hl_command_change_panel      (const HlCommandSubject *on);
void       hl_command_change_fullscreen (const HlCommandSubject *on);
void       hl_command_find_token        (const HlCommandSubject *on);
void       hl_command_find_next         (const HlCommandSubject *on);
void       hl_command_find_previous     (const HlCommandSubject *on);
void       hl_command_change_flag       (const HlCommandSubject *on);
void       hl_command_hide_token        (const HlCommandSubject *on);
void       hl_command_undo              (const HlCommandSubject *on);
void       hl_command_redo              (const HlCommandSubject *on);
void       hl_command_show_all_tokens   (const HlCommandSubject *on);
void       hl_command_change_choice     (const HlCommandSubject *on);
void       hl_command_change_view       (const HlCommandSubject *on);
void       hl_command_free_pin          (const HlCommandSubject *on);
void       hl_command_zoom_in           (const HlCommandSubject *on);
void       hl_command_zoom_out          (const HlCommandSubject *on);
void       hl_command_zoom_fit          (const HlCommandSubject *on);
gboolean   hl_command_has_tokens        (const HlCommandSubject *on);
gboolean   hl_command_can_turn          (const HlCommandSubject *on);
gboolean   hl_command_can_be_read       (const HlCommandSubject *on);
gboolean   hl_command_hides_tokens      (const HlCommandSubject *on);
gboolean   hl_command_can_hide          (const HlCommandSubject *on);
gboolean   hl_command_can_undo          (const HlCommandSubject *on);
gboolean   hl_command_can_redo          (const HlCommandSubject *on);
gboolean   hl_command_has_hidden        (const HlCommandSubject *on);
gboolean   hl_command_has_focus         (const HlCommandSubject *on);
gboolean   hl_command_can_zoom          (const HlCommandSubject *on);
GVariant  *hl_command_get_panel         (const HlCommandSubject *on);
GVariant  *hl_command_get_fullscreen    (const HlCommandSubject *on);
GVariant  *hl_command_get_flag          (const HlCommandSubject *on);
GVariant  *hl_command_get_choice        (const HlCommandSubject *on);
GVariant  *hl_command_get_view          (const HlCommandSubject *on);

G_END_DECLS

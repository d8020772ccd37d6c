/* SPDX-License-Identifier: MIT */
/* Commands about what is compared, and what is kept of it: files, figures, numbers. */
#pragma once

#include "app/commands/hl-command-subject.h"

G_BEGIN_DECLS

void       hl_command_compare           (const HlCommandSubject *on);
void       hl_command_stop_comparing    (const HlCommandSubject *on);
void       hl_command_change_difference (const HlCommandSubject *on);
void       hl_command_show_other_side   (const HlCommandSubject *on);
void       hl_command_change_side       (const HlCommandSubject *on);
void       hl_command_save_as           (const HlCommandSubject *on);
void       hl_command_save_session      (const HlCommandSubject *on);
void       hl_command_export_figure     (const HlCommandSubject *on);
void       hl_command_export_numbers    (const HlCommandSubject *on);
void       hl_command_copy_figure       (const HlCommandSubject *on);
void       hl_command_copy_command      (const HlCommandSubject *on);
gboolean   hl_command_compares          (const HlCommandSubject *on);
gboolean   hl_command_has_sides         (const HlCommandSubject *on);
gboolean   hl_command_has_turns         (const HlCommandSubject *on);
gboolean   hl_command_has_other_side    (const HlCommandSubject *on);
gboolean   hl_command_has_picture       (const HlCommandSubject *on);
gboolean   hl_command_is_settled        (const HlCommandSubject *on);
GVariant  *hl_command_get_side          (const HlCommandSubject *on);
GVariant  *hl_command_get_difference    (const HlCommandSubject *on);

G_END_DECLS

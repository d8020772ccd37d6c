/* SPDX-License-Identifier: MIT */
/* Commands about which heads are shown, and those that find one. */
#pragma once

#include "app/commands/hl-command-subject.h"

G_BEGIN_DECLS

void       hl_command_find_heads_of_pin   (const HlCommandSubject *on);
void       hl_command_find_heads          (const HlCommandSubject *on);
void       hl_command_ask_model           (const HlCommandSubject *on);
void       hl_command_change_head_table   (const HlCommandSubject *on);
void       hl_command_show_changes        (const HlCommandSubject *on);
gboolean   hl_command_is_past_first_head  (const HlCommandSubject *on);
void       hl_command_first_head          (const HlCommandSubject *on);
void       hl_command_previous_head       (const HlCommandSubject *on);
void       hl_command_next_head           (const HlCommandSubject *on);
void       hl_command_previous_layer      (const HlCommandSubject *on);
void       hl_command_next_layer          (const HlCommandSubject *on);
void       hl_command_select_all_heads    (const HlCommandSubject *on);
void       hl_command_select_no_heads     (const HlCommandSubject *on);
gboolean   hl_command_has_previous_head   (const HlCommandSubject *on);
gboolean   hl_command_has_next_head       (const HlCommandSubject *on);
gboolean   hl_command_has_previous_layer  (const HlCommandSubject *on);
gboolean   hl_command_has_next_layer      (const HlCommandSubject *on);
gboolean   hl_command_has_heads_to_choose (const HlCommandSubject *on);
gboolean   hl_command_has_heads_to_drop   (const HlCommandSubject *on);
GVariant  *hl_command_get_head_table      (const HlCommandSubject *on);

G_END_DECLS

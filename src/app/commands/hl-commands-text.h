/* SPDX-License-Identifier: MIT */
/* Commands about the text a model is given. */
#pragma once

#include "app/commands/hl-command-subject.h"

G_BEGIN_DECLS

void       hl_command_edit_text          (const HlCommandSubject *on);
void       hl_command_generate           (const HlCommandSubject *on);
void       hl_command_mask_token         (const HlCommandSubject *on);
void       hl_command_space_letters      (const HlCommandSubject *on);
void       hl_command_take_several_texts (const HlCommandSubject *on);
void       hl_command_change_adapter     (const HlCommandSubject *on);
gboolean   hl_command_takes_texts        (const HlCommandSubject *on);
gboolean   hl_command_can_generate       (const HlCommandSubject *on);
gboolean   hl_command_has_adapter        (const HlCommandSubject *on);
gboolean   hl_command_can_mask           (const HlCommandSubject *on);
GVariant  *hl_command_get_adapter        (const HlCommandSubject *on);

G_END_DECLS

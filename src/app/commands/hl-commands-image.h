/* SPDX-License-Identifier: MIT */
/* Commands about the images that models see. */
#pragma once

#include "app/commands/hl-command-subject.h"

G_BEGIN_DECLS

void     hl_command_open_image         (const HlCommandSubject *on);
void     hl_command_open_other_image   (const HlCommandSubject *on);
void     hl_command_paste_image        (const HlCommandSubject *on);
gboolean hl_command_can_paste_image    (const HlCommandSubject *on);
gboolean hl_command_takes_pixels       (const HlCommandSubject *on);
gboolean hl_command_other_takes_pixels (const HlCommandSubject *on);

G_END_DECLS

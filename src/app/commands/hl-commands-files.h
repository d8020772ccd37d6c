/* SPDX-License-Identifier: MIT */
/* Commands about what is opened, and how it is read. */
#pragma once

#include "app/commands/hl-command-subject.h"

G_BEGIN_DECLS

void     hl_command_open_files     (const HlCommandSubject *on);
void     hl_command_open_model     (const HlCommandSubject *on);
void     hl_command_list_models    (const HlCommandSubject *on);
void     hl_command_open_recent    (const HlCommandSubject *on);
void     hl_command_open_sample    (const HlCommandSubject *on);
void     hl_command_open_sentence  (const HlCommandSubject *on);
void     hl_command_copy_python    (const HlCommandSubject *on);
void     hl_command_forget_recent  (const HlCommandSubject *on);
void     hl_command_open_folder    (const HlCommandSubject *on);
void     hl_command_open_lost      (const HlCommandSubject *on);
void     hl_command_drop_lost      (const HlCommandSubject *on);
void     hl_command_reload         (const HlCommandSubject *on);
void     hl_command_show_help      (const HlCommandSubject *on);
void     hl_command_close_tab      (const HlCommandSubject *on);
void     hl_command_show_details   (const HlCommandSubject *on);
void     hl_command_choose_axes    (const HlCommandSubject *on);
void     hl_command_choose_axes_of (const HlCommandSubject *on);
void     hl_command_show_softmax   (const HlCommandSubject *on);
gboolean hl_command_has_lost       (const HlCommandSubject *on);
gboolean hl_command_can_reload     (const HlCommandSubject *on);
gboolean hl_command_has_archive    (const HlCommandSubject *on);
gboolean hl_command_can_be_scores  (const HlCommandSubject *on);

G_END_DECLS

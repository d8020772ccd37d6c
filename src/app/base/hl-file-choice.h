/* SPDX-License-Identifier: MIT */
/* What all choosers of files have in common. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void   hl_file_choice_show_to_save (GtkFileChooserNative *chooser,
                                    GFile                *beside,
                                    GUserDirectory        usual);
void   hl_file_choice_show       (GtkFileChooserNative *chooser,
                                  GFile                *beside);
GFile *hl_file_choice_get_file   (GtkFileChooserNative *chooser,
                                  int                   response);
GFile *hl_file_choice_add_ending (GFile                *file,
                                  const char           *ending,
                                  GError              **error);

G_END_DECLS

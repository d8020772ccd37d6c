/* SPDX-License-Identifier: MIT */
/*
 * Words that begin as what is being typed, in a list below it. The keyboard stays where one types: who types hands its
 * keys over. The list goes with Escape, a click elsewhere, and when somebody else is typed into.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_WORD_LIST (hl_word_list_get_type ())
G_DECLARE_FINAL_TYPE (HlWordList, hl_word_list, HL, WORD_LIST, GtkPopover)

GtkWidget *hl_word_list_new        (void);
void       hl_word_list_set_words  (HlWordList *self,
                                    GPtrArray  *words);
void       hl_word_list_show_for   (HlWordList *self,
                                    const char *typed);
gboolean   hl_word_list_handle_key (HlWordList *self,
                                    guint       key);

G_END_DECLS

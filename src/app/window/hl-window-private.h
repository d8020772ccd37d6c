/* SPDX-License-Identifier: MIT */
/* What the files of HlWindow share. */
#pragma once

#include "app/page/hl-welcome-page.h"
#include "app/window/hl-window.h"

/* How long a sentence stays that takes a moment to read, and a word. */
#define HL_SENTENCE_SECONDS 10
#define HL_WORD_SECONDS 2

G_BEGIN_DECLS

struct _HlWindow
{
  AdwApplicationWindow parent_instance;

  AdwWindowTitle *title;
  GtkMenuButton *view_button;
  GMenu *recent_menu;
  AdwToastOverlay *toast_overlay;
  AdwToast *toast; /* what it says at the moment, if anything */
  guint toast_timeout;
  GtkStack *stack;
  HlWelcomePage *welcome_page;
  AdwTabView *tab_view;

  GSettings *settings;
  /* Whose changes the title and the actions follow. */
  HlDocumentPage *page;
  HlSession *session;
  GtkWidget *details;
  gboolean sidebar_visible;
  gboolean panel_visible;
};

void     hl_window_install_actions         (HlWindow       *self);
void     hl_window_install_keys            (GtkWidgetClass *widget_class);
void     hl_window_update_actions          (HlWindow       *self);
void     hl_window_enable_action           (HlWindow       *self,
                                            const char     *name,
                                            gboolean        enabled);
void     hl_window_set_action_state        (HlWindow       *self,
                                            const char     *name,
                                            GVariant       *state);

void     hl_window_install_open_actions    (HlWindow       *self);
void     hl_window_update_recent           (HlWindow       *self);
void     hl_window_init_drop               (HlWindow       *self);
void     hl_window_open_document           (HlWindow       *self,
                                            HlDocument     *document);
void     hl_window_open_located            (HlWindow       *self,
                                            GFile          *session_file,
                                            GFile          *located);
gboolean hl_window_offer_locate            (HlWindow       *self,
                                            GFile          *file,
                                            const GError   *error);
gboolean hl_window_close_tab               (HlWindow       *self);

void     hl_window_install_axes_actions    (HlWindow       *self);
void     hl_window_update_axes_actions     (HlWindow       *self);
void     hl_window_offer_axes              (HlWindow       *self,
                                            GFile          *file,
                                            const char     *text);

void     hl_window_install_export_actions  (HlWindow       *self);
void     hl_window_update_export_actions   (HlWindow       *self);
void     hl_window_install_table_actions   (HlWindow       *self);
void     hl_window_update_table_actions    (HlWindow       *self);
void     hl_window_install_save_actions    (HlWindow       *self);
void     hl_window_update_save_actions     (HlWindow       *self);
void     hl_window_install_session         (HlWindow       *self);
void     hl_window_update_session          (HlWindow       *self);

void     hl_window_install_view_actions    (HlWindow       *self);
void     hl_window_update_view_actions     (HlWindow       *self);
void     hl_window_install_reading_actions (HlWindow       *self);
void     hl_window_update_reading_actions  (HlWindow       *self);
void     hl_window_append_reading_menu     (GMenu          *menu);
void     hl_window_install_hiding_actions  (HlWindow       *self);
void     hl_window_update_hiding_actions   (HlWindow       *self);
void     hl_window_install_find_actions    (HlWindow       *self);
void     hl_window_update_find_actions     (HlWindow       *self);
void     hl_window_install_heads_actions   (HlWindow       *self);
void     hl_window_update_heads_actions    (HlWindow       *self);
gboolean hl_window_shows_head_table        (HlWindow       *self);
void     hl_window_install_compare         (HlWindow       *self);
void     hl_window_update_compare          (HlWindow       *self);

void     hl_window_say                     (HlWindow       *self,
                                            const char     *text,
                                            GFile          *file,
                                            guint           seconds);
void     hl_window_say_saved               (HlWindow       *self,
                                            GFile          *target,
                                            const GError   *error);
void     hl_window_offer                   (HlWindow       *self,
                                            const char     *text,
                                            const char     *label,
                                            const char     *action,
                                            const char     *target,
                                            guint           seconds);
gboolean hl_window_says                    (HlWindow       *self,
                                            const char     *text);
void     hl_window_clear_toast             (HlWindow       *self);

G_END_DECLS

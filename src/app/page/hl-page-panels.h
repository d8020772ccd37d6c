/* SPDX-License-Identifier: MIT */
/* The panels beside the scene of a page: which are seen, where they are on a page as narrow as a phone, and that none keeps the keyboard
 * when it goes. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum
{
  HL_PAGE_PANEL_SIDEBAR, /* heads and filters */
  HL_PAGE_PANEL_SIDE,    /* what is told */
} HlPagePanel;

#define HL_N_PAGE_PANELS (HL_PAGE_PANEL_SIDE + 1)

#define HL_TYPE_PAGE_PANELS (hl_page_panels_get_type ())
G_DECLARE_FINAL_TYPE (HlPagePanels, hl_page_panels, HL, PAGE_PANELS, GObject)

void          hl_page_panels_bind        (GtkWidgetClass *page_class);
HlPagePanels *hl_page_panels_new         (GtkWidget      *page,
                                          GSettings      *settings);
void          hl_page_panels_furnish     (HlPagePanels   *self,
                                          GType           page_type);
void          hl_page_panels_strip       (HlPagePanels   *self);
GtkWidget    *hl_page_panels_get_panel   (HlPagePanels   *self,
                                          HlPagePanel     panel);
gboolean      hl_page_panels_get_visible (HlPagePanels   *self,
                                          HlPagePanel     panel);
gboolean      hl_page_panels_cover       (HlPagePanels   *self,
                                          HlPagePanel     panel);
void          hl_page_panels_set_visible (HlPagePanels   *self,
                                          HlPagePanel     panel,
                                          gboolean        visible);
void          hl_page_panels_offer       (HlPagePanels   *self,
                                          HlPagePanel     panel,
                                          gboolean        wanted);
void          hl_page_panels_set_narrow  (HlPagePanels   *self,
                                          gboolean        narrow);
void          hl_page_panels_on_revealed (HlPagePanels   *self,
                                          HlPagePanel     panel);

G_END_DECLS

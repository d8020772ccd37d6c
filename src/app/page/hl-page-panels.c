/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/page/hl-page-panels.h"

#include "app/base/hl-focus.h"
#include "app/page/hl-panel-place.h"

#define SIDEBAR_WIDTH 264
/* As wide as panels may become that have a page to themselves. */
#define SHEET_WIDTH 560

struct _HlPagePanels
{
  GObject parent_instance;

  GtkWidget *page; /* which owns this */
  GSettings *settings;
  HlPanelPlace places[HL_N_PAGE_PANELS];
  guint revealed_id; /* until the next frame, where a panel went or came by itself */
};

enum
{
  REVEALED,
  LEFT,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* What is theirs in the page's template. */
static const struct
{
  const char *setting, *panel, *flap, *sheet;
} names[HL_N_PAGE_PANELS] = {
  [HL_PAGE_PANEL_SIDEBAR] = { "sidebar-visible", "sidebar", "sidebar_flap", "sidebar_sheet" },
  [HL_PAGE_PANEL_SIDE] = { "panel-visible", "side_panel", "panel_flap", "panel_sheet" },
};

G_DEFINE_FINAL_TYPE (HlPagePanels, hl_page_panels, G_TYPE_OBJECT)

static void
hl_page_panels_dispose (GObject *object)
{
  g_clear_object (&HL_PAGE_PANELS (object)->settings);
  G_OBJECT_CLASS (hl_page_panels_parent_class)->dispose (object);
}

static void
hl_page_panels_class_init (HlPagePanelsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_page_panels_dispose;

  /* An HlPagePanel came or went. */
  signals[REVEALED] =
    g_signal_new ("revealed", HL_TYPE_PAGE_PANELS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  /* One went that had the keyboard. */
  signals[LEFT] = g_signal_new ("left", HL_TYPE_PAGE_PANELS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_page_panels_init (HlPagePanels *self)
{
  for (guint i = 0; i < HL_N_PAGE_PANELS; i++)
    {
      self->places[i].setting = names[i].setting;
      self->places[i].wanted = TRUE;
    }
}

/* Once for all pages. */
void
hl_page_panels_bind (GtkWidgetClass *page_class)
{
  g_return_if_fail (GTK_IS_WIDGET_CLASS (page_class));

  g_type_ensure (HL_TYPE_BOTTOM_SHEET);
  for (guint i = 0; i < HL_N_PAGE_PANELS; i++)
    {
      gtk_widget_class_bind_template_child_full (page_class, names[i].panel, FALSE, 0);
      gtk_widget_class_bind_template_child_full (page_class, names[i].flap, FALSE, 0);
      gtk_widget_class_bind_template_child_full (page_class, names[i].sheet, FALSE, 0);
    }
}

HlPagePanels *
hl_page_panels_new (GtkWidget *page,
                    GSettings *settings)
{
  g_return_val_if_fail (GTK_IS_WIDGET (page), NULL);
  g_return_val_if_fail (G_IS_SETTINGS (settings), NULL);

  HlPagePanels *self = g_object_new (HL_TYPE_PAGE_PANELS, NULL);
  self->page = page;
  self->settings = g_object_ref (settings);
  return self;
}

/* The page has its widgets now. */
void
hl_page_panels_furnish (HlPagePanels *self,
                        GType         page_type)
{
  g_return_if_fail (HL_IS_PAGE_PANELS (self));

  for (guint i = 0; i < HL_N_PAGE_PANELS; i++)
    {
      HlPanelPlace *place = &self->places[i];
      place->panel = GTK_WIDGET (gtk_widget_get_template_child (self->page, page_type, names[i].panel));
      place->flap = ADW_FLAP (gtk_widget_get_template_child (self->page, page_type, names[i].flap));
      place->sheet = HL_BOTTOM_SHEET (gtk_widget_get_template_child (self->page, page_type, names[i].sheet));
    }
}

/* The page has no widgets any more. */
void
hl_page_panels_strip (HlPagePanels *self)
{
  g_return_if_fail (HL_IS_PAGE_PANELS (self));

  for (guint i = 0; i < HL_N_PAGE_PANELS; i++)
    {
      self->places[i].panel = NULL;
      self->places[i].flap = NULL;
      self->places[i].sheet = NULL;
    }
}

/* NULL as long as the page has no widgets. */
GtkWidget *
hl_page_panels_get_panel (HlPagePanels *self,
                          HlPagePanel   panel)
{
  g_return_val_if_fail (HL_IS_PAGE_PANELS (self), NULL);
  g_return_val_if_fail ((guint) panel < HL_N_PAGE_PANELS, NULL);

  return self->places[panel].panel;
}

gboolean
hl_page_panels_get_visible (HlPagePanels *self,
                            HlPagePanel   panel)
{
  g_return_val_if_fail (HL_IS_PAGE_PANELS (self), FALSE);
  g_return_val_if_fail ((guint) panel < HL_N_PAGE_PANELS, FALSE);

  return hl_panel_place_get_visible (&self->places[panel]);
}

/* Whether the panel comes over the scene, which has no room beside it. */
gboolean
hl_page_panels_cover (HlPagePanels *self,
                      HlPagePanel   panel)
{
  g_return_val_if_fail (HL_IS_PAGE_PANELS (self), FALSE);
  g_return_val_if_fail ((guint) panel < HL_N_PAGE_PANELS, FALSE);

  return hl_panel_place_covers (&self->places[panel]);
}

/* Nothing that slides away keeps the keyboard: a list of it would drop down where there is no display. */
static void
leave_hidden (HlPagePanels       *self,
              const HlPanelPlace *place)
{
  if (!place->narrow && hl_focus_is_in (place->panel) && !hl_panel_place_get_visible (place))
    g_signal_emit (self, signals[LEFT], 0);
}

void
hl_page_panels_set_visible (HlPagePanels *self,
                            HlPagePanel   panel,
                            gboolean      visible)
{
  g_return_if_fail (HL_IS_PAGE_PANELS (self));
  g_return_if_fail ((guint) panel < HL_N_PAGE_PANELS);

  hl_panel_place_set_visible (&self->places[panel], visible);
  if (self->places[panel].flap != NULL)
    leave_hidden (self, &self->places[panel]);
}

/* To be called when the page came on top: a panel that somebody wants is seen unless it would lie over the scene. */
void
hl_page_panels_offer (HlPagePanels *self,
                      HlPagePanel   panel,
                      gboolean      wanted)
{
  g_return_if_fail (HL_IS_PAGE_PANELS (self));
  g_return_if_fail ((guint) panel < HL_N_PAGE_PANELS);

  hl_panel_place_offer (&self->places[panel], wanted);
}

/* On a page as narrow as a phone, what stands beside the scene comes up from below. */
void
hl_page_panels_set_narrow (HlPagePanels *self,
                           gboolean      narrow)
{
  g_return_if_fail (HL_IS_PAGE_PANELS (self));

  const int width = narrow ? -1 : SIDEBAR_WIDTH, max_width = narrow ? SHEET_WIDTH : SIDEBAR_WIDTH;

  g_object_set (self->places[HL_PAGE_PANEL_SIDEBAR].panel, "width-request", width, "maximum-size", max_width,
                "tightening-threshold", max_width, NULL);
  for (guint i = 0; i < HL_N_PAGE_PANELS; i++)
    if (hl_panel_place_set_narrow (&self->places[i], narrow, self->settings))
      g_signal_emit (self, signals[LEFT], 0);
}

static gboolean
tell_revealed (GtkWidget     *page,
               GdkFrameClock *clock,
               gpointer       data)
{
  HlPagePanels *self = data;

  self->revealed_id = 0;
  for (guint i = 0; i < HL_N_PAGE_PANELS; i++)
    leave_hidden (self, &self->places[i]);
  for (guint i = 0; i < HL_N_PAGE_PANELS; i++)
    g_signal_emit (self, signals[REVEALED], 0, i);
  return G_SOURCE_REMOVE;
}

/*
 * AdwFlap (libadwaita 1.2.2) folds a panel away while room is given away, in the middle of GTK's layout. Tabs below are told what
 * the window shows, and would ask for room then; GTK 4.8 takes that for what comes next frame, and draws what stands around
 * the tabs "without a current allocation". So it is told with the next frame, before its layout.
 */
void
hl_page_panels_on_revealed (HlPagePanels *self,
                            HlPagePanel   panel)
{
  g_return_if_fail (HL_IS_PAGE_PANELS (self));
  g_return_if_fail ((guint) panel < HL_N_PAGE_PANELS);

  hl_panel_place_settle (&self->places[panel]);
  if (self->places[panel].told)
    g_signal_emit (self, signals[REVEALED], 0, panel);
  else if (self->revealed_id == 0)
    self->revealed_id = gtk_widget_add_tick_callback (self->page, tell_revealed, g_object_ref (self), g_object_unref);
}

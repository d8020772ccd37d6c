/* SPDX-License-Identifier: MIT */
/* Half each to begin with. Whoever moves the handle finds it there again after a look at what has all the room. */
#include "config.h"

#include "app/compare/hl-halves.h"

struct _HlHalves
{
  GObject parent_instance;

  GtkPaned *paned; /* whose owner owns this */
  /* Nobody moved the handle, and where it may stand. */
  gboolean is_halved;
  int room;
};

G_DEFINE_FINAL_TYPE (HlHalves, hl_halves, G_TYPE_OBJECT)

static void
hl_halves_class_init (HlHalvesClass *klass)
{
}

static void
hl_halves_init (HlHalves *self)
{
}

/* One above the other. */
static gboolean
is_stacked (GtkWidget *paned)
{
  return gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) == GTK_ORIENTATION_VERTICAL;
}

static int
get_extent (GtkWidget *paned)
{
  return is_stacked (paned) ? gtk_widget_get_height (paned) : gtk_widget_get_width (paned);
}

static gboolean
halve (GtkWidget     *paned,
       GdkFrameClock *clock,
       gpointer       data)
{
  const int extent = get_extent (paned);

  if (extent > 0)
    gtk_paned_set_position (GTK_PANED (paned), extent / 2);
  return extent > 0 ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

static int
get_room (HlHalves *self)
{
  int room;

  g_object_get (self->paned, "max-position", &room, NULL);
  return room;
}

static gboolean
has_two (HlHalves *self)
{
  return gtk_widget_get_visible (gtk_paned_get_end_child (self->paned));
}

/* As panels come and go, half of what there is is half; one above the other, that is little enough. */
static void
on_room (HlHalves *self)
{
  self->room = get_room (self);
  if ((is_stacked (GTK_WIDGET (self->paned)) || self->is_halved) && has_two (self))
    hl_halves_divide (self);
}

/* Somebody moved the handle, unless there is another room. */
static void
on_position (HlHalves *self)
{
  if (self->room == get_room (self) && has_two (self) &&
      gtk_paned_get_position (self->paned) != get_extent (GTK_WIDGET (self->paned)) / 2)
    self->is_halved = FALSE;
}

HlHalves *
hl_halves_new (GtkPaned *paned)
{
  g_return_val_if_fail (GTK_IS_PANED (paned), NULL);

  HlHalves *self = g_object_new (HL_TYPE_HALVES, NULL);
  self->paned = paned;
  self->room = get_room (self);
  g_signal_connect_object (paned, "notify::max-position", G_CALLBACK (on_room), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (paned, "notify::position", G_CALLBACK (on_position), self, G_CONNECT_SWAPPED);
  return self;
}

/* There are two sides anew, which nobody has divided. */
void
hl_halves_begin (HlHalves *self,
                 gboolean  is_seen)
{
  g_return_if_fail (HL_IS_HALVES (self));

  self->is_halved = TRUE;
  /* A page that has just been opened has no width yet. */
  if (is_seen && halve (GTK_WIDGET (self->paned), NULL, NULL) == G_SOURCE_CONTINUE)
    hl_halves_divide (self);
}

/* Once there is room: half each. */
void
hl_halves_divide (HlHalves *self)
{
  g_return_if_fail (HL_IS_HALVES (self));

  gtk_widget_add_tick_callback (GTK_WIDGET (self->paned), halve, NULL, NULL);
}

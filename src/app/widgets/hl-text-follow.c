/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/widgets/hl-text-follow.h"

#define DATA "hl-text-follow"

/* Of a view, while lines are laid out. */
typedef struct
{
  guint tick;
  guint idle;
  double upper; /* how high they were a frame ago */
  double page;  /* and how much of that was seen */
} Follow;

/* Never past the last line. */
static void
on_scrolled (GtkAdjustment *adjustment)
{
  const double last = MAX (gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment), 0);

  if (gtk_adjustment_get_value (adjustment) > last)
    gtk_adjustment_set_value (adjustment, last);
}

static void
on_adjustment_changed (GtkTextView *view)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));

  if (adjustment != NULL)
    g_signal_connect (adjustment, "value-changed", G_CALLBACK (on_scrolled), NULL);
}

/* Returns whether it is as it was a frame ago. */
static gboolean
is_still (Follow        *follow,
          GtkAdjustment *adjustment)
{
  const double upper = gtk_adjustment_get_upper (adjustment), page = gtk_adjustment_get_page_size (adjustment);
  const gboolean still = upper == follow->upper && page == follow->page;

  follow->upper = upper;
  follow->page = page;
  return still;
}

static void
scroll (GtkTextView   *view,
        GtkAdjustment *adjustment)
{
  /* Which ends the way it is on. */
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment));
  gtk_text_view_scroll_mark_onscreen (view, gtk_text_buffer_get_insert (gtk_text_view_get_buffer (view)));
}

static gboolean on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data);

/* On a busy computer frames follow one another, and lines are laid out where there is time between them: only now all are. */
static gboolean
on_laid_out (gpointer data)
{
  GtkTextView *view = data;
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  Follow *follow = g_object_get_data (G_OBJECT (view), DATA);

  follow->idle = 0;
  if (adjustment == NULL || follow->tick != 0)
    return G_SOURCE_REMOVE;
  if (is_still (follow, adjustment))
    scroll (view, adjustment);
  else
    follow->tick = gtk_widget_add_tick_callback (GTK_WIDGET (view), on_frame, follow, NULL);
  return G_SOURCE_REMOVE;
}

/* Once no more lines are laid out, and the view has its height, it is known where the cursor is. */
static gboolean
on_frame (GtkWidget     *widget,
          GdkFrameClock *clock,
          gpointer       data)
{
  GtkTextView *view = GTK_TEXT_VIEW (widget);
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
  Follow *follow = data;

  if (!is_still (follow, adjustment))
    return G_SOURCE_CONTINUE;
  follow->tick = 0;
  scroll (view, adjustment);
  if (follow->idle == 0)
    follow->idle =
      g_idle_add_full (GTK_TEXT_VIEW_PRIORITY_VALIDATE + 1, on_laid_out, g_object_ref (view), g_object_unref);
  return G_SOURCE_REMOVE;
}

static void
follow_cursor (GtkTextView *view)
{
  Follow *follow = g_object_get_data (G_OBJECT (view), DATA);

  follow->upper = follow->page = -1;
  if (follow->tick == 0)
    follow->tick = gtk_widget_add_tick_callback (GTK_WIDGET (view), on_frame, follow, NULL);
}

/**
 * hl_text_follow_view:
 * @view: in a scrolled window, with the buffer that it keeps
 *
 * Has the cursor seen after something is pasted, undone or done again.
 */
void
hl_text_follow_view (GtkTextView *view)
{
  static const char *const signals[] = { "paste-done", "undo", "redo" };

  g_return_if_fail (GTK_IS_TEXT_VIEW (view));

  g_object_set_data_full (G_OBJECT (view), DATA, g_new0 (Follow, 1), g_free);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (gtk_text_view_get_buffer (view), signals[i], G_CALLBACK (follow_cursor), view,
                             G_CONNECT_AFTER | G_CONNECT_SWAPPED);
  g_signal_connect (view, "notify::vadjustment", G_CALLBACK (on_adjustment_changed), NULL);
  on_adjustment_changed (view);
}

/* SPDX-License-Identifier: MIT */
/* The keys of the picker: arrows go from head to head and layer to layer, with Shift they gather. */
#include "app/heads/hl-head-grid-keys.h"

#include "app/heads/hl-head-grid-choice.h"
#include "app/heads/hl-head-grid.h"

/* By so many layers and heads; whether what is chosen stays so. */
static gboolean
on_move (GtkWidget *widget,
         GVariant  *arguments,
         gpointer   user_data)
{
  HlViewState *state = hl_head_grid_get_view_state (HL_HEAD_GRID (widget));
  int layers, heads;
  gboolean extends;

  if (state == NULL)
    return FALSE;
  g_variant_get (arguments, "(iib)", &layers, &heads, &extends);
  if (extends)
    hl_head_grid_extend (state, layers, heads);
  else
    hl_head_grid_move (state, layers, heads);
  return TRUE;
}

static gboolean
on_select_all (GtkWidget *widget,
               GVariant  *argument,
               gpointer   user_data)
{
  HlViewState *state = hl_head_grid_get_view_state (HL_HEAD_GRID (widget));

  if (state == NULL)
    return FALSE;
  hl_view_state_select_all_heads (state);
  return TRUE;
}

static void
add_move (GtkWidgetClass *klass,
          guint           key,
          guint           keypad_key,
          int             layers,
          int             heads)
{
  gtk_widget_class_add_binding (klass, key, 0, on_move, "(iib)", layers, heads, FALSE);
  gtk_widget_class_add_binding (klass, keypad_key, 0, on_move, "(iib)", layers, heads, FALSE);
  gtk_widget_class_add_binding (klass, key, GDK_SHIFT_MASK, on_move, "(iib)", layers, heads, TRUE);
}

/**
 * hl_head_grid_install_keys:
 * @widget_class: the class of #HlHeadGrid
 *
 * Binds the keys.
 */
void
hl_head_grid_install_keys (GtkWidgetClass *widget_class)
{
  /* With Shift, what is chosen stays chosen. */
  add_move (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, 0, -1);
  add_move (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, 0, 1);
  add_move (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, -1, 0);
  add_move (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, 1, 0);
  add_move (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, 0, -HL_MAX_HEADS);
  add_move (widget_class, GDK_KEY_End, GDK_KEY_KP_End, 0, HL_MAX_HEADS);
  add_move (widget_class, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, -HL_MAX_LAYERS, 0);
  add_move (widget_class, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, HL_MAX_LAYERS, 0);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_a, GDK_CONTROL_MASK, on_select_all, NULL);
}

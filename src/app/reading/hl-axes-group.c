/* SPDX-License-Identifier: MIT */
/* A row for each axis of a tensor, in which to choose what it is; and of an axis that is nothing else, which index of
 * it is taken. */
#include "config.h"

#include "app/reading/hl-axes-group.h"

#include "core/base/hl-limits.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* In the order of the list. */
static const char letters[] = "lbhqksx";

struct _HlAxesGroup
{
  AdwPreferencesGroup parent_instance;

  HlShape shape;
  AdwComboRow *rows[HL_LIMIT_RANK];
  GtkSpinButton *indices[HL_LIMIT_RANK];
  gboolean updating;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlAxesGroup, hl_axes_group, ADW_TYPE_PREFERENCES_GROUP)

static GListModel *
create_names (void)
{
  const char *const names[] = { _ ("Layer"), _ ("Example"), _ ("Head"),        _ ("Query"),
                                _ ("Key"),   _ ("Step"),    _ ("One of Them"), NULL };

  return G_LIST_MODEL (gtk_string_list_new (names));
}

static gboolean
is_index (HlAxesGroup *self,
          guint        axis)
{
  return letters[adw_combo_row_get_selected (self->rows[axis])] == 'x';
}

static void
on_changed (HlAxesGroup *self)
{
  if (self->updating)
    return;
  for (guint i = 0; i < self->shape.rank; i++)
    gtk_widget_set_visible (GTK_WIDGET (self->indices[i]), is_index (self, i));
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
add_row (HlAxesGroup *self,
         guint        axis)
{
  /* Translators: axes count from 0, as NumPy counts them; the number is the mnemonic */
  g_autofree char *title = g_strdup_printf (_ ("Axis _%u"), axis);
  g_autofree char *length = g_strdup_printf (_ ("Length %" PRIu64), self->shape.dims[axis]);
  g_autofree char *index = g_strdup_printf (_ ("Index on axis %u"), axis);
  g_autoptr (GListModel) names = create_names ();
  /* Exact up to 2⁵³, which no axis reaches that numbers are stored for. */
  GtkWidget *spin = gtk_spin_button_new_with_range (0, (double) (self->shape.dims[axis] - 1), 1);

  gtk_widget_set_valign (spin, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, index, -1);
  self->indices[axis] = GTK_SPIN_BUTTON (spin);
  self->rows[axis] = ADW_COMBO_ROW (adw_combo_row_new ());
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->rows[axis]), title);
  adw_preferences_row_set_use_underline (ADW_PREFERENCES_ROW (self->rows[axis]), TRUE);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->rows[axis]), length);
  adw_combo_row_set_model (self->rows[axis], names);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self->rows[axis]), spin);
  g_signal_connect_swapped (self->rows[axis], "notify::selected", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (on_changed), self);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->rows[axis]));
}

static void
hl_axes_group_class_init (HlAxesGroupClass *klass)
{
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_AXES_GROUP, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_axes_group_init (HlAxesGroup *self)
{
}

/* Of rank 0 there is nothing to choose. “changed” does not follow. */
void
hl_axes_group_set_axes (HlAxesGroup        *self,
                        const HlShape      *shape,
                        const HlLayoutAxes *axes)
{
  g_return_if_fail (HL_IS_AXES_GROUP (self));
  g_return_if_fail (shape->rank == 0 || strlen (axes->letters) == shape->rank);

  self->updating = TRUE;
  /* Rows stay where there are the same axes: the keyboard may be in one of them. */
  if (memcmp (shape, &self->shape, sizeof *shape) != 0)
    {
      for (guint i = 0; i < self->shape.rank; i++)
        adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->rows[i]));
      self->shape = *shape;
      for (guint i = 0; i < shape->rank; i++)
        add_row (self, i);
    }
  for (guint i = 0; i < shape->rank; i++)
    {
      adw_combo_row_set_selected (self->rows[i], (guint) (strchr (letters, axes->letters[i]) - letters));
      gtk_spin_button_set_value (self->indices[i], (double) axes->indices[i]);
      gtk_widget_set_visible (GTK_WIDGET (self->indices[i]), is_index (self, i));
    }
  self->updating = FALSE;
}

/* What was chosen need not make sense. */
HlLayoutAxes
hl_axes_group_get_axes (HlAxesGroup *self)
{
  HlLayoutAxes axes = { 0 };

  g_return_val_if_fail (HL_IS_AXES_GROUP (self), axes);

  for (guint i = 0; i < self->shape.rank; i++)
    {
      axes.letters[i] = letters[adw_combo_row_get_selected (self->rows[i])];
      if (axes.letters[i] == 'x')
        axes.indices[i] = (guint64) gtk_spin_button_get_value (self->indices[i]);
    }
  return axes;
}

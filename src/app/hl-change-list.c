/* SPDX-License-Identifier: MIT */
/* Numbers come from a worker; those of an older comparison are dropped. A click shows the head on both sides. */
#include "config.h"

#include "app/hl-change-list.h"

#include "core/analysis/hl-head-changes.h"

#include <glib/gi18n.h>
#include <math.h>

struct _HlChangeList
{
  AdwBin parent_instance;

  GtkStack *stack;
  GtkListView *list;
  GtkLabel *error_label;

  HlCompareLink *link;
  HlComparison *comparison; /* what is listed, or being computed */
  GArray *changes;          /* (element-type HlHeadChange) */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (HlChangeList, hl_change_list, ADW_TYPE_BIN)

static void
clear (HlChangeList *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->comparison);
  gtk_list_view_set_model (self->list, NULL);
  g_clear_pointer (&self->changes, g_array_unref);
}

static char *
make_number (const HlHeadChange *change)
{
  return isnan (change->divergence) ? g_strdup ("–") : g_strdup_printf ("%.4f", change->divergence);
}

/* What a screen reader says of a row: all that its columns show. */
static char *
make_text (const HlHeadChange *change)
{
  g_autofree char *number = make_number (change);

  /* Translators: a head, and how far it is from the one it is compared with */
  return g_strdup_printf (_ ("layer %u · head %u: %s"), change->layer, change->head, number);
}

static void
show_changes (HlChangeList *self)
{
  g_autoptr (GtkStringList) texts = gtk_string_list_new (NULL);

  for (guint i = 0; i < self->changes->len; i++)
    gtk_string_list_take (texts, make_text (&g_array_index (self->changes, HlHeadChange, i)));
  g_autoptr (GtkNoSelection) selection = gtk_no_selection_new (G_LIST_MODEL (g_steal_pointer (&texts)));
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (selection));
  gtk_stack_set_visible_child_name (self->stack, "list");
}

static void
compute (GTask        *task,
         gpointer      source,
         gpointer      data,
         GCancellable *cancellable)
{
  GError *error = NULL;
  GArray *changes = hl_head_changes_compute (data, cancellable, &error);

  if (changes != NULL)
    g_task_return_pointer (task, changes, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

static void
on_computed (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (HlChangeList) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) changes = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  if (changes != NULL)
    {
      self->changes = g_steal_pointer (&changes);
      show_changes (self);
      return;
    }
  gtk_label_set_label (self->error_label, error->message);
  gtk_stack_set_visible_child_name (self->stack, "error");
}

/* Only while it is seen: all heads of both sides must be read. */
static void
update (HlChangeList *self)
{
  HlComparison *comparison = self->link != NULL ? hl_compare_link_get_comparison (self->link) : NULL;

  if (comparison == self->comparison || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  clear (self);
  if (comparison == NULL)
    return;
  self->comparison = g_object_ref (comparison);
  self->cancellable = g_cancellable_new ();
  gtk_stack_set_visible_child_name (self->stack, "busy");
  /* The task does not own the list: tasks may be finalized in the worker, widgets may not. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_computed, g_object_ref (self));
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, g_object_ref (comparison), g_object_unref);
  g_task_run_in_thread (task, compute);
}

static void
hl_change_list_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (hl_change_list_parent_class)->map (widget);
  update (HL_CHANGE_LIST (widget));
}

static void
on_setup (GtkSignalListItemFactory *factory,
          GtkListItem              *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *number = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (number, "numeric");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), number);
  gtk_list_item_set_child (item, box);
}

static void
on_bind (HlChangeList *self,
         GtkListItem  *item)
{
  const HlHeadChange *change = &g_array_index (self->changes, HlHeadChange, gtk_list_item_get_position (item));
  GtkWidget *box = gtk_list_item_get_child (item);
  g_autofree char *name = g_strdup_printf (_ ("layer %u · head %u"), change->layer, change->head);
  g_autofree char *number = make_number (change);

  gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (box)), name);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (box)), number);
  /* The row itself is what a screen reader is on. */
  g_autofree char *text = make_text (change);
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (box)), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
on_activate (HlChangeList *self,
             guint         position)
{
  const HlHeadChange *change = &g_array_index (self->changes, HlHeadChange, position);

  hl_view_state_go_to_shown (hl_compare_link_get_a (self->link), change->layer, change->head);
}

static void
hl_change_list_dispose (GObject *object)
{
  HlChangeList *self = HL_CHANGE_LIST (object);

  hl_change_list_set_link (self, NULL);
  G_OBJECT_CLASS (hl_change_list_parent_class)->dispose (object);
}

static void
hl_change_list_class_init (HlChangeListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_change_list_dispose;
  widget_class->map = hl_change_list_map;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/change-list.ui");
  gtk_widget_class_bind_template_child (widget_class, HlChangeList, stack);
  gtk_widget_class_bind_template_child (widget_class, HlChangeList, list);
  gtk_widget_class_bind_template_child (widget_class, HlChangeList, error_label);
  gtk_widget_class_bind_template_callback (widget_class, on_setup);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
}

static void
hl_change_list_init (HlChangeList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect_swapped (factory, "bind", G_CALLBACK (on_bind), self);
  gtk_list_view_set_factory (self->list, factory);
}

/**
 * hl_change_list_set_link:
 * @self: a list
 * @link: (nullable): the comparison
 */
void
hl_change_list_set_link (HlChangeList  *self,
                         HlCompareLink *link)
{
  g_return_if_fail (HL_IS_CHANGE_LIST (self));

  if (self->link == link)
    return;
  if (self->link != NULL)
    g_signal_handlers_disconnect_by_data (self->link, self);
  clear (self);
  g_set_object (&self->link, link);
  if (link != NULL)
    g_signal_connect_swapped (link, "changed", G_CALLBACK (update), self);
  update (self);
}

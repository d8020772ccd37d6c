/* SPDX-License-Identifier: MIT */
/*
 * Numbers come from a worker, unless the table of heads has them already; those of an older comparison are dropped. A
 * click shows the head on both sides.
 */
#include "config.h"

#include "app/compare/hl-change-list.h"

#include "core/base/hl-worker.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>
#include <math.h>

/* All of them are in the table of heads. */
#define MAX_LISTED 10

struct _HlChangeList
{
  AdwBin parent_instance;

  GtkStack *stack;
  GtkListView *list;
  GtkLabel *error_label;

  HlSides *sides;
  gulong changed_id;        /* of its first side */
  HlComparison *comparison; /* what is listed, or being computed */
  guint *order;             /* which of all heads stand in the list, most changed first */
  guint n;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (HlChangeList, hl_change_list, ADW_TYPE_BIN)

static HlViewState *
get_state (HlChangeList *self)
{
  return hl_sides_get_a (self->sides);
}

/* What is listed has no numbers any more. */
static void
clear_list (HlChangeList *self)
{
  gtk_list_view_set_model (self->list, NULL);
  g_clear_pointer (&self->order, g_free);
  self->n = 0;
}

static void
clear (HlChangeList *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->comparison);
  clear_list (self);
}

static void
get_head (HlChangeList *self,
          guint         position,
          guint        *layer,
          guint        *head)
{
  const HlHeadNumbers *numbers = hl_view_state_get_numbers (get_state (self));

  *layer = hl_head_numbers_get_layer (numbers, self->order[position]);
  *head = hl_head_numbers_get_head (numbers, self->order[position]);
}

static char *
make_number (HlChangeList *self,
             guint         position)
{
  const HlHeadNumbers *numbers = hl_view_state_get_numbers (get_state (self));
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (number, sizeof number, "%.3f",
                                    hl_head_numbers_get (numbers, HL_HEAD_MEASURE_CHANGE, self->order[position])));
}

/* What a screen reader says of a row: all that its columns show. */
static char *
make_text (HlChangeList *self,
           guint         position)
{
  g_autofree char *number = make_number (self, position);
  guint layer, head;

  get_head (self, position, &layer, &head);
  /* Translators: a head, and how far it is from the one it is compared with */
  return g_strdup_printf (_ ("layer %u · head %u: %s"), layer, head, number);
}

static void
show_changes (HlChangeList *self)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (get_state (self));
  g_autoptr (GtkStringList) texts = gtk_string_list_new (NULL);

  g_free (self->order);
  self->order = hl_head_numbers_sort (numbers, HL_HEAD_MEASURE_CHANGE);
  /* A head without a partner has not changed more or less than others. */
  for (self->n = 0; self->n < MIN (hl_head_numbers_get_n (numbers), MAX_LISTED); self->n++)
    if (isnan (hl_head_numbers_get (numbers, HL_HEAD_MEASURE_CHANGE, self->order[self->n])))
      break;
  for (guint i = 0; i < self->n; i++)
    gtk_string_list_take (texts, make_text (self, i));
  g_autoptr (GtkNoSelection) selection = gtk_no_selection_new (G_LIST_MODEL (g_steal_pointer (&texts)));
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (selection));
  gtk_stack_set_visible_child_name (self->stack, self->n > 0 ? "list" : "none");
}

static void
compute (GTask        *task,
         gpointer      source,
         gpointer      data,
         GCancellable *cancellable)
{
  hl_worker_give_way ();
  GError *error = NULL;
  GArray *changes = hl_head_changes_compute (data, cancellable, &error);

  if (changes != NULL)
    g_task_return_pointer (task, changes, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

/* The table of heads shows them too. */
static void
share (HlChangeList *self,
       GArray       *changes)
{
  HlViewState *state = get_state (self);
  HlHeadNumbers *known = hl_view_state_get_numbers (state);
  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (state));
  g_autoptr (HlHeadNumbers)
    numbers = known != NULL ? hl_head_numbers_ref (known)
                            : hl_head_numbers_new (hl_view_state_get_attention (state), queries.first, queries.n);
  g_autoptr (HlHeadNumbers) more = hl_head_numbers_set_changes (numbers, self->comparison, changes);

  hl_view_state_set_numbers (state, more);
}

static void
show_error (HlChangeList *self,
            const GError *error)
{
  g_autofree char *sentence = hl_sentence_of_error (error);

  gtk_label_set_label (self->error_label, sentence);
  gtk_stack_set_visible_child_name (self->stack, "error");
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
    share (self, changes);
  else
    show_error (self, error);
}

static void
start (HlChangeList *self)
{
  self->cancellable = g_cancellable_new ();
  /* The task does not own the list: tasks may be finalized in the worker, widgets may not. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_computed, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, g_object_ref (self->comparison), g_object_unref);
  g_task_run_in_thread (task, compute);
}

/* What is not true any more goes at once: GTK binds rows that nobody sees, too. Numbers are asked for only while it is seen: all heads
 * of both sides must be read. */
static void
update (HlChangeList *self)
{
  HlViewState *state = self->sides != NULL ? get_state (self) : NULL;
  HlComparison *comparison = state != NULL ? hl_view_state_get_compared (state) : NULL;
  const gboolean knows = comparison != NULL && hl_view_state_knows_changes (state);
  g_autoptr (GError) refusal = NULL;

  if (comparison != self->comparison)
    clear (self);
  else if (!knows)
    clear_list (self);
  if (comparison == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  g_set_object (&self->comparison, comparison);
  if (knows)
    {
      g_cancellable_cancel (self->cancellable);
      g_clear_object (&self->cancellable);
      if (self->order == NULL)
        show_changes (self);
    }
  else if (self->cancellable == NULL)
    {
      gtk_stack_set_visible_child_name (self->stack, "busy");
      if (hl_view_state_check_reading (state, hl_view_state_count_maps (state), TRUE, &refusal))
        start (self);
      else
        show_error (self, refusal);
    }
}

static void
on_state_changed (HlChangeList *self,
                  HlChanges     changes)
{
  if (changes & (HL_CHANGED_NUMBERS | HL_CHANGED_COMPARED | HL_CHANGED_SOURCE))
    update (self);
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
  const guint position = gtk_list_item_get_position (item);
  GtkWidget *box = gtk_list_item_get_child (item);
  guint layer, head;

  get_head (self, position, &layer, &head);
  g_autofree char *name = g_strdup_printf (_ ("layer %u · head %u"), layer, head);
  g_autofree char *number = make_number (self, position);

  gtk_label_set_label (GTK_LABEL (gtk_widget_get_first_child (box)), name);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (box)), number);
  /* The row itself is what a screen reader is on. */
  g_autofree char *text = make_text (self, position);
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (box)), GTK_ACCESSIBLE_PROPERTY_LABEL, text,
                                  -1);
}

static void
on_activate (HlChangeList *self,
             guint         position)
{
  guint layer, head;

  get_head (self, position, &layer, &head);
  hl_view_state_go_to (get_state (self), layer, head);
}

static void
on_show_all (HlChangeList *self)
{
  GtkWidget *popover = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.show-changes", NULL);
  if (popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (popover));
}

static void
hl_change_list_dispose (GObject *object)
{
  HlChangeList *self = HL_CHANGE_LIST (object);

  hl_change_list_set_sides (self, NULL);
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
  gtk_widget_class_bind_template_callback (widget_class, on_show_all);
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

void
hl_change_list_set_sides (HlChangeList *self,
                          HlSides      *sides)
{
  g_return_if_fail (HL_IS_CHANGE_LIST (self));

  if (self->sides == sides)
    return;
  if (self->sides != NULL)
    g_clear_signal_handler (&self->changed_id, get_state (self));
  clear (self);
  g_set_object (&self->sides, sides);
  if (sides != NULL)
    self->changed_id = g_signal_connect_swapped (get_state (self), "changed", G_CALLBACK (on_state_changed), self);
  update (self);
}

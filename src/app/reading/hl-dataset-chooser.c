/* SPDX-License-Identifier: MIT */
/*
 * The datasets of a file as a list that can be searched. What was chosen stays chosen when the search hides it. There
 * can be a hundred thousand: what is to be seen comes into the list little by little, so that nothing waits for it.
 */
#include "config.h"

#include "app/reading/hl-dataset-chooser.h"

#include "app/widgets/hl-text-guard.h"
#include "app/widgets/hl-two-lines.h"

#include <string.h>

/* With fewer, one sees all of them. */
#define MIN_SEARCHABLE 8

/* GTK makes widgets for about two hundred rows however many there are; so many take two milliseconds. */
#define ROWS_AT_ONCE 16
#define MAX_ROWS 256
/* So many names are compared, and added once there are widgets, in less. */
#define NAMES_AT_ONCE 4096

struct _HlDatasetChooser
{
  AdwBin parent_instance;

  GtkSearchEntry *search;
  GtkListView *list;
  GListStore *found;
  GtkSingleSelection *selection;
  GtkStack *stack;

  GPtrArray *items;
  HlDatasetItem *selected;
  char *wanted; /* what names are to hold, case folded */
  guint n_compared;
  guint fill_id;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlDatasetChooser, hl_dataset_chooser, ADW_TYPE_BIN)

static void
on_setup (GtkSignalListItemFactory *factory,
          GtkListItem              *item)
{
  gtk_list_item_set_child (item, hl_two_lines_new (6));
}

static void
on_bind (GtkSignalListItemFactory *factory,
         GtkListItem              *item)
{
  HlDatasetItem *dataset = gtk_list_item_get_item (item);

  hl_two_lines_set (gtk_list_item_get_child (item), hl_dataset_item_get_title (dataset),
                    hl_dataset_item_get_subtitle (dataset));
}

static gboolean
is_wanted (HlDatasetChooser *self,
           HlDatasetItem    *item)
{
  g_autofree char *name = g_utf8_casefold (hl_dataset_item_get_title (item), -1);

  return strstr (name, self->wanted) != NULL;
}

/* Adds some of what is to be seen. */
static gboolean
fill (gpointer data)
{
  HlDatasetChooser *self = data;
  const guint n_before = g_list_model_get_n_items (G_LIST_MODEL (self->found));
  const guint most = n_before < MAX_ROWS ? ROWS_AT_ONCE : NAMES_AT_ONCE;
  const guint end = MIN (self->items->len, self->n_compared + NAMES_AT_ONCE);
  g_autoptr (GPtrArray) some = g_ptr_array_new ();
  guint selected = GTK_INVALID_LIST_POSITION;

  for (; self->n_compared < end && some->len < most; self->n_compared++)
    {
      HlDatasetItem *item = self->items->pdata[self->n_compared];
      if (!is_wanted (self, item))
        continue;
      if (item == self->selected)
        selected = n_before + some->len;
      g_ptr_array_add (some, item);
    }
  g_list_store_splice (self->found, n_before, 0, some->pdata, some->len);
  if (selected != GTK_INVALID_LIST_POSITION)
    gtk_single_selection_set_selected (self->selection, selected);
  const gboolean is_done = self->n_compared == self->items->len;
  if (n_before + some->len > 0 || is_done)
    gtk_stack_set_visible_child_name (self->stack, n_before + some->len > 0 ? "list" : "nothing");
  if (!is_done)
    return G_SOURCE_CONTINUE;
  self->fill_id = 0;
  return G_SOURCE_REMOVE;
}

static void
show (HlDatasetChooser *self,
      const char       *wanted)
{
  g_free (self->wanted);
  self->wanted = g_utf8_casefold (wanted, -1);
  self->n_compared = 0;
  g_list_store_remove_all (self->found);
  if (self->fill_id == 0)
    self->fill_id = g_idle_add_full (GDK_PRIORITY_REDRAW + 1, fill, self, NULL);
}

static void
on_search (HlDatasetChooser *self)
{
  show (self, gtk_editable_get_text (GTK_EDITABLE (self->search)));
}

static void
on_selected (HlDatasetChooser *self)
{
  HlDatasetItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (item == NULL || item == self->selected)
    return;
  g_set_object (&self->selected, item);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* From the search, the arrow leads to what was found. */
static gboolean
on_search_key (HlDatasetChooser *self,
               guint             key)
{
  if (key != GDK_KEY_Down && key != GDK_KEY_KP_Down)
    return GDK_EVENT_PROPAGATE;
  return gtk_widget_grab_focus (GTK_WIDGET (self->list));
}

/* Escape clears a search, and closes the dialog when there is none: a search entry keeps it from the dialog. */
static void
on_stop_search (HlDatasetChooser *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search)) != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "window.close", NULL);
}

static void
hl_dataset_chooser_dispose (GObject *object)
{
  HlDatasetChooser *self = HL_DATASET_CHOOSER (object);

  g_clear_handle_id (&self->fill_id, g_source_remove);
  g_clear_object (&self->selected);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->wanted, g_free);
  G_OBJECT_CLASS (hl_dataset_chooser_parent_class)->dispose (object);
}

static void
hl_dataset_chooser_class_init (HlDatasetChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_dataset_chooser_dispose;

  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_DATASET_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (HL_TYPE_DATASET_ITEM);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/dataset-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, search);
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, list);
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, found);
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, selection);
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, stack);
  gtk_widget_class_bind_template_callback (widget_class, on_setup);
  gtk_widget_class_bind_template_callback (widget_class, on_bind);
  gtk_widget_class_bind_template_callback (widget_class, on_search);
  gtk_widget_class_bind_template_callback (widget_class, on_search_key);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_stop_search);
}

static void
hl_dataset_chooser_init (HlDatasetChooser *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_text_guard_entry (GTK_WIDGET (self->search));
}

/* At least one. “changed” does not follow. */
void
hl_dataset_chooser_set_items (HlDatasetChooser *self,
                              GPtrArray        *items,
                              guint             selected)
{
  g_return_if_fail (HL_IS_DATASET_CHOOSER (self));
  g_return_if_fail (selected < items->len);

  g_clear_pointer (&self->items, g_ptr_array_unref);
  self->items = g_ptr_array_ref (items);
  g_set_object (&self->selected, items->pdata[selected]);
  gtk_widget_set_visible (GTK_WIDGET (self->search), items->len >= MIN_SEARCHABLE);
  show (self, "");
}

HlDatasetItem *
hl_dataset_chooser_get_selected (HlDatasetChooser *self)
{
  g_return_val_if_fail (HL_IS_DATASET_CHOOSER (self), NULL);

  return self->selected;
}

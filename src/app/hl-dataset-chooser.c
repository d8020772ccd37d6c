/* SPDX-License-Identifier: MIT */
/* The datasets of a file as a list that can be searched. What was chosen stays chosen when the search hides it. */
#include "config.h"

#include "app/hl-dataset-chooser.h"

/* With fewer, one sees all of them. */
#define MIN_SEARCHABLE 8

struct _HlDatasetChooser
{
  AdwBin parent_instance;

  GtkSearchEntry *search;
  GtkListView *list;
  GtkStringFilter *filter;
  GListStore *items;
  GtkSingleSelection *selection;
  GtkStack *stack;

  HlDatasetItem *selected;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlDatasetChooser, hl_dataset_chooser, ADW_TYPE_BIN)

static void
on_search (HlDatasetChooser *self)
{
  gtk_string_filter_set_search (self->filter, gtk_editable_get_text (GTK_EDITABLE (self->search)));
}

static void
on_n_items (HlDatasetChooser *self)
{
  const gboolean found = g_list_model_get_n_items (G_LIST_MODEL (self->selection)) > 0;

  gtk_stack_set_visible_child_name (self->stack, found ? "list" : "nothing");
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

static void
hl_dataset_chooser_dispose (GObject *object)
{
  g_clear_object (&HL_DATASET_CHOOSER (object)->selected);
  G_OBJECT_CLASS (hl_dataset_chooser_parent_class)->dispose (object);
}

static void
hl_dataset_chooser_class_init (HlDatasetChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_dataset_chooser_dispose;

  /**
   * HlDatasetChooser::changed:
   * @self: a chooser
   *
   * Somebody chose another dataset.
   */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_DATASET_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (HL_TYPE_DATASET_ITEM);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/headlight/Headlight/ui/dataset-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, search);
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, list);
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, filter);
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, items);
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, selection);
  gtk_widget_class_bind_template_child (widget_class, HlDatasetChooser, stack);
  gtk_widget_class_bind_template_callback (widget_class, on_search);
  gtk_widget_class_bind_template_callback (widget_class, on_search_key);
  gtk_widget_class_bind_template_callback (widget_class, on_n_items);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
}

static void
hl_dataset_chooser_init (HlDatasetChooser *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * hl_dataset_chooser_set_items:
 * @self: a chooser
 * @items: (element-type HlDatasetItem): what there is; at least one
 * @selected: which of them is chosen
 *
 * Lists datasets. #HlDatasetChooser::changed does not follow.
 */
void
hl_dataset_chooser_set_items (HlDatasetChooser *self,
                              GPtrArray        *items,
                              guint             selected)
{
  g_return_if_fail (HL_IS_DATASET_CHOOSER (self));
  g_return_if_fail (selected < items->len);

  /* Known before the list says so. */
  g_set_object (&self->selected, items->pdata[selected]);
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)), items->pdata,
                       items->len);
  g_set_object (&self->selected, items->pdata[selected]);
  gtk_single_selection_set_selected (self->selection, selected);
  gtk_widget_set_visible (GTK_WIDGET (self->search), items->len >= MIN_SEARCHABLE);
}

/**
 * hl_dataset_chooser_get_selected:
 * @self: a chooser
 *
 * Returns: (transfer none) (nullable): the one that was chosen; %NULL before there are any
 */
HlDatasetItem *
hl_dataset_chooser_get_selected (HlDatasetChooser *self)
{
  g_return_val_if_fail (HL_IS_DATASET_CHOOSER (self), NULL);

  return self->selected;
}

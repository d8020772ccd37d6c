/* SPDX-License-Identifier: MIT */
/* The table of heads: rows with what is known of each, and columns with titles, cells, how each sorts, and what a click
 * with Ctrl does. */
#include "config.h"

#include "app/heads/hl-head-table.h"

#include "app/base/hl-tooltip.h"
#include "core/base/hl-limits.h"
#include "core/analysis/hl-head-name.h"

#include <glib/gi18n.h>
#include <math.h>

/* What is to be seen without scrolling comes first. The statistics follow in the order of HlHeadStat. */
typedef enum
{
  COLUMN_LAYER,
  COLUMN_HEAD,
  COLUMN_WEIGHT,
  COLUMN_NAME,
  COLUMN_CHANGE,
  COLUMN_RANK,
  COLUMN_STATS,
} Column;

/* Of a column that shows a mean and its spread, in pixels. */
#define SPREAD_WIDTH 128

#define N_COLUMNS (COLUMN_STATS + HL_N_HEAD_STATS)

struct _HlHeadRow
{
  GObject parent_instance;

  guint layer;
  guint head;
  guint index;
  HlHeadNumbers *numbers;
  const HlHeadName *name;
  double named_by; /* the number that tells the name */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlHeadRow, hl_head_row, G_TYPE_OBJECT)

static void
hl_head_row_finalize (GObject *object)
{
  g_clear_pointer (&HL_HEAD_ROW (object)->numbers, hl_head_numbers_unref);
  G_OBJECT_CLASS (hl_head_row_parent_class)->finalize (object);
}

static void
hl_head_row_class_init (HlHeadRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_head_row_finalize;

  signals[CHANGED] = g_signal_new ("changed", HL_TYPE_HEAD_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_head_row_init (HlHeadRow *self)
{
}

HlHeadRow *
hl_head_row_new (guint layer,
                 guint head,
                 guint index)
{
  HlHeadRow *self = g_object_new (HL_TYPE_HEAD_ROW, NULL);

  self->layer = layer;
  self->head = head;
  self->index = index;
  return self;
}

guint
hl_head_row_get_layer (HlHeadRow *self)
{
  g_return_val_if_fail (HL_IS_HEAD_ROW (self), 0);

  return self->layer;
}

guint
hl_head_row_get_head (HlHeadRow *self)
{
  g_return_val_if_fail (HL_IS_HEAD_ROW (self), 0);

  return self->head;
}

/* It has a name if the numbers are of weights, and one of them is clear. */
void
hl_head_row_set_numbers (HlHeadRow     *self,
                         HlHeadNumbers *numbers,
                         gboolean       has_name)
{
  g_return_if_fail (HL_IS_HEAD_ROW (self));

  const HlHeadName *name = numbers != NULL && has_name ? hl_head_name_find (numbers, self->index, &self->named_by)
                                                       : NULL;
  if (self->numbers == numbers && self->name == name)
    return;
  self->name = name;
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
  if (numbers != NULL)
    self->numbers = hl_head_numbers_ref (numbers);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Heads of one name stand together, in the order of the list of names, of each the clearest first. */
static double
get_name_value (HlHeadRow *self)
{
  guint n;
  const HlHeadName *names = hl_head_name_get_all (&n);

  return self->name != NULL ? 2.0 * (double) (names + n - self->name) + self->named_by : NAN;
}

/* What is sorted by; NaN if it is not known, or not defined. */
static double
get_value (HlHeadRow *self,
           Column     column)
{
  switch (column)
    {
    case COLUMN_LAYER:
      return self->layer * (double) HL_LIMIT_HEADS + self->head;
    case COLUMN_HEAD:
      return self->head * (double) HL_LIMIT_LAYERS + self->layer;
    case COLUMN_RANK:
      {
        HlPairRanking *ranking = self->numbers != NULL ? hl_head_numbers_get_ranking (self->numbers) : NULL;
        const guint rank = ranking != NULL ? hl_pair_ranking_get_rank (ranking, self->index) : 0;
        return rank > 0 ? rank : NAN;
      }
    case COLUMN_WEIGHT:
      return self->numbers != NULL ? hl_head_numbers_get (self->numbers, HL_HEAD_MEASURE_PAIR, self->index) : NAN;
    case COLUMN_CHANGE:
      return self->numbers != NULL ? hl_head_numbers_get (self->numbers, HL_HEAD_MEASURE_CHANGE, self->index) : NAN;
    case COLUMN_NAME:
      return get_name_value (self);
    default:
      if (self->numbers == NULL)
        return NAN;
      return hl_head_numbers_get (self->numbers, HL_HEAD_MEASURE_STATS + column - COLUMN_STATS, self->index);
    }
}

/* A number that is known but not defined has a dash. */
static gboolean
is_known (HlHeadRow *self,
          Column     column)
{
  if (self->numbers == NULL)
    return FALSE;
  if (column == COLUMN_CHANGE)
    return hl_head_numbers_knows (self->numbers, HL_HEAD_MEASURE_CHANGE);
  if (column < COLUMN_STATS)
    return hl_head_numbers_get_ranking (self->numbers) != NULL;
  return (hl_head_numbers_get_set (self->numbers, self->index) & HL_HEAD_NUMBER_BIT (column - COLUMN_STATS)) != 0;
}

/* Empty while it is not known. */
static char *
dup_text (HlHeadRow *self,
          Column     column)
{
  const double value = get_value (self, column);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (column == COLUMN_LAYER || column == COLUMN_HEAD)
    return g_strdup_printf ("%u", column == COLUMN_LAYER ? self->layer : self->head);
  if (column == COLUMN_NAME)
    return self->name != NULL ? hl_head_name_dup_text (self->name, self->named_by) : g_strdup ("");
  if (!is_known (self, column))
    return g_strdup ("");
  if (isnan (value))
    return g_strdup ("–");
  if (column == COLUMN_RANK)
    return g_strdup_printf ("%u", (guint) value);
  const HlHeadNumberWord *word = column < COLUMN_STATS ? NULL : hl_head_number_get_word (column - COLUMN_STATS, value);
  if (word != NULL)
    return g_strdup (_ (word->label));
  const gboolean is_part = column < COLUMN_STATS || hl_head_number_get (column - COLUMN_STATS)->is_share;
  const gboolean is_small = fabs (value) < 0.1 && column >= COLUMN_STATS &&
                            hl_head_number_get (column - COLUMN_STATS)->group != HL_HEAD_NUMBER_GROUP_USUAL;
  const char *format = is_part ? "%.3f" : is_small ? "%.4f" : "%.2f";
  g_ascii_formatd (number, sizeof number, format, value);
  const HlHeadSpread *spread =
    column >= COLUMN_STATS
      ? hl_head_numbers_get_spread (self->numbers, HL_HEAD_MEASURE_STATS + column - COLUMN_STATS, self->index)
      : NULL;
  if (spread == NULL || spread->n < 2)
    return g_strdup (number);
  char deviation[G_ASCII_DTOSTR_BUF_SIZE];
  return g_strconcat (number, " ± ",
                      g_ascii_formatd (deviation, sizeof deviation, format, hl_head_spread_get_deviation (spread)),
                      NULL);
}

/* Titles are short, or fewer columns would be in view. */
static const struct
{
  const char *title;
  int width;
} columns[COLUMN_STATS] = {
  [COLUMN_LAYER] = { NC_ ("table of heads", "Layer"), 52 },   [COLUMN_HEAD] = { NC_ ("table of heads", "Head"), 52 },
  [COLUMN_WEIGHT] = { NC_ ("table of heads", "Weight"), 66 }, [COLUMN_RANK] = { NC_ ("table of heads", "Rank"), 54 },
  [COLUMN_CHANGE] = { NC_ ("table of heads", "Change"), 78 }, [COLUMN_NAME] = { NC_ ("table of heads", "Name"), 142 },
};

/* Of names beside weights or changes: what is left of the panel. */
#define NAME_WIDTH_BESIDE_WEIGHT 92
#define NAME_WIDTH_BESIDE_CHANGE 80

static void
show_row (GtkLabel  *label,
          HlHeadRow *row)
{
  const Column column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label), "column"));
  g_autofree char *text = dup_text (row, column);

  gtk_label_set_label (label, text);
  /* An empty label is called by its class. */
  if (*text == '\0')
    gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    column == COLUMN_NAME ? _ ("No name") : _ ("Not known yet"), -1);
  if (column != COLUMN_NAME)
    return;
  g_autofree char *whole = row->name != NULL ? g_strdup_printf ("%s\n%s", text, _ (row->name->sentence)) : NULL;
  hl_tooltip_set (GTK_WIDGET (label), whole);
}

static void
on_setup (GtkSignalListItemFactory *factory,
          GtkListItem              *item,
          gpointer                  column)
{
  GtkWidget *label = gtk_label_new (NULL);
  const gboolean is_name = GPOINTER_TO_UINT (column) == COLUMN_NAME;

  gtk_label_set_xalign (GTK_LABEL (label), is_name ? 0 : 1);
  gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
  gtk_label_set_single_line_mode (GTK_LABEL (label), !is_name);
  /* Small and in two lines, for a name to be seen as a whole beside the head in the panel's width. */
  if (is_name)
    {
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_lines (GTK_LABEL (label), 2);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (label, "caption");
    }
  gtk_widget_add_css_class (label, "numeric");
  g_object_set_data (G_OBJECT (label), "column", column);
  g_object_set_data (G_OBJECT (label), "item", item);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory,
         GtkListItem              *item,
         gpointer                  column)
{
  GtkWidget *label = gtk_list_item_get_child (item);
  HlHeadRow *row = gtk_list_item_get_item (item);

  g_signal_connect_swapped (row, "changed", G_CALLBACK (show_row), label);
  show_row (GTK_LABEL (label), row);
}

static void
on_unbind (GtkSignalListItemFactory *factory,
           GtkListItem              *item,
           gpointer                  column)
{
  g_signal_handlers_disconnect_by_data (gtk_list_item_get_item (item), gtk_list_item_get_child (item));
}

/* What is not known counts as less than anything: with the greatest first, it is last. */
static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer      column)
{
  const double first = get_value ((HlHeadRow *) a, GPOINTER_TO_UINT (column));
  const double second = get_value ((HlHeadRow *) b, GPOINTER_TO_UINT (column));

  if (isnan (first) && isnan (second))
    return GTK_ORDERING_EQUAL;
  if (isnan (first) || isnan (second))
    return isnan (first) ? GTK_ORDERING_SMALLER : GTK_ORDERING_LARGER;
  return first < second ? GTK_ORDERING_SMALLER : first > second ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

static GtkColumnViewColumn *
get_column (GtkColumnView *view,
            Column         column)
{
  g_autoptr (GtkColumnViewColumn) found = g_list_model_get_item (gtk_column_view_get_columns (view), column);

  return found;
}

/* Titles stand in the first row in the order of the columns; a column does not give its own away. */
static void
explain (GtkColumnView *view)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  for (guint i = 0; title != NULL && i < N_COLUMNS; i++, title = gtk_widget_get_next_sibling (title))
    {
      const HlHeadNumber *number = i < COLUMN_STATS ? NULL : hl_head_number_get (i - COLUMN_STATS);
      const char *text = i == COLUMN_NAME
                           ? _ ("Name: what the head attends to, where a number of it is clear, and that number")
                           : _ ("Change: mean Jensen–Shannon divergence of the rows, in bits, 0 to 1");

      if (number == NULL && i != COLUMN_NAME && i != COLUMN_CHANGE)
        continue;
      gtk_widget_set_tooltip_text (title, number != NULL ? _ (number->sentence) : text);
      if (number == NULL)
        gtk_accessible_update_property (GTK_ACCESSIBLE (title), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    }
}

/* The item of the cell that a widget of the table is in, or of the first cell if it is a row. */
static GtkListItem *
find_item (GtkWidget *widget,
           GtkWidget *view)
{
  for (; widget != NULL && widget != view; widget = gtk_widget_get_parent (widget))
    for (GtkWidget *inner = widget; inner != NULL; inner = gtk_widget_get_first_child (inner))
      {
        GtkListItem *item = g_object_get_data (G_OBJECT (inner), "item");
        if (item != NULL)
          return item;
      }
  return NULL;
}

/* In the table of GTK 4.8 both a cell and its row take a click with Ctrl, and so the second takes back what the first
 * selected. */
static void
on_pressed (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            GtkColumnView   *view)
{
  const GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  GtkSelectionModel *selection = gtk_column_view_get_model (view);

  if ((modifiers & GDK_CONTROL_MASK) == 0 || (modifiers & GDK_SHIFT_MASK) != 0)
    return;
  GtkListItem *item = find_item (gtk_widget_pick (GTK_WIDGET (view), x, y, GTK_PICK_DEFAULT), GTK_WIDGET (view));
  if (item == NULL)
    return;
  const guint position = gtk_list_item_get_position (item);
  if (gtk_selection_model_is_selected (selection, position))
    gtk_selection_model_unselect_item (selection, position);
  else
    gtk_selection_model_select_item (selection, position, FALSE);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

/* Means need room for what stands behind ±. Widths that somebody dragged stay until that changes. */
void
hl_head_columns_make_room (GtkColumnView *view,
                           gboolean       for_spread)
{
  static const char key[] = "for-spread";

  if ((g_object_get_data (G_OBJECT (view), key) != NULL) == !!for_spread)
    return;
  g_object_set_data (G_OBJECT (view), key, GINT_TO_POINTER (for_spread));
  for (guint i = COLUMN_STATS; i < N_COLUMNS; i++)
    {
      const HlHeadNumber *number = hl_head_number_get (i - COLUMN_STATS);
      const gboolean widens = for_spread && number->words == NULL;
      gtk_column_view_column_set_fixed_width (get_column (view, i),
                                              widens ? MAX (number->column_width, SPREAD_WIDTH) : number->column_width);
    }
}

/* The columns of pairs and of changes are hidden at first. */
void
hl_head_columns_add (GtkColumnView *view)
{
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      const gpointer data = GUINT_TO_POINTER (i);
      const HlHeadNumber *number = i < COLUMN_STATS ? NULL : hl_head_number_get (i - COLUMN_STATS);
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      const char *title = g_dpgettext2 (NULL, "table of heads", number != NULL ? number->title : columns[i].title);
      g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (title, factory);
      g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, data, NULL));

      g_signal_connect (factory, "setup", G_CALLBACK (on_setup), data);
      g_signal_connect (factory, "bind", G_CALLBACK (on_bind), data);
      g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), data);
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_fixed_width (column, number != NULL ? number->column_width : columns[i].width);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_append_column (view, column);
    }
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (click), GTK_PHASE_CAPTURE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), view);
  gtk_widget_add_controller (GTK_WIDGET (view), GTK_EVENT_CONTROLLER (click));
  hl_head_columns_show_pair (view, FALSE);
  hl_head_columns_show_change (view, FALSE);
  hl_head_columns_show_numbers (view, hl_head_number_get_usual ());
  explain (view);
}

/* A column for each of these. */
void
hl_head_columns_show_numbers (GtkColumnView  *view,
                              HlHeadNumberSet numbers)
{
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    gtk_column_view_column_set_visible (get_column (view, COLUMN_STATS + stat),
                                        (numbers & HL_HEAD_NUMBER_BIT (stat)) != 0);
}

/* Shows columns or not, and lets names have the room that is left. A width that somebody dragged stays while neither changes. */
static void
show_beside_names (GtkColumnView *view,
                   Column         column,
                   gboolean       is_shown)
{
  if (gtk_column_view_column_get_visible (get_column (view, column)) == !!is_shown)
    return;
  gtk_column_view_column_set_visible (get_column (view, column), is_shown);
  gtk_column_view_column_set_fixed_width (get_column (view, COLUMN_NAME),
                                          gtk_column_view_column_get_visible (get_column (view, COLUMN_WEIGHT))
                                            ? NAME_WIDTH_BESIDE_WEIGHT
                                          : gtk_column_view_column_get_visible (get_column (view, COLUMN_CHANGE))
                                            ? NAME_WIDTH_BESIDE_CHANGE
                                            : columns[COLUMN_NAME].width);
}

void
hl_head_columns_show_pair (GtkColumnView *view,
                           gboolean       is_shown)
{
  show_beside_names (view, COLUMN_WEIGHT, is_shown);
  gtk_column_view_column_set_visible (get_column (view, COLUMN_RANK), is_shown);
}

void
hl_head_columns_show_names (GtkColumnView *view,
                            gboolean       is_shown)
{
  gtk_column_view_column_set_visible (get_column (view, COLUMN_NAME), is_shown);
}

void
hl_head_columns_show_change (GtkColumnView *view,
                             gboolean       is_shown)
{
  show_beside_names (view, COLUMN_CHANGE, is_shown);
}

void
hl_head_columns_sort_by_change (GtkColumnView *view)
{
  gtk_column_view_sort_by_column (view, get_column (view, COLUMN_CHANGE), GTK_SORT_DESCENDING);
}

void
hl_head_columns_sort_by_pair (GtkColumnView *view)
{
  gtk_column_view_sort_by_column (view, get_column (view, COLUMN_WEIGHT), GTK_SORT_DESCENDING);
}

void
hl_head_columns_sort_again (GtkColumnView *view)
{
  for (Column i = COLUMN_WEIGHT; i < N_COLUMNS; i++)
    gtk_sorter_changed (gtk_column_view_column_get_sorter (get_column (view, i)), GTK_SORTER_CHANGE_DIFFERENT);
}

void
hl_head_columns_scroll_to (GtkColumnView *view,
                           guint          position)
{
  /* The list inside of a column view. Before GTK 4.12 there is no other way. */
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (view)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", position);
}

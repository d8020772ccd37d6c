/* SPDX-License-Identifier: MIT */
/* The lists of layers and heads are those of the second side; the first item of each stands for the index that the
 * first side shows. */
#include "config.h"

#include "app/compare/hl-compare-bar.h"

#include "core/base/hl-limits.h"
#include "app/base/hl-accessible.h"
#include "app/widgets/hl-short-item.h"
#include "app/base/hl-tooltip.h"
#include "app/widgets/hl-wrap-box.h"
#include "app/compare/hl-change-list.h"
#include "view/hl-gap-text.h"
#include "view/hl-side-names.h"

#include <glib/gi18n.h>

/* Of a name, at least; as in the template. */
#define MIN_CHARS 7

struct _HlCompareBar
{
  AdwBin parent_instance;

  GtkWidget *switch_box;
  GtkWidget *letters[2];
  GtkLabel *name;
  GtkWidget *other_button;
  GtkLabel *other_name;
  GtkDropDown *layer;
  GtkDropDown *head;
  HlChangeList *changes;
  GtkBox *names_box;
  GtkBox *actions_box;
  GtkWidget *changes_button;
  GtkWidget *close_button;

  HlSides *sides;
  HlAttention *listed;
  guint listed_heads;
  gboolean updating;
  gboolean differ;
};

G_DEFINE_FINAL_TYPE (HlCompareBar, hl_compare_bar, ADW_TYPE_BIN)

/* Those without attention keep their place, and say so. */
static GListModel *
make_layers (HlAttention *attention)
{
  GtkStringList *items = gtk_string_list_new (NULL);

  gtk_string_list_append (items, _ ("Same Layer"));
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    gtk_string_list_take (items, hl_attention_get_n_heads (attention, layer) > 0
                                   ? g_strdup_printf (_ ("Layer %u"), layer)
                                   : g_strdup_printf (_ ("Layer %u: %s"), layer, hl_gap_text_get (attention, layer)));
  return G_LIST_MODEL (items);
}

static GListModel *
make_heads (guint n)
{
  GtkStringList *items = gtk_string_list_new (NULL);

  gtk_string_list_append (items, _ ("Same Head"));
  for (guint i = 0; i < n; i++)
    gtk_string_list_take (items, g_strdup_printf (_ ("Head %u"), i));
  return G_LIST_MODEL (items);
}

/* Heads that every layer has which may be asked for; those without attention aside. */
static guint
count_heads (HlCompareBar *self)
{
  HlAttention *attention = hl_view_state_get_attention (hl_sides_get_b (self->sides));
  const int layer = hl_sides_get_pairing (self->sides)->layer;
  guint n = HL_LIMIT_HEADS;

  if (layer >= 0)
    return hl_attention_get_n_heads (attention, (guint) layer);
  for (guint i = 0; i < hl_attention_get_n_layers (attention); i++)
    if (hl_attention_get_n_heads (attention, i) > 0)
      n = MIN (n, hl_attention_get_n_heads (attention, i));
  return n;
}

static void
on_selected (HlCompareBar *self)
{
  if (self->updating || self->sides == NULL)
    return;
  HlHeadPairing pairing = { (int) gtk_drop_down_get_selected (self->layer) - 1,
                            (int) gtk_drop_down_get_selected (self->head) - 1 };
  HlAttention *attention = hl_view_state_get_attention (hl_sides_get_b (self->sides));
  if (pairing.layer >= 0 && hl_attention_get_n_heads (attention, (guint) pairing.layer) == 0)
    {
      /* There is nothing to compare with: it stays as it is. */
      hl_compare_bar_update (self);
      return;
    }
  if (!hl_head_pairing_fits (&pairing, attention))
    pairing.head = -1;
  hl_sides_set_pairing (self->sides, &pairing);
}

static void
hl_compare_bar_dispose (GObject *object)
{
  hl_compare_bar_set_sides (HL_COMPARE_BAR (object), NULL);
  g_clear_object (&HL_COMPARE_BAR (object)->listed);
  G_OBJECT_CLASS (hl_compare_bar_parent_class)->dispose (object);
}

static void
hl_compare_bar_class_init (HlCompareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_compare_bar_dispose;

  g_type_ensure (HL_TYPE_CHANGE_LIST);
  g_type_ensure (HL_TYPE_WRAP_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/compare-bar.ui");
  gtk_widget_class_bind_template_child_full (widget_class, "letter_a", FALSE,
                                             G_STRUCT_OFFSET (HlCompareBar, letters[0]));
  gtk_widget_class_bind_template_child_full (widget_class, "letter_b", FALSE,
                                             G_STRUCT_OFFSET (HlCompareBar, letters[1]));
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, switch_box);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, other_button);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, name);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, other_name);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, layer);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, head);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, changes);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, names_box);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, actions_box);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, changes_button);
  gtk_widget_class_bind_template_child (widget_class, HlCompareBar, close_button);
  gtk_widget_class_bind_template_callback (widget_class, on_selected);
}

static void
hl_compare_bar_init (HlCompareBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_short_item_set_up (self->layer, 6, -1);
  hl_short_item_set_up (self->head, 6, -1);
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

void
hl_compare_bar_set_sides (HlCompareBar *self,
                          HlSides      *sides)
{
  g_return_if_fail (HL_IS_COMPARE_BAR (self));

  g_set_object (&self->sides, sides);
  if (self->changes != NULL)
    hl_change_list_set_sides (self->changes, sides);
  if (sides != NULL)
    hl_compare_bar_update (self);
}

/* Two lines then: what is compared, and how. */
void
hl_compare_bar_set_narrow (HlCompareBar *self,
                           gboolean      narrow)
{
  g_return_if_fail (HL_IS_COMPARE_BAR (self));

  GtkWidget *const buttons[] = { self->changes_button, self->close_button };
  GtkWidget *const box = GTK_WIDGET (narrow ? self->names_box : self->actions_box);

  if (gtk_widget_get_parent (self->close_button) == box)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    {
      g_object_ref (buttons[i]);
      gtk_box_remove (narrow ? self->actions_box : self->names_box, buttons[i]);
      gtk_box_append (GTK_BOX (box), buttons[i]);
      g_object_unref (buttons[i]);
    }
  if (!narrow)
    gtk_box_reorder_child_after (GTK_BOX (box), self->changes_button, NULL);
  /* They stand at the end of the line. */
  gtk_widget_set_halign (self->changes_button, GTK_ALIGN_END);
  gtk_widget_set_hexpand (self->changes_button, narrow);
}

/* Where sides are seen one at a time, there is room for the name of the one that is. */
void
hl_compare_bar_set_side (HlCompareBar *self,
                         HlCompareSide side)
{
  g_return_if_fail (HL_IS_COMPARE_BAR (self));

  GtkWidget *const names[] = { GTK_WIDGET (self->name), self->other_button };
  const HlCompareSide of_names[] = { HL_COMPARE_SIDE_A, HL_COMPARE_SIDE_B };
  const gboolean shows_both = side == HL_COMPARE_SIDE_BOTH;

  gtk_widget_set_visible (self->switch_box, !shows_both);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gtk_widget_set_visible (self->letters[i], shows_both);
      gtk_widget_set_visible (names[i], shows_both || side == of_names[i]);
    }
}

void
hl_compare_bar_update_names (HlCompareBar *self,
                             HlSession    *session,
                             HlSession    *other)
{
  g_autofree char *name = NULL;
  g_autofree char *other_name = NULL;

  g_return_if_fail (HL_IS_COMPARE_BAR (self));
  g_return_if_fail (self->sides != NULL);

  hl_side_names_make (self->sides, hl_session_get_document (session), hl_session_get_document (other), &name,
                      &other_name);
  hl_sides_set_names (self->sides, name, other_name);
  self->differ = !g_str_equal (name, other_name);
  gtk_label_set_label (self->name, self->differ ? name : "");
  hl_tooltip_set (GTK_WIDGET (self->name), self->differ ? name : NULL);
  gtk_label_set_width_chars (self->name, self->differ ? MIN_CHARS : 0);
  gtk_label_set_label (self->other_name, self->differ ? other_name : _ ("the same so far"));
}

/* What both sides are called, where there is room for one line; NULL as long as nothing differs. */
char *
hl_compare_bar_dup_title (HlCompareBar *self)
{
  g_return_val_if_fail (HL_IS_COMPARE_BAR (self), NULL);

  if (!self->differ)
    return NULL;
  return g_strdup_printf ("%s | %s", gtk_label_get_label (self->name), gtk_label_get_label (self->other_name));
}

void
hl_compare_bar_update (HlCompareBar *self)
{
  g_return_if_fail (HL_IS_COMPARE_BAR (self));
  g_return_if_fail (self->sides != NULL);

  HlAttention *attention = hl_view_state_get_attention (hl_sides_get_b (self->sides));
  const HlHeadPairing *pairing = hl_sides_get_pairing (self->sides);
  const guint n_heads = count_heads (self);

  self->updating = TRUE;
  if (attention != self->listed || n_heads != self->listed_heads)
    {
      g_autoptr (GListModel) layers = make_layers (attention);
      g_autoptr (GListModel) heads = make_heads (n_heads);
      gtk_drop_down_set_model (self->layer, layers);
      gtk_drop_down_set_model (self->head, heads);
      g_set_object (&self->listed, attention);
      self->listed_heads = n_heads;
    }
  gtk_drop_down_set_selected (self->layer, (guint) (pairing->layer + 1));
  gtk_drop_down_set_selected (self->head, (guint) (pairing->head + 1));
  self->updating = FALSE;
}

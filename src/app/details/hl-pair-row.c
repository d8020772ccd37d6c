/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/details/hl-pair-row.h"

#include "app/details/hl-pair-text.h"
#include "draw/scene/hl-patch-swatch.h"
#include "view/hl-weight-text.h"

#include <math.h>

/* Of patches of an image, as in lists of tokens. */
#define SWATCH 16

struct _HlPairRow
{
  HlFactRow parent_instance;

  GtkWidget *patches;
  HlShown *shown; /* NULL where there is no pair */
  HlStrongPair pair;
};

G_DEFINE_FINAL_TYPE (HlPairRow, hl_pair_row, HL_TYPE_FACT_ROW)

/* What parts of an image the tokens of the pair stand for, each beside its line. */
static void
draw_patches (GtkDrawingArea *area,
              cairo_t        *cr,
              int             width,
              int             height,
              gpointer        user_data)
{
  HlPairRow *self = user_data;

  if (self->shown == NULL)
    return;
  const gsize tokens[] = { self->pair.query, self->pair.key };
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    hl_patch_swatch_draw (self->shown->attention, side, tokens[side], 0,
                          floor (height * (side == HL_QUERIES ? 0.25 : 0.75) - SWATCH / 2.0), SWATCH,
                          gtk_widget_get_scale_factor (GTK_WIDGET (area)), cr);
}

static void
hl_pair_row_dispose (GObject *object)
{
  g_clear_pointer (&HL_PAIR_ROW (object)->shown, hl_shown_unref);
  G_OBJECT_CLASS (hl_pair_row_parent_class)->dispose (object);
}

static void
hl_pair_row_class_init (HlPairRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_pair_row_dispose;
}

static void
hl_pair_row_init (HlPairRow *self)
{
  self->patches = gtk_drawing_area_new ();
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (self->patches), SWATCH);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->patches), draw_patches, self, NULL);
  gtk_widget_set_visible (self->patches, FALSE);
  hl_fact_row_set_before (HL_FACT_ROW (self), self->patches);
}

GtkWidget *
hl_pair_row_new (void)
{
  return g_object_new (HL_TYPE_PAIR_ROW, NULL);
}

static gboolean
has_patches (const HlShown *shown)
{
  return hl_patch_swatch_get_room (shown->attention, HL_QUERIES, SWATCH) > 0 ||
         hl_patch_swatch_get_room (shown->attention, HL_KEYS, SWATCH) > 0;
}

/* Whether a list of these has two lines for each: rows of one height are read more easily. */
gboolean
hl_pair_row_need_two_lines (const HlShown      *shown,
                            const HlStrongPair *pairs,
                            guint               n)
{
  g_return_val_if_fail (shown != NULL, FALSE);

  return has_patches (shown) || hl_pair_text_needs_two_lines (shown, pairs, n);
}

/* @shown is NULL while nothing is known: then the room stays. @pair is NULL where there are fewer. */
void
hl_pair_row_set_pair (HlPairRow          *self,
                      const HlShown      *shown,
                      const HlStrongPair *pair,
                      gboolean            two_lines)
{
  g_autoptr (GString) markup = g_string_new (NULL);
  g_autoptr (GString) spoken = g_string_new (NULL);
  char number[HL_WEIGHT_TEXT_SIZE] = "";

  g_return_if_fail (HL_IS_PAIR_ROW (self));
  g_return_if_fail (shown != NULL || pair == NULL);

  g_clear_pointer (&self->shown, hl_shown_unref);
  if (pair != NULL)
    {
      self->shown = hl_shown_ref (shown);
      self->pair = *pair;
      hl_pair_text_append (markup, spoken, shown, pair, two_lines);
      hl_weight_text_format ((double) pair->weight, number);
      g_string_append_printf (spoken, ", %s", number);
    }
  if (shown != NULL)
    {
      hl_fact_row_set_n_lines (HL_FACT_ROW (self), two_lines ? 2 : 1);
      gtk_widget_set_visible (self->patches, has_patches (shown));
      gtk_widget_queue_draw (self->patches);
    }
  hl_fact_row_set (HL_FACT_ROW (self), markup->str, number, pair != NULL ? spoken->str : NULL);
}

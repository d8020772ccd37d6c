/* SPDX-License-Identifier: MIT */
/* What the tests of panels share: small attentions with known numbers, waiting, pressing keys, seeing pixels. */
#pragma once

#include "view/hl-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * PanelBlock:
 * @kind: of attention
 * @n_layers: how many layers
 * @n_heads: heads of a layer
 * @few_heads: heads of layer 1, when not 0
 * @n: queries and keys
 * @n_used: those that are not padding; 0 for all
 * @sentence_b_start: as in an attention
 * @causal: whether later keys are masked
 * @nan_key: a key whose weights are NaN, when not 0
 * @factor: what all weights are multiplied by, when not 0
 * @delay: microseconds that every reading takes
 * @fails: whether reading fails now, or NULL
 * @tokens: of both sides, patches of an image where they are named so; NULL for some words over and over
 *
 * An attention to test with. The weight of (layer, head, query, key) is panel_weight() of them.
 */
typedef struct
{
  HlAttentionKind kind;
  guint n_layers;
  guint n_heads;
  guint few_heads;
  guint n;
  guint n_used;
  guint sentence_b_start;
  gboolean causal;
  guint nan_key;
  float factor;
  gulong delay;
  const int *fails;
  const char *const *tokens;
} PanelAttention;

char        *panel_make_run       (const char           *unit,
                                   gsize                 n);
float        panel_weight         (const PanelAttention *attention,
                                   guint                 layer,
                                   guint                 head,
                                   guint                 query,
                                   guint                 key);
HlExample   *panel_example_new    (const PanelAttention *attentions,
                                   guint                 n_attentions);
HlViewState *panel_state_new      (const PanelAttention *attention);
GtkWidget   *panel_show           (GtkWidget            *child,
                                   int                   width,
                                   int                   height);
void         panel_wait           (guint                 milliseconds);
GtkWidget   *panel_get_child      (GtkWidget            *widget,
                                   const char           *name);
void         panel_find_all       (GtkWidget            *widget,
                                   const char           *type,
                                   GPtrArray            *found);
gboolean     panel_press          (GtkWidget            *widget,
                                   guint                 key,
                                   GdkModifierType       modifiers);
char        *panel_read_clipboard (GtkWidget            *widget);
void         panel_get_pixel      (GtkWidget            *widget,
                                   int                   x,
                                   int                   y,
                                   GdkRGBA              *colour);

#define PANEL_WAIT_UNTIL(condition)                                                                \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const gint64 panel_end_ = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;                       \
    while (!(condition) && g_get_monotonic_time () < panel_end_)                                   \
      panel_wait (1);                                                                              \
    g_assert_true (condition);                                                                     \
  }                                                                                                \
  G_STMT_END

G_END_DECLS

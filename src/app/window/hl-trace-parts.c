/* SPDX-License-Identifier: MIT */
/* What a trace plays: what people do to a picture, in every view, many times over. */
#include "config.h"

#include "app/window/hl-trace-parts.h"

static void
hover (HlSceneView *view,
       HlViewState *state,
       guint        i)
{
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);
  /* Neighbours would share more than a pointer that sweeps over them does. */
  const HlPick query = { HL_PICK_QUERY, queries.first + i * 7 % queries.n, 0, 0 };
  const HlPick key = { HL_PICK_KEY, 0, keys.first + i * 7 % keys.n, 0 };

  hl_view_state_set_hovered (state, i % 4 == 3 ? &key : &query);
}

/* Over thumbnails, the first of them while others are still being made. */
static void
hover_head (HlSceneView *view,
            HlViewState *state,
            guint        i)
{
  HlAttention *attention = hl_view_state_get_shown_attention (state);
  const guint layer = i * 7 % hl_attention_get_n_layers (attention);
  const HlPick pick = { HL_PICK_MAP, .head = i * 5 % hl_attention_get_n_heads (attention, layer), .layer = layer };

  hl_view_state_set_hovered (state, &pick);
}

static void
change_head (HlSceneView *view,
             HlViewState *state,
             guint        i)
{
  const guint n_layers = hl_attention_get_n_layers (hl_view_state_get_attention (state));
  const guint n_heads = hl_view_state_get_n_heads (state);

  hl_view_state_set_hovered (state, NULL);
  hl_view_state_go_to (state, (i + 1) / n_heads % n_layers, (i + 1) % n_heads);
}

static void
scroll (HlSceneView *view,
        HlViewState *state,
        guint        i)
{
  HlScene *scene = hl_scene_view_get_scene (view);
  double width, height, page_width, page_height;

  hl_scene_measure (scene, &width, &height);
  hl_scene_get_viewport (scene, &page_width, &page_height, NULL);
  /* To and fro, over all of the content. */
  const double t = i % 100 < 50 ? i % 50 / 50.0 : 1 - i % 50 / 50.0;
  hl_scene_set_scroll (scene, t * MAX (0, width - page_width), t * MAX (0, height - page_height));
}

static void
zoom (HlSceneView *view,
      HlViewState *state,
      guint        i)
{
  hl_scene_view_zoom (view, i % 50 < 25 ? 1.1 : 1 / 1.1);
}

static void
transpose (HlSceneView *view,
           HlViewState *state,
           guint        i)
{
  hl_view_state_set_direction (state, i % 2 == 0 ? HL_DIRECTION_TRANSPOSED : HL_DIRECTION_AS_IS);
}

static void
join_words (HlSceneView *view,
            HlViewState *state,
            guint        i)
{
  hl_view_state_set_words (state, i % 2 == 0);
}

static const HlTracePart parts[] = {
  { "hover", HL_VIEW_HEAD_VIEW, hover, 200 },
  { "head-change", HL_VIEW_HEAD_VIEW, change_head, 200, TRUE, TRUE },
  { "head-view-scroll", HL_VIEW_HEAD_VIEW, scroll, 100 },
  { "head-view-zoom", HL_VIEW_HEAD_VIEW, zoom, 100 },
  { "horizontal-hover", HL_VIEW_HEAD_VIEW, hover, 200, .orientation = HL_ORIENTATION_HORIZONTAL },
  { "heatmap-hover", HL_VIEW_HEATMAP, hover, 100 },
  { "heatmap-head-change", HL_VIEW_HEATMAP, change_head, 100, TRUE, TRUE },
  { "heatmap-zoom", HL_VIEW_HEATMAP, zoom, 125 },
  { "heatmap-pan", HL_VIEW_HEATMAP, scroll, 100 },
  { "transpose", HL_VIEW_HEATMAP, transpose, 40 },
  { "words", HL_VIEW_HEATMAP, join_words, 40 },
  { "model-view-hover", HL_VIEW_MODEL, hover_head, 200 },
  { "model-view-zoom", HL_VIEW_MODEL, zoom, 125 },
  { "model-view-pan", HL_VIEW_MODEL, scroll, 100 },
  { "layers-hover", HL_VIEW_LAYERS, hover, 200 },
};

/**
 * hl_trace_parts_get:
 * @n: (out): how many
 *
 * Returns: (transfer none) (array length=n): the parts, in the order in which they are played
 */
const HlTracePart *
hl_trace_parts_get (guint *n)
{
  *n = G_N_ELEMENTS (parts);
  return parts;
}

/**
 * hl_trace_part_begin:
 * @self: a part
 * @state: how the document is looked at
 *
 * Shows what its steps change, whatever others left.
 */
void
hl_trace_part_begin (const HlTracePart *self,
                     HlViewState       *state)
{
  hl_view_state_set_hovered (state, NULL);
  hl_view_state_set_direction (state, HL_DIRECTION_AS_IS);
  hl_view_state_set_words (state, FALSE);
  hl_view_state_set_orientation (state, self->orientation);
  hl_view_state_set_view (state, self->view);
}

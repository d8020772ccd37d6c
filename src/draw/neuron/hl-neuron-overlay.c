/* SPDX-License-Identifier: MIT */
/*
 * What of the neuron view follows the pointer: a query with its features, or the lines of a key, and the number under
 * the pointer.
 */
#include "draw/neuron/hl-neuron-private.h"

#include "draw/scene/hl-scene-callout.h"

static void
draw_focused_labels (HlNeuronScene        *self,
                     cairo_t              *cr,
                     const HlNeuronLayout *layout,
                     gsize                 expanded)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlPick *focus = hl_view_state_get_focus (state);
  const HlPick *pinned = hl_view_state_get_pinned (state);
  const HlHeadViewLayout *base = &layout->base;

  cairo_save (cr);
  cairo_rectangle (cr, 0, base->header_height, base->width, MAX (0, base->height - base->header_height));
  cairo_clip (cr);
  if (expanded - base->queries.first < base->queries.n)
    hl_neuron_scene_draw_label (self, cr, layout, HL_PICK_QUERY, expanded - base->queries.first, TRUE,
                                (pinned->kind == HL_PICK_QUERY || pinned->kind == HL_PICK_CELL) &&
                                  pinned->query == expanded);
  if ((focus->kind == HL_PICK_KEY || focus->kind == HL_PICK_CELL) && focus->key - base->keys.first < base->keys.n)
    hl_neuron_scene_draw_label (self, cr, layout, HL_PICK_KEY, focus->key - base->keys.first, TRUE,
                                (pinned->kind == HL_PICK_KEY || pinned->kind == HL_PICK_CELL) &&
                                  pinned->key == focus->key);
  cairo_restore (cr);
}

static void
draw_bubble (HlNeuronScene        *self,
             cairo_t              *cr,
             const HlNeuronLayout *layout,
             const HlPick         *pick)
{
  g_autofree char *text = hl_scene_describe (HL_SCENE (self), pick);
  cairo_rectangle_t box;

  if (text == NULL || !hl_scene_locate (HL_SCENE (self), pick, &box.x, &box.y, &box.width, &box.height))
    return;
  if (box.y + box.height < layout->base.header_height || box.y > layout->base.height)
    return;
  hl_callout_outline (cr, &(cairo_rectangle_t){ box.x, box.y + 2, box.width, box.height - 4 }, 1);
  hl_scene_draw_bubble (HL_SCENE (self), cr, text, &box, &(HlBubblePlace){ .gap = 6 });
}

/**
 * hl_neuron_scene_draw_overlay: (skip)
 * @scene: a neuron view
 * @cr: where to
 */
void
hl_neuron_scene_draw_overlay (HlScene *scene,
                              cairo_t *cr)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlPick *focus = hl_view_state_get_focus (state);
  const HlPick *hovered = hl_view_state_get_hovered (state);
  HlNeuronData *data = hl_neuron_scene_get_data (self);

  if (!hl_neuron_scene_is_possible (self))
    return;

  const HlNeuronLayout layout = hl_neuron_scene_get_layout (self);
  const gsize expanded = hl_neuron_scene_get_expanded (self);
  draw_focused_labels (self, cr, &layout, expanded);
  if (data == NULL)
    return;
  if (expanded != G_MAXSIZE)
    {
      hl_neuron_row_follow (&self->row, data, expanded);
      hl_neuron_scene_draw_row (self, &layout, cr);
    }
  else if (focus->kind == HL_PICK_KEY && data->lines != NULL)
    hl_head_view_draw_focus (data->lines, &layout.base, focus, layout.scale, hl_view_state_get_options (state)->dark,
                             hl_scene_get_vector (scene), cr);

  /* While something is pinned, the number under the pointer can still be read. */
  const HlPick *told = hovered->step != HL_STEP_NONE || hovered->kind == HL_PICK_CELL ? hovered : focus;
  if (told->step != HL_STEP_NONE || told->kind == HL_PICK_CELL)
    draw_bubble (self, cr, &layout, told);
}

/* SPDX-License-Identifier: MIT */
/*
 * One line below a picture, or two where that is narrow: always there and always as high, so that nothing moves. It says what
 * can be done where the pointer is. A notice stands there instead while nothing is pointed at, until another head or view is looked at.
 */
#include "config.h"

#include "app/page/hl-hint-bar.h"

#include "app/base/hl-tooltip.h"

struct _HlHintBar
{
  HlStatePanel parent_instance;

  GtkWidget *content;
  GtkStack *stack;
  GtkLabel *hint;
  GtkLabel *notice;
  GtkButton *button;
  gboolean has_notice;
};

G_DEFINE_FINAL_TYPE (HlHintBar, hl_hint_bar, HL_TYPE_STATE_PANEL)

/* What a notice was about: beside another text, or less it, the picture is another. */
#define NOTICED                                                                                                        \
  (HL_CHANGED_EXAMPLE | HL_CHANGED_ATTENTION | HL_CHANGED_LAYER | HL_CHANGED_HEAD | HL_CHANGED_HEADS |                 \
   HL_CHANGED_VIEW | HL_CHANGED_SIDES | HL_CHANGED_BESIDE)

static HlViewHint
find_hint (HlViewState *state)
{
  const HlPick *hovered = hl_view_state_get_hovered (state);

  /* What is pinned is not pinned once more, be it that the keyboard or the pointer is still at it. */
  if (hovered->kind != HL_PICK_NONE && hl_focus_covers (hl_view_state_get_pin (state), hovered))
    return HL_HINT_PINNED;
  if (hl_pick_is_token (hovered))
    return HL_HINT_TOKEN;
  if (hovered->kind == HL_PICK_CELL)
    return HL_HINT_CELL;
  if (hl_pick_is_place (hovered))
    return HL_HINT_PLACE;
  return hl_view_state_get_pinned (state)->kind != HL_PICK_NONE ? HL_HINT_PINNED : HL_HINT_IDLE;
}

static void
hl_hint_bar_follow (HlStatePanel *panel,
                    HlViewState  *state,
                    HlChanges     changes)
{
  HlHintBar *self = HL_HINT_BAR (panel);
  const HlViewHint hint = state != NULL ? find_hint (state) : HL_HINT_IDLE;

  if (changes & NOTICED)
    self->has_notice = FALSE;
  if (state != NULL)
    gtk_label_set_label (self->hint, hl_view_kind_get_hint (hl_view_state_get_options (state)->view, hint));
  gtk_stack_set_visible_child_name (self->stack, self->has_notice && hint == HL_HINT_IDLE ? "notice" : "hint");
}

static void
hl_hint_bar_class_init (HlHintBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  HL_STATE_PANEL_CLASS (klass)->changes = NOTICED | HL_CHANGED_HOVER | HL_CHANGED_PIN | HL_CHANGED_GATHERED;
  HL_STATE_PANEL_CLASS (klass)->follow = hl_hint_bar_follow;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/hint-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HlHintBar, content);
  gtk_widget_class_bind_template_child (widget_class, HlHintBar, stack);
  gtk_widget_class_bind_template_child (widget_class, HlHintBar, hint);
  gtk_widget_class_bind_template_child (widget_class, HlHintBar, notice);
  gtk_widget_class_bind_template_child (widget_class, HlHintBar, button);
  gtk_widget_class_set_css_name (widget_class, "hintbar");
}

static void
hl_hint_bar_init (HlHintBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Says something, and offers an action for it, if there is one; or, without a text, no longer says anything. It goes by
 * itself when another head, view or example is looked at: what brings that about comes first. */
void
hl_hint_bar_set_notice (HlHintBar  *self,
                        const char *text,
                        const char *button_label,
                        const char *action_name,
                        GVariant   *target)
{
  HlViewState *state;

  g_return_if_fail (HL_IS_HINT_BAR (self));
  g_return_if_fail (button_label == NULL || action_name != NULL);

  self->has_notice = text != NULL;
  gtk_label_set_label (self->notice, text != NULL ? text : "");
  hl_tooltip_set (GTK_WIDGET (self->notice), text);
  gtk_widget_set_visible (GTK_WIDGET (self->button), text != NULL && button_label != NULL);
  gtk_button_set_label (self->button, button_label != NULL ? button_label : "");
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->button), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), action_name);
  state = hl_state_panel_get_view_state (HL_STATE_PANEL (self));
  hl_hint_bar_follow (HL_STATE_PANEL (self), state, 0);
}

/* SPDX-License-Identifier: MIT */
/* What panels share whose controls show a view state and change it. */
#pragma once

#include "view/hl-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_STATE_PANEL (hl_state_panel_get_type ())
G_DECLARE_DERIVABLE_TYPE (HlStatePanel, hl_state_panel, HL, STATE_PANEL, GtkWidget)

/* Another state: whatever there is has changed. */
#define HL_CHANGED_STATE ((HlChanges) ~0u)

/**
 * HlStatePanelClass:
 * @changes: what @follow depends on
 * @is_shown: (nullable): whether there is anything to choose in @state; without it, @follow says so
 * @follow: shows in the controls what @state (nullable) says of what has changed; where @is_shown, of a state in which it is
 *
 * Who derives has a template, and binds the controls that are what an option is. Handlers of other controls ask
 * hl_state_panel_get_changed() whom to change.
 */
struct _HlStatePanelClass
{
  GtkWidgetClass parent_class;

  HlChanges changes;

  gboolean (*is_shown) (HlViewState *state);
  void (*follow) (HlStatePanel *self,
                  HlViewState  *state,
                  HlChanges     changes);
};

HlViewState *hl_state_panel_get_view_state (HlStatePanel *self);
void         hl_state_panel_set_view_state (HlStatePanel *self,
                                            HlViewState  *state);
HlViewState *hl_state_panel_get_changed    (HlStatePanel *self);
void         hl_state_panel_bind           (HlStatePanel *self,
                                            const char   *option,
                                            GtkWidget    *control);
void         hl_state_panel_explain        (GtkWidget    *control,
                                            const char   *option);

G_END_DECLS

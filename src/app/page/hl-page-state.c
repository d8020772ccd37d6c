/* SPDX-License-Identifier: MIT */
/* How a document is looked at when its tab opens: as it was before, as a session file says, or as one looked at others
 * last. */
#include "config.h"

#include "app/page/hl-page-state.h"

#include "app/base/hl-settings.h"
#include "app/base/hl-state-copy.h"
#include "app/base/hl-view-kinds.h"

#include <adwaita.h>

static void
on_view_changed (GSettings   *settings,
                 GParamSpec  *pspec,
                 HlViewState *state)
{
  g_settings_set_string (settings, "last-view", hl_view_kinds[hl_view_state_get_view (state)].nick);
}

static void
take_last_view (HlViewState *state,
                GSettings   *settings)
{
  g_autofree char *last_view = g_settings_get_string (settings, "last-view");
  HlViewKind view;

  if (hl_view_kind_from_nick (last_view, &view))
    hl_view_state_set_view (state, view);
}

/**
 * hl_page_state_set_up:
 * @session: what is to be shown
 * @before: (nullable): how it was looked at so far
 * @settings: settings of the program
 * @is_saved: whether it comes from a session file: then it has colours of its own, and what is chosen for it is not
 *   remembered for others
 *
 * Sets its view state up and has it follow the settings and the style.
 */
void
hl_page_state_set_up (HlSession   *session,
                      HlViewState *before,
                      GSettings   *settings,
                      gboolean     is_saved)
{
  g_return_if_fail (HL_IS_SESSION (session));

  HlViewState *state = hl_session_get_view_state (session);
  if (before != NULL)
    hl_state_copy (state, before);
  else if (!is_saved)
    take_last_view (state, settings);
  /* A file should not open with a notice in place of a picture. */
  if (hl_view_state_shows_steps (state) &&
      !hl_head_steps_are_known (hl_view_state_get_attention (state)))
    hl_view_state_set_view (state, HL_VIEW_HEAD_VIEW);
  g_object_bind_property (adw_style_manager_get_default (), "dark", state, "dark",
                          G_BINDING_SYNC_CREATE);
  if (is_saved)
    return;
  hl_settings_bind_colour_map (settings, state, "colour-map");
  g_settings_bind (settings, "orientation", state, "orientation", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (state, "notify::view", G_CALLBACK (on_view_changed), settings,
                           G_CONNECT_SWAPPED);
}

/**
 * hl_page_state_release:
 * @state: a view state that was set up
 * @settings: settings of the program
 *
 * Has it follow the settings no more.
 */
void
hl_page_state_release (HlViewState *state,
                       GSettings   *settings)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  g_signal_handlers_disconnect_by_func (state, on_view_changed, settings);
  g_settings_unbind (state, "colour-map");
  g_settings_unbind (state, "orientation");
}

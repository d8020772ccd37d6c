/* SPDX-License-Identifier: MIT */
/* How files are looked at that are opened next: the view, colours and orientation that somebody chose last. */
#include "config.h"

#include "app/page/hl-page-settings.h"

#include "app/base/hl-settings.h"
#include "view/spelling/hl-state-text.h"

#include <adwaita.h>

static void
on_view_changed (GSettings   *settings,
                 GParamSpec  *pspec,
                 HlViewState *state)
{
  g_settings_set_string (settings, "last-view",
                         hl_view_kind_get_traits (hl_view_state_get_options (state)->view)->nick);
}

static void
take_last_view (HlViewState *state,
                GSettings   *settings)
{
  g_autofree char *last_view = g_settings_get_string (settings, "last-view");
  HlViewKind view;

  if (hl_view_kind_from_nick (last_view, &view))
    hl_view_state_set_option (state, view, view);
}

/* What is looked at in its place keeps how it was looked at before; what was saved is as it was saved, and that of a session
 * file is of no concern for other files. */
void
hl_page_settings_set_up (HlViewState *state,
                         HlViewState *before,
                         GSettings   *settings,
                         gboolean     is_saved,
                         gboolean     is_of_session_file)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  if (before != NULL)
    hl_state_copy (state, before);
  else if (!is_saved)
    take_last_view (state, settings);
  /* A file should not open with a notice in place of a picture, unless it was saved so: then the notice says why. */
  if (!is_saved && hl_view_state_get_shown (state)->shows_steps &&
      !hl_head_steps_are_known (hl_view_state_get_attention (state)))
    hl_view_state_set_option (state, view, HL_VIEW_DEFAULT);
  g_object_bind_property (adw_style_manager_get_default (), "dark", state, "dark", G_BINDING_SYNC_CREATE);
  if (is_of_session_file)
    return;
  hl_settings_bind_colour_map (settings, state, "colour-map");
  g_settings_bind (settings, "orientation", state, "orientation", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_object (state, "notify::view", G_CALLBACK (on_view_changed), settings, G_CONNECT_SWAPPED);
}

void
hl_page_settings_release (HlViewState *state,
                          GSettings   *settings)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  g_signal_handlers_disconnect_by_func (state, on_view_changed, settings);
  g_settings_unbind (state, "colour-map");
  g_settings_unbind (state, "orientation");
}

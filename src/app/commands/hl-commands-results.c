/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/commands/hl-commands-results.h"

#include "app/window/hl-compare-dialog.h"
#include "app/window/hl-output.h"

void
hl_command_compare (const HlCommandSubject *on)
{
  g_autoptr (GListModel) pages = hl_window_create_pages (on->window);

  hl_command_present (on, hl_compare_dialog_new (on->page, pages));
}

void
hl_command_stop_comparing (const HlCommandSubject *on)
{
  hl_compare_view_stop (on->compare_view);
}

void
hl_command_change_difference (const HlCommandSubject *on)
{
  hl_compare_view_set_difference (on->compare_view, g_variant_get_boolean (on->value));
}

void
hl_command_save_as (const HlCommandSubject *on)
{
  hl_output_save_attention (GTK_WINDOW (on->window), hl_window_get_toasts (on->window), on->page);
}

void
hl_command_save_session (const HlCommandSubject *on)
{
  hl_output_save_session (GTK_WINDOW (on->window), hl_window_get_toasts (on->window), on->page);
}

void
hl_command_export_figure (const HlCommandSubject *on)
{
  hl_output_export_figure (GTK_WINDOW (on->window), hl_window_get_toasts (on->window), on->page);
}

void
hl_command_export_numbers (const HlCommandSubject *on)
{
  hl_output_save_numbers (GTK_WINDOW (on->window), hl_window_get_toasts (on->window), on->page,
                          hl_command_shows_head_table (on));
}

void
hl_command_copy_figure (const HlCommandSubject *on)
{
  hl_output_copy_figure (hl_window_get_toasts (on->window), on->page);
}

void
hl_command_copy_command (const HlCommandSubject *on)
{
  hl_output_copy_command (hl_window_get_toasts (on->window), on->page);
}

gboolean
hl_command_compares (const HlCommandSubject *on)
{
  return on->compare_view != NULL && hl_compare_view_get_active (on->compare_view);
}

gboolean
hl_command_has_sides (const HlCommandSubject *on)
{
  return on->compare_view != NULL && hl_compare_view_get_sides (on->compare_view) != NULL;
}

/* What the second side will show is not known before it is there. */
gboolean
hl_command_is_settled (const HlCommandSubject *on)
{
  return hl_command_has_picture (on) && (!hl_command_compares (on) || hl_command_has_sides (on));
}

/* Of a text that was wiped out there is none. */
gboolean
hl_command_has_picture (const HlCommandSubject *on)
{
  return on->session != NULL && !hl_session_is_empty (on->session);
}

/* Whether the sides of a comparison are seen one at a time. */
gboolean
hl_command_has_turns (const HlCommandSubject *on)
{
  return hl_command_has_sides (on) && hl_compare_view_get_side (on->compare_view) != HL_COMPARE_SIDE_BOTH;
}

gboolean
hl_command_has_other_side (const HlCommandSubject *on)
{
  return hl_command_has_turns (on) || (hl_command_has_sides (on) && !hl_compare_view_get_difference (on->compare_view));
}

void
hl_command_show_other_side (const HlCommandSubject *on)
{
  hl_compare_view_show_other (on->compare_view);
}

void
hl_command_change_side (const HlCommandSubject *on)
{
  const char *side = g_variant_get_string (on->value, NULL);

  if (hl_command_has_turns (on))
    hl_compare_view_show_side (on->compare_view, g_str_equal (side, hl_compare_side_get_nick (HL_COMPARE_SIDE_B)));
}

GVariant *
hl_command_get_side (const HlCommandSubject *on)
{
  const HlCompareSide side = on->compare_view != NULL ? hl_compare_view_get_side (on->compare_view)
                                                      : HL_COMPARE_SIDE_BOTH;

  return g_variant_new_string (hl_compare_side_get_nick (side));
}

GVariant *
hl_command_get_difference (const HlCommandSubject *on)
{
  return g_variant_new_boolean (on->compare_view != NULL && hl_compare_view_get_difference (on->compare_view));
}

/* SPDX-License-Identifier: MIT */
/* What the banner over a document says: the first that matters and was not dismissed, with what to do about it. */
#include "config.h"

#include "app/session/hl-session-banner.h"

#include <glib/gi18n.h>

/* Whether some check is about something that can be done. */
static gboolean
has_topic (GListModel  *checks,
           HlCheckTopic topic)
{
  for (guint i = 0; i < g_list_model_get_n_items (checks); i++)
    {
      g_autoptr (HlCheck) check = g_list_model_get_item (checks, i);
      if (hl_check_get_topic (check) == topic)
        return TRUE;
    }
  return FALSE;
}

static gboolean
show_scores (HlBanner  *banner,
             HlSession *session)
{
  return has_topic (hl_session_get_checks (session), HL_CHECK_TOPIC_SCORES) &&
         hl_banner_show (banner, HL_BANNER_WARNING, _ ("These look like scores before the softmax"),
                         _ ("_Show Softmax"), "win.softmax");
}

static gboolean
show_guess (HlBanner  *banner,
            HlSession *session)
{
  HlLayoutAxes axes;

  if (hl_session_get_live (session) != NULL ||
      !has_topic (hl_session_get_checks (session), HL_CHECK_TOPIC_AXES))
    return FALSE;
  hl_document_get_axes (hl_session_get_document (session), hl_session_get_example_index (session), &axes);
  g_autofree char *meaning = hl_layout_axes_describe (&axes);
  /* Translators: %s is as “layer × head × query × key” */
  g_autofree char *text = g_strdup_printf (_ ("The axes were guessed: %s"), meaning);
  return hl_banner_show (banner, HL_BANNER_INFO, text, _ ("_Axes…"), "win.axes");
}

/* All else that is odd: the first, and how many there are. */
static gboolean
show_warnings (HlBanner  *banner,
               HlSession *session)
{
  GListModel *checks = hl_session_get_checks (session);
  g_autofree char *first = NULL;
  guint n_warnings = 0;

  for (guint i = 0; i < g_list_model_get_n_items (checks); i++)
    {
      g_autoptr (HlCheck) check = g_list_model_get_item (checks, i);
      if (hl_check_get_severity (check) != HL_SEVERITY_WARNING ||
          hl_check_get_topic (check) == HL_CHECK_TOPIC_SCORES)
        continue;
      if (n_warnings++ == 0)
        first = g_strdup (hl_check_get_message (check));
    }
  if (n_warnings == 0)
    return FALSE;
  if (n_warnings == 1)
    return hl_banner_show (banner, HL_BANNER_WARNING, first, NULL, NULL);
  /* Translators: the first thing that looks odd about a file, then how many more there are */
  g_autofree char *text =
    g_strdup_printf (ngettext ("%s (and %u more)", "%s (and %u more)", n_warnings - 1), first, n_warnings - 1);
  return hl_banner_show (banner, HL_BANNER_WARNING, text, NULL, NULL);
}

/**
 * hl_session_banner_update:
 * @banner: a banner
 * @session: a session
 * @error: (nullable): what failed
 *
 * Has the banner say what there is to say.
 */
void
hl_session_banner_update (HlBanner   *banner,
                          HlSession  *session,
                          const char *error)
{
  g_return_if_fail (HL_IS_BANNER (banner));
  g_return_if_fail (HL_IS_SESSION (session));

  if ((error == NULL || !hl_banner_show (banner, HL_BANNER_ERROR, error, NULL, NULL)) &&
      !show_scores (banner, session) && !show_guess (banner, session) && !show_warnings (banner, session))
    hl_banner_hide (banner);
}

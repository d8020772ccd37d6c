/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/window/hl-axes-offer.h"

#include "app/reading/hl-axes-survey.h"

typedef struct
{
  GtkWidget *widget;
  GFile *file;
  char *text;
  HlAxesFound found;
} Offer;

static void
on_survey (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autofree Offer *offer = data;
  g_autoptr (GtkWidget) widget = offer->widget;
  g_autoptr (GFile) file = offer->file;
  g_autofree char *text = offer->text;
  g_autofree char *uri = g_file_get_uri (file);
  /* What cannot be opened at all has no choice. */
  g_autoptr (HlAxesSurvey) survey = hl_axes_survey_make_finish (result, NULL);

  if (survey != NULL && survey->items->len > 0 && gtk_widget_get_mapped (widget))
    offer->found (widget, text, uri);
}

/* @found is called if there is something to choose from and the widget is still seen. */
void
hl_axes_offer_make (GtkWidget  *widget,
                    GFile      *file,
                    const char *text,
                    HlAxesFound found)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (text != NULL && found != NULL);

  Offer *offer = g_new0 (Offer, 1);

  *offer = (Offer){ g_object_ref (widget), g_object_ref (file), g_strdup (text), found };
  hl_axes_survey_make_async (file, NULL, NULL, on_survey, offer);
}

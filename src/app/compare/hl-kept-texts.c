/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/compare/hl-kept-texts.h"

void
hl_kept_texts_clear (HlKeptTexts *self)
{
  g_return_if_fail (self != NULL);

  g_clear_object (&self->file);
  for (guint i = 0; i < G_N_ELEMENTS (self->texts); i++)
    g_clear_pointer (&self->texts[i], g_free);
}

/* In place of those before, if there are any. */
void
hl_kept_texts_keep (HlKeptTexts *self,
                    HlSession   *second)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (HL_IS_SESSION (second));

  HlLiveModel *live = hl_session_get_live (second);
  const char *text, *second_text;

  if (live == NULL)
    return;
  hl_live_model_get_texts (live, &text, &second_text);
  if (text == NULL || *text == '\0')
    return;
  hl_kept_texts_clear (self);
  g_set_object (&self->file, hl_document_get_file (hl_session_get_document (second)));
  self->texts[0] = g_strdup (text);
  self->texts[1] = g_strdup (second_text);
}

/* Of another model, as with an adapter and without, it is the text of the first side that is asked about. */
void
hl_kept_texts_bring_back (const HlKeptTexts *self,
                          HlSession         *second,
                          HlSession         *first)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (HL_IS_SESSION (second) && HL_IS_SESSION (first));

  HlLiveModel *live = hl_session_get_live (second);
  GFile *file = hl_document_get_file (hl_session_get_document (second));

  if (live == NULL || hl_live_model_get_pixels (live) != NULL || self->file == NULL ||
      !g_file_equal (self->file, file) || !g_file_equal (file, hl_document_get_file (hl_session_get_document (first))))
    return;
  hl_live_model_set_texts (live, self->texts[0], self->texts[1]);
}

/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/session/hl-open-request.h"

HlOpenRequest *
hl_open_request_new (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  HlOpenRequest *self = g_new0 (HlOpenRequest, 1);
  self->file = g_object_ref (file);
  return self;
}

HlOpenRequest *
hl_open_request_copy (const HlOpenRequest *self)
{
  HlOpenRequest *copy = hl_open_request_new (self->file);

  g_set_object (&copy->session_file, self->session_file);
  g_set_object (&copy->located, self->located);
  copy->saved = self->saved != NULL ? hl_saved_session_copy (self->saved) : NULL;
  g_set_object (&copy->pixels, self->pixels);
  copy->adapter = self->adapter;
  hl_open_request_set_texts (copy, self->texts[0], self->texts[1]);
  return copy;
}

void
hl_open_request_free (HlOpenRequest *self)
{
  g_clear_object (&self->file);
  g_clear_object (&self->session_file);
  g_clear_object (&self->located);
  g_clear_pointer (&self->saved, hl_saved_session_free);
  g_clear_object (&self->pixels);
  hl_open_request_set_texts (self, NULL, NULL);
  g_free (self);
}

/* It is to show that, in place of its file as that opens by itself. If its file is a session file, that is from where it was opened
 * before. */
void
hl_open_request_set_saved (HlOpenRequest        *self,
                           const HlSavedSession *saved)
{
  g_return_if_fail (saved != NULL);

  g_clear_pointer (&self->saved, hl_saved_session_free);
  self->saved = hl_saved_session_copy (saved);
  if (g_file_equal (self->file, saved->file))
    return;
  g_set_object (&self->session_file, self->file);
  g_set_object (&self->file, saved->file);
}

void
hl_open_request_set_texts (HlOpenRequest *self,
                           const char    *text,
                           const char    *second_text)
{
  const char *const texts[] = { text, second_text };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      char *before = self->texts[i];
      self->texts[i] = g_strdup (texts[i]);
      g_free (before);
    }
}

/* There is a session, the first or one in place of another, which knows from now on what it shows: what is opened again is the file. */
void
hl_open_request_take_opened (HlOpenRequest *self,
                             HlSession     *session,
                             gboolean       is_first)
{
  g_return_if_fail (HL_IS_SESSION (session));

  /* A session file that nobody had read before. */
  if (is_first && hl_session_get_saved (session) != NULL && self->saved == NULL)
    {
      g_set_object (&self->session_file, self->file);
      g_set_object (&self->file, hl_session_get_file (session));
    }
  g_clear_pointer (&self->saved, hl_saved_session_free);
  g_clear_object (&self->pixels);
  self->adapter = HL_OPEN_ADAPTER_LIKE;
  hl_open_request_set_texts (self, NULL, NULL);
}

/* What somebody would have to open to see the same. */
HlSavedSession *
hl_open_request_save (const HlOpenRequest *self)
{
  if (self->saved != NULL)
    return hl_saved_session_copy (self->saved);

  HlSavedSession *saved = g_new0 (HlSavedSession, 1);
  saved->file = g_object_ref (self->file);
  saved->text = self->texts[0] != NULL && *self->texts[0] != '\0' ? g_strdup (self->texts[0]) : NULL;
  g_set_object (&saved->pixels, self->pixels);
  saved->is_bare = self->adapter == HL_OPEN_ADAPTER_OFF;
  return saved;
}

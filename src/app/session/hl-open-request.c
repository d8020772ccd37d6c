/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/session/hl-open-request.h"

#include "app/live/hl-image-file.h"

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
  copy->located = self->located != NULL ? g_ptr_array_ref (self->located) : NULL;
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
  g_clear_pointer (&self->located, g_ptr_array_unref);
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
  g_clear_pointer (&self->located, g_ptr_array_unref);
  g_clear_pointer (&self->saved, hl_saved_session_free);
  g_clear_object (&self->pixels);
  self->adapter = HL_OPEN_ADAPTER_LIKE;
  hl_open_request_set_texts (self, NULL, NULL);
}

/* What is hidden and pinned means nothing in another text or image, which need not have a pair of words either. */
static void
forget_tokens (HlSavedSession *saved)
{
  HlSavedSession *other = saved->other;

  hl_state_texts_set (&saved->state, "hidden", NULL);
  hl_state_texts_set (&saved->state, "pinned", NULL);
  hl_state_texts_set (&saved->state, "pairs", NULL);
  if (other == NULL)
    return;
  if (hl_saved_session_is_again (other))
    hl_state_texts_set (&other->state, "hidden", NULL);
  hl_state_texts_set (&other->state, "pinned", NULL);
}

static void
save_pixels (HlSavedSession *saved,
             GFile          *pixels)
{
  if (saved->pixels != NULL && g_file_equal (saved->pixels, pixels))
    return;
  forget_tokens (saved);
  g_set_object (&saved->pixels, pixels);
  saved->is_image = hl_image_file_is_image (pixels);
}

/* What a second text is, its model says once it is read: until then it may be either. */
static void
save_texts (HlSavedSession *saved,
            char *const    *texts)
{
  char **second = saved->target_text != NULL ? &saved->target_text : &saved->text_pair;
  const char *second_text = texts[1] != NULL && *texts[1] != '\0' ? texts[1] : NULL;

  if (saved->pixels == NULL && g_strcmp0 (saved->text, texts[0]) == 0 && g_strcmp0 (*second, second_text) == 0)
    return;
  forget_tokens (saved);
  g_clear_object (&saved->pixels);
  g_free (saved->text);
  g_free (*second);
  saved->text = g_strdup (texts[0]);
  *second = g_strdup (second_text);
}

static void
save_adapter (HlSavedSession *saved,
              gboolean        is_bare)
{
  saved->is_bare = is_bare;
  if (saved->other != NULL && hl_saved_session_is_again (saved->other))
    saved->other->is_bare = is_bare;
}

/* What somebody would have to open to see the same: what was saved, with what was asked for since. */
HlSavedSession *
hl_open_request_save (const HlOpenRequest *self)
{
  HlSavedSession *saved = self->saved != NULL ? hl_saved_session_copy (self->saved) : g_new0 (HlSavedSession, 1);

  if (saved->file == NULL)
    saved->file = g_object_ref (self->file);
  if (self->texts[0] != NULL && *self->texts[0] != '\0')
    save_texts (saved, self->texts);
  if (self->pixels != NULL)
    save_pixels (saved, self->pixels);
  if (self->adapter != HL_OPEN_ADAPTER_LIKE)
    save_adapter (saved, self->adapter == HL_OPEN_ADAPTER_OFF);
  return saved;
}

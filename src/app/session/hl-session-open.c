/* SPDX-License-Identifier: MIT */
/*
 * What opening means: a folder or a GGUF file is a model, another file a dump, and a session file says which, and how it is looked at. A
 * dump is there when it is read; a model when the first layer of the first text is computed, so that weights that
 * cannot be used are known by then.
 */
#include "config.h"

#include "app/session/hl-session-open.h"

#include "app/session/hl-session.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/file/hl-file-read.h"
#include "core/model/local/hl-file-stamp.h"
#include "core/model/local/hl-model-place.h"

#include <glib/gi18n.h>

typedef struct
{
  HlOpenRequest *request;
  HlSavedSession *saved; /* given, or read from a session file */
  HlSession *like;
  HlOpenOptions *options;
  HlProgress *progress;
  HlLiveModel *live;
  HlSession *first; /* of two sides, when this is the second, or when it is there */
  char *stamp;      /* of the file before it is read */
} Opening;

static void
opening_free (gpointer data)
{
  Opening *self = data;

  g_clear_pointer (&self->request, hl_open_request_free);
  g_clear_pointer (&self->saved, hl_saved_session_free);
  g_clear_object (&self->like);
  hl_open_options_free (self->options);
  g_clear_object (&self->progress);
  g_clear_object (&self->live);
  g_clear_object (&self->first);
  g_free (self->stamp);
  g_free (self);
}

/* Takes a file that is part of a model, as “config.json”, for the model's folder; of an adapter that is off, as its name says with
 * %HL_MODEL_PLACE_BASE behind it, that without. */
GFile *
hl_session_resolve_file (GFile    *file,
                         gboolean *is_bare)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  *is_bare = FALSE;
  if (!hl_file_is_local (file))
    return g_object_ref (file);
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);

  if (folder != NULL && hl_file_stamp_is_part (name) && hl_model_is_model (folder))
    return g_steal_pointer (&folder);
  g_autoptr (GFile) located = hl_model_place_locate (g_file_peek_path (file), is_bare, NULL, NULL);
  return *is_bare ? g_steal_pointer (&located) : g_object_ref (file);
}

static void open_other (GTask *task, HlSession *first);

static void
on_restored (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (GTask) task = data;
  const Opening *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (!hl_session_restore_finish (HL_SESSION (source), result, &error))
    g_task_return_error (task, error);
  else if (self->saved->other != NULL)
    open_other (g_steal_pointer (&task), HL_SESSION (source));
  else
    g_task_return_pointer (task, g_object_ref (source), g_object_unref);
}

/* What layers and heads the second side has depends on which of its attentions goes with that of the first. What it has none of its own of is as
 * there, before a token is pinned in its layer. */
static void
begin_like_first (const Opening *self,
                  HlSession     *session)
{
  HlViewState *state = hl_session_get_view_state (session);
  HlViewState *first = hl_session_get_view_state (self->first);
  HlAttention *attention = hl_example_find_attention (hl_view_state_get_example (state),
                                                      hl_attention_get_kind (hl_view_state_get_attention (first)));

  if (attention != NULL)
    hl_view_state_set_attention (state, attention);
  hl_view_state_set_selection (state, hl_view_state_get_selection (first));
}

/* Without anything saved, what there is to see at first. */
static void
choose_attention (HlSession *session)
{
  HlViewState *state = hl_session_get_view_state (session);

  hl_view_state_set_attention (state, hl_example_choose_attention (hl_view_state_get_example (state)));
}

static void
on_resumed (GObject      *source,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (!hl_session_resume_finish (HL_SESSION (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  choose_attention (HL_SESSION (source));
  g_task_return_pointer (task, g_object_ref (source), g_object_unref);
}

/* Whether it is what it is to be like, opened once more. */
static gboolean
is_again (const Opening *self,
          HlSession     *session)
{
  return self->like != NULL && g_file_equal (hl_document_get_file (hl_session_get_document (self->like)),
                                             hl_document_get_file (hl_session_get_document (session)));
}

/* Takes the task over: there is a session, or an error. */
static void
take_session (GTask     *task,
              HlSession *session,
              GError    *error)
{
  const Opening *self = g_task_get_task_data (task);

  if (session != NULL)
    hl_session_watch (session, self->stamp);
  if (session != NULL && self->saved != NULL)
    {
      if (self->first != NULL)
        begin_like_first (self, session);
      hl_session_restore (session, self->saved, on_restored, task);
      g_object_unref (session);
      return;
    }
  if (session != NULL && is_again (self, session))
    {
      hl_session_resume_async (session, self->like, on_resumed, task);
      g_object_unref (session);
      return;
    }
  if (session != NULL)
    choose_attention (session);
  if (session != NULL)
    g_task_return_pointer (task, session, g_object_unref);
  else
    g_task_return_error (task, error);
  g_object_unref (task);
}

static void
on_document (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (HlDocument) document = hl_document_load_finish (result, &error);
  HlSession *session = document != NULL ? hl_session_new (document, &error) : NULL;

  take_session (g_steal_pointer (&task), session, error);
}

/* The task is over when there is a document, an error, or nothing more to come. */
static void
on_live_changed (GTask *task)
{
  Opening *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (g_task_get_completed (task))
    return;
  if (hl_live_model_get_document (self->live) != NULL)
    {
      HlSession *session = hl_session_new_live (self->live, &error);
      g_signal_handlers_disconnect_by_data (self->live, task);
      take_session (task, session, error);
    }
  else if (hl_live_model_get_error (self->live) != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->live, task);
      take_session (task, NULL, g_error_copy (hl_live_model_get_error (self->live)));
    }
}

/* Runs the model on what it was run on, and has the layer first that was looked at. */
static void
prepare_saved (HlLiveModel          *live,
               const HlSavedSession *saved)
{
  const char *attention = hl_state_texts_get (&saved->state, "attention");
  const char *layer = hl_state_texts_get (&saved->state, "layer");
  HlAttentionKind kind = HL_ATTENTION_SELF;

  /* Before there is anything to compute. */
  hl_live_model_begin_adapter (live, !saved->is_bare);
  hl_live_model_set_n_layers (live, saved->n_layers);
  if (saved->pixels != NULL)
    {
      hl_live_model_set_pixels (live, saved->pixels);
    }
  else if (saved->text != NULL)
    {
      const char *second = saved->text_pair != NULL ? saved->text_pair : saved->target_text;
      hl_live_model_set_texts (live, saved->text, second != NULL ? second : "");
    }
  if (attention != NULL)
    hl_attention_kind_from_name (attention, &kind);
  hl_live_model_set_wanted (live, kind, layer != NULL ? (guint) g_ascii_strtoull (layer, NULL, 10) : 0);
}

static void
start_model (GTask *task,
             GFile *folder)
{
  Opening *self = g_task_get_task_data (task);
  HlLiveModel *before = self->like != NULL ? hl_session_get_live (self->like) : NULL;
  GCancellable *cancellable = g_task_get_cancellable (task);

  self->live = hl_live_model_new (folder, self->progress);
  g_signal_connect_swapped (self->live, "notify::document", G_CALLBACK (on_live_changed), task);
  g_signal_connect_swapped (self->live, "notify::error", G_CALLBACK (on_live_changed), task);
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (hl_live_model_stop), self->live, G_CONNECT_SWAPPED);
  char **texts = self->request->texts;
  GFile *pixels = self->request->pixels;
  if (pixels == NULL && before != NULL)
    pixels = hl_live_model_get_pixels (before);
  if (self->saved == NULL && before != NULL)
    hl_live_model_begin_like (self->live, before);
  if (self->request->adapter != HL_OPEN_ADAPTER_LIKE)
    hl_live_model_begin_adapter (self->live, self->request->adapter == HL_OPEN_ADAPTER_ON);
  if (self->saved != NULL)
    {
      prepare_saved (self->live, self->saved);
    }
  else if (pixels == NULL && texts[0] != NULL && *texts[0] != '\0')
    {
      hl_live_model_set_texts (self->live, texts[0], texts[1] != NULL ? texts[1] : "");
    }
  else if (pixels == NULL && before != NULL)
    {
      const char *text, *second_text;
      hl_live_model_get_texts (before, &text, &second_text);
      if (text != NULL && *text != '\0')
        hl_live_model_set_texts (self->live, text, second_text);
    }
  if (self->saved == NULL && pixels != NULL)
    hl_live_model_set_pixels (self->live, pixels);
  else
    hl_live_model_run (self->live);
}

static void
on_kind (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (GTask) task = data;
  Opening *self = g_task_get_task_data (task);
  GFile *file = G_FILE (source);

  if (g_task_propagate_boolean (G_TASK (result), NULL))
    start_model (g_steal_pointer (&task), file);
  else
    hl_document_load_async (file, self->options, self->progress, g_task_get_cancellable (task), on_document,
                            g_object_ref (task));
}

/* What is a folder can only be a model; opening it says what it lacks. What cannot be looked at is read as a dump, which says what is
 * wrong. */
static void
find_kind (GTask        *task,
           gpointer      file,
           gpointer      data,
           GCancellable *cancellable)
{
  Opening *self = data;

  self->stamp = hl_file_stamp_take (file, NULL, cancellable);
  g_task_return_boolean (task,
                         g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, cancellable) == G_FILE_TYPE_DIRECTORY ||
                           hl_model_is_model (file));
}

/* Takes the task over. */
static void
ask_kind (GTask *task)
{
  Opening *self = g_task_get_task_data (task);
  g_autoptr (GTask) asking = g_task_new (self->request->file, g_task_get_cancellable (task), on_kind, task);

  /* Whose task waits for this one. */
  g_task_set_task_data (asking, self, NULL);
  g_task_run_in_thread (asking, find_kind);
}

/* Looks like the first side, with what is its own. */
static HlSavedSession *
make_other_saved (const HlSavedSession *saved)
{
  HlSavedSession *other = hl_saved_session_copy (saved->other);

  for (guint i = 0; i < hl_state_text_get_n (); i++)
    if (!hl_state_text_is_place (i) && !hl_saved_session_is_of_side (i))
      other->state.texts[i] = g_strdup (saved->state.texts[i]);
  return other;
}

static gboolean
check_pairing (HlSession            *other,
               const HlSavedSession *saved,
               GError              **error)
{
  const HlHeadPairing pairing = hl_saved_session_get_pairing (saved);
  HlAttention *attention = hl_view_state_get_attention (hl_session_get_view_state (other));
  g_autofree char *display_name = hl_file_dup_display_name (hl_document_get_file (hl_session_get_document (other)));

  if (hl_head_pairing_fits (&pairing, attention))
    return TRUE;
  if (pairing.layer >= 0 && (guint) pairing.layer < hl_attention_get_n_layers (attention) &&
      hl_attention_get_n_heads (attention, (guint) pairing.layer) == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                 hl_attention_get_rule (attention, (guint) pairing.layer)->left_out
                   ? _ ("layer %d of “%s” was not captured")
                   : _ ("there is no attention in layer %d of “%s”"),
                 pairing.layer, display_name);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no head %d in “%s”"), pairing.head, display_name);
  return FALSE;
}

static void
on_other_opened (GObject      *source,
                 GAsyncResult *result,
                 gpointer      data)
{
  g_autoptr (GTask) task = data;
  Opening *self = g_task_get_task_data (task);
  const HlSavedSession *saved = self->saved->other;
  GError *error = NULL;
  g_autoptr (HlSession) other = hl_session_open_finish (result, &error);

  if (other != NULL && check_pairing (other, saved, &error))
    {
      hl_session_set_other (self->first, g_steal_pointer (&other), self->saved);
      g_task_return_pointer (task, g_steal_pointer (&self->first), g_object_unref);
      return;
    }
  hl_session_close (self->first);
  if (other != NULL)
    hl_session_close (other);
  g_autofree char *name = hl_file_dup_display_name (saved->file != NULL ? saved->file : self->request->file);
  /* Translators: stands after a file's name and a colon, and before the reason */
  g_prefix_error (&error, _ ("it cannot be compared with “%s”: "), name);
  g_task_return_error (task, error);
}

/* Takes the task over. Where one of two sides cannot be opened, neither is: one alone would be another picture. */
static void
open_other (GTask     *task,
            HlSession *first)
{
  Opening *self = g_task_get_task_data (task);
  const HlSavedSession *saved = self->saved->other;
  GCancellable *cancellable = g_task_get_cancellable (task);
  Opening *opening = g_new0 (Opening, 1);
  GTask *other_task = g_task_new (NULL, cancellable, on_other_opened, task);

  self->first = g_object_ref (first);
  opening->first = g_object_ref (first);
  opening->request = hl_open_request_new (saved->file != NULL ? saved->file : self->request->file);
  opening->options = hl_open_options_copy (saved->file != NULL ? &saved->options : self->options);
  opening->saved = make_other_saved (self->saved);
  opening->progress = g_object_ref (self->progress);
  g_task_set_source_tag (other_task, open_other);
  g_task_set_task_data (other_task, opening, opening_free);
  if (hl_saved_session_is_again (saved))
    {
      GError *error = NULL;
      HlSession *other = hl_session_new (hl_session_get_document (first), &error);
      take_session (other_task, other, error);
    }
  else
    ask_kind (other_task);
}

static void
look_for_session (GTask        *task,
                  gpointer      source,
                  gpointer      data,
                  GCancellable *cancellable)
{
  const HlOpenRequest *request = ((const Opening *) data)->request;
  GError *error = NULL;

  /* What is dropped from a page of the web is an address, which nobody asked for to be fetched, nor looked for. */
  if (request->saved == NULL && !hl_file_is_local (request->file))
    {
      g_task_return_new_error (task, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("only local files can be opened"));
      return;
    }
  if (request->saved == NULL && !hl_saved_session_is_file (request->file, cancellable))
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  g_autoptr (HlSavedSession) saved = request->saved != NULL
                                       ? hl_open_request_save (request)
                                       : hl_saved_session_load (request->file, cancellable, &error);
  if (saved != NULL && request->located != NULL)
    hl_saved_session_use_located (saved, request->located, cancellable);
  if (saved != NULL && hl_saved_session_find_file (saved, cancellable, &error))
    g_task_return_pointer (task, g_steal_pointer (&saved), (GDestroyNotify) hl_saved_session_free);
  else
    g_task_return_error (task, error);
}

static void
on_looked (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (GTask) task = data;
  Opening *self = g_task_get_task_data (task);
  GError *error = NULL;

  self->saved = g_task_propagate_pointer (G_TASK (result), &error);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (self->saved != NULL)
    {
      g_set_object (&self->request->file, self->saved->file);
      hl_open_options_free (self->options);
      self->options = hl_open_options_copy (&self->saved->options);
    }
  ask_kind (g_steal_pointer (&task));
}

/* Reads what is asked for as the session that it is to be like, and computes what was typed there where nothing else is asked for. What the
 * file does not take, pixels or texts, is not asked of it. */
void
hl_session_open_async (const HlOpenRequest *request,
                       HlSession           *like,
                       HlProgress          *progress,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  g_return_if_fail (request != NULL);
  g_return_if_fail (like == NULL || HL_IS_SESSION (like));
  g_return_if_fail (HL_IS_PROGRESS (progress));

  Opening *self = g_new0 (Opening, 1);
  self->request = hl_open_request_copy (request);
  self->like = like != NULL ? g_object_ref (like) : NULL;
  if (like != NULL)
    self->options = hl_open_options_copy (hl_document_get_options (hl_session_get_document (like)));
  self->progress = g_object_ref (progress);
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, hl_session_open_async);
  g_task_set_task_data (task, self, opening_free);

  g_autoptr (GTask) look = g_task_new (NULL, cancellable, on_looked, task);
  g_task_set_source_tag (look, look_for_session);
  g_task_set_task_data (look, self, NULL);
  g_task_run_in_thread (look, look_for_session);
}

/* Returns what pixels the model takes where there is no session because there are none, or none that it can take; NULL otherwise. */
char *
hl_session_open_dup_wanted_pixels (GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  const Opening *self = g_task_get_task_data (G_TASK (result));
  /* What was saved with an image is not to be seen with another, unless that was given. */
  const gboolean has_own = self->saved != NULL && self->saved->pixels != NULL && self->request->pixels == NULL;

  return self->live != NULL && !has_own ? hl_live_model_dup_wanted_pixels (self->live) : NULL;
}

HlSession *
hl_session_open_finish (GAsyncResult *result,
                        GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

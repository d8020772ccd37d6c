/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/session/hl-first-choice.h"

#include "core/base/hl-limits.h"

typedef struct
{
  HlAttention *attention;
  HlAttentionSource *source;
  HlModelCall *call;
  HlFirstHead choice;
} Choosing;

static void
choosing_free (gpointer data)
{
  Choosing *self = data;

  g_object_unref (self->attention);
  g_object_unref (self->source);
  g_clear_object (&self->call);
  g_free (self);
}

static void
choose (GTask        *task,
        gpointer      source,
        gpointer      data,
        GCancellable *cancellable)
{
  Choosing *self = data;
  GError *error = NULL;

  if (hl_first_head_choose (self->attention, self->source, self->call, &self->choice, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Pairs of layer and head; only a page has them. */
static GVariant *
dup_selected (HlSession *session)
{
  HlArchive *archive = hl_document_get_archive (hl_session_get_document (session));
  g_autoptr (GVariant) pairs = archive != NULL ? hl_archive_get_attribute (archive, "", "selected", NULL) : NULL;

  return pairs != NULL && g_variant_is_of_type (pairs, G_VARIANT_TYPE ("a(uu)")) ? g_steal_pointer (&pairs) : NULL;
}

/* The view that a page was exported in; FALSE for what is no page. */
gboolean
hl_first_choice_find_view (HlSession  *session,
                           HlViewKind *view)
{
  g_return_val_if_fail (HL_IS_SESSION (session), FALSE);

  g_autoptr (GVariant) pairs = dup_selected (session);
  if (pairs == NULL)
    return FALSE;
  g_autoptr (GVariant)
    nick = hl_archive_get_attribute (hl_document_get_archive (hl_session_get_document (session)), "", "view", NULL);
  return nick != NULL && g_variant_is_of_type (nick, G_VARIANT_TYPE_STRING) &&
         hl_view_kind_from_nick (g_variant_get_string (nick, NULL), view) &&
         hl_view_kind_get_lack (*view, hl_view_state_get_attention (hl_session_get_view_state (session))) == NULL;
}

/* The heads that a page was exported with, and the view; FALSE for what says nothing of that. */
static gboolean
take_selected (HlSession *session)
{
  HlViewState *state = hl_session_get_view_state (session);
  HlAttention *attention = hl_view_state_get_attention (state);
  g_autoptr (GVariant) pairs = dup_selected (session);
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (HlHeadPlace));
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  HlHeadSet heads = { 0 };
  HlHeadPlace first, place;
  HlViewKind view;
  GVariantIter i;

  if (pairs == NULL)
    return FALSE;
  if (hl_first_choice_find_view (session, &view))
    hl_view_state_set_option (state, view, view);
  g_variant_iter_init (&i, pairs);
  gboolean found = FALSE;
  while (g_variant_iter_next (&i, "(uu)", &place.layer, &place.head))
    {
      if (place.layer >= hl_attention_get_n_layers (attention) ||
          place.head >= hl_attention_get_n_heads (attention, place.layer))
        continue;
      if (!found)
        first = place;
      found = TRUE;
      if (place.layer == first.layer)
        hl_head_set_add (&heads, place.head);
      else if (g_hash_table_add (known, GUINT_TO_POINTER (place.layer * HL_LIMIT_HEADS + place.head)))
        g_array_append_val (others, place);
    }
  if (!found)
    return FALSE;
  hl_view_state_go_to (state, first.layer, first.head);
  g_auto (HlHeadSelection) selection = hl_head_selection_copy (hl_view_state_get_selection (state));
  hl_head_selection_set_heads (&selection, attention, &heads);
  hl_head_selection_set_others (&selection, (const HlHeadPlace *) (gpointer) others->data, others->len);
  hl_view_state_set_selection (state, &selection);
  return TRUE;
}

/* The head is in sight before anything was painted, so that nothing moves. What cannot be read says so where it is looked at; then there is no
 * choice. */
static void
on_chosen (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (GTask) task = data;
  HlSession *session = HL_SESSION (g_task_get_source_object (task));
  Choosing *self = g_task_get_task_data (G_TASK (result));
  HlViewState *state = hl_session_get_view_state (session);

  if (!g_task_propagate_boolean (G_TASK (result), NULL) || self->attention != hl_view_state_get_attention (state))
    self->choice.is_chosen = FALSE;
  if (self->choice.is_chosen)
    hl_view_state_go_to (state, self->choice.layer, self->choice.head);
  if (self->choice.is_chosen && self->choice.name != NULL)
    {
      const HlToldName told = {
        .attention = self->attention,
        .queries = { self->choice.first_query, self->choice.n_queries },
        .layer = self->choice.layer,
        .head = self->choice.head,
        .name = self->choice.name,
        .value = self->choice.value,
      };
      hl_view_state_tell_head_name (state, &told);
    }
  g_task_return_pointer (task, g_memdup2 (&self->choice, sizeof self->choice), g_free);
}

/* Of a model that runs, the layers that it is chosen from are waited for. */
void
hl_first_choice_make_async (HlSession          *session,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  g_return_if_fail (HL_IS_SESSION (session));

  HlViewState *state = hl_session_get_view_state (session);
  GTask *whole = g_task_new (session, cancellable, callback, user_data);

  g_task_set_source_tag (whole, hl_first_choice_make_async);
  g_task_set_check_cancellable (whole, FALSE);
  if (take_selected (session))
    {
      g_task_return_pointer (whole, g_new0 (HlFirstHead, 1), g_free);
      g_object_unref (whole);
      return;
    }
  Choosing *self = g_new0 (Choosing, 1);
  self->attention = g_object_ref (hl_view_state_get_attention (state));
  self->source = g_object_ref (hl_view_state_get_attention_source (state));
  g_set_object (&self->call, hl_view_state_get_call (state));
  /* It does not own the session: tasks may be finalized in the worker. */
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, on_chosen, whole);
  g_task_set_source_tag (task, choose);
  g_task_set_name (task, "first head");
  g_task_set_task_data (task, self, choosing_free);
  g_task_run_in_thread (task, choose);
}

/* Returns whether there was something to choose from. */
gboolean
hl_first_choice_make_finish (HlSession    *session,
                             GAsyncResult *result,
                             HlFirstHead  *choice)
{
  g_return_val_if_fail (g_task_is_valid (result, session), FALSE);

  g_autofree HlFirstHead *chosen = g_task_propagate_pointer (G_TASK (result), NULL);
  *choice = *chosen;
  return choice->is_chosen;
}

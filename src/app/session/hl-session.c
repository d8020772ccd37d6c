/* SPDX-License-Identifier: MIT */
/*
 * An open document, how it is looked at, and the work that runs for it. Reading an example and examining numbers happen
 * in workers; what comes back is dropped when it is no longer asked for. What a model computes takes the place of what
 * is shown, as soon as it can.
 */
#include "config.h"

#include "app/session/hl-session.h"

#include "core/analysis/hl-examine.h"
#include "core/base/hl-error.h"
#include "core/base/hl-owner.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/hl-utf8.h"
#include "core/base/hl-worker.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n.h>
#include <string.h>

/* Letters of a text in a title. */
#define MAX_TITLE 500

struct _HlSession
{
  GObject parent_instance;

  GThread *owner;
  HlDocument *document;
  HlLiveModel *live; /* NULL for a file */
  HlViewState *view_state;
  char *title;
  char *subtitle;

  HlSavedSession *saved; /* what it was restored from */
  HlSession *other;      /* what it is to be compared with, until it is */

  HlFileWatch *watch; /* of its file; NULL where nobody asked for it */

  guint example_index;
  guint shown_index;
  GCancellable *example_cancellable;

  GListStore *checks;
  gboolean examined;
  GCancellable *examine_cancellable;

  gboolean verified;
  GCancellable *verify_cancellable;
  HlCheck *damage; /* what the checksums of the file say, if they say something */
};

enum
{
  PROP_DOCUMENT = 1,
  PROP_VIEW_STATE,
  PROP_TITLE,
  PROP_SUBTITLE,
  PROP_EXAMPLE_INDEX,
  PROP_BUSY,
  PROP_CHECKS,
  PROP_EXAMINING,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlSession, hl_session, G_TYPE_OBJECT)

static void
stop_examining (HlSession *self)
{
  if (self->examine_cancellable == NULL)
    return;
  g_cancellable_cancel (self->examine_cancellable);
  g_clear_object (&self->examine_cancellable);
  g_object_notify (G_OBJECT (self), "examining");
}

static void
stop_verifying (HlSession *self)
{
  g_cancellable_cancel (self->verify_cancellable);
  g_clear_object (&self->verify_cancellable);
}

static void
stop_reading (HlSession *self)
{
  if (self->example_cancellable == NULL)
    return;
  g_cancellable_cancel (self->example_cancellable);
  g_clear_object (&self->example_cancellable);
  g_object_notify (G_OBJECT (self), "busy");
}

/* One line of text whatever the file says, and no longer one than is seen: all that a label gets is laid out, each time it changes. */
static char *
flatten (const char *text)
{
  g_autofree char *copy = g_utf8_make_valid (text, (gssize) strnlen (text, (gsize) MAX_TITLE * 6));
  const gboolean is_long = g_utf8_strlen (copy, -1) > MAX_TITLE;

  if (is_long)
    *g_utf8_offset_to_pointer (copy, MAX_TITLE - 1) = '\0';
  hl_utf8_flatten (copy);
  return g_strconcat (g_strstrip (copy), is_long ? "…" : NULL, NULL);
}

static void
update_subtitle (HlSession *self)
{
  HlExample *example = hl_view_state_get_example (self->view_state);
  const char *model = hl_document_get_model (self->document);
  GFile *pixels = self->live != NULL ? hl_live_model_get_pixels (self->live) : NULL;
  g_autofree char *name = pixels != NULL ? hl_file_dup_display_name (pixels) : NULL;
  const char *text = pixels != NULL ? NULL : hl_example_get_text (example);
  const char *pair = hl_example_get_text_pair (example);
  g_autofree char *flat_model = model != NULL ? flatten (model) : NULL;
  g_autofree char *flat_text = text != NULL ? flatten (text) : NULL;
  g_autofree char *flat_pair = pair != NULL ? flatten (pair) : NULL;
  g_autofree char *subtitle = NULL;

  /* The folder of a model often has the model's name, which the title says already. */
  const gboolean is_titled = g_strcmp0 (flat_model, self->title) == 0;

  if (hl_session_is_empty (self))
    subtitle = g_strdup (_ ("No text"));
  else if (name != NULL)
    subtitle = is_titled ? g_strdup (name) : g_strdup_printf (_ ("%s — %s"), flat_model, name);
  else if (is_titled && flat_text != NULL && flat_pair != NULL)
    /* Translators: two texts that a model reads */
    subtitle = g_strdup_printf (_ ("“%s” · “%s”"), flat_text, flat_pair);
  else if (!is_titled && flat_model != NULL && flat_text != NULL)
    /* Translators: the name of a model and the text it read */
    subtitle = g_strdup_printf (_ ("%s — “%s”"), flat_model, flat_text);
  else if (flat_text != NULL)
    subtitle = g_strdup_printf (_ ("“%s”"), flat_text);
  else
    subtitle = g_steal_pointer (&flat_model);

  if (g_strcmp0 (subtitle, self->subtitle) == 0)
    return;
  g_free (self->subtitle);
  self->subtitle = g_steal_pointer (&subtitle);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUBTITLE]);
}

/* What may be read is remembered as long as the document is open, for whoever saves it or compares it with itself. */
static void
on_expansion_allowed (HlSession *self)
{
  if (self->document != NULL)
    hl_document_allow_expansion (self->document);
}

static void
create_view_state (HlSession *self,
                   HlExample *example)
{
  self->view_state = hl_view_state_new (example);
  if (hl_document_get_allows_expansion (self->document))
    hl_view_state_allow_expansion (self->view_state, FALSE);
  g_signal_connect_object (self->view_state, "notify::allows-expansion", G_CALLBACK (on_expansion_allowed), self,
                           G_CONNECT_SWAPPED);
}

static void
show_example (HlSession *self,
              HlExample *example)
{
  GPtrArray *checks = hl_example_get_checks (example);

  stop_examining (self);
  self->examined = FALSE;
  g_list_store_splice (self->checks, 0, g_list_model_get_n_items (G_LIST_MODEL (self->checks)), checks->pdata,
                       checks->len);
  if (self->damage != NULL)
    g_list_store_append (self->checks, self->damage);
  if (self->view_state == NULL)
    create_view_state (self, example);
  hl_view_state_set_call (self->view_state, hl_model_call_of (self->document));
  hl_view_state_set_example (self->view_state, example);
  update_subtitle (self);
}

static void
close_other (HlSession *self)
{
  if (self->other != NULL)
    hl_session_close (self->other);
  g_clear_object (&self->other);
}

static void
hl_session_get_property (GObject    *object,
                         guint       id,
                         GValue     *value,
                         GParamSpec *pspec)
{
  HlSession *self = HL_SESSION (object);

  switch (id)
    {
    case PROP_DOCUMENT:
      g_value_set_object (value, self->document);
      break;
    case PROP_VIEW_STATE:
      g_value_set_object (value, self->view_state);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_SUBTITLE:
      g_value_set_string (value, self->subtitle);
      break;
    case PROP_EXAMPLE_INDEX:
      g_value_set_uint (value, self->example_index);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, hl_session_get_busy (self));
      break;
    case PROP_CHECKS:
      g_value_set_object (value, self->checks);
      break;
    case PROP_EXAMINING:
      g_value_set_boolean (value, hl_session_get_examining (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_session_set_property (GObject      *object,
                         guint         id,
                         const GValue *value,
                         GParamSpec   *pspec)
{
  HlSession *self = HL_SESSION (object);

  switch (id)
    {
    case PROP_EXAMPLE_INDEX:
      hl_session_set_example_index (self, g_value_get_uint (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_session_dispose (GObject *object)
{
  HlSession *self = HL_SESSION (object);

  hl_session_close (self);
  close_other (self);
  g_clear_pointer (&self->saved, hl_saved_session_free);
  g_clear_object (&self->view_state);
  g_clear_object (&self->document);
  g_clear_object (&self->live);
  g_clear_object (&self->checks);
  g_clear_object (&self->damage);
  G_OBJECT_CLASS (hl_session_parent_class)->dispose (object);
}

static void
hl_session_finalize (GObject *object)
{
  HlSession *self = HL_SESSION (object);

  g_free (self->title);
  g_free (self->subtitle);
  G_OBJECT_CLASS (hl_session_parent_class)->finalize (object);
}

static void
hl_session_class_init (HlSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_session_get_property;
  object_class->set_property = hl_session_set_property;
  object_class->dispose = hl_session_dispose;
  object_class->finalize = hl_session_finalize;

  properties[PROP_DOCUMENT] = g_param_spec_object ("document", NULL, NULL, HL_TYPE_DOCUMENT, readable);
  properties[PROP_VIEW_STATE] = g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE, readable);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, readable);
  properties[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, readable);
  properties[PROP_EXAMPLE_INDEX] =
    g_param_spec_uint ("example-index", NULL, NULL, 0, G_MAXUINT, 0,
                       G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, readable);
  properties[PROP_CHECKS] = g_param_spec_object ("checks", NULL, NULL, G_TYPE_LIST_MODEL, readable);
  properties[PROP_EXAMINING] = g_param_spec_boolean ("examining", NULL, NULL, FALSE, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /* Another example could not be read; the one that was shown stays. */
  g_signal_new ("failed", HL_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
hl_session_init (HlSession *self)
{
  self->owner = g_thread_self ();
  self->checks = g_list_store_new (HL_TYPE_CHECK);
}

HlSession *
hl_session_new (HlDocument *document,
                GError    **error)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (document), NULL);

  /* The first example was read when the document was: this does not block. */
  HlExample *example = hl_document_get_example (document, 0, NULL, error);
  if (example == NULL)
    return NULL;

  HlSession *self = g_object_new (HL_TYPE_SESSION, NULL);
  self->document = g_object_ref (document);
  self->title = hl_file_dup_display_name (hl_document_get_file (document));
  show_example (self, example);
  g_object_unref (example);
  return self;
}

/* Another one after a newer text was typed. */
HlDocument *
hl_session_get_document (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->document;
}

/* What is to be opened to see the same: of an adapter that is off that, while the document is of the model that it changes. */
GFile *
hl_session_get_file (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);

  return self->live != NULL ? hl_live_model_get_file (self->live) : hl_document_get_file (self->document);
}

HlViewState *
hl_session_get_view_state (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->view_state;
}

const char *
hl_session_get_title (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->title;
}

/* Model and text of what is shown, in one line, as far as the file says. */
const char *
hl_session_get_subtitle (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->subtitle;
}

/* What was being read is dropped; the session stays usable. */
void
hl_session_close (HlSession *self)
{
  g_return_if_fail (HL_IS_SESSION (self));
  HL_ASSERT_OWNER (self);

  stop_reading (self);
  stop_examining (self);
  stop_verifying (self);
  g_clear_object (&self->watch);
  if (self->live != NULL)
    hl_live_model_stop (self->live);
}

/* Looks from now on whether somebody writes to what was read, until it is closed. @stamp is of before that was read; NULL for
 * what is there now. */
void
hl_session_watch (HlSession  *self,
                  const char *stamp)
{
  g_return_if_fail (HL_IS_SESSION (self));
  HL_ASSERT_OWNER (self);

  g_clear_object (&self->watch);
  self->watch = hl_file_watch_new (hl_session_get_file (self), stamp);
}

/* NULL where nobody asked for one, or it was closed. */
HlFileWatch *
hl_session_get_watch (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->watch;
}

/* The example that is shown, or that will be as soon as it is read. */
guint
hl_session_get_example_index (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), 0);
  return self->example_index;
}

static void
read_example (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  GError *error = NULL;
  HlExample *example = hl_document_get_example (source, GPOINTER_TO_UINT (data), cancellable, &error);

  if (example != NULL)
    g_task_return_pointer (task, example, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
example_read (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (HlSession) self = data;
  g_autoptr (GError) error = NULL;
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  g_autoptr (HlExample) example = g_task_propagate_pointer (G_TASK (result), &error);

  if (cancellable != self->example_cancellable)
    return;

  g_clear_object (&self->example_cancellable);
  if (example != NULL)
    {
      self->shown_index = self->example_index;
      show_example (self, example);
    }
  else
    {
      self->example_index = self->shown_index;
      g_object_notify (G_OBJECT (self), "example-index");
      g_signal_emit_by_name (self, "failed", error);
    }
  g_object_notify (G_OBJECT (self), "busy");
}

/* Shown as soon as it is read. If it cannot be, “failed” tells, and the index goes back. */
void
hl_session_set_example_index (HlSession *self,
                              guint      index)
{
  g_return_if_fail (HL_IS_SESSION (self));
  g_return_if_fail (index < hl_document_get_n_examples (self->document));
  HL_ASSERT_OWNER (self);

  if (index == self->example_index)
    return;

  stop_reading (self);
  self->example_index = index;
  g_object_notify (G_OBJECT (self), "example-index");
  if (index == self->shown_index)
    return;

  self->example_cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self->document, self->example_cancellable, example_read, g_object_ref (self));
  g_task_set_source_tag (task, hl_session_set_example_index);
  g_task_set_task_data (task, GUINT_TO_POINTER (index), NULL);
  g_task_run_in_thread (task, read_example);
  g_object_notify (G_OBJECT (self), "busy");
}

gboolean
hl_session_get_busy (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), FALSE);
  return self->example_cancellable != NULL;
}

GListModel *
hl_session_get_checks (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return G_LIST_MODEL (self->checks);
}

static void
examine (GTask        *task,
         gpointer      source,
         gpointer      data,
         GCancellable *cancellable)
{
  hl_worker_give_way ();
  HlExample *example = source;
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      /* A source of its own, so that what is looked at stays in the cache of the one on screen. */
      g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
      g_autoptr (GError) error = NULL;
      GPtrArray *checks = hl_examine_attention (attention, weights, cancellable, &error);

      if (checks == NULL)
        {
          g_task_return_error (task, g_steal_pointer (&error));
          return;
        }
      g_ptr_array_extend_and_steal (found, checks);
    }
  g_task_return_pointer (task, g_steal_pointer (&found), (GDestroyNotify) g_ptr_array_unref);
}

static void
examined (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlSession) self = data;
  g_autoptr (GError) error = NULL;
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  g_autoptr (GPtrArray) found = g_task_propagate_pointer (G_TASK (result), &error);

  if (cancellable != self->examine_cancellable)
    return;

  g_clear_object (&self->examine_cancellable);
  if (found != NULL)
    g_list_store_splice (self->checks, g_list_model_get_n_items (G_LIST_MODEL (self->checks)), 0, found->pdata,
                         found->len);
  else
    {
      g_autoptr (HlCheck)
        check = hl_check_new (HL_SEVERITY_WARNING, _ ("Not all of it can be read: %s"), error->message);
      g_list_store_append (self->checks, check);
    }
  g_object_notify (G_OBJECT (self), "examining");
}

static void
verify (GTask        *task,
        gpointer      source,
        gpointer      data,
        GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  HlCheck *check = NULL;
  guint n_verified;

  hl_worker_give_way ();
  if (!hl_archive_verify (source, &n_verified, NULL, cancellable, &error) && error->domain == HL_ERROR)
    check = hl_check_new (HL_SEVERITY_WARNING, _ ("The file is damaged: %s"), error->message);
  g_task_return_pointer (task, check, g_object_unref);
}

static void
verified (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlSession) self = data;
  g_autoptr (HlCheck) check = g_task_propagate_pointer (G_TASK (result), NULL);

  if (g_task_get_cancellable (G_TASK (result)) != self->verify_cancellable)
    return;
  g_clear_object (&self->verify_cancellable);
  if (check == NULL)
    return;
  g_set_object (&self->damage, check);
  g_list_store_append (self->checks, check);
}

/* Holds the file against its checksums, once for all examples: that reads all of it. */
static void
verify_file (HlSession *self)
{
  HlArchive *archive = hl_document_get_archive (self->document);

  if (self->verified || archive == NULL)
    return;
  self->verified = TRUE;
  self->verify_cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (archive, self->verify_cancellable, verified, g_object_ref (self));
  g_task_set_source_tag (task, verify_file);
  g_task_set_priority (task, G_PRIORITY_LOW);
  g_task_run_in_thread (task, verify);
}

/* Looks for what is odd about the numbers of the example that is shown, once, and adds it to the checks; not at what is
 * computed here: its rows sum to 1. Not done on its own, so that it does not compete with the first picture. */
void
hl_session_examine (HlSession *self)
{
  g_return_if_fail (HL_IS_SESSION (self));
  HL_ASSERT_OWNER (self);

  if (self->examined || self->live != NULL)
    return;

  verify_file (self);
  self->examined = TRUE;
  self->examine_cancellable = g_cancellable_new ();
  g_autoptr (GTask) task =
    g_task_new (hl_view_state_get_example (self->view_state), self->examine_cancellable, examined, g_object_ref (self));
  g_task_set_source_tag (task, hl_session_examine);
  g_task_set_priority (task, G_PRIORITY_LOW);
  g_task_run_in_thread (task, examine);
  g_object_notify (G_OBJECT (self), "examining");
}

gboolean
hl_session_get_examining (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), FALSE);
  return self->examine_cancellable != NULL;
}

static gboolean
has_same_tokens (HlAttention *a,
                 HlAttention *b)
{
  const char *const *lists[2][2] = { { hl_attention_get_tokens (a, HL_QUERIES), hl_attention_get_tokens (a, HL_KEYS) },
                                     { hl_attention_get_tokens (b, HL_QUERIES),
                                       hl_attention_get_tokens (b, HL_KEYS) } };

  for (guint side = 0; side < 2; side++)
    if (lists[0][side] == NULL || lists[1][side] == NULL || !g_strv_equal (lists[0][side], lists[1][side]))
      return FALSE;
  return TRUE;
}

/* A newer text. What is pinned in the old one stays only where the new one has the same tokens. */
static void
on_live_document (HlSession *self)
{
  g_autoptr (HlAttention) before = g_object_ref (hl_view_state_get_attention (self->view_state));
  g_auto (HlFocus) pin = hl_focus_copy (hl_view_state_get_pin (self->view_state));

  g_set_object (&self->document, hl_live_model_get_document (self->live));
  g_autoptr (HlExample) example = hl_document_get_example (self->document, 0, NULL, NULL);
  g_object_freeze_notify (G_OBJECT (self->view_state));
  show_example (self, example);
  if (has_same_tokens (before, hl_view_state_get_attention (self->view_state)))
    hl_view_state_keep_pin (self->view_state, &pin);
  g_object_thaw_notify (G_OBJECT (self->view_state));
  g_object_notify (G_OBJECT (self), "document");
}

static void
update_wanted (HlSession *self)
{
  hl_live_model_set_wanted (self->live, hl_attention_get_kind (hl_view_state_get_attention (self->view_state)),
                            hl_view_state_get_layer (self->view_state));
}

/* Always of the newest text that is ready. */
HlSession *
hl_session_new_live (HlLiveModel *live,
                     GError     **error)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (live), NULL);
  g_return_val_if_fail (hl_live_model_get_document (live) != NULL, NULL);

  HlSession *self = hl_session_new (hl_live_model_get_document (live), error);
  if (self == NULL)
    return NULL;

  self->live = g_object_ref (live);
  /* Names of model files are long, or are hashes. */
  const char *model = hl_live_model_is_folder (live) ? NULL : hl_document_get_model (self->document);
  g_free (self->title);
  self->title = model != NULL ? flatten (model) : hl_file_dup_display_name (hl_session_get_file (self));
  update_subtitle (self);
  g_signal_connect_object (live, "notify::document", G_CALLBACK (on_live_document), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (live, "notify::empty", G_CALLBACK (update_subtitle), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view_state, "notify::layer", G_CALLBACK (update_wanted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view_state, "notify::attention", G_CALLBACK (update_wanted), self, G_CONNECT_SWAPPED);
  return self;
}

HlLiveModel *
hl_session_get_live (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  return self->live;
}

/* Whether it is of a model whose text was wiped out: there is neither a picture then nor a number. */
gboolean
hl_session_is_empty (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), FALSE);
  return self->live != NULL && hl_live_model_is_empty (self->live);
}

static char *
dup_unless_empty (const char *text)
{
  return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

static void
save_live (HlSavedSession *saved,
           HlLiveModel    *live)
{
  const HlSecondText kind = hl_live_model_get_second_kind (live);
  const char *text, *second_text;
  guint n_all;

  saved->is_bare = hl_live_model_is_bare (live);
  if (hl_live_model_get_pixels (live) != NULL)
    {
      saved->n_layers = hl_live_model_get_n_layers (live, &n_all);
      saved->pixels = g_object_ref (hl_live_model_get_pixels (live));
      saved->is_image = hl_live_model_has_image (live);
      return;
    }
  hl_live_model_get_texts (live, &text, &second_text);
  saved->text = dup_unless_empty (text);
  saved->n_layers = saved->text != NULL ? hl_live_model_get_n_layers (live, &n_all) : 0;
  if (saved->text != NULL && kind == HL_SECOND_TEXT_PAIR)
    saved->text_pair = dup_unless_empty (second_text);
  if (saved->text != NULL && kind == HL_SECOND_TEXT_TARGET)
    saved->target_text = dup_unless_empty (second_text);
}

HlSavedSession *
hl_session_save (HlSession *self,
                 HlScene   *scene)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  g_return_val_if_fail (HL_IS_SCENE (scene), NULL);

  HlDocument *document = hl_session_get_document (self);
  HlSavedSession *saved = g_new0 (HlSavedSession, 1);
  g_autoptr (HlOpenOptions) options = hl_open_options_copy (hl_document_get_options (document));

  saved->file = g_object_ref (hl_session_get_file (self));
  if (options != NULL)
    {
      saved->options = *options;
      *options = (HlOpenOptions){ 0 };
    }
  saved->example = hl_session_get_example_index (self);
  if (hl_session_get_live (self) != NULL)
    save_live (saved, hl_session_get_live (self));
  hl_state_texts_take (&saved->state, hl_session_get_view_state (self));
  saved->zoom = hl_scene_get_zoom (scene);
  hl_scene_get_scroll (scene, &saved->scroll_x, &saved->scroll_y);
  return saved;
}

static void
apply (GTask *task)
{
  HlSession *self = g_task_get_source_object (task);
  HlSavedSession *saved = g_task_get_task_data (task);
  GError *error = NULL;

  if (!hl_state_texts_apply (&saved->state, hl_session_get_view_state (self), &error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_pointer (&self->saved, hl_saved_session_free);
  self->saved = hl_saved_session_copy (saved);
  g_task_return_boolean (task, TRUE);
}

static void
on_busy (HlSession  *self,
         GParamSpec *pspec,
         GTask      *task)
{
  if (hl_session_get_busy (self))
    return;
  g_signal_handlers_disconnect_by_data (self, task);
  if (!g_task_get_completed (task))
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

/* Comes before the session is no longer busy. */
static void
on_failed (HlSession    *self,
           const GError *error,
           GTask        *task)
{
  g_task_return_error (task, g_error_copy (error));
}

/* For who waits until it is shown; @index is of another one than is shown. */
static void
show_example_async (HlSession          *self,
                    guint               index,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, show_example_async);
  g_signal_connect (self, "notify::busy", G_CALLBACK (on_busy), task);
  g_signal_connect (self, "failed", G_CALLBACK (on_failed), task);
  hl_session_set_example_index (self, index);
}

static void
on_example_shown (GObject      *source,
                  GAsyncResult *result,
                  gpointer      data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    apply (task);
  else
    g_task_return_error (task, error);
}

void
hl_session_restore (HlSession            *self,
                    const HlSavedSession *saved,
                    GAsyncReadyCallback   callback,
                    gpointer              user_data)
{
  g_return_if_fail (HL_IS_SESSION (self));
  HL_ASSERT_OWNER (self);

  const guint n_examples = hl_document_get_n_examples (hl_session_get_document (self));
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, hl_session_restore);
  g_task_set_task_data (task, hl_saved_session_copy (saved), (GDestroyNotify) hl_saved_session_free);
  if (saved->example >= n_examples)
    {
      g_task_return_new_error (task, HL_ERROR, HL_ERROR_MISSING, _ ("there is no example %u; the last one is %u"),
                               saved->example, n_examples - 1);
      g_object_unref (task);
    }
  else if (saved->example == hl_session_get_example_index (self))
    {
      apply (task);
      g_object_unref (task);
    }
  else
    {
      show_example_async (self, saved->example, on_example_shown, task);
    }
}

gboolean
hl_session_restore_finish (HlSession    *self,
                           GAsyncResult *result,
                           GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Shows the example that is looked at in the session whose place it takes, where there is that still. */
void
hl_session_resume_async (HlSession          *self,
                         HlSession          *before,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  g_return_if_fail (HL_IS_SESSION (self));
  g_return_if_fail (HL_IS_SESSION (before));
  HL_ASSERT_OWNER (self);

  const guint index = hl_session_get_example_index (before);

  if (index != self->shown_index && index < hl_document_get_n_examples (self->document))
    {
      show_example_async (self, index, callback, user_data);
      return;
    }
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, hl_session_resume_async);
  g_task_return_boolean (task, TRUE);
}

gboolean
hl_session_resume_finish (HlSession    *self,
                          GAsyncResult *result,
                          GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
take_over (HlSession *self,
           HlSession *before)
{
  if (self != NULL && before != NULL && self->live != NULL && before->live != NULL)
    hl_live_model_take_over (self->live, before->live);
}

/* Goes on with what was typed and chosen in the session whose place it takes, also while it was opened. @other: (nullable): what
 * that one is compared with. */
void
hl_session_take_over (HlSession *self,
                      HlSession *before,
                      HlSession *other)
{
  g_return_if_fail (HL_IS_SESSION (self));
  g_return_if_fail (HL_IS_SESSION (before));
  g_return_if_fail (other == NULL || HL_IS_SESSION (other));
  HL_ASSERT_OWNER (self);

  take_over (self, before);
  take_over (self->other, other);
}

const HlSavedSession *
hl_session_get_saved (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);

  return self->saved;
}

/* Takes it over and keeps it for who shows both. @saved: how both are shown. */
void
hl_session_set_other (HlSession            *self,
                      HlSession            *other,
                      const HlSavedSession *saved)
{
  g_return_if_fail (HL_IS_SESSION (self));
  g_return_if_fail (HL_IS_SESSION (other));
  g_return_if_fail (saved != NULL && saved->other != NULL);
  HL_ASSERT_OWNER (self);

  close_other (self);
  self->other = other;
  g_clear_pointer (&self->saved, hl_saved_session_free);
  self->saved = hl_saved_session_copy (saved);
}

HlSession *
hl_session_steal_other (HlSession *self)
{
  g_return_val_if_fail (HL_IS_SESSION (self), NULL);
  HL_ASSERT_OWNER (self);

  return g_steal_pointer (&self->other);
}

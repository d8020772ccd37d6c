/* SPDX-License-Identifier: MIT */
/* What there is to choose from in a file: its datasets, and what is found in it when nobody chooses. A file can have a
 * hundred thousand datasets, so it is looked through in a worker. */
#include "config.h"

#include "app/reading/hl-axes-survey.h"

#include <glib/gi18n.h>

#include "core/archive/format/hl-format.h"

typedef struct
{
  GFile *file;
  HlDocument *document;
} Subject;

static void
subject_free (gpointer data)
{
  Subject *self = data;

  g_object_unref (self->file);
  g_clear_object (&self->document);
  g_free (self);
}

/**
 * hl_axes_survey_free:
 * @self: a survey
 *
 * Frees it.
 */
void
hl_axes_survey_free (HlAxesSurvey *self)
{
  g_clear_object (&self->archive);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_free (self);
}

/* Of several kinds of attention, or of several examples, their names or their number. */
static char *
describe_found (HlDocument *document,
                HlExample  *example)
{
  const guint n_examples = hl_document_get_n_examples (document);
  g_autoptr (GString) text = g_string_new (NULL);

  if (n_examples > 1)
    g_string_append_printf (text, ngettext ("%u example", "%u examples", n_examples), n_examples);
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                            hl_attention_kind_get_label (
                              hl_attention_get_kind (hl_example_get_attention (example, i))));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What is found is one of the datasets, or something that none of them is. */
static void
add_found (GPtrArray  *items,
           GPtrArray  *datasets,
           HlDocument *document)
{
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  g_autofree char *own = hl_document_get_dataset (document);
  HlLayoutAxes axes;
  const gboolean guessed = hl_document_get_axes (document, 0, &axes);

  for (guint i = 0; own != NULL && i < datasets->len; i++)
    {
      if (!hl_dataset_is (datasets->pdata[i], own))
        continue;
      HlDatasetItem *item = g_ptr_array_steal_index (items, i);
      hl_dataset_item_set_found (item, &axes, !guessed);
      g_ptr_array_insert (items, 0, item);
      return;
    }

  HlAttention *attention = hl_example_get_attention (example, 0);
  const HlLayerTensor *weights = hl_attention_get_weights (attention, 0);
  const HlShape none = { 0 };
  g_autofree char *subtitle = describe_found (document, example);
  HlDatasetItem *item =
    hl_dataset_item_new_for_found (subtitle, weights != NULL ? hl_tensor_get_shape (weights->tensor) : &none,
                                   weights != NULL && weights->layer_axis < 0 ? hl_attention_get_n_layers (attention)
                                                                              : 0);
  hl_dataset_item_set_found (item, &axes, !guessed);
  g_ptr_array_insert (items, 0, item);
}

static void
make (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  Subject *subject = data;
  g_autoptr (HlAxesSurvey) self = g_new0 (HlAxesSurvey, 1);
  g_autoptr (HlDocument) found = NULL;
  GError *error = NULL;

  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->archive = subject->document != NULL ? g_object_ref (hl_document_get_archive (subject->document))
                                            : hl_archive_open (subject->file, NULL, cancellable, &error);
  g_autoptr (GPtrArray) datasets =
    self->archive != NULL ? hl_dataset_list (self->archive, cancellable, &error) : NULL;
  if (datasets == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < datasets->len; i++)
    g_ptr_array_add (self->items, hl_dataset_item_new (datasets->pdata[i]));
  /* As it would be opened afresh; that nothing is found is no error here. */
  if (subject->document != NULL && hl_document_get_options (subject->document) == NULL)
    found = g_object_ref (subject->document);
  else
    found = hl_document_new_for_archive (subject->file, self->archive, NULL, NULL, cancellable, NULL);
  if (found != NULL)
    add_found (self->items, datasets, found);
  g_task_return_pointer (task, g_steal_pointer (&self), (GDestroyNotify) hl_axes_survey_free);
}

/**
 * hl_axes_survey_make_async:
 * @file: a file
 * @document: (nullable): what was read from it; %NULL if nothing could be
 * @cancellable: (nullable): stops it
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Looks through a file in a worker.
 */
void
hl_axes_survey_make_async (GFile               *file,
                           HlDocument          *document,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (document == NULL || hl_document_get_archive (document) != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Subject *subject = g_new0 (Subject, 1);

  subject->file = g_object_ref (file);
  subject->document = document != NULL ? g_object_ref (document) : NULL;
  g_task_set_source_tag (task, hl_axes_survey_make_async);
  g_task_set_task_data (task, subject, subject_free);
  g_task_run_in_thread (task, make);
}

/**
 * hl_axes_survey_make_finish:
 * @result: what the callback got
 * @error: that the file cannot be opened, or %G_IO_ERROR_CANCELLED
 *
 * Returns: (transfer full) (nullable): what there is
 */
HlAxesSurvey *
hl_axes_survey_make_finish (GAsyncResult  *result,
                            GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * hl_axes_survey_find:
 * @self: a survey
 * @document: (nullable): a document that was read from the same file
 *
 * Returns: which of the items the document was read as; the first one if none
 */
guint
hl_axes_survey_find (const HlAxesSurvey *self,
                     HlDocument         *document)
{
  const HlOpenOptions *options = document != NULL ? hl_document_get_options (document) : NULL;

  for (guint i = 0; i < self->items->len; i++)
    if (options != NULL && g_strcmp0 (hl_dataset_item_get_path (self->items->pdata[i]), options->dataset) == 0)
      return i;
  return 0;
}

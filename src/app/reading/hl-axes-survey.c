/* SPDX-License-Identifier: MIT */
/* A file can have a hundred thousand datasets, so it is looked through in a worker. An item is made there, too, and not
 * changed any more when it is on screen. */
#include "config.h"

#include "app/reading/hl-axes-survey.h"

#include "core/archive/format/hl-format.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/model/local/hl-file-stamp.h"

#include <glib/gi18n.h>
#include <string.h>

/* Of the letters of a name. */
#define MAX_TITLE 300

struct _HlDatasetItem
{
  GObject parent_instance;

  char *path; /* NULL for what is found without a choice */
  char *title;
  char *subtitle;
  HlShape shape;
  HlLayoutAxes axes;
  gboolean certain;
};

G_DEFINE_FINAL_TYPE (HlDatasetItem, hl_dataset_item, G_TYPE_OBJECT)

static void
hl_dataset_item_finalize (GObject *object)
{
  HlDatasetItem *self = HL_DATASET_ITEM (object);

  g_free (self->path);
  g_free (self->title);
  g_free (self->subtitle);
  G_OBJECT_CLASS (hl_dataset_item_parent_class)->finalize (object);
}

static void
hl_dataset_item_class_init (HlDatasetItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_dataset_item_finalize;
}

static void
hl_dataset_item_init (HlDatasetItem *self)
{
}

/* Where nothing is likely, the first of all but the last two axes. */
static void
guess_axes (HlDatasetItem *self,
            gboolean       one_layer)
{
  gboolean ambiguous;
  const guint rank = self->shape.rank;

  if (hl_layout_axes_guess (&self->axes, &self->shape, one_layer, &ambiguous))
    return;
  self->axes = (HlLayoutAxes){ 0 };
  memset (self->axes.letters, 'x', rank);
  for (guint i = 0; i < MIN (rank, 3); i++)
    self->axes.letters[rank - 1 - i] = "kqh"[i];
}

static HlDatasetItem *
new_item (const HlDataset *dataset)
{
  HlDatasetItem *self = g_object_new (HL_TYPE_DATASET_ITEM, NULL);

  self->path = g_strdup (dataset->path);
  /* Translators: what lies in a list that has no names */
  self->title = hl_utf8_shorten (g_str_equal (dataset->path, "#") ? _ ("0, 1, 2 …") : dataset->path, MAX_TITLE);
  /* A name can be anything; a title is one line. */
  hl_utf8_flatten (self->title);
  self->subtitle = hl_dataset_describe (dataset);
  self->shape = dataset->shape;
  guess_axes (self, dataset->n_layers > 0);
  return self;
}

/* A tensor a layer, or with 0 layers one with all of them. */
static HlDatasetItem *
new_found_item (const char    *subtitle,
                const HlShape *shape,
                guint          n_layers)
{
  HlDatasetItem *self = g_object_new (HL_TYPE_DATASET_ITEM, NULL);

  self->title = g_strdup (_ ("All That Was Found"));
  self->subtitle = g_strdup (subtitle);
  self->shape = *shape;
  if (shape->rank > 0)
    guess_axes (self, n_layers > 0);
  return self;
}

/* Makes it what is read when nobody chooses. */
static void
set_found (HlDatasetItem      *self,
           const HlLayoutAxes *axes,
           gboolean            certain)
{
  g_clear_pointer (&self->path, g_free);
  self->axes = *axes;
  self->certain = certain;
}

/* What HlOpenOptions calls the dataset; NULL for what is found without. */
const char *
hl_dataset_item_get_path (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return self->path;
}

const char *
hl_dataset_item_get_title (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return self->title;
}

const char *
hl_dataset_item_get_subtitle (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return self->subtitle;
}

/* Of rank 0 where axes cannot be chosen. */
const HlShape *
hl_dataset_item_get_shape (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return &self->shape;
}

const HlLayoutAxes *
hl_dataset_item_get_axes (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), NULL);

  return &self->axes;
}

/* Whether its axes need not be told: it is read so without. */
gboolean
hl_dataset_item_is_certain (HlDatasetItem *self)
{
  g_return_val_if_fail (HL_IS_DATASET_ITEM (self), FALSE);

  return self->certain;
}

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

void
hl_axes_survey_free (HlAxesSurvey *self)
{
  g_clear_object (&self->archive);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_free (self->stamp);
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
      set_found (item, &axes, !guessed);
      g_ptr_array_insert (items, 0, item);
      return;
    }

  HlAttention *attention = hl_example_get_attention (example, 0);
  const HlLayerTensor *weights = hl_attention_get_weights (attention, 0);
  const HlShape none = { 0 };
  g_autofree char *subtitle = describe_found (document, example);
  HlDatasetItem *item =
    new_found_item (subtitle, weights != NULL ? hl_tensor_get_shape (weights->tensor) : &none,
                    weights != NULL && weights->layer_axis < 0 ? hl_attention_get_n_layers (attention) : 0);
  set_found (item, &axes, !guessed);
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

  /* An address is not looked for. */
  if (subject->document == NULL && !hl_file_is_local (subject->file))
    {
      g_task_return_new_error (task, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("only local files can be opened"));
      return;
    }
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->stamp = subject->document == NULL ? hl_file_stamp_take (subject->file, NULL, cancellable) : NULL;
  self->archive = subject->document != NULL ? g_object_ref (hl_document_get_archive (subject->document))
                                            : hl_archive_open (subject->file, NULL, cancellable, &error);
  g_autoptr (GPtrArray) datasets = self->archive != NULL ? hl_dataset_list (self->archive, cancellable, &error) : NULL;
  if (datasets == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; i < datasets->len; i++)
    g_ptr_array_add (self->items, new_item (datasets->pdata[i]));
  /* As it would be opened afresh; that nothing is found is no error here. */
  if (subject->document != NULL && hl_document_get_options (subject->document) == NULL)
    found = g_object_ref (subject->document);
  else
    found = hl_document_new_for_archive (subject->file, self->archive, NULL, NULL, cancellable, NULL);
  if (found != NULL)
    add_found (self->items, datasets, found);
  g_task_return_pointer (task, g_steal_pointer (&self), (GDestroyNotify) hl_axes_survey_free);
}

void
hl_axes_survey_make_async (GFile              *file,
                           HlDocument         *document,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
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

HlAxesSurvey *
hl_axes_survey_make_finish (GAsyncResult *result,
                            GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Which of the items the document was read as; the first one if none. */
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

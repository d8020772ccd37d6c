/* SPDX-License-Identifier: MIT */
#include "core/document/hl-document.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "core/archive/format/hl-format.h"
#include "core/archive/format/hl-shard-archive.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-file-version.h"
#include "core/base/file/hl-shard-name.h"
#include "core/base/hl-lru-cache.h"
#include "core/base/hl-utf8.h"
#include "core/document/hl-expansion.h"
#include "core/document/read/hl-dump-reader.h"

/* Examples that are kept beside the first: someone who goes back and forth does not read them again. */
#define MAX_KEPT 4

/**
 * HlDocument:
 *
 * A file of attention. It keeps the archive open; examples are read when they are asked for, the first one when it is loaded. Or an example
 * that comes from elsewhere.
 */
struct _HlDocument
{
  GObject parent_instance;

  GFile *file;
  HlOpenOptions *options;
  HlArchive *archive; /* with its entries; without, there is the first example only */
  char *container;
  char *model;
  GPtrArray *entries;
  HlExample *first;
  GObject *maker; /* what the example was made by, of one that was not read */
  GMutex lock;
  HlLruCache kept;      /* of HlExample; guarded by the lock */
  int allows_expansion; /* atomic */
};

G_DEFINE_FINAL_TYPE (HlDocument, hl_document, G_TYPE_OBJECT)

static void
hl_document_finalize (GObject *object)
{
  HlDocument *self = HL_DOCUMENT (object);

  hl_lru_cache_clear (&self->kept);
  g_mutex_clear (&self->lock);
  g_clear_object (&self->first);
  g_clear_object (&self->maker);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_free (self->model);
  g_free (self->container);
  g_clear_object (&self->archive);
  g_clear_pointer (&self->options, hl_open_options_free);
  g_clear_object (&self->file);
  G_OBJECT_CLASS (hl_document_parent_class)->finalize (object);
}

static void
hl_document_class_init (HlDocumentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_document_finalize;
}

static void
hl_document_init (HlDocument *self)
{
  g_mutex_init (&self->lock);
  self->kept = (HlLruCache) HL_LRU_CACHE_INIT (MAX_KEPT, g_object_unref);
}

/**
 * hl_document_new:
 * @file: where the example comes from, such as a model's folder
 * @container: what kind of thing that is, as hl_document_get_container() tells it
 * @model: (nullable): the name of the model
 * @example: the only example
 * @maker: (nullable): what made the example, for those who can ask it for more; kept
 *
 * Returns: (transfer full): a document that was not read from a file of attention
 */
HlDocument *
hl_document_new (GFile      *file,
                 const char *container,
                 const char *model,
                 HlExample  *example,
                 GObject    *maker)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (HL_IS_EXAMPLE (example), NULL);
  g_return_val_if_fail (hl_example_get_n_attentions (example) > 0, NULL);

  HlDocument *self = g_object_new (HL_TYPE_DOCUMENT, NULL);
  self->file = g_object_ref (file);
  self->container = g_strdup (container);
  self->model = g_strdup (model);
  self->first = g_object_ref (example);
  self->maker = maker != NULL ? g_object_ref (maker) : NULL;
  return self;
}

static char *
read_model (HlArchive *archive)
{
  g_autoptr (GVariant) value = hl_archive_get_attribute (archive, "", "model", NULL);

  /* That it is not text is noted among the checks of each example. */
  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ? g_variant_dup_string (value, NULL)
                                                                              : NULL;
}

/* Sentences name members of the file, whose names can be anything. */
static gpointer
fail (GError **error,
      GError  *reason)
{
  hl_utf8_flatten (reason->message);
  g_propagate_error (error, reason);
  return NULL;
}

/* A file that was written to meanwhile, or closed, seems to lack what it has and to have what it lacks: whatever came of reading, @reason is
 * what became of the file. */
static gboolean
is_as_opened (HlArchive *archive,
              GError   **reason)
{
  g_autoptr (GError) changed = NULL;

  if (g_error_matches (*reason, G_IO_ERROR, G_IO_ERROR_CANCELLED) || hl_archive_check (archive, &changed))
    return TRUE;
  g_clear_error (reason);
  *reason = g_steal_pointer (&changed);
  return FALSE;
}

static guint64
get_size_of_one (GFile *file)
{
  g_autoptr (GFileInfo)
    info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL);

  return info != NULL ? (guint64) g_file_info_get_size (info) : G_MAXUINT64;
}

/* Of all files that the archive is of. */
static guint64
get_size (GFile     *file,
          HlArchive *archive)
{
  const guint n = hl_shard_archive_get_n_ranks (archive);
  guint64 size = 0;

  for (guint rank = 0; rank < n && n > 1; rank++)
    {
      g_autoptr (GFile) part = hl_shard_name_get_file (file, rank);
      const guint64 own = part != NULL ? get_size_of_one (part) : G_MAXUINT64;

      size = own > G_MAXUINT64 - size ? G_MAXUINT64 : size + own;
    }
  return n > 1 ? size : get_size_of_one (file);
}

static gboolean
has_writer (GFile *file)
{
  struct stat info;
  const int fd = hl_file_open_regular (file, &info, NULL);
  const gboolean has = fd >= 0 && hl_file_version_has_writer (fd);

  if (fd >= 0)
    close (fd);
  return has;
}

/* What is written into a mapping, as of numpy.memmap, changes no time of the file, by which it would be noticed. */
static void
check_writers (HlExample *example,
               GFile     *file,
               HlArchive *archive)
{
  const guint n = MAX (hl_shard_archive_get_n_ranks (archive), 1);

  for (guint rank = 0; rank < n; rank++)
    {
      g_autoptr (GFile) part = n > 1 ? hl_shard_name_get_file (file, rank) : g_object_ref (file);

      if (part == NULL || !has_writer (part))
        continue;
      g_ptr_array_add (hl_example_get_checks (example),
                       hl_check_new_about (HL_CHECK_TOPIC_WRITER, HL_SEVERITY_WARNING,
                                           _ ("another program has the file open for writing: numbers may be of "
                                              "different moments")));
      return;
    }
}

static HlExample *
load_example (GFile               *file,
              HlArchive           *archive,
              const HlDumpEntry   *entry,
              const HlOpenOptions *options,
              GCancellable        *cancellable,
              GError             **error)
{
  g_autoptr (HlExample) example = hl_dump_reader_load (archive, entry, options, cancellable, error);

  if (example == NULL || !hl_expansion_check (example, get_size (file, archive), options, error))
    return NULL;
  check_writers (example, file, archive);
  return g_steal_pointer (&example);
}

/**
 * hl_document_load:
 * @file: a local file
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: any of #HlError, or %G_IO_ERROR_CANCELLED
 *
 * Opens a file of attention and reads its first example. What is merely odd is among the checks of an example. Blocks:
 * call it from a worker, or use hl_document_load_async().
 *
 * While a file of HDF5 is read, now or later, the HDF5 library loads no plugins for anybody in the process, as it has one
 * setting for all threads. A child of fork() reads as its parent does; but if another thread read such a file at that moment, it can
 * read none, and of one that was open only let go. Once there has been a source of attention, fork() ends the threads that OpenMP has
 * for who calls it, with what they keep.
 *
 * Returns: (transfer full) (nullable): the document
 */
HlDocument *
hl_document_load (GFile        *file,
                  HlProgress   *progress,
                  GCancellable *cancellable,
                  GError      **error)
{
  return hl_document_load_with (file, NULL, progress, cancellable, error);
}

/**
 * hl_document_load_with: (skip)
 * @file: a local file
 * @options: (nullable): what somebody chose about how it is to be read
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: as hl_document_load(), also when @options do not fit the file
 *
 * Opens a file of attention as somebody wants it read; see hl_document_load().
 *
 * Returns: (transfer full) (nullable): the document
 */
HlDocument *
hl_document_load_with (GFile               *file,
                       const HlOpenOptions *options,
                       HlProgress          *progress,
                       GCancellable        *cancellable,
                       GError             **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  GError *reason = NULL;
  hl_progress_set (progress, 0, _ ("Opening the file"));
  g_autoptr (HlArchive) archive = hl_archive_open (file, progress, cancellable, &reason);
  if (archive == NULL)
    return fail (error, reason);
  /* Whichever part was opened, it is the same document. */
  g_autoptr (GFile) first = hl_shard_archive_get_n_ranks (archive) > 1 ? hl_shard_name_get_file (file, 0)
                                                                       : g_object_ref (file);
  return hl_document_new_for_archive (first, archive, options, progress, cancellable, error);
}

/**
 * hl_document_new_for_archive: (skip)
 * @file: a file
 * @archive: what it was opened as; another document may have it as well
 * @options: (nullable): what somebody chose about how it is to be read
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: as hl_document_load_with()
 *
 * Reads a file that is open already, perhaps otherwise than before. Blocks: call it from a worker.
 *
 * Returns: (transfer full) (nullable): the document
 */
HlDocument *
hl_document_new_for_archive (GFile               *file,
                             HlArchive           *archive,
                             const HlOpenOptions *options,
                             HlProgress          *progress,
                             GCancellable        *cancellable,
                             GError             **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);
  g_return_val_if_fail (HL_IS_ARCHIVE (archive), NULL);

  GError *reason = NULL;
  hl_progress_set (progress, 0, _ ("Looking for attention"));
  g_autoptr (GPtrArray) entries = hl_dump_reader_list (archive, options, progress, cancellable, &reason);
  g_autoptr (HlExample) first =
    entries != NULL ? load_example (file, archive, g_ptr_array_index (entries, 0), options, cancellable, &reason)
                    : NULL;
  g_autofree char *model = first != NULL ? read_model (archive) : NULL;
  if (!is_as_opened (archive, &reason) || first == NULL)
    return fail (error, reason);
  hl_progress_set (progress, 1, NULL);

  HlDocument *self = g_object_new (HL_TYPE_DOCUMENT, NULL);
  self->file = g_object_ref (file);
  self->container = g_strdup (hl_archive_get_container (archive));
  self->model = g_steal_pointer (&model);
  self->options = hl_open_options_copy (options);
  self->archive = g_object_ref (archive);
  self->entries = g_steal_pointer (&entries);
  self->first = g_steal_pointer (&first);
  return self;
}

/**
 * hl_document_get_file:
 * @self: a document
 *
 * Returns: (transfer none): the file, or model folder, that it comes from
 */
GFile *
hl_document_get_file (HlDocument *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), NULL);

  return self->file;
}

/**
 * hl_document_get_container:
 * @self: a document
 *
 * Returns: the name of the container, such as `HDF5`; `model` for what a model was run on
 */
const char *
hl_document_get_container (HlDocument *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), NULL);

  return self->container;
}

/**
 * hl_document_get_model:
 * @self: a document
 *
 * Returns: (nullable): the name of the model
 */
const char *
hl_document_get_model (HlDocument *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), NULL);

  return self->model;
}

/**
 * hl_document_get_archive: (skip)
 * @self: a document
 *
 * Returns: (transfer none) (nullable): what the file was opened as; %NULL for what a model was run on
 */
HlArchive *
hl_document_get_archive (HlDocument *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), NULL);

  return self->archive;
}

/**
 * hl_document_get_maker:
 * @self: a document
 *
 * Returns: (transfer none) (nullable): what made its example; %NULL for what was read from a file. See hl_model_call_of()
 */
GObject *
hl_document_get_maker (HlDocument *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), NULL);

  return self->maker;
}

/**
 * hl_document_get_options: (skip)
 * @self: a document
 *
 * Returns: (transfer none) (nullable): what somebody chose about how the file is read; %NULL if nobody did
 */
const HlOpenOptions *
hl_document_get_options (HlDocument *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), NULL);

  return self->options;
}

/**
 * hl_document_allow_expansion: (skip)
 * @self: a document
 *
 * Somebody who was asked says that all that is announced may be read, as if %HL_EXPANSION_ALLOWED had been chosen before.
 */
void
hl_document_allow_expansion (HlDocument *self)
{
  g_return_if_fail (HL_IS_DOCUMENT (self));

  g_atomic_int_set (&self->allows_expansion, TRUE);
}

/**
 * hl_document_get_allows_expansion: (skip)
 * @self: a document
 *
 * Returns: whether all that is announced may be read
 */
gboolean
hl_document_get_allows_expansion (HlDocument *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), FALSE);

  return g_atomic_int_get (&self->allows_expansion) ||
         (self->options != NULL && self->options->expansion == HL_EXPANSION_ALLOWED);
}

/**
 * hl_document_get_axes: (skip)
 * @self: a document
 * @index: which example
 * @axes: (out caller-allocates) (optional): what the axes of its first stored weights were taken for
 *
 * Tells how the weights of an example lie in the file, and whether that is certain.
 *
 * Returns: whether the axes were guessed and could as well be others
 */
gboolean
hl_document_get_axes (HlDocument   *self,
                      guint         index,
                      HlLayoutAxes *axes)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (index < hl_document_get_n_examples (self), FALSE);

  const HlDumpEntry *entry = self->entries != NULL ? g_ptr_array_index (self->entries, index) : NULL;
  const HlLayoutAttention *attention = entry != NULL && entry->layout != NULL ? entry->layout->attentions->pdata[0]
                                                                              : NULL;
  const HlLayerTensor *weights = hl_attention_get_weights (hl_example_get_attention (self->first, 0), 0);

  if (axes != NULL)
    *axes = (HlLayoutAxes){ 0 };
  if (axes != NULL && attention != NULL)
    *axes = attention->axes;
  else if (axes != NULL && entry != NULL && weights != NULL)
    hl_layout_axes_init_of (axes, weights);
  return attention != NULL && attention->ambiguous;
}

/**
 * hl_document_get_dataset:
 * @self: a document
 *
 * Returns: (transfer full) (nullable): what #HlOpenOptions calls the tensor or series that all examples were read from;
 *   %NULL if there are several, or none
 */
char *
hl_document_get_dataset (HlDocument *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), NULL);

  return self->entries != NULL ? hl_dump_reader_find_dataset (self->archive, self->entries) : NULL;
}

/**
 * hl_document_get_n_examples:
 * @self: a document
 *
 * Returns: how many examples there are, at least 1
 */
guint
hl_document_get_n_examples (HlDocument *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), 0);

  return self->entries != NULL ? self->entries->len : 1;
}

/**
 * hl_document_get_example_name:
 * @self: a document
 * @index: which example
 *
 * Returns: (nullable): what the file calls it, with `[2]` behind it for a batch item; %NULL for the only example of a
 *   file
 */
const char *
hl_document_get_example_name (HlDocument *self,
                              guint       index)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), NULL);
  g_return_val_if_fail (index < hl_document_get_n_examples (self), NULL);

  return self->entries == NULL ? NULL : ((const HlDumpEntry *) g_ptr_array_index (self->entries, index))->name;
}

/**
 * hl_document_is_part:
 * @self: a document
 * @index: which example
 *
 * Returns: whether all there is in it is in another example as well, as with a step of a generation
 */
gboolean
hl_document_is_part (HlDocument *self,
                     guint       index)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), FALSE);
  g_return_val_if_fail (index < hl_document_get_n_examples (self), FALSE);

  return self->entries != NULL && ((const HlDumpEntry *) g_ptr_array_index (self->entries, index))->is_part;
}

/**
 * hl_document_get_example:
 * @self: a document
 * @index: which example
 * @cancellable: (nullable): stops it
 * @error: any of #HlError, or %G_IO_ERROR_CANCELLED
 *
 * The first example is there at once; others are read, so call it from a worker. From any thread.
 *
 * Returns: (transfer full) (nullable): the example
 */
HlExample *
hl_document_get_example (HlDocument   *self,
                         guint         index,
                         GCancellable *cancellable,
                         GError      **error)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (self), NULL);
  g_return_val_if_fail (index < hl_document_get_n_examples (self), NULL);
  g_return_val_if_fail (self->first != NULL, NULL);

  if (index == 0)
    return g_object_ref (self->first);

  g_mutex_lock (&self->lock);
  HlExample *example = hl_lru_cache_get (&self->kept, 0, index);
  if (example != NULL)
    g_object_ref (example);
  g_mutex_unlock (&self->lock);
  if (example != NULL)
    return example;

  GError *reason = NULL;
  g_autoptr (HlExample) read = load_example (self->file, self->archive, g_ptr_array_index (self->entries, index),
                                             self->options, cancellable, &reason);
  if (!is_as_opened (self->archive, &reason) || read == NULL)
    return fail (error, reason);
  g_mutex_lock (&self->lock);
  hl_lru_cache_add (&self->kept, 0, index, g_object_ref (read), 1);
  g_mutex_unlock (&self->lock);
  return g_steal_pointer (&read);
}

/* Opening a file of attention without waiting for it. */

typedef struct
{
  GFile *file;
  HlArchive *archive; /* NULL when the file is not open yet */
  HlOpenOptions *options;
  HlProgress *progress;
} LoadData;

static void
free_load_data (gpointer data)
{
  LoadData *load = data;

  g_object_unref (load->file);
  g_clear_object (&load->archive);
  hl_open_options_free (load->options);
  g_clear_object (&load->progress);
  g_free (load);
}

static void
load_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  LoadData *load = data;
  GError *error = NULL;
  HlDocument *document =
    load->archive != NULL
      ? hl_document_new_for_archive (load->file, load->archive, load->options, load->progress, cancellable, &error)
      : hl_document_load_with (load->file, load->options, load->progress, cancellable, &error);

  if (document != NULL)
    g_task_return_pointer (task, document, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
start (GFile               *file,
       HlArchive           *archive,
       const HlOpenOptions *options,
       HlProgress          *progress,
       GCancellable        *cancellable,
       GAsyncReadyCallback  callback,
       gpointer             user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  LoadData *load = g_new0 (LoadData, 1);

  load->file = g_object_ref (file);
  load->archive = archive != NULL ? g_object_ref (archive) : NULL;
  load->options = hl_open_options_copy (options);
  load->progress = progress != NULL ? g_object_ref (progress) : NULL;
  g_task_set_source_tag (task, start);
  g_task_set_task_data (task, load, free_load_data);
  g_task_run_in_thread (task, load_in_thread);
}

/**
 * hl_document_load_async: (skip)
 * @file: a local file
 * @options: (nullable): what somebody chose about how it is to be read
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @callback: called in the thread-default main context of the caller
 * @user_data: for @callback
 *
 * Opens a file of attention in a worker; see hl_document_load_with().
 */
void
hl_document_load_async (GFile               *file,
                        const HlOpenOptions *options,
                        HlProgress          *progress,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  g_return_if_fail (G_IS_FILE (file));

  start (file, NULL, options, progress, cancellable, callback, user_data);
}

/**
 * hl_document_read_again_async: (skip)
 * @self: a document that was read from a file
 * @options: (nullable): what somebody chose about how that is to be read
 * @cancellable: (nullable): stops it
 * @callback: called in the thread-default main context of the caller; hl_document_load_finish() tells
 * @user_data: for @callback
 *
 * Reads the open file in a worker, perhaps otherwise than before; see hl_document_new_for_archive().
 */
void
hl_document_read_again_async (HlDocument          *self,
                              const HlOpenOptions *options,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  g_return_if_fail (HL_IS_DOCUMENT (self));
  g_return_if_fail (hl_document_get_archive (self) != NULL);

  start (hl_document_get_file (self), hl_document_get_archive (self), options, NULL, cancellable, callback, user_data);
}

/**
 * hl_document_load_finish: (skip)
 * @result: what the callback was given
 * @error: as hl_document_load()
 *
 * Returns: (transfer full) (nullable): the document
 */
HlDocument *
hl_document_load_finish (GAsyncResult *result,
                         GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, start), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

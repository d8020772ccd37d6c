/* SPDX-License-Identifier: MIT */
/* Files of PyTorch as archives: a zip file with a pickle and a member for the numbers of each storage (since 1.6), or
 * the older file of several pickles with the numbers behind them. Numbers stay where they are. */
#include "core/archive/pydata/hl-torch-archive.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/hl-tree-archive.h"
#include "core/archive/pydata/hl-pickle-node.h"
#include "core/base/hl-error.h"

#define PICKLE_NAME "data.pkl"

/* The magic number of the older files, as it is pickled (torch.serialization.MAGIC_NUMBER). */
#define MAGIC "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."
#define MAGIC_SIZE 15

static HlArchive *
make_archive (HlPickleHeap  *heap,
              HlPickleValue *value,
              HlSpan        *span,
              const char    *container,
              GCancellable  *cancellable,
              GError       **error)
{
  g_autoptr (HlArchiveNode) node = value != NULL ? hl_pickle_node_new (heap, value, cancellable, error) : NULL;

  if (!hl_span_check (span, error) || node == NULL)
    return NULL;
  return hl_tree_archive_new_for_node (container, g_steal_pointer (&node));
}

/* The one that a file of PyTorch has, at the root or in the only folder. */
const HlZipMember *
hl_torch_archive_find_pickle (HlZipReader *zip)
{
  for (guint i = 0; i < zip->members->len; i++)
    {
      const HlZipMember *member = zip->members->pdata[i];
      const char *slash = strchr (member->name, '/');
      if (g_str_equal (slash != NULL ? slash + 1 : member->name, PICKLE_NAME))
        return member;
    }
  return NULL;
}

/* Whether the numbers are of the other byte order, which a member says since PyTorch 2.1. */
static gboolean
read_swapped (HlZipReader *zip,
              const char  *prefix)
{
  g_autofree char *name = g_strconcat (prefix, "byteorder", NULL);
  const HlZipMember *member = g_tree_lookup (zip->index, name);
  g_autoptr (HlSpan) bytes = member != NULL ? hl_zip_reader_open (zip, member, 3, NULL, NULL) : NULL;
  char text[3];

  const gboolean is_big = bytes != NULL && hl_span_get_size (bytes) == 3 && hl_span_read (bytes, 0, text, 3, NULL) &&
                          memcmp (text, "big", 3) == 0;
  return is_big != (G_BYTE_ORDER == G_BIG_ENDIAN);
}

static gboolean
find_storages (HlPickleHeap *heap,
               HlZipReader  *zip,
               const char   *prefix,
               GCancellable *cancellable,
               GError      **error)
{
  const gboolean swapped = read_swapped (zip, prefix);
  g_autoptr (GTree) opened = g_tree_new ((GCompareFunc) strcmp);

  for (guint i = 0; i < heap->storages->len; i++)
    {
      HlPickleStorage *storage = ((HlPickleValue *) heap->storages->pdata[i])->storage;
      g_autofree char *name = g_strconcat (prefix, "data/", storage->key, NULL);
      const HlZipMember *member = g_tree_lookup (zip->index, name);
      HlPickleStorage *twin = g_tree_lookup (opened, storage->key);

      /* Those of a tensor pickled inside are found already; those of no member are an error for whoever asks for
       * them. */
      if (storage->span != NULL || member == NULL)
        continue;
      storage->swapped = swapped;
      storage->span = twin != NULL ? g_object_ref (twin->span)
                                   : hl_zip_reader_open (zip, member, member->size, cancellable, error);
      if (storage->span == NULL)
        return FALSE;
      g_tree_insert (opened, storage->key, storage);
    }
  return TRUE;
}

HlArchive *
hl_torch_archive_new_for_zip (HlZipReader  *zip,
                              GCancellable *cancellable,
                              GError      **error)
{
  const HlZipMember *member = hl_torch_archive_find_pickle (zip);
  g_autofree char *prefix = g_strndup (member->name, strlen (member->name) - strlen (PICKLE_NAME));
  g_autoptr (HlPickleHeap) heap = hl_pickle_heap_new ();
  g_autoptr (HlSpan) bytes = hl_zip_reader_open (zip, member, member->size, cancellable, error);
  guint64 offset = 0;

  if (bytes == NULL)
    return NULL;
  HlPickleValue *value =
    hl_pickle_load (heap, bytes, &offset, hl_torch_archive_unpack, cancellable, cancellable, error);
  if (value == NULL || !find_storages (heap, zip, prefix, cancellable, error))
    return NULL;
  return make_archive (heap, value, bytes, "PyTorch", cancellable, error);
}

/* Behind the pickles, for each storage in the order of a list of keys: how many elements, and their bytes. Both are
 * little-endian, whatever the file says of the machine that wrote it. */
static gboolean
find_legacy_storages (HlPickleHeap        *heap,
                      guint                first,
                      const HlPickleValue *keys,
                      HlSpan              *span,
                      guint64              at,
                      GError             **error)
{
  g_autoptr (GTree) places = g_tree_new ((GCompareFunc) strcmp); /* keys to the first storage of that key */

  for (guint i = first; i < heap->storages->len; i++)
    {
      HlPickleStorage *storage = ((HlPickleValue *) heap->storages->pdata[i])->storage;
      if (g_tree_lookup (places, storage->key) == NULL)
        g_tree_insert (places, storage->key, storage);
    }
  for (guint i = 0; keys->kind == HL_PICKLE_LIST && i < keys->list.n_items; i++)
    {
      const HlPickleValue *key = keys->list.items[i];
      guint8 count[8];
      guint64 n = 0, n_bytes;

      if (key->kind != HL_PICKLE_TEXT || key->text.size > 1000)
        continue;
      g_autofree char *name = g_strndup ((const char *) key->text.data, key->text.size);
      HlPickleStorage *storage = g_tree_lookup (places, name);
      if (storage == NULL || storage->span != NULL || storage->type.dtype < 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the file has numbers of a type that is not read"));
          return FALSE;
        }
      if (!hl_span_read (span, at, count, 8, error))
        return FALSE;
      for (guint k = 0; k < 8; k++)
        n |= (guint64) count[k] << (8 * k);
      at += 8;
      if (!g_uint64_checked_mul (&n_bytes, n, hl_dtype_get_size (storage->type.dtype)) ||
          n_bytes > hl_span_get_size (span) - at)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the file breaks off in the numbers of its tensors"));
          return FALSE;
        }
      storage->span = hl_span_slice (span, at, n_bytes);
      at += n_bytes;
    }
  for (guint i = first; i < heap->storages->len; i++)
    {
      HlPickleStorage *storage = ((HlPickleValue *) heap->storages->pdata[i])->storage;
      const HlPickleStorage *found = g_tree_lookup (places, storage->key);
      storage->swapped = G_BYTE_ORDER != G_LITTLE_ENDIAN;
      if (storage->span == NULL && found->span != NULL)
        storage->span = g_object_ref (found->span);
    }
  return TRUE;
}

/* An older file: the magic, the protocol, the machine it comes from, the data, and the keys of its storages, each
 * pickled. */
static HlPickleValue *
read_legacy (HlPickleHeap  *heap,
             HlSpan        *span,
             HlPickleUnpack unpack,
             GCancellable  *cancellable,
             GError       **error)
{
  guint64 offset = MAGIC_SIZE;
  HlPickleValue *values[4];
  const guint first = heap->storages->len;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      values[i] = hl_pickle_load (heap, span, &offset, unpack, cancellable, cancellable, error);
      if (values[i] == NULL)
        return NULL;
    }
  return find_legacy_storages (heap, first, values[3], span, offset, error) ? values[2] : NULL;
}

static gboolean
is_legacy (HlSpan *span)
{
  char head[MAGIC_SIZE];

  return hl_span_get_size (span) >= MAGIC_SIZE && hl_span_read (span, 0, head, MAGIC_SIZE, NULL) &&
         memcmp (head, MAGIC, MAGIC_SIZE) == 0;
}

/* For pickles of tensors by themselves. Files inside of files inside are refused. */
HlPickleValue *
hl_torch_archive_unpack (HlPickleHeap  *heap,
                         HlPickleValue *bytes,
                         gpointer       cancellable,
                         GError       **error)
{
  g_autoptr (HlSpan) span = hl_span_slice (bytes->text.span, bytes->text.offset, bytes->text.size);

  if (is_legacy (span))
    return read_legacy (heap, span, NULL, cancellable, error);
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
               _ ("the numbers of a tensor in the pickle are not as PyTorch writes them"));
  return NULL;
}

gboolean
hl_torch_archive_recognise (GFile        *file,
                            const guint8 *head,
                            gsize         size)
{
  return hl_pickle_recognise (head, size);
}

static HlArchive *
open_pickle (HlSpan       *bytes,
             GCancellable *cancellable,
             GError      **error)
{
  g_autoptr (HlPickleHeap) heap = hl_pickle_heap_new ();
  guint64 offset = 0;

  if (is_legacy (bytes))
    return make_archive (heap, read_legacy (heap, bytes, hl_torch_archive_unpack, cancellable, error), bytes, "PyTorch",
                         cancellable, error);
  HlPickleValue *value =
    hl_pickle_load (heap, bytes, &offset, hl_torch_archive_unpack, cancellable, cancellable, error);
  return make_archive (heap, value, bytes, "Pickle", cancellable, error);
}

/* An older file of PyTorch, or any pickle of data. */
HlArchive *
hl_torch_archive_open (GFile        *file,
                       HlProgress   *progress,
                       GCancellable *cancellable,
                       GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlSpan) bytes = hl_span_open (file, error);

  return bytes != NULL ? open_pickle (bytes, cancellable, error) : NULL;
}

static HlArchive *
open_zip (HlSpan  *bytes,
          GError **error)
{
  g_autoptr (HlZipReader) zip = hl_zip_reader_new (bytes, NULL, error);

  if (zip == NULL)
    return NULL;
  if (hl_torch_archive_find_pickle (zip) == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT, _ ("this is a zip file, but PyTorch did not write it"));
      return NULL;
    }
  HlArchive *archive = hl_torch_archive_new_for_zip (zip, NULL, error);
  HlSpan *unpacked = hl_zip_store_get_file (zip->store);
  if (archive != NULL && unpacked != NULL)
    hl_tree_archive_add_mapped (HL_TREE_ARCHIVE (archive), unpacked);
  return archive;
}

/* Either kind of file of PyTorch, for numbers that are used where they lie, as weights are. Who has used some is to ask
 * hl_archive_check(). */
HlArchive *
hl_torch_archive_open_mapped (GFile   *file,
                              GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlSpan) bytes = hl_span_open_mapped (file, error);
  char head[4];

  if (bytes == NULL || !hl_span_read (bytes, 0, head, sizeof head, error))
    return NULL;
  HlArchive *archive = memcmp (head, "PK\3\4", sizeof head) == 0 ? open_zip (bytes, error)
                                                                 : open_pickle (bytes, NULL, error);
  if (archive != NULL)
    hl_tree_archive_add_mapped (HL_TREE_ARCHIVE (archive), bytes);
  return archive;
}

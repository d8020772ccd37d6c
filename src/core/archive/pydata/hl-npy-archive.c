/* SPDX-License-Identifier: MIT */
/* Files of NumPy as archives: one array (.npy), which is then the only member, or a zip file of them (.npz), whose
 * names may have slashes for groups. Strings and numbers without axes are attributes. A zip file may be of PyTorch too. */
#include "core/archive/pydata/hl-npy-archive.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/hl-tree-archive.h"
#include "core/archive/pydata/hl-npy-array.h"
#include "core/archive/pydata/hl-packed-tensor.h"
#include "core/archive/pydata/hl-pickle-node.h"
#include "core/archive/pydata/hl-torch-archive.h"
#include "core/archive/pydata/hl-zip-reader.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#define SUFFIX ".npy"

static gboolean
parse_header (HlNpyHeader *header,
              HlSpan      *bytes,
              GError     **error)
{
  const gsize n = (gsize) MIN (hl_span_get_size (bytes), HL_LIMIT_NPY_HEADER);
  g_autofree guint8 *head = g_malloc (MAX (n, 1));

  return hl_span_read (bytes, 0, head, n, error) && hl_npy_header_parse (header, head, n, error);
}

static gboolean
check_size (const HlNpyHeader *header,
            guint64            available,
            gint64            *strides,
            GError           **error)
{
  guint64 n_bytes;

  if (!hl_npy_header_get_strides (header, strides) ||
      !hl_shape_get_n_bytes (&header->shape, header->type.size, &n_bytes) || n_bytes > available)
    {
      g_autofree char *sizes = hl_shape_to_string (&header->shape);
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the array breaks off: it is to have %s elements"),
                   header->shape.rank > 0 ? sizes : "1");
      return FALSE;
    }
  return TRUE;
}

/* An array of objects is a pickle of it. */
static HlArchiveNode *
make_objects (HlSpan       *bytes,
              guint64       offset,
              GCancellable *cancellable,
              GError      **error)
{
  g_autoptr (HlPickleHeap) heap = hl_pickle_heap_new ();
  HlPickleValue *value =
    hl_pickle_load (heap, bytes, &offset, hl_torch_archive_unpack, cancellable, cancellable, error);
  g_autoptr (HlArchiveNode) node = value != NULL ? hl_pickle_node_new (heap, value, cancellable, error) : NULL;

  return hl_span_check (bytes, error) ? g_steal_pointer (&node) : NULL;
}

/* An array whose bytes lie open. */
static HlArchiveNode *
make_node (const HlNpyHeader *header,
           HlSpan            *bytes,
           GCancellable      *cancellable,
           GError           **error)
{
  gint64 strides[HL_LIMIT_RANK];

  if (header->type.kind == HL_NPY_UNICODE || header->type.kind == HL_NPY_BYTES)
    {
      g_autoptr (HlSpan) text = hl_span_slice (bytes, header->offset, hl_span_get_size (bytes) - header->offset);
      return hl_npy_node_new_for_text (header, text, error);
    }
  if (header->type.kind == HL_NPY_OBJECTS)
    return make_objects (bytes, header->offset, cancellable, error);
  if (!check_size (header, hl_span_get_size (bytes) - header->offset, strides, error))
    return NULL;
  g_autoptr (HlTensor) tensor = hl_span_open_tensor (bytes, header->type.dtype, &header->shape, strides,
                                                     header->type.swapped, header->offset, error);
  return tensor != NULL ? hl_npy_node_new_for_tensor (tensor, error) : NULL;
}

/* An array in a zip file. Only the headers of packed numbers are unpacked. */
static HlArchiveNode *
open_member (HlZipReader       *zip,
             const HlZipMember *member,
             GCancellable      *cancellable,
             GError           **error)
{
  HlNpyHeader header;
  gint64 strides[HL_LIMIT_RANK];
  g_autoptr (HlSpan) head = hl_zip_reader_open (zip, member, HL_LIMIT_NPY_HEADER, cancellable, error);

  if (head == NULL || !parse_header (&header, head, error))
    return NULL;
  if (hl_span_get_size (head) == member->size)
    return make_node (&header, head, cancellable, error);
  if (header.type.kind == HL_NPY_NUMBERS && header.shape.rank > 0 && member->is_packed)
    {
      g_autoptr (HlSpan) packed = hl_zip_reader_get_bytes (zip, member);

      if (!check_size (&header, member->size - header.offset, strides, error))
        return NULL;
      HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_TENSOR);
      node->tensor = hl_packed_tensor_new (zip->store, member->place, packed, member->size, member->crc,
                                           header.type.dtype, &header.shape, strides, header.type.swapped,
                                           header.offset);
      return node;
    }
  g_autoptr (HlSpan) bytes = hl_zip_reader_open (zip, member, member->size, cancellable, error);
  return bytes != NULL ? make_node (&header, bytes, cancellable, error) : NULL;
}

/* Puts a member where its path leads. */
static void
add_member (HlArchiveNode *root,
            const char    *path,
            HlArchiveNode *node)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  HlArchiveNode *group = root;
  guint i;

  for (i = 0; parts[i + 1] != NULL; i++)
    {
      HlArchiveNode *inner = hl_archive_node_get (group, parts[i]);
      if (inner == NULL)
        {
          inner = hl_archive_node_new (HL_MEMBER_GROUP);
          hl_archive_node_add (group, parts[i], inner);
        }
      if (inner->kind != HL_MEMBER_GROUP)
        break;
      group = inner;
    }
  /* What lies below an array keeps its slashes in its name; it can still be found. */
  g_autofree char *name = g_strjoinv ("/", parts + i);
  if (hl_archive_node_get (group, name) == NULL)
    hl_archive_node_add (group, name, node);
  else
    hl_archive_node_free (node);
}

static gboolean
is_npz (HlZipReader *zip)
{
  for (guint i = 0; i < zip->members->len; i++)
    if (g_str_has_suffix (((const HlZipMember *) zip->members->pdata[i])->name, SUFFIX))
      return TRUE;
  return FALSE;
}

/* Looks at the header of each array. One that cannot be read is still listed, with its error for whoever asks for it. */
static HlArchive *
make_npz (HlZipReader  *zip,
          GCancellable *cancellable,
          GError      **error)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);

  for (guint i = 0; i < zip->members->len; i++)
    {
      const HlZipMember *member = zip->members->pdata[i];
      g_autoptr (GError) problem = NULL;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (!g_str_has_suffix (member->name, SUFFIX))
        continue;
      g_autofree char *path = g_strndup (member->name, strlen (member->name) - strlen (SUFFIX));
      HlArchiveNode *node = open_member (zip, member, cancellable, &problem);
      if (node == NULL)
        {
          if (problem->domain != HL_ERROR)
            {
              g_propagate_error (error, g_steal_pointer (&problem));
              return NULL;
            }
          node = hl_archive_node_new (HL_MEMBER_OTHER);
          node->problem = g_error_new (HL_ERROR, problem->code, _ ("“%s” cannot be read: %s"), path, problem->message);
        }
      add_member (root, path, node);
    }
  return hl_tree_archive_new ("NPZ", g_steal_pointer (&root));
}

gboolean
hl_npy_archive_recognise (GFile        *file,
                          const guint8 *head,
                          gsize         size)
{
  return hl_npy_header_recognise (head, size);
}

/* One array is called HL_TREE_ONLY_NAME; objects are members when they have names. */
HlArchive *
hl_npy_archive_open (GFile        *file,
                     HlProgress   *progress,
                     GCancellable *cancellable,
                     GError      **error)
{
  HlNpyHeader header;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlSpan) bytes = hl_span_open (file, error);
  if (bytes == NULL || !parse_header (&header, bytes, error))
    return NULL;
  HlArchiveNode *node = make_node (&header, bytes, cancellable, error);
  return node != NULL ? hl_tree_archive_new_for_node ("NumPy", node) : NULL;
}

gboolean
hl_zip_archive_recognise (GFile        *file,
                          const guint8 *head,
                          gsize         size)
{
  return size >= 4 && (memcmp (head, "PK\3\4", 4) == 0 || memcmp (head, "PK\5\6", 4) == 0);
}

HlArchive *
hl_zip_archive_open (GFile        *file,
                     HlProgress   *progress,
                     GCancellable *cancellable,
                     GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlSpan) bytes = hl_span_open (file, error);
  g_autoptr (HlZipReader) zip = bytes != NULL ? hl_zip_reader_new (bytes, cancellable, error) : NULL;
  if (zip == NULL)
    return NULL;
  const gboolean is_torch = hl_torch_archive_find_pickle (zip) != NULL;
  if (!is_torch && !is_npz (zip))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT,
                   _ ("this is a zip file, but neither PyTorch nor NumPy wrote it"));
      return NULL;
    }
  HlArchive *archive = is_torch ? hl_torch_archive_new_for_zip (zip, cancellable, error)
                                : make_npz (zip, cancellable, error);
  if (archive != NULL)
    hl_tree_archive_set_verify (HL_TREE_ARCHIVE (archive), (HlTreeVerify) hl_zip_reader_verify, g_steal_pointer (&zip),
                                (GDestroyNotify) hl_zip_reader_free);
  return archive;
}

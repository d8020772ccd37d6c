/* SPDX-License-Identifier: MIT */
/* Any tree of members as attention: what begins like a file of NumPy or a pickle is opened as one; other bytes say
 * what members there are, by names and sizes that people use. Where attention is found, and how its axes are meant, is
 * guessed or chosen, and every example is read. */
#include "core/base/hl-limits.h"
#include "fuzz.h"

#include "core/archive/hl-tree-archive.h"
#include "core/document/guess/hl-dataset.h"
#include "fuzz-example.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_DEPTH 4
#define MAX_EXAMPLES 12
#define MAX_CHOSEN 3

/* What comes after `%u` is the byte that follows. */
static const char *const names[] = {
  "%u",
  "%u",
  "attentions",
  "attention",
  "attn",
  "encoder_attentions",
  "decoder_attentions",
  "cross_attentions",
  "decoder_attention",
  "tokens",
  "encoder_tokens",
  "decoder_tokens",
  "beam_indices",
  "queries",
  "keys",
  "values",
  "examples",
  "step_%u_layer_%u",
  "layer%u.attn.step%u",
  "blocks.%u.attn.hook_pattern",
  "arr_%u",
  "include_layers",
  "causal",
  "format",
  "weights",
};

static const char *const axes[] = {
  "layer,head,query,key",
  "head,query,key",
  "query,key",
  "step,layer,example,head,query,key",
  "example,head,query,key",
  "key,query",
  "head,key,query,step",
  "layer,example,head,query,key",
  "example,layer,example,head,query,key",
  "step,example,head,query,key",
};

typedef struct
{
  const guint8 *at;
  const guint8 *end;
  guint n_nodes;
} Input;

static guint
take (Input *self)
{
  return self->at < self->end ? *self->at++ : 0;
}

/* All numbers are the same few bytes. */
static HlArchiveNode *
make_tensor (Input *self)
{
  static const HlDType types[] = { HL_DTYPE_F32, HL_DTYPE_F32, HL_DTYPE_F16, HL_DTYPE_F64, HL_DTYPE_I64, HL_DTYPE_U8 };
  static const guint8 numbers[16] = { 0, 0, 0, 63, 1, 60, 205, 204, 76, 62, 2 };
  static const gint64 strides[HL_LIMIT_RANK];
  /* Enough that not all of them are looked at, and far more than any budget: what lies between only takes its time. */
  static const guint64 large[] = { 16, 64, 1024, 1 << 22, G_GUINT64_CONSTANT (1) << 40 };
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_TENSOR);
  const HlDType dtype = types[take (self) % G_N_ELEMENTS (types)];
  g_autoptr (GBytes) bytes = g_bytes_new_static (numbers, sizeof numbers);
  HlShape shape = { .rank = take (self) % 8 };

  for (guint i = 0; i < shape.rank; i++)
    {
      const guint size = take (self);
      shape.dims[i] = size < 251 ? size % 12 : large[size - 251];
    }
  node->tensor = hl_tensor_new_for_bytes (dtype, &shape, strides, FALSE, bytes, take (self) % 3 * 4, &node->problem);
  if (node->tensor == NULL)
    node->kind = HL_MEMBER_OTHER;
  return node;
}

static HlArchiveNode *
make_strings (Input *self)
{
  HlArchiveNode *node = hl_archive_node_new (HL_MEMBER_STRINGS);
  const guint n = take (self) % 14;

  node->strings = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    node->strings[i] = g_strdup_printf ("t%u", i);
  return node;
}

static HlArchiveNode *
make_node (Input *self,
           guint  depth)
{
  const guint kind = depth == 0 ? 0 : take (self) % 8;
  HlArchiveNode *node;

  self->n_nodes++;
  if (kind == 2)
    return make_strings (self);
  if (kind == 3)
    {
      node = hl_archive_node_new (HL_MEMBER_OTHER);
      node->attribute = g_variant_ref_sink (g_variant_new_int64 (take (self) % 4));
      return node;
    }
  if (kind > 1 || depth > MAX_DEPTH)
    return make_tensor (self);
  node = hl_archive_node_new (HL_MEMBER_GROUP);
  for (guint n = take (self) % 12; n > 0 && self->at < self->end && self->n_nodes < 300; n--)
    {
      const char *format = names[take (self) % G_N_ELEMENTS (names)];
      const char *second = strchr (format, '%') != NULL ? strchr (strchr (format, '%') + 1, '%') : NULL;
      GString *name = g_string_new (NULL);
      for (const char *c = format; *c != '\0'; c++)
        if (*c == '%')
          g_string_append_printf (name, "%u", take (self) % (second != NULL ? 5 : 12)), c++;
        else
          g_string_append_c (name, *c);
      g_autofree char *own = g_string_free (name, FALSE);
      if (hl_archive_node_get (node, own) == NULL)
        hl_archive_node_add (node, own, make_node (self, depth + 1));
    }
  return node;
}

static HlDocument *
open_tree (Input               *self,
           GFile               *file,
           const HlOpenOptions *options,
           GError             **error)
{
  g_autoptr (HlArchive) archive = hl_tree_archive_new ("Tree", make_node (self, 0));

  return hl_document_new_for_archive (file, archive, options, NULL, NULL, error);
}

static HlDocument *
open_file (const guint8        *bytes,
           gsize                size,
           const HlOpenOptions *options,
           GError             **error)
{
  const int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert (fd >= 0);
  g_assert (write (fd, bytes, size) == (gssize) size);
  fuzz_make_old (fd);
  HlDocument *document = hl_document_load_with (file, options, NULL, NULL, error);
  close (fd);
  return document;
}

static gboolean
is_file (const guint8 *bytes,
         gsize         size)
{
  return size > 4 && (memcmp (bytes, "\x93NUM", 4) == 0 || memcmp (bytes, "PK\3\4", 4) == 0 || bytes[0] == 0x80);
}

/* What is listed can be named, as all there is and as one index of what stands before queries and keys. */
static void
choose_each (HlDocument *document)
{
  HlArchive *archive = hl_document_get_archive (document);
  g_autoptr (GPtrArray) datasets = hl_dataset_list (archive, NULL, NULL);
  g_autofree char *own = hl_document_get_dataset (document);

  for (guint i = 0; i < MIN (datasets->len, MAX_CHOSEN); i++)
    for (guint one_index = 0; one_index < 2; one_index++)
      {
        const HlDataset *dataset = datasets->pdata[i];
        HlOpenOptions options = { .dataset = dataset->path };
        g_autoptr (GError) error = NULL;

        if (own != NULL)
          hl_dataset_is (dataset, own);
        if (one_index)
          for (guint axis = 0; axis < dataset->shape.rank; axis++)
            {
              const guint left = dataset->shape.rank - axis;
              options.axes.letters[axis] = "kqx"[MIN (left, 3) - 1];
              options.axes.indices[axis] = left > 2 ? dataset->shape.dims[axis] - 1 : 0;
            }
        g_autoptr (HlDocument)
          other = hl_document_new_for_archive (hl_document_get_file (document), archive, &options, NULL, NULL, &error);
        g_autoptr (HlExample) example = other != NULL ? hl_document_get_example (other, 0, NULL, NULL) : NULL;

        g_assert ((other == NULL) == (error != NULL));
        if (example != NULL)
          fuzz_read_example (example);
      }
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_auto (HlOpenOptions) options = { 0 };
  g_autoptr (GFile) file = g_file_new_for_path ("/tree");
  g_autoptr (GError) error = NULL;
  Input input = { bytes, bytes + size, 0 };
  g_autoptr (HlDocument) document = NULL;

  if (is_file (bytes, size))
    document = open_file (bytes, size, NULL, &error);
  else
    {
      const guint chosen = take (&input);
      options.softmax = chosen % 8 == 1;
      if (chosen >= 192)
        g_assert (hl_layout_axes_parse (&options.axes, axes[chosen % G_N_ELEMENTS (axes)], NULL));
      if (chosen >= 224)
        options.dataset = g_strdup (names[2 + chosen % 3]);
      document = open_tree (&input, file, &options, &error);
    }
  g_assert ((document == NULL) == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
  if (document != NULL)
    choose_each (document);
  for (guint i = 0; document != NULL && i < MIN (hl_document_get_n_examples (document), MAX_EXAMPLES); i++)
    {
      g_autoptr (HlExample) example = hl_document_get_example (document, i, NULL, NULL);
      if (example != NULL)
        fuzz_read_example (example);
    }
  return 0;
}

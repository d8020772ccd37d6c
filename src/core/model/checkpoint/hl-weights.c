/* SPDX-License-Identifier: MIT */
/* The weights of a model folder: model.safetensors or pytorch_model.bin, or the shards that an index beside them names. Which tensor is
 * in which shard is read from the shards themselves, so that the index cannot lie about it. */
#include "core/model/checkpoint/hl-weights.h"

#include "core/archive/pydata/hl-torch-archive.h"
#include "core/archive/safetensors/hl-safetensors-archive.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/base/tensor/hl-float8-tensor.h"
#include "core/base/text/hl-text-hash.h"
#include "core/model/checkpoint/hl-weights-index.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* What weights are kept in, the best first, and what says in which files they are where there are several. */
static const struct
{
  const char *single;
  const char *index;
} kinds[] = {
  { "model.safetensors", "model.safetensors.index.json" },
  { "pytorch_model.bin", "pytorch_model.bin.index.json" },
};

/* What other programs keep weights in, which is not read. */
static const struct
{
  const char *file;
  const char *program;
} foreign[] = {
  { "tf_model.h5", N_ ("TensorFlow") },
  { "tf_model.h5.index.json", N_ ("TensorFlow") },
  { "bert_model.ckpt.index", N_ ("TensorFlow") },
  { "model.ckpt.index", N_ ("TensorFlow") },
  { "flax_model.msgpack", N_ ("Flax") },
  { "flax_model.msgpack.index.json", N_ ("Flax") },
  { "model.onnx", N_ ("ONNX") },
  { "onnx/model.onnx", N_ ("ONNX") },
  { "openvino/openvino_model.xml", N_ ("OpenVINO") },
  { "openvino_model.xml", N_ ("OpenVINO") },
  { "rust_model.ot", N_ ("Rust") },
  { "consolidated.safetensors", N_ ("its makers’ own program") },
  { "consolidated.00.pth", N_ ("its makers’ own program") },
};

/* What wraps a model adds to the names of its tensors: several devices, or a compiler. */
static const char *const wrappers[] = { "", "module.", "_orig_mod.", "module._orig_mod.", "_orig_mod.module." };

/* Tensors whose numbers are multiplied by those of another, or whose columns are divided by them, by what both names end with: weights in
 * folders, and those of GGUF files that were made of NVFP4 and of AWQ. */
static const struct
{
  const char *tensor;
  const char *factors;
} pairs[] = {
  { "", "_scale" },
  { ".weight", ".scale" },
  { "ffn_down.weight", "ffn.act.scales" },
};

/* Of a name, in a sentence about it. */
#define MAX_SHOWN 120

/* Bytes with which a file begins that stands for one which was not fetched. */
#define POINTER "version https://git-lfs"

/* Numbers looked at in one go for one that is none; whole blocks of every type. */
#define SCAN_NUMBERS 65536

struct _HlWeights
{
  GPtrArray *archives;
  GPtrArray *files;     /* their names */
  GHashTable *places;   /* name to the archive that has it */
  GHashTable *replaced; /* name to the tensor that stands for it */
  const char *wrapper;
  char *prefix; /* with the wrapper */
};

/* Adds the tensors of one file, whose name errors will begin with. */
gboolean
hl_weights_add (HlWeights  *self,
                HlArchive  *archive,
                const char *file,
                GError    **error)
{
  g_autoptr (GError) local_error = NULL;
  g_auto (GStrv) names = hl_archive_list (archive, "", &local_error);

  if (names == NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", file);
      return FALSE;
    }
  for (char **i = names; *i != NULL; i++)
    if (!g_hash_table_insert (self->places, g_strdup (*i), archive))
      {
        g_autofree char *shown = hl_utf8_quote (*i, strlen (*i), MAX_SHOWN);
        g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s: tensor “%s” is in another file too"), file, shown);
        return FALSE;
      }
  g_ptr_array_add (self->archives, g_object_ref (archive));
  g_ptr_array_add (self->files, g_strdup (file));
  return TRUE;
}

static gboolean
is_pointer (GFile *file)
{
  g_autoptr (GBytes) head = hl_file_read_regular (file, strlen (POINTER), NULL, NULL);

  return head != NULL && g_bytes_get_size (head) == strlen (POINTER) &&
         memcmp (g_bytes_get_data (head, NULL), POINTER, strlen (POINTER)) == 0;
}

/* Memory is taken for what a file announces. In PyTorch’s, strides of 0 repeat a number, and tensors may lie in one another. */
static gboolean
check_expansion (HlArchive *archive,
                 GFile     *file,
                 GError   **error)
{
  g_auto (GStrv) names = hl_archive_list (archive, "", error);
  g_autoptr (GFileInfo) info = NULL;
  guint64 announced = 0;

  if (names != NULL)
    info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, error);
  if (info == NULL)
    return FALSE;
  for (char **name = names; *name != NULL; name++)
    {
      g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, *name, NULL);
      const guint64 n_bytes = tensor != NULL ? hl_tensor_get_announced (tensor) : 0;

      announced = n_bytes > G_MAXUINT64 - announced ? G_MAXUINT64 : announced + n_bytes;
    }
  const guint64 size = (guint64) g_file_info_get_size (info);
  if (announced / HL_LIMIT_EXPANSION <= size)
    return TRUE;
  g_autofree char *announced_text = g_format_size_full (announced, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *size_text = g_format_size_full (size, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (
    error, HL_ERROR, HL_ERROR_TOO_LARGE,
    /* Translators: two sizes, as “36.4 TiB” and “4 bytes” */
    _ ("the file announces %s of numbers and holds %s of them: the others repeat them, or were never written"),
    announced_text, size_text);
  return FALSE;
}

/* Maps a file of tensors, safetensors or PyTorch’s by its name. */
HlArchive *
hl_weights_open_file (GFile   *file,
                      GError **error)
{
  g_autofree char *name = g_file_get_basename (file);

  if (g_file_query_exists (file, NULL) &&
      g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE, _ ("this is not a regular file"));
      return NULL;
    }
  if (is_pointer (file))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                   _ ("this is not the file itself, but what Git keeps in its place: “git lfs pull” fetches it"));
      return NULL;
    }
  if (g_str_has_suffix (name, ".safetensors"))
    return hl_safetensors_archive_open (file, NULL, NULL, error);
  g_autoptr (HlArchive) archive = hl_torch_archive_open_mapped (file, error);
  return archive != NULL && check_expansion (archive, file, error) ? g_steal_pointer (&archive) : NULL;
}

static gboolean
add_file (HlWeights  *self,
          GFile      *folder,
          const char *name,
          GError    **error)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (HlArchive) archive = hl_weights_open_file (file, &local_error);

  g_autofree char *shown = hl_utf8_quote (name, strlen (name), MAX_SHOWN);
  if (archive == NULL)
    {
      g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", shown);
      return FALSE;
    }
  return hl_weights_add (self, archive, shown, error);
}

/* The names of the shards that an index has; errors begin with its own. */
static GHashTable *
read_index (GFile      *folder,
            const char *name,
            GError    **error)
{
  g_autoptr (GFile) index = g_file_get_child (folder, name);
  g_autoptr (GError) local_error = NULL;
  gsize size;
  g_autofree char *text = hl_file_load_regular (index, &size, HL_LIMIT_JSON_TREE, &local_error);

  if (text != NULL)
    return hl_weights_index_parse (text, size, name, error);
  g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", name);
  return NULL;
}

static gboolean
add_shards (HlWeights  *self,
            GFile      *folder,
            const char *index,
            GError    **error)
{
  g_autoptr (GHashTable) shards = read_index (folder, index, error);
  GHashTableIter iter;
  gpointer name;

  if (shards == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, shards);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (!add_file (self, folder, name, error))
      return FALSE;
  return TRUE;
}

/* Makes one without tensors. */
HlWeights *
hl_weights_new (void)
{
  HlWeights *self = g_new0 (HlWeights, 1);

  self->archives = g_ptr_array_new_with_free_func (g_object_unref);
  self->files = g_ptr_array_new_with_free_func (g_free);
  self->places = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  self->replaced = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, g_object_unref);
  self->wrapper = "";
  self->prefix = g_strdup ("");
  return self;
}

static gboolean
has_file (GFile      *folder,
          const char *name)
{
  g_autoptr (GFile) file = g_file_resolve_relative_path (folder, name);

  return g_file_query_exists (file, NULL);
}

static void
explain_missing (GFile   *folder,
                 GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (foreign); i++)
    if (has_file (folder, foreign[i].file))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                     _ ("the weights are there for %s only (“%s”); “%s” or “%s” is needed"), _ (foreign[i].program),
                     foreign[i].file, kinds[0].single, kinds[1].single);
        return;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               _ ("there is no “%s” in the folder, nor “%s”, nor an index of several"), kinds[0].single,
               kinds[1].single);
}

/* Returns whether there are weights in a folder that hl_weights_open() would open; @error says what there is instead. */
gboolean
hl_weights_are_in (GFile   *folder,
                   GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (has_file (folder, kinds[i].single) || has_file (folder, kinds[i].index))
      return TRUE;
  explain_missing (folder, error);
  return FALSE;
}

/* Returns the names of the files in a folder, or in folders within, that the weights are in, by an index if there is one; none where that cannot
 * be read. */
char **
hl_weights_list_files (GFile *folder)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      const gboolean is_single = has_file (folder, kinds[i].single);
      GHashTableIter iter;
      gpointer name;

      if (!is_single && !has_file (folder, kinds[i].index))
        continue;
      g_autoptr (GHashTable) shards = is_single ? NULL : read_index (folder, kinds[i].index, NULL);
      if (is_single)
        g_strv_builder_add (names, kinds[i].single);
      if (shards == NULL)
        break;
      g_hash_table_iter_init (&iter, shards);
      while (g_hash_table_iter_next (&iter, &name, NULL))
        g_strv_builder_add (names, name);
      break;
    }
  return g_strv_builder_end (names);
}

/* Maps all weights of a folder and checks their headers. */
HlWeights *
hl_weights_open (GFile   *folder,
                 GError **error)
{
  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  g_autoptr (HlWeights) self = hl_weights_new ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gboolean done;

      if (has_file (folder, kinds[i].single))
        done = add_file (self, folder, kinds[i].single, error);
      else if (has_file (folder, kinds[i].index))
        done = add_shards (self, folder, kinds[i].index, error);
      else
        continue;
      return done ? g_steal_pointer (&self) : NULL;
    }
  explain_missing (folder, error);
  return NULL;
}

/* Frees them; tensors keep what they need. */
void
hl_weights_free (HlWeights *self)
{
  g_hash_table_unref (self->places);
  g_hash_table_unref (self->replaced);
  g_ptr_array_unref (self->archives);
  g_ptr_array_unref (self->files);
  g_free (self->prefix);
  g_free (self);
}

/* A name that begins with a slash is meant as it is. */
static char *
complete_name (HlWeights  *self,
               const char *name)
{
  return *name == '/' ? g_strconcat (self->wrapper, name + 1, NULL) : g_strconcat (self->prefix, name, NULL);
}

/* Whether a tensor's name begins so. */
static gboolean
has_stem (HlWeights  *self,
          const char *stem)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->places);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    if (g_str_has_prefix (name, stem))
      return TRUE;
  return FALSE;
}

/* Finds out what the names of these weights begin with; from then on names are asked for without it. */
gboolean
hl_weights_set_prefix (HlWeights         *self,
                       const char *const *prefixes,
                       const char        *layer,
                       GError           **error)
{
  g_autofree char *start = g_strndup (layer, strcspn (layer, "%"));

  for (guint i = 0; i < G_N_ELEMENTS (wrappers); i++)
    for (const char *const *prefix = prefixes; *prefix != NULL; prefix++)
      {
        g_autofree char *stem = g_strconcat (wrappers[i], *prefix, start, NULL);
        if (!has_stem (self, stem))
          continue;
        g_free (self->prefix);
        self->prefix = g_strconcat (wrappers[i], *prefix, NULL);
        self->wrapper = wrappers[i];
        return TRUE;
      }
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there are no tensors “%s%s…”"), prefixes[0], start);
  return FALSE;
}

/* Returns how many tensors there are. */
guint
hl_weights_get_n (HlWeights *self)
{
  return g_hash_table_size (self->places);
}

gboolean
hl_weights_has (HlWeights  *self,
                const char *name)
{
  g_autofree char *complete = complete_name (self, name);

  return g_hash_table_contains (self->places, complete) || g_hash_table_contains (self->replaced, complete);
}

/* Returns the names of all tensors that the files have, in their order, so that of several that are wrong the same is found each time. */
char **
hl_weights_list (HlWeights *self)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->places), (GCompareFunc) strcmp);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  for (GList *name = names; name != NULL; name = name->next)
    g_strv_builder_add (list, name->data);
  return g_strv_builder_end (list);
}

static HlTensor *
open_any (HlWeights  *self,
          const char *name,
          GError    **error)
{
  HlArchive *archive = g_hash_table_lookup (self->places, name);
  HlTensor *other = g_hash_table_lookup (self->replaced, name);

  if (archive == NULL && other == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("tensor “%s” is missing"), name);
      return NULL;
    }
  return other != NULL ? g_object_ref (other) : hl_archive_open_tensor (archive, name, error);
}

/* Whether a tensor of a file is by itself what it stands for. */
static gboolean
check_alone (HlWeights  *self,
             const char *name,
             GError    **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      if (!g_str_has_suffix (name, pairs[i].tensor))
        continue;
      g_autofree char *stem = g_strndup (name, strlen (name) - strlen (pairs[i].tensor));
      g_autofree char *factors = g_strconcat (stem, pairs[i].factors, NULL);
      if (!g_hash_table_contains (self->places, factors))
        continue;
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("tensor “%s” changes what “%s” stands for, in a way that is not known"), factors, name);
      return FALSE;
    }
  return TRUE;
}

static HlTensor *
open_tensor (HlWeights  *self,
             const char *name,
             GError    **error)
{
  g_autoptr (HlTensor) tensor = open_any (self, name, error);

  if (tensor == NULL || (!g_hash_table_contains (self->replaced, name) && !check_alone (self, name, error)))
    return NULL;
  if (HL_IS_FLOAT8_TENSOR (tensor) && !hl_float8_tensor_has_scales (HL_FLOAT8_TENSOR (tensor)))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                   _ ("tensor “%s” is of 8 bits, and what its numbers are multiplied by is not in “%s_scale_inv”"),
                   name, name);
      return NULL;
    }
  if (!hl_dtype_is_float (hl_tensor_get_dtype (tensor)))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("tensor “%s” is of %s; floating-point numbers are needed"), name,
                   hl_dtype_get_name (hl_tensor_get_dtype (tensor)));
      return NULL;
    }
  return g_steal_pointer (&tensor);
}

HlTensor *
hl_weights_get (HlWeights     *self,
                const char    *name,
                guint          rank,
                const guint64 *dims,
                GError       **error)
{
  g_autofree char *complete = complete_name (self, name);
  g_autoptr (HlTensor) tensor = open_tensor (self, complete, error);
  HlShape wanted = { .rank = rank };

  if (tensor == NULL)
    return NULL;
  memcpy (wanted.dims, dims, rank * sizeof *dims);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (shape->rank != rank || memcmp (shape->dims, dims, rank * sizeof *dims) != 0)
    {
      g_autofree char *is = hl_shape_to_string (shape);
      g_autofree char *should = hl_shape_to_string (&wanted);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” is %s; config.json makes it %s"), complete, is,
                   should);
      return NULL;
    }
  return g_steal_pointer (&tensor);
}

/* Opens a tensor of any type and shape. */
HlTensor *
hl_weights_get_any (HlWeights  *self,
                    const char *name,
                    GError    **error)
{
  g_autofree char *complete = complete_name (self, name);

  return open_any (self, complete, error);
}

/* Finds a tensor that may be tied to others: files keep it once, under any of its names. */
HlTensor *
hl_weights_find (HlWeights         *self,
                 const char *const *names,
                 GError           **error)
{
  for (const char *const *name = names; *name != NULL; name++)
    if (hl_weights_has (self, *name))
      {
        g_autofree char *found = complete_name (self, *name);
        return open_tensor (self, found, error);
      }
  g_autofree char *first = complete_name (self, names[0]);
  return open_tensor (self, first, error);
}

/**
 * hl_weights_match:
 * @self: weights
 * @prefixes: (array zero-terminated=1): what names of such a model can begin with
 * @name: what a tensor is called in a model of another class, which adds to the same model and so has another of the prefixes
 *
 * Returns: (transfer full) (nullable): by what name these weights have it, to be asked for as it is; %NULL when they have not
 */
char *
hl_weights_match (HlWeights         *self,
                  const char *const *prefixes,
                  const char        *name)
{
  g_autofree char *same = g_strconcat ("/", name, NULL);

  if (hl_weights_has (self, same))
    return g_steal_pointer (&same);
  for (const char *const *prefix = prefixes; *prefix != NULL; prefix++)
    if (g_str_has_prefix (name, *prefix) && hl_weights_has (self, name + strlen (*prefix)))
      return g_strdup (name + strlen (*prefix));
  return NULL;
}

/**
 * hl_weights_replace:
 * @self: weights
 * @name: the name of a tensor, which need not be there
 * @tensor: what is to be there
 *
 * Puts a tensor where another was.
 */
void
hl_weights_replace (HlWeights  *self,
                    const char *name,
                    HlTensor   *tensor)
{
  g_return_if_fail (HL_IS_TENSOR (tensor));

  g_hash_table_insert (self->replaced, complete_name (self, name), g_object_ref (tensor));
}

/**
 * hl_weights_watch:
 * @self: weights
 * @archive: where numbers of tensors come from that replace others
 * @file: its name
 *
 * Has hl_weights_check() ask it too.
 */
void
hl_weights_watch (HlWeights  *self,
                  HlArchive  *archive,
                  const char *file)
{
  g_return_if_fail (HL_IS_ARCHIVE (archive));

  g_ptr_array_add (self->archives, g_object_ref (archive));
  g_ptr_array_add (self->files, g_strdup (file));
}

/* To be called after numbers of any tensor were used. */
gboolean
hl_weights_check (HlWeights *self,
                  GError   **error)
{
  for (guint i = 0; i < self->archives->len; i++)
    {
      g_autoptr (GError) local_error = NULL;

      if (!hl_archive_check (self->archives->pdata[i], &local_error))
        {
          g_propagate_prefixed_error (error, g_steal_pointer (&local_error),
                                      "%s: ", (const char *) self->files->pdata[i]);
          return FALSE;
        }
    }
  return TRUE;
}

/* Whether a number of a tensor is NaN or infinite. It is read by pieces: a row can be as long as a file likes to say. */
static gboolean
is_bad (HlTensor     *tensor,
        GCancellable *cancellable)
{
  const HlShape *shape = hl_tensor_get_shape (tensor);
  guint64 start[HL_LIMIT_RANK] = { 0 }, count[HL_LIMIT_RANK], n_inner = 1, n;
  guint axis = shape->rank - 1;

  if (shape->rank == 0 || !hl_shape_get_n_elements (shape, &n) || n == 0)
    return FALSE;
  /* A piece has some of this axis, and all of those behind it. */
  for (; axis > 0 && n_inner * shape->dims[axis] <= SCAN_NUMBERS; axis--)
    n_inner *= count[axis] = shape->dims[axis];
  for (guint before = 0; before < axis; before++)
    count[before] = 1;
  const guint64 step = SCAN_NUMBERS / n_inner;
  g_autofree float *numbers = g_new (float, SCAN_NUMBERS);
  do
    for (start[axis] = 0; start[axis] < shape->dims[axis]; start[axis] += step)
      {
        count[axis] = MIN (step, shape->dims[axis] - start[axis]);
        if (!hl_tensor_read_f32 (tensor, start, count, numbers, cancellable, NULL))
          return FALSE;
        for (guint64 i = 0; i < count[axis] * n_inner; i++)
          if (!isfinite (numbers[i]))
            return TRUE;
      }
  while (hl_shape_advance (start, NULL, shape->dims, axis) >= 0);
  return FALSE;
}

/* Looks through all numbers, which takes a while: for when results show that something is wrong. */
char *
hl_weights_find_bad (HlWeights    *self,
                     GCancellable *cancellable)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->places), (GCompareFunc) strcmp);

  for (GList *name = names; name != NULL; name = name->next)
    {
      g_autoptr (HlTensor) tensor = open_tensor (self, name->data, NULL);
      if (tensor != NULL && is_bad (tensor, cancellable))
        return g_strdup (name->data);
    }
  return NULL;
}

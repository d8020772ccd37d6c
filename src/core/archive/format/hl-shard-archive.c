/* SPDX-License-Identifier: MIT */
/* Files that are one dump together (data/dump-format.md): each has heads of its own, or examples of its own. All else is that of rank 0. */
#include "core/archive/format/hl-shard-archive.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/file/hl-file-identity.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/file/hl-file-version.h"
#include "core/base/file/hl-shard-name.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/text/hl-text-hash.h"

/* Tensors that are several beside one another on one axis. */

#define HL_TYPE_JOINED_TENSOR (hl_joined_tensor_get_type ())
G_DECLARE_FINAL_TYPE (HlJoinedTensor, hl_joined_tensor, HL, JOINED_TENSOR, HlTensor)

struct _HlJoinedTensor
{
  HlTensor parent_instance;

  GPtrArray *parts;
  guint axis;
};

G_DEFINE_FINAL_TYPE (HlJoinedTensor, hl_joined_tensor, HL_TYPE_TENSOR)

/* The numbers of one part, which are @n of @n_all on the axis, go to their place between those of others. */
static gboolean
read_part (HlTensor      *part,
           guint          axis,
           const guint64 *start,
           const guint64 *count,
           guint64        n_all,
           guint64        first,
           float         *target,
           GCancellable  *cancellable,
           GError       **error)
{
  const guint rank = hl_tensor_get_shape (part)->rank;
  guint64 outer = 1, inner = 1;

  for (guint i = 0; i < axis; i++)
    outer *= count[i];
  for (guint i = axis + 1; i < rank; i++)
    inner *= count[i];
  if (outer == 1)
    return hl_tensor_read_f32 (part, start, count, target + first * inner, cancellable, error);
  const guint64 size = count[axis] * inner;
  g_autofree float *numbers = g_try_malloc_n (outer * size, sizeof (float));
  if (numbers == NULL)
    return hl_error_set_no_memory (error);
  if (!hl_tensor_read_f32 (part, start, count, numbers, cancellable, error))
    return FALSE;
  for (guint64 i = 0; i < outer; i++)
    memcpy (target + (i * n_all + first) * inner, numbers + i * size, size * sizeof (float));
  return TRUE;
}

static gboolean
hl_joined_tensor_read_f32 (HlTensor      *tensor,
                           const guint64 *start,
                           const guint64 *count,
                           float         *target,
                           GCancellable  *cancellable,
                           GError       **error)
{
  HlJoinedTensor *self = HL_JOINED_TENSOR (tensor);
  const guint axis = self->axis;
  const guint64 end = start[axis] + count[axis];
  guint64 at = 0;

  for (guint i = 0; i < self->parts->len && at < end; i++)
    {
      HlTensor *part = self->parts->pdata[i];
      const guint64 n = hl_tensor_get_shape (part)->dims[axis];
      const guint64 from = MAX (at, start[axis]), to = MIN (at + n, end);

      if (from < to)
        {
          guint64 own_start[HL_LIMIT_RANK], own_count[HL_LIMIT_RANK];

          memcpy (own_start, start, hl_tensor_get_shape (part)->rank * sizeof *start);
          memcpy (own_count, count, hl_tensor_get_shape (part)->rank * sizeof *count);
          own_start[axis] = from - at;
          own_count[axis] = to - from;
          if (!read_part (part, axis, own_start, own_count, count[axis], from - start[axis], target, cancellable,
                          error))
            return FALSE;
        }
      at += n;
    }
  return TRUE;
}

static guint64
hl_joined_tensor_get_stored (HlTensor *tensor)
{
  HlJoinedTensor *self = HL_JOINED_TENSOR (tensor);
  guint64 n = 0;

  for (guint i = 0; i < self->parts->len; i++)
    n += hl_tensor_get_stored (self->parts->pdata[i]);
  return n;
}

static void
hl_joined_tensor_finalize (GObject *object)
{
  g_ptr_array_unref (HL_JOINED_TENSOR (object)->parts);
  G_OBJECT_CLASS (hl_joined_tensor_parent_class)->finalize (object);
}

static void
hl_joined_tensor_class_init (HlJoinedTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_joined_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_joined_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_stored = hl_joined_tensor_get_stored;
}

static void
hl_joined_tensor_init (HlJoinedTensor *self)
{
}

/* Takes @parts, which fit one another. */
static HlTensor *
hl_joined_tensor_new (GPtrArray *parts,
                      guint      axis)
{
  HlJoinedTensor *self = g_object_new (HL_TYPE_JOINED_TENSOR, NULL);
  HlShape shape = *hl_tensor_get_shape (parts->pdata[0]);
  HlDType dtype = hl_tensor_get_dtype (parts->pdata[0]);

  for (guint i = 1; i < parts->len; i++)
    {
      shape.dims[axis] += hl_tensor_get_shape (parts->pdata[i])->dims[axis];
      if (hl_tensor_get_dtype (parts->pdata[i]) != dtype)
        dtype = HL_DTYPE_F32;
    }
  self->parts = parts;
  self->axis = axis;
  hl_tensor_set_layout (HL_TENSOR (self), dtype, &shape);
  return HL_TENSOR (self);
}

/* Where an example is. */
typedef struct
{
  char *name;
  guint rank;
  char *path; /* in the file of that rank; empty for the root */
} Example;

struct _HlShardArchive
{
  GObject parent_instance;

  GPtrArray *archives; /* by rank */
  GPtrArray *names;    /* of their files */
  char *container;
  gboolean by_heads; /* all files have the same examples */
  guint n_beside;    /* how many files one after another share out the heads of their examples */
  GArray *examples;  /* of Example; ranks are those of the first of such files */
  GMutex lock;
  GHashTable *checked; /* the examples whose files are of one run; guarded by it */
};

static void hl_shard_archive_iface_init (HlArchiveInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlShardArchive,
                               hl_shard_archive,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE, hl_shard_archive_iface_init))

static const char *
get_container (HlArchive *archive)
{
  return HL_SHARD_ARCHIVE (archive)->container;
}

/* Names of what has heads, and how far from the last axis that of heads is. */
static const struct
{
  const char *name;
  guint from_end;
} headed[] = {
  { "attention", 3 },
  { "attentions", 3 },
  { "queries", 3 },
  { "keys", 3 },
  { "values", 3 },
  { "output_projection", 3 },
  { "query_projection", 3 },
  { "key_projection", 3 },
  { "value_projection", 3 },
  { "query_bias", 3 },
  { "key_bias", 3 },
  { "value_bias", 3 },
  { "distance_queries", 3 },
  { "distance_keys", 3 },
  { "value_norms", 2 },
  { "bias", 2 },
  { "sinks", 1 },
};

/* Returns how far from the last axis that of heads is; 0 for what has none. */
static guint
find_head_axis (const char *path)
{
  static const char *const prefixes[] = { "encoder_", "decoder_", "cross_" };
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  const guint n = g_strv_length (parts);
  const gboolean of_layer = n > 1 && g_ascii_isdigit (parts[n - 1][0]);
  const char *name = n > 0 ? parts[of_layer ? n - 2 : n - 1] : "";

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      {
        name += strlen (prefixes[i]);
        break;
      }
  for (guint i = 0; i < G_N_ELEMENTS (headed); i++)
    if (g_str_equal (name, headed[i].name))
      return headed[i].from_end;
  return 0;
}

/* Whether a group holds an example, by the names of what is in it. */
static gboolean
is_example (char **names)
{
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (g_str_has_suffix (names[i], "queries") || g_str_has_suffix (names[i], "attention") ||
        g_str_has_suffix (names[i], "attentions"))
      return !g_str_has_prefix (names[i], "distance_");
  return FALSE;
}

/* The rank of the first file that has a member, and what it is called there. */
static guint
resolve_rank (HlShardArchive *self,
              const char     *path,
              char          **own)
{
  const char *name = g_str_has_prefix (path, "examples/") ? path + strlen ("examples/") : NULL;

  for (guint i = 0; name != NULL && !self->by_heads && i < self->examples->len; i++)
    {
      const Example *example = &g_array_index (self->examples, Example, i);
      const gsize length = strlen (example->name);

      if (strncmp (name, example->name, length) != 0 || (name[length] != '\0' && name[length] != '/'))
        continue;
      const char *rest = name[length] == '/' ? name + length + 1 : "";
      *own = *rest == '\0' ? g_strdup (example->path) : hl_archive_join (example->path, rest);
      return example->rank;
    }
  *own = g_strdup (path);
  return 0;
}

static HlArchive *
resolve (HlShardArchive *self,
         const char     *path,
         char          **own)
{
  return self->archives->pdata[resolve_rank (self, path, own)];
}

static char **
list (HlArchive  *archive,
      const char *group,
      GError    **error)
{
  HlShardArchive *self = HL_SHARD_ARCHIVE (archive);
  g_autofree char *own = NULL;

  if (self->by_heads || (*group != '\0' && !g_str_equal (group, "examples")))
    {
      HlArchive *found = resolve (self, group, &own);
      return hl_archive_list (found, own, error);
    }
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  if (*group == '\0')
    {
      g_strv_builder_add (names, "examples");
      return g_strv_builder_end (names);
    }
  for (guint i = 0; i < self->examples->len; i++)
    g_strv_builder_add (names, g_array_index (self->examples, Example, i).name);
  return g_strv_builder_end (names);
}

static HlMemberKind
get_kind (HlArchive  *archive,
          const char *name)
{
  HlShardArchive *self = HL_SHARD_ARCHIVE (archive);
  g_autofree char *own = NULL;

  if (!self->by_heads && g_str_equal (name, "examples"))
    return HL_MEMBER_GROUP;
  HlArchive *found = resolve (self, name, &own);
  return *own == '\0' ? HL_MEMBER_GROUP : hl_archive_get_kind (found, own);
}

/* Whether a part has the sizes of the first, but for heads. */
static gboolean
fits (HlTensor *part,
      HlTensor *first,
      guint     axis)
{
  const HlShape *a = hl_tensor_get_shape (part), *b = hl_tensor_get_shape (first);

  if (a->rank != b->rank ||
      hl_dtype_is_float (hl_tensor_get_dtype (part)) != hl_dtype_is_float (hl_tensor_get_dtype (first)))
    return FALSE;
  for (guint i = 0; i < a->rank; i++)
    if (i != axis && a->dims[i] != b->dims[i])
      return FALSE;
  return a->dims[axis] <= HL_LIMIT_HEADS;
}

/* Whether another file that has heads of an example says the same of it as the first, if it says anything. */
static gboolean
check_same (HlShardArchive *self,
            guint           first_rank,
            guint           rank,
            const char     *name,
            char          **strings,
            GError        **error)
{
  HlArchive *archive = self->archives->pdata[rank];
  GError *reason = NULL;

  if (hl_archive_get_kind (archive, name) != HL_MEMBER_STRINGS)
    return TRUE;
  g_auto (GStrv) other = hl_archive_read_strings (archive, name, &reason);
  if (other == NULL)
    {
      g_propagate_prefixed_error (error, reason, "%s: ", (const char *) self->names->pdata[rank]);
      return FALSE;
    }
  if (g_strv_equal ((const char *const *) other, (const char *const *) strings))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
               _ ("“%s” is not the same in “%s” as in “%s”: the files are of different runs"), name,
               (const char *) self->names->pdata[rank], (const char *) self->names->pdata[first_rank]);
  return FALSE;
}

/* Whether files that have heads of an example are of one run, as far as its tokens tell: while somebody writes those of a second, some of the
 * first are still there. */
static gboolean
check_run (HlShardArchive *self,
           guint           first_rank,
           const char     *group,
           GError        **error)
{
  static const char *const names[] = { "tokens", "query_tokens", "key_tokens", "encoder_tokens", "decoder_tokens" };
  g_autofree char *key = g_strdup_printf ("%u %s", first_rank, group);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (g_hash_table_contains (self->checked, key))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = hl_archive_join (group, names[i]);
      const gboolean is_there = hl_archive_get_kind (self->archives->pdata[first_rank], name) == HL_MEMBER_STRINGS;
      /* What is wrong with them, who reads them says. */
      g_auto (GStrv) strings = is_there ? hl_archive_read_strings (self->archives->pdata[first_rank], name, NULL)
                                        : NULL;

      for (guint rank = first_rank + 1; strings != NULL && rank < first_rank + self->n_beside; rank++)
        if (!check_same (self, first_rank, rank, name, strings, error))
          return FALSE;
    }
  g_hash_table_add (self->checked, g_steal_pointer (&key));
  return TRUE;
}

/* The group of the example that a tensor is of: that which it is in, or where it is one of several layers the one above. */
static char *
dup_example (const char *path)
{
  g_autofree char *group = g_strdup (path);
  char *slash = strrchr (group, '/');

  if (slash != NULL && g_ascii_isdigit (slash[1]))
    {
      *slash = '\0';
      slash = strrchr (group, '/');
    }
  return slash != NULL ? g_strndup (group, (gsize) (slash - group)) : g_strdup ("");
}

/* A tensor of all files that share out its heads, of which rank @first_rank is the first. */
static HlTensor *
open_joined (HlShardArchive *self,
             const char     *name,
             guint           first_rank,
             HlTensor       *first,
             guint           axis,
             GError        **error)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *group = dup_example (name);

  if (!check_run (self, first_rank, group, error))
    return NULL;
  g_ptr_array_add (parts, g_object_ref (first));
  for (guint i = first_rank + 1; i < first_rank + self->n_beside; i++)
    {
      GError *reason = NULL;
      HlTensor *part = hl_archive_open_tensor (self->archives->pdata[i], name, &reason);

      if (part == NULL)
        {
          g_propagate_prefixed_error (error, reason, "%s: ", (const char *) self->names->pdata[i]);
          return NULL;
        }
      g_ptr_array_add (parts, part);
      if (!fits (part, first, axis))
        {
          g_autofree char *sizes = hl_shape_to_string (hl_tensor_get_shape (part));
          g_autofree char *first_sizes = hl_shape_to_string (hl_tensor_get_shape (first));

          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("“%s” is %s in “%s”, which does not fit %s in “%s”: only heads may differ"), name, sizes,
                       (const char *) self->names->pdata[i], first_sizes,
                       (const char *) self->names->pdata[first_rank]);
          return NULL;
        }
    }
  return hl_joined_tensor_new (g_steal_pointer (&parts), axis);
}

static HlTensor *
open_tensor (HlArchive  *archive,
             const char *name,
             GError    **error)
{
  HlShardArchive *self = HL_SHARD_ARCHIVE (archive);
  g_autofree char *own = NULL;
  const guint first_rank = resolve_rank (self, name, &own);
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (self->archives->pdata[first_rank], own, error);
  const guint from_end = self->n_beside > 1 ? find_head_axis (name) : 0;

  if (tensor == NULL)
    return NULL;
  const guint rank = hl_tensor_get_shape (tensor)->rank;
  /* What has fewer axes is the same for all heads. */
  return from_end > 0 && rank >= from_end ? open_joined (self, own, first_rank, tensor, rank - from_end, error)
                                          : g_steal_pointer (&tensor);
}

static char **
read_strings (HlArchive  *archive,
              const char *name,
              GError    **error)
{
  g_autofree char *own = NULL;
  HlArchive *found = resolve (HL_SHARD_ARCHIVE (archive), name, &own);

  return hl_archive_read_strings (found, own, error);
}

static gsize
count_repaired (HlArchive  *archive,
                const char *name)
{
  g_autofree char *own = NULL;
  HlArchive *found = resolve (HL_SHARD_ARCHIVE (archive), name, &own);

  return hl_archive_count_repaired (found, own);
}

static GVariant *
get_attribute (HlArchive  *archive,
               const char *group,
               const char *name,
               GError    **error)
{
  g_autofree char *own = NULL;
  HlArchive *found = resolve (HL_SHARD_ARCHIVE (archive), group, &own);

  return hl_archive_get_attribute (found, own, name, error);
}

static gboolean
check (HlArchive *archive,
       GError   **error)
{
  HlShardArchive *self = HL_SHARD_ARCHIVE (archive);

  for (guint i = 0; i < self->archives->len; i++)
    if (!hl_archive_check (self->archives->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
verify (HlArchive    *archive,
        guint        *n_verified,
        HlProgress   *progress,
        GCancellable *cancellable,
        GError      **error)
{
  HlShardArchive *self = HL_SHARD_ARCHIVE (archive);

  for (guint i = 0; i < self->archives->len; i++)
    {
      guint n;

      if (!hl_archive_verify (self->archives->pdata[i], &n, progress, cancellable, error))
        {
          g_prefix_error (error, "%s: ", (const char *) self->names->pdata[i]);
          return FALSE;
        }
      *n_verified += n;
    }
  return TRUE;
}

static void
hl_shard_archive_iface_init (HlArchiveInterface *iface)
{
  iface->get_container = get_container;
  iface->list = list;
  iface->get_kind = get_kind;
  iface->open_tensor = open_tensor;
  iface->read_strings = read_strings;
  iface->count_repaired = count_repaired;
  iface->get_attribute = get_attribute;
  iface->check = check;
  iface->verify = verify;
}

static void
clear_example (gpointer data)
{
  Example *example = data;

  g_free (example->name);
  g_free (example->path);
}

static void
hl_shard_archive_finalize (GObject *object)
{
  HlShardArchive *self = HL_SHARD_ARCHIVE (object);

  g_ptr_array_unref (self->archives);
  g_ptr_array_unref (self->names);
  g_array_unref (self->examples);
  g_hash_table_unref (self->checked);
  g_mutex_clear (&self->lock);
  g_free (self->container);
  G_OBJECT_CLASS (hl_shard_archive_parent_class)->finalize (object);
}

static void
hl_shard_archive_class_init (HlShardArchiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_shard_archive_finalize;
}

static void
hl_shard_archive_init (HlShardArchive *self)
{
  self->archives = g_ptr_array_new_with_free_func (g_object_unref);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->checked = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&self->lock);
  self->examples = g_array_new (FALSE, FALSE, sizeof (Example));
  g_array_set_clear_func (self->examples, clear_example);
}

/* A whole number that a file says; FALSE without one. */
static gboolean
read_number (HlArchive  *archive,
             const char *name,
             guint      *number)
{
  g_autoptr (GVariant) value = hl_archive_get_attribute (archive, "", name, NULL);
  double found = -1;

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    found = (double) g_variant_get_int64 (value);
  else if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    found = g_variant_get_double (value);
  /* Written so that NaN is none. */
  if (!(found >= 0 && found <= HL_LIMIT_RANKS && found == floor (found)))
    return FALSE;
  *number = (guint) found;
  return TRUE;
}

/* A text that a file says; NULL without one. */
static char *
read_text (HlArchive  *archive,
           const char *name)
{
  g_autoptr (GVariant) value = hl_archive_get_attribute (archive, "", name, NULL);

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ? g_variant_dup_string (value, NULL)
                                                                              : NULL;
}

/* How many files one after another share out heads, of files that share out examples; FALSE for what cannot be. */
static gboolean
read_beside (HlArchive *archive,
             guint      n_ranks,
             guint     *n_beside)
{
  g_autoptr (GVariant) value = hl_archive_get_attribute (archive, "", "head_ranks", NULL);

  *n_beside = 1;
  return value == NULL || (read_number (archive, "head_ranks", n_beside) && *n_beside > 0 && n_ranks % *n_beside == 0);
}

/* Whether a file is the part that its name says, of a dump of as many. The first that says of which run it is has the others be of that. */
static gboolean
check_part (HlArchive  *archive,
            const char *name,
            guint       rank,
            guint       n_ranks,
            const char *sharding,
            char      **run,
            GError    **error)
{
  g_autofree char *own_sharding = read_text (archive, "sharding");
  g_autofree char *own_run = read_text (archive, "run");
  guint own_rank, own_ranks;

  if (*run == NULL)
    *run = g_strdup (own_run);
  if (!read_number (archive, "rank", &own_rank) || own_rank != rank)
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” does not say that its rank is %u, as its name does"), name,
                 rank);
  else if (!read_number (archive, "ranks", &own_ranks) || own_ranks != n_ranks ||
           g_strcmp0 (own_sharding, sharding) != 0)
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                 _ ("“%s” is not of the same dump as others: its “ranks” or its “sharding” differs"), name);
  else if (own_run != NULL && !g_str_equal (own_run, *run))
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is of another run than others: its “run” differs"), name);
  else
    return TRUE;
  return FALSE;
}

/* Which files they are, and when they were written. */
static char *
take_stamp (GFile        *file,
            guint         n_ranks,
            GCancellable *cancellable)
{
  GString *stamp = g_string_new (NULL);

  for (guint rank = 0; rank < n_ranks; rank++)
    {
      g_autoptr (GFile) part = hl_shard_name_get_file (file, rank);
      g_autofree char *identity = hl_file_identity_take (part, cancellable);
      if (identity != NULL)
        g_string_append_printf (stamp, "%s\n", identity);
    }
  return g_string_free (stamp, FALSE);
}

/* All of them, also that which was opened before the others were known of: between its opening and theirs somebody may have replaced it. */
static gboolean
open_parts (HlShardArchive *self,
            GFile          *file,
            guint           n_ranks,
            const char     *sharding,
            HlShardOpen     open,
            HlProgress     *progress,
            GCancellable   *cancellable,
            GError        **error)
{
  g_autofree char *stamp = take_stamp (file, n_ranks, cancellable);
  g_autofree char *run = NULL;

  for (guint rank = 0; rank < n_ranks; rank++)
    {
      g_autoptr (GFile) part = hl_shard_name_get_file (file, rank);
      g_autofree char *basename = g_file_get_basename (part);
      g_autofree char *name = g_filename_display_name (basename);
      g_autoptr (HlArchive) opened = NULL;
      GError *reason = NULL;

      if (!g_file_query_exists (part, cancellable))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” is missing: the dump is of %u files"), name,
                       n_ranks);
          return FALSE;
        }
      else
        opened = open (part, progress, cancellable, &reason);
      if (opened == NULL)
        {
          g_propagate_prefixed_error (error, reason, "%s: ", name);
          return FALSE;
        }
      guint n_beside;
      if (!check_part (opened, name, rank, n_ranks, sharding, &run, error))
        return FALSE;
      if (!self->by_heads && (!read_beside (opened, n_ranks, &n_beside) || n_beside != self->n_beside))
        {
          g_set_error (
            error, HL_ERROR, HL_ERROR_VALUE,
            _ ("attribute “head_ranks” of “%s” is not that of the others, or does not divide the %u files into "
               "equal parts"),
            name, n_ranks);
          return FALSE;
        }
      g_ptr_array_add (self->archives, g_steal_pointer (&opened));
      g_ptr_array_add (self->names, g_steal_pointer (&name));
    }
  g_autofree char *now = take_stamp (file, n_ranks, cancellable);
  return g_str_equal (now, stamp) || hl_file_version_set_changed (error);
}

/* A name that no other example has, nor a file uses: with a number behind it where it has to be. @counts knows it from now on. */
static char *
take_name (GHashTable *counts,
           const char *wanted)
{
  char *name = g_strdup (wanted);

  for (guint i = 2; g_hash_table_contains (counts, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s (%u)", wanted, i);
    }
  g_hash_table_insert (counts, g_strdup (name), GUINT_TO_POINTER (1));
  return name;
}

static void
add_root (HlShardArchive *self,
          GHashTable     *counts,
          guint           rank)
{
  g_autofree char *wanted = g_strdup_printf ("rank %u", rank);
  const Example example = { take_name (counts, wanted), rank, g_strdup ("") };

  g_array_append_val (self->examples, example);
}

static void
add_example (HlShardArchive *self,
             GHashTable     *counts,
             const char     *name,
             guint           rank,
             const char     *path)
{
  /* Ranks that count their own use the same names. */
  const gboolean is_only = GPOINTER_TO_UINT (g_hash_table_lookup (counts, name)) == 1;
  g_autofree char *wanted = g_strdup_printf ("%s, rank %u", name, rank);
  const Example example = { is_only ? g_strdup (name) : take_name (counts, wanted), rank, g_strdup (path) };

  g_array_append_val (self->examples, example);
}

/* Examples of all files, those of one after those of another. */
static gboolean
list_examples (HlShardArchive *self,
               GError        **error)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) lists = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  guint n_all = 0;

  for (guint rank = 0; rank < self->archives->len; rank += self->n_beside)
    {
      HlArchive *archive = self->archives->pdata[rank];
      char **names = hl_archive_get_kind (archive, "examples") == HL_MEMBER_GROUP
                       ? hl_archive_list (archive, "examples", error)
                       : g_new0 (char *, 1);

      if (names == NULL)
        return FALSE;
      g_ptr_array_add (lists, names);
      n_all += g_strv_length (names);
      if (n_all > HL_LIMIT_EXAMPLES)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                       _ ("there are %u examples in one file; at most %d are read"), n_all, HL_LIMIT_EXAMPLES);
          return FALSE;
        }
      for (guint i = 0; names[i] != NULL; i++)
        {
          const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, names[i]));
          g_hash_table_insert (counts, g_strdup (names[i]), GUINT_TO_POINTER (n + 1));
        }
    }
  for (guint rank = 0; rank < self->archives->len; rank += self->n_beside)
    {
      char **names = lists->pdata[rank / self->n_beside];
      g_auto (GStrv) members = hl_archive_list (self->archives->pdata[rank], "", error);

      if (members == NULL)
        return FALSE;
      if (is_example (members))
        add_root (self, counts, rank);
      for (guint i = 0; names[i] != NULL; i++)
        {
          g_autofree char *path = hl_archive_join ("examples", names[i]);
          add_example (self, counts, names[i], rank, path);
        }
    }
  return TRUE;
}

/**
 * hl_shard_archive_gather:
 * @file: a file
 * @archive: what it was opened as
 * @open: opens another
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_MISSING for a file that is not there, %HL_ERROR_VALUE for one that is not of the same dump, and what @open can fail with
 *
 * Returns: (transfer full) (nullable): all files of the dump that the file is a part of, as one; or @archive, if it is all there is
 */
HlArchive *
hl_shard_archive_gather (GFile        *file,
                         HlArchive    *archive,
                         HlShardOpen   open,
                         HlProgress   *progress,
                         GCancellable *cancellable,
                         GError      **error)
{
  g_autofree char *basename = g_file_get_basename (file);
  g_autofree char *sharding = read_text (archive, "sharding");
  guint n_ranks = 1, rank;

  g_autoptr (GVariant) ranks = sharding != NULL ? hl_archive_get_attribute (archive, "", "ranks", NULL) : NULL;
  if (ranks == NULL)
    return g_object_ref (archive);
  if (!read_number (archive, "ranks", &n_ranks) || n_ranks == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("attribute “ranks” is not a whole number from 1 to %d"),
                   HL_LIMIT_RANKS);
      return NULL;
    }
  if (n_ranks == 1)
    return g_object_ref (archive);
  if (!g_str_equal (sharding, "heads") && !g_str_equal (sharding, "examples"))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("attribute “sharding” is neither “heads” nor “examples”: how %u files are one dump is unclear"),
                   n_ranks);
      return NULL;
    }
  if (!hl_shard_name_parse (basename, NULL, &rank, NULL) || rank >= n_ranks)
    {
      g_set_error (
        error, HL_ERROR, HL_ERROR_VALUE,
        _ ("the file is one of %u of a dump, but is not named “NAME.rank0.h5” and so on, by which the others are "
           "found"),
        n_ranks);
      return NULL;
    }
  g_autoptr (HlShardArchive) self = g_object_new (HL_TYPE_SHARD_ARCHIVE, NULL);
  self->by_heads = g_str_equal (sharding, "heads");
  self->n_beside = n_ranks;
  /* What cannot be is said of the file by its name, with the others. */
  if (!self->by_heads)
    read_beside (archive, n_ranks, &self->n_beside);
  if (!open_parts (self, file, n_ranks, sharding, open, progress, cancellable, error) ||
      (!self->by_heads && !list_examples (self, error)))
    return NULL;
  self->container = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, %u file", "%s, %u files", n_ranks),
                                     hl_archive_get_container (archive), n_ranks);
  return HL_ARCHIVE (g_steal_pointer (&self));
}

/* Returns how many files an archive is of. */
guint
hl_shard_archive_get_n_ranks (HlArchive *archive)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (archive), 0);

  return HL_IS_SHARD_ARCHIVE (archive) ? HL_SHARD_ARCHIVE (archive)->archives->len : 1;
}

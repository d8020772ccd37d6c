/* SPDX-License-Identifier: MIT */
/* What in a file attention, and its tokens, could be read from. Names, sizes and types are looked at, no numbers. */
#include "core/document/guess/hl-dataset.h"

#include "core/base/hl-limits.h"
#include "core/base/text/hl-text-hash.h"
#include "core/document/guess/hl-dataset-shape.h"
#include "core/document/guess/hl-layout-names.h"
#include "core/document/guess/hl-layout-patterns.h"
#include "core/document/guess/hl-layout-steps.h"

#include <string.h>

/* The most names with two numbers that are looked at in a group. */
#define MAX_PAIRS 64

/* Members of a group whose names are one pattern. */
typedef struct
{
  HlDataset first;
  guint n;
  gboolean alike; /* all of them tensors of one rank */
} Series;

typedef struct
{
  HlArchive *archive;
  GCancellable *cancellable;
  GPtrArray *found;
  guint n_others; /* groups and what else is no dataset, those that several links lead to as often */
} Search;

static void
free_dataset (gpointer data)
{
  HlDataset *self = data;

  g_free (self->path);
  g_free (self);
}

static void
free_series (gpointer data)
{
  g_free (((Series *) data)->first.path);
  g_free (data);
}

static void
add (GPtrArray       *datasets,
     const HlDataset *dataset)
{
  HlDataset *copy = g_memdup2 (dataset, sizeof *dataset);

  copy->path = g_strdup (dataset->path);
  g_ptr_array_add (datasets, copy);
}

static gboolean
is_series (const Series *self)
{
  return self->alike && self->n > 1 && self->n <= HL_LIMIT_LAYERS;
}

/* The name of the series that a member is of. Its two numbers count if it can be read so; @pairs tells of which. */
static char *
find_pattern (const Search           *self,
              const char             *group,
              char                  **members,
              const HlLayoutPatterns *patterns,
              GHashTable             *pairs,
              const char             *name)
{
  g_autofree char *pair = hl_layout_patterns_get_pair (patterns, name);
  gpointer fits = NULL;

  if (pair != NULL && !g_hash_table_lookup_extended (pairs, pair, NULL, &fits) &&
      g_hash_table_size (pairs) < MAX_PAIRS && hl_layout_names_rate (pair) >= 0)
    {
      g_auto (HlLayoutSteps) steps = { 0 };
      fits =
        GINT_TO_POINTER (hl_layout_steps_find_pairs (&steps, self->archive, group, members, pair, self->cancellable));
      g_hash_table_insert (pairs, g_strdup (pair), fits);
    }
  return fits != NULL ? g_steal_pointer (&pair) : hl_layout_patterns_get (patterns, name);
}

/* Counts a member to those of its pattern, which it takes. */
static Series *
count (GHashTable      *series,
       GPtrArray       *order,
       const char      *group,
       char            *name,
       gboolean         is_first,
       const HlDataset *dataset)
{
  g_autofree char *pattern = name;
  Series *one = pattern != NULL ? g_hash_table_lookup (series, pattern) : NULL;

  if (pattern == NULL)
    return NULL;
  if (one == NULL)
    {
      /* What is numbered only goes by the name of its group. */
      const gboolean is_group = g_str_equal (pattern, "#") && is_first && *group != '\0';
      one = g_new0 (Series, 1);
      one->alike = TRUE;
      if (dataset != NULL)
        one->first = *dataset;
      one->first.path = is_group ? g_strdup (group) : hl_archive_join (group, pattern);
      g_ptr_array_add (order, one);
      g_hash_table_insert (series, g_steal_pointer (&pattern), one);
    }
  one->n++;
  one->alike &= dataset != NULL && dataset->shape.rank == one->first.shape.rank;
  return one;
}

static gboolean
search (Search     *self,
        const char *group,
        guint       depth,
        GError    **error)
{
  /* A group that cannot be listed has nothing to choose from. */
  g_auto (GStrv) members = hl_archive_list (self->archive, group, NULL);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (free_series);
  g_autoptr (GHashTable) series = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) pairs = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func (free_dataset);
  g_autoptr (GPtrArray) of_tensors = g_ptr_array_new ();
  g_autoptr (GPtrArray) groups = g_ptr_array_new_with_free_func (g_free);

  if (members == NULL || depth > HL_LIMIT_GROUP_DEPTH)
    return TRUE;
  g_autoptr (HlLayoutPatterns) patterns = hl_layout_patterns_new (members);
  for (guint i = 0; members[i] != NULL && self->n_others < HL_LIMIT_DATASETS; i++)
    {
      g_autofree char *path = hl_archive_join (group, members[i]);
      HlDataset dataset = { .path = path };

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      const gboolean fits = hl_dataset_look_at (self->archive, path, &dataset.shape, &dataset.dtype);
      Series *one = count (series, order, group, find_pattern (self, group, members, patterns, pairs, members[i]),
                           i == 0, fits ? &dataset : NULL);
      if (fits)
        {
          add (tensors, &dataset);
          g_ptr_array_add (of_tensors, one);
        }
      else
        {
          self->n_others++;
          if (hl_archive_get_kind (self->archive, path) == HL_MEMBER_GROUP)
            g_ptr_array_add (groups, g_steal_pointer (&path));
        }
    }
  for (guint i = 0; i < order->len; i++)
    {
      Series *one = order->pdata[i];
      one->first.n_layers = one->n;
      if (is_series (one))
        add (self->found, &one->first);
    }
  for (guint i = 0; i < tensors->len; i++)
    {
      HlDataset *dataset = tensors->pdata[i];
      dataset->in_series = of_tensors->pdata[i] != NULL && is_series (of_tensors->pdata[i]);
    }
  g_ptr_array_extend_and_steal (self->found, g_steal_pointer (&tensors));
  for (guint i = 0; i < groups->len && self->found->len < HL_LIMIT_DATASETS && self->n_others < HL_LIMIT_DATASETS; i++)
    if (!search (self, groups->pdata[i], depth + 1, error))
      return FALSE;
  return TRUE;
}

/**
 * hl_dataset_list:
 * @archive: an open archive
 * @cancellable: (nullable): stops it
 * @error: %G_IO_ERROR_CANCELLED
 *
 * Lists what attention could be read from: of each group first the series of numbered members, a layer each, then its
 * tensors, then what is in its groups. Blocks: call it from a worker.
 *
 * Returns: (transfer full) (nullable) (element-type HlDataset): what there is, perhaps nothing
 */
GPtrArray *
hl_dataset_list (HlArchive    *archive,
                 GCancellable *cancellable,
                 GError      **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (archive), NULL);

  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (free_dataset);
  Search whole = { archive, cancellable, found, 0 };

  return search (&whole, "", 0, error) ? g_steal_pointer (&found) : NULL;
}

/**
 * hl_dataset_is:
 * @self: a dataset
 * @path: what hl_document_get_dataset() calls one
 *
 * Returns: whether that is this one; a group with a tensor for each layer is the series in it
 */
gboolean
hl_dataset_is (const HlDataset *self,
               const char      *path)
{
  const gsize length = strlen (self->path);

  return g_str_equal (self->path, path) ||
         (self->n_layers > 0 && strncmp (path, self->path, length) == 0 && g_str_equal (path + length, "/#"));
}

/**
 * hl_dataset_describe:
 * @self: a dataset
 *
 * Returns: (transfer full): sizes and type for people, as `12 × (1 × 8 × 64 × 64), float32`
 */
char *
hl_dataset_describe (const HlDataset *self)
{
  g_autofree char *sizes = hl_shape_to_string (&self->shape);

  return self->n_layers > 0 ? g_strdup_printf ("%u × (%s), %s", self->n_layers, sizes, hl_dtype_get_name (self->dtype))
                            : g_strdup_printf ("%s, %s", sizes, hl_dtype_get_name (self->dtype));
}

/* SPDX-License-Identifier: MIT */
/* Attention in steps: lists in a list, as generate() of transformers returns them, or tensors of which each has more
 * keys than the one before; and examples of different lengths in the same forms. Sizes alone tell them apart. */
#include "core/document/guess/hl-layout-steps.h"

#include <string.h>

#include "core/base/hl-limits.h"
#include "core/base/text/hl-text-hash.h"
#include "core/document/guess/hl-dataset.h"

/* The most series of names that are looked at. */
#define MAX_PATTERNS 64

void
hl_layout_steps_clear (HlLayoutSteps *self)
{
  g_clear_pointer (&self->paths, g_ptr_array_unref);
  g_clear_pointer (&self->layers, g_array_unref);
  g_clear_pointer (&self->groups, g_array_unref);
}

static HlLayoutSteps
make_steps (gboolean one_layer)
{
  return (HlLayoutSteps){ .paths = g_ptr_array_new_with_free_func (g_free),
                          .one_layer = one_layer,
                          .layers = g_array_new (FALSE, FALSE, sizeof (guint64)),
                          .groups = g_array_new (FALSE, FALSE, sizeof (guint64)) };
}

static guint64
get_n_queries (const HlShape *shape)
{
  return shape->dims[shape->rank - 2];
}

static guint64
get_n_keys (const HlShape *shape)
{
  return shape->dims[shape->rank - 1];
}

/* What the first tensors of all steps tell of them: whether each goes on where the one before ended, and whether each
 * stands on its own. */
static void
compare_steps (const HlShape *shapes,
               guint          n,
               gboolean      *go_on,
               gboolean      *are_maps,
               gboolean      *differ)
{
  *are_maps = TRUE;
  *go_on = n > 1;
  *differ = FALSE;
  for (guint i = 0; i < n; i++)
    {
      const guint64 n_queries = get_n_queries (&shapes[i]), n_keys = get_n_keys (&shapes[i]);

      *are_maps &= n_queries == n_keys;
      if (i == 0)
        continue;
      *go_on &= n_queries == 1 || n_keys == get_n_keys (&shapes[i - 1]) + n_queries;
      *differ |= n_queries != get_n_queries (shapes) || n_keys != get_n_keys (shapes);
    }
  /* Maps of one query and one key are the beginning of neither. */
  *go_on &= !*are_maps;
}

/* The tensors of one step: a member itself, or what is in it. They must be as many as those of the steps before. */
static gboolean
add_step (HlLayoutSteps *self,
          HlArchive     *archive,
          const char    *path,
          gboolean       is_group)
{
  const guint n_before = self->paths->len;

  if (!is_group)
    {
      g_ptr_array_add (self->paths, g_strdup (path));
      return TRUE;
    }
  g_auto (GStrv) layers = hl_archive_list (archive, path, NULL);
  if (layers == NULL || layers[0] == NULL)
    return FALSE;
  g_autofree char *pattern = hl_layout_names_get_pattern (layers[0]);
  for (char **layer = layers; *layer != NULL; layer++)
    {
      g_autofree char *own = hl_layout_names_get_pattern (*layer);
      if (pattern == NULL || g_strcmp0 (own, pattern) != 0 || self->paths->len >= HL_LIMIT_PARTS)
        return FALSE;
      g_ptr_array_add (self->paths, hl_archive_join (path, *layer));
      const guint64 number = hl_layout_names_get_number (*layer);
      if (n_before == 0)
        g_array_append_val (self->layers, number);
    }
  return n_before == 0 || (self->paths->len - n_before) * self->n_steps == n_before;
}

/* Whether names tell that groups of maps are layers of heads: those of the groups, of what is in them, or, where these
 * say nothing else, of where they lie. */
static gboolean
are_called_heads (const HlLayoutSteps *self,
                  const char          *group,
                  const char          *pattern)
{
  const char *first = self->paths->pdata[0], *slash = strrchr (group, '/');
  g_autofree char *inner = g_path_get_basename (first);

  return hl_layout_names_are_layers (pattern) || hl_layout_names_are_heads (inner) ||
         (g_str_equal (pattern, "#") && !hl_layout_names_are_layers (inner) &&
          hl_layout_names_are_weights (slash != NULL ? slash + 1 : group));
}

/* Whether tensors beside one another are steps or examples, and not layers: their sizes differ, or they have layers
 * themselves. */
static gboolean
are_no_layers (const HlLayoutSteps *self,
               gboolean             differ)
{
  return self->first.rank == 5 || (differ && (self->is_generation || self->first.rank >= 4));
}

/* Looks whether members are steps of a generation or examples rather than layers: groups of tensors, or tensors of
 * different sizes. Only the first tensor of each step is looked at. No numbers are read. */
gboolean
hl_layout_steps_find (HlLayoutSteps *self,
                      HlArchive     *archive,
                      const char    *group,
                      char         **members,
                      const char    *pattern,
                      GCancellable  *cancellable)
{
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (HlShape));
  gboolean is_group = FALSE, are_maps, differ;

  *self = make_steps (FALSE);
  for (; *members != NULL; members++)
    {
      g_autofree char *own = hl_layout_names_get_pattern (*members);
      g_autofree char *path = hl_archive_join (group, *members);
      const guint n_before = self->paths->len;
      HlShape shape;

      if (g_strcmp0 (own, pattern) != 0)
        continue;
      const HlMemberKind kind = hl_archive_get_kind (archive, path);
      if (self->n_steps == 0)
        is_group = kind == HL_MEMBER_GROUP;
      if (g_cancellable_is_cancelled (cancellable) || self->paths->len >= HL_LIMIT_PARTS ||
          is_group != (kind == HL_MEMBER_GROUP) || !add_step (self, archive, path, is_group) ||
          !hl_dataset_look_at (archive, self->paths->pdata[n_before], &shape, NULL) ||
          (self->n_steps > 0 && shape.rank != g_array_index (shapes, HlShape, 0).rank))
        return FALSE;
      g_array_append_val (shapes, shape);
      const guint64 number = hl_layout_names_get_number (*members);
      g_array_append_val (self->groups, number);
      /* Two layers have the same sizes; whoever has many of them need not look at all. */
      if (++self->n_steps == 2 && !is_group && shape.rank < 5 &&
          get_n_queries (&shape) == get_n_queries ((HlShape *) shapes->data) &&
          get_n_keys (&shape) == get_n_keys ((HlShape *) shapes->data))
        return FALSE;
    }
  if (self->n_steps == 0)
    return FALSE;
  self->first = g_array_index (shapes, HlShape, 0);
  compare_steps ((const HlShape *) shapes->data, shapes->len, &self->is_generation, &are_maps, &differ);
  if (is_group)
    {
      self->one_layer = TRUE;
      self->are_heads = are_maps && !differ && self->first.rank == 2 && are_called_heads (self, group, pattern);
      return self->is_generation || are_maps || self->n_steps == 1;
    }
  self->one_layer = self->first.rank < 4 || (self->first.rank == 4 && self->first.dims[0] == 1);
  return (self->is_generation || are_maps) && are_no_layers (self, differ);
}

/* The two numbers of a name, and what stands before the first. */
static gboolean
split_name (const char *name,
            guint64    *first,
            guint64    *second,
            char      **before)
{
  const gsize start = strcspn (name, "0123456789");
  char *end;

  *first = g_ascii_strtoull (name + start, &end, 10);
  const char *rest = end + strcspn (end, "0123456789");
  if (*rest == '\0')
    return FALSE;
  *second = g_ascii_strtoull (rest, &end, 10);
  *before = g_strndup (name, start);
  return strcspn (end, "0123456789") == strlen (end);
}

/* The name with `#` in place of both of its numbers. */
static char *
get_double_pattern (const char *name)
{
  g_autofree char *single = hl_layout_names_get_pattern (name);
  g_autofree char *both = single != NULL ? hl_layout_names_get_pattern (single) : NULL;
  g_autofree char *third = both != NULL ? hl_layout_names_get_pattern (both) : NULL;

  return third == NULL ? g_steal_pointer (&both) : NULL;
}

/* The likeliest names with two numbers. */
static char *
choose_double_pattern (char **members)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  const char *best = NULL;

  for (; *members != NULL && g_hash_table_size (seen) < MAX_PATTERNS; members++)
    {
      g_autofree char *pattern = get_double_pattern (*members);
      if (pattern == NULL || g_hash_table_contains (seen, pattern))
        continue;
      if (hl_layout_names_rate (pattern) >= 0 &&
          (best == NULL || hl_layout_names_rate (pattern) > hl_layout_names_rate (best)))
        best = pattern;
      g_hash_table_add (seen, g_steal_pointer (&pattern));
    }
  return g_strdup (best);
}

/* Names in the order of their first number, then of the second: with how many seconds does each first come, and is it
 * the layer? */
static gboolean
measure_names (GPtrArray *names,
               guint     *n_second,
               gboolean  *layer_first)
{
  g_autoptr (GArray) seconds = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 first = 0;

  *n_second = 0;
  *layer_first = FALSE;
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *before = NULL;
      guint64 own_first, second;

      if (!split_name (names->pdata[i], &own_first, &second, &before))
        return FALSE;
      if (i == 0)
        {
          first = own_first;
          *layer_first = hl_layout_names_are_layers (before);
        }
      if (*n_second == 0 && own_first != first)
        *n_second = i;
      if (*n_second == 0)
        g_array_append_val (seconds, second);
      else if (second != g_array_index (seconds, guint64, i % *n_second))
        return FALSE;
    }
  return *n_second > 0 && names->len % *n_second == 0;
}

/* Looks for a generation whose tensors are named by step and layer, such as `step_3_layer_0`; the order of the two
 * does not matter when the names tell which is the layer. No numbers are read. */
gboolean
hl_layout_steps_find_flat (HlLayoutSteps *self,
                           HlArchive     *archive,
                           const char    *group,
                           char         **members,
                           GCancellable  *cancellable)
{
  g_autofree char *pattern = choose_double_pattern (members);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (HlShape));
  guint n_second;
  gboolean layer_first, are_maps, differ;

  *self = make_steps (TRUE);
  for (; pattern != NULL && *members != NULL; members++)
    {
      g_autofree char *own = get_double_pattern (*members);
      if (g_strcmp0 (own, pattern) == 0)
        g_ptr_array_add (names, *members);
    }
  if (!measure_names (names, &n_second, &layer_first))
    return FALSE;
  const guint n_first = names->len / n_second;
  const guint n_layers = layer_first ? n_first : n_second;
  self->n_steps = layer_first ? n_second : n_first;
  for (guint step = 0; step < self->n_steps; step++)
    for (guint layer = 0; layer < n_layers; layer++)
      {
        const char *name = names->pdata[layer_first ? layer * n_second + step : step * n_second + layer];
        g_autofree char *before = NULL;
        guint64 number, second;

        g_ptr_array_add (self->paths, hl_archive_join (group, name));
        if (step > 0 || !split_name (name, &number, &second, &before))
          continue;
        if (!layer_first)
          number = second;
        g_array_append_val (self->layers, number);
      }
  for (guint step = 0; step < self->n_steps; step++)
    {
      HlShape shape;
      if (g_cancellable_is_cancelled (cancellable) ||
          !hl_dataset_look_at (archive, self->paths->pdata[step * n_layers], &shape, NULL) ||
          (step > 0 && shape.rank != g_array_index (shapes, HlShape, 0).rank))
        return FALSE;
      g_array_append_val (shapes, shape);
    }
  self->first = g_array_index (shapes, HlShape, 0);
  compare_steps ((const HlShape *) shapes->data, shapes->len, &self->is_generation, &are_maps, &differ);
  return self->is_generation && differ && self->first.rank <= 4;
}

/* Looks for attention that is a list of what generate() of transformers returned, one of it for each example: tensors
 * three lists deep. No numbers are read. */
guint
hl_layout_steps_count_lists (HlArchive  *archive,
                             const char *group,
                             char      **members)
{
  for (guint kind = HL_ATTENTION_SELF; kind <= HL_ATTENTION_CROSS; kind++)
    {
      const char *name = hl_layout_names_find (members, kind);
      g_autofree char *path = name != NULL ? hl_archive_join (group, name) : NULL;
      g_autofree char *step = path != NULL ? hl_archive_join (path, "0/0") : NULL;
      g_autofree char *first = path != NULL ? hl_archive_join (path, "0/0/0") : NULL;
      HlShape shape;

      if (step == NULL || hl_archive_get_kind (archive, step) != HL_MEMBER_GROUP ||
          !hl_dataset_look_at (archive, first, &shape, NULL))
        continue;
      g_auto (GStrv) elements = hl_archive_list (archive, path, NULL);
      return elements != NULL ? g_strv_length (elements) : 0;
    }
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* Attention in steps: lists in a list, as generate() of transformers returns them, or tensors of which each has more
 * keys than the one before; and examples of different lengths in the same forms. Sizes alone tell them apart. */
#include "core/document/guess/hl-layout-steps.h"

#include <string.h>

#include "core/base/hl-limits.h"
#include "core/document/guess/hl-dataset-shape.h"
#include "core/document/guess/hl-layout-names.h"
#include "core/document/guess/hl-layout-patterns.h"

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
add_step (HlLayoutSteps  *self,
          HlLayoutLister *lister,
          const char     *path,
          gboolean        is_group)
{
  const guint n_before = self->paths->len;

  if (!is_group)
    {
      g_ptr_array_add (self->paths, g_strdup (path));
      return TRUE;
    }
  g_auto (GStrv) layers = hl_layout_lister_list (lister, path);
  if (layers == NULL || layers[0] == NULL)
    return FALSE;
  g_autoptr (HlLayoutPatterns) patterns = hl_layout_patterns_new (layers);
  g_autofree char *pattern = hl_layout_patterns_get (patterns, layers[0]);
  for (char **layer = layers; *layer != NULL; layer++)
    {
      guint64 numbers[2];
      if (pattern == NULL || hl_layout_pattern_match (pattern, *layer, numbers) == 0 ||
          self->paths->len >= HL_LIMIT_PARTS)
        return FALSE;
      g_ptr_array_add (self->paths, hl_archive_join (path, *layer));
      if (n_before == 0)
        g_array_append_val (self->layers, numbers[0]);
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
hl_layout_steps_find (HlLayoutSteps  *self,
                      HlLayoutLister *lister,
                      const char     *group,
                      char          **members,
                      const char     *pattern)
{
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (HlShape));
  gboolean is_group = FALSE, are_maps, differ;

  *self = make_steps (FALSE);
  for (; *members != NULL; members++)
    {
      g_autofree char *path = hl_archive_join (group, *members);
      const guint n_before = self->paths->len;
      guint64 numbers[2];
      HlShape shape;

      if (hl_layout_pattern_match (pattern, *members, numbers) == 0)
        continue;
      const HlMemberKind kind = hl_archive_get_kind (lister->archive, path);
      if (self->n_steps == 0)
        is_group = kind == HL_MEMBER_GROUP;
      if (g_cancellable_is_cancelled (lister->cancellable) || self->paths->len >= HL_LIMIT_PARTS ||
          is_group != (kind == HL_MEMBER_GROUP) || !add_step (self, lister, path, is_group) ||
          !hl_dataset_look_at (lister->archive, self->paths->pdata[n_before], &shape, NULL) ||
          (self->n_steps > 0 && shape.rank != g_array_index (shapes, HlShape, 0).rank))
        return FALSE;
      g_array_append_val (shapes, shape);
      g_array_append_val (self->groups, numbers[0]);
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

/* Names with two numbers, in the order of the first, then of the second. */
typedef struct
{
  GPtrArray *names;
  GArray *numbers; /* two of each */
  guint n_second;  /* with how many seconds each first comes */
} Pairs;

static void
clear_pairs (Pairs *self)
{
  g_ptr_array_unref (self->names);
  g_array_unref (self->numbers);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pairs, clear_pairs)

static guint64
get_number (const Pairs *self,
            guint        name,
            guint        which)
{
  return g_array_index (self->numbers, guint64, 2 * name + which);
}

/* Whether each first number comes with the same seconds. */
static gboolean
find_pairs (Pairs      *self,
            char      **members,
            const char *pattern)
{
  *self = (Pairs){ g_ptr_array_new (), g_array_new (FALSE, FALSE, sizeof (guint64)), 0 };
  for (; *members != NULL; members++)
    {
      guint64 numbers[2];
      if (hl_layout_pattern_match (pattern, *members, numbers) != 2)
        continue;
      const guint n = self->names->len;
      g_ptr_array_add (self->names, *members);
      g_array_append_vals (self->numbers, numbers, 2);
      if (self->n_second == 0 && numbers[0] != get_number (self, 0, 0))
        self->n_second = n;
      if (self->n_second > 0 && (numbers[1] != get_number (self, n % self->n_second, 1) ||
                                 numbers[0] != get_number (self, n - n % self->n_second, 0)))
        return FALSE;
    }
  return self->n_second > 0 && self->names->len % self->n_second == 0;
}

/* What the numbers of pairs count. Heads of a layer are of one size and have no heads themselves; what is numbered in
 * groups belongs together whatever it is called, but maps in layers are examples only where they are called so. */
static HlLayoutPair
tell_pair (HlArchive   *archive,
           const char  *group,
           const Pairs *pairs,
           const char  *pattern,
           gboolean    *swapped)
{
  const HlLayoutPair pair = hl_layout_pattern_tell_pair (pattern, swapped);
  const char *inner = strrchr (pattern, '/');
  g_autofree char *one = hl_archive_join (group, pairs->names->pdata[0]);
  g_autofree char *two = hl_archive_join (group, pairs->names->pdata[1]);
  HlShape first, second;

  if (!hl_dataset_look_at (archive, one, &first, NULL) || !hl_dataset_look_at (archive, two, &second, NULL))
    return HL_LAYOUT_PAIR_UNKNOWN;
  if (pair == HL_LAYOUT_PAIR_HEADS && inner != NULL && first.rank >= 3 && !hl_layout_names_are_heads (inner))
    {
      *swapped = TRUE;
      return HL_LAYOUT_PAIR_PARTS;
    }
  if (pair == HL_LAYOUT_PAIR_HEADS && !*swapped && pairs->n_second > 1 &&
      (first.rank != second.rank || memcmp (first.dims, second.dims, first.rank * sizeof *first.dims) != 0))
    {
      *swapped = TRUE;
      return HL_LAYOUT_PAIR_UNKNOWN;
    }
  if (pair == HL_LAYOUT_PAIR_PARTS && *swapped && inner != NULL && first.rank == 2 &&
      !hl_layout_names_are_examples (inner + 1))
    return HL_LAYOUT_PAIR_UNKNOWN;
  return pair;
}

/* Looks for tensors with two numbers in their names: heads of layers, or the layers of steps or examples, such as
 * `step_3_layer_0`; the order of the two does not matter when the names tell which is the layer. No numbers are
 * read. */
gboolean
hl_layout_steps_find_pairs (HlLayoutSteps *self,
                            HlArchive     *archive,
                            const char    *group,
                            char         **members,
                            const char    *pattern,
                            GCancellable  *cancellable)
{
  g_autofree char *path = hl_archive_join (group, pattern);
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (HlShape));
  g_auto (Pairs) pairs = { 0 };
  gboolean swapped, are_maps, differ;

  *self = make_steps (TRUE);
  if (!find_pairs (&pairs, members, pattern) || pairs.names->len > HL_LIMIT_PARTS)
    return FALSE;
  const HlLayoutPair pair = tell_pair (archive, group, &pairs, pattern, &swapped);
  const guint n_first = pairs.names->len / pairs.n_second;
  const guint n_inside = swapped ? n_first : pairs.n_second;
  self->n_steps = swapped ? pairs.n_second : n_first;
  for (guint step = 0; step < self->n_steps; step++)
    for (guint i = 0; i < n_inside; i++)
      {
        const guint name = swapped ? i * pairs.n_second + step : step * pairs.n_second + i;
        const guint64 inner = get_number (&pairs, name, swapped ? 0 : 1), outer = get_number (&pairs, name, swapped);

        g_ptr_array_add (self->paths, hl_archive_join (group, pairs.names->pdata[name]));
        if (step == 0)
          g_array_append_val (self->layers, inner);
        if (i == 0)
          g_array_append_val (self->groups, outer);
      }
  for (guint step = 0; step < self->n_steps; step++)
    {
      HlShape shape;
      if (g_cancellable_is_cancelled (cancellable) ||
          !hl_dataset_look_at (archive, self->paths->pdata[step * n_inside], &shape, NULL) ||
          (step > 0 && shape.rank != g_array_index (shapes, HlShape, 0).rank))
        return FALSE;
      g_array_append_val (shapes, shape);
    }
  self->first = g_array_index (shapes, HlShape, 0);
  compare_steps ((const HlShape *) shapes->data, shapes->len, &self->is_generation, &are_maps, &differ);
  /* Maps of more keys than queries are told by their names, as of cross-attention. */
  self->are_heads = pair == HL_LAYOUT_PAIR_HEADS && self->first.rank == 2 && !differ &&
                    (are_maps || hl_layout_names_rate (path) > 0);
  if (self->are_heads || (self->is_generation && differ && self->first.rank <= 4))
    return TRUE;
  self->is_generation = FALSE;
  return pair == HL_LAYOUT_PAIR_PARTS && are_maps && self->first.rank <= 4 &&
         (strchr (pattern, '/') != NULL || hl_layout_names_rate (path) > 0);
}

/* Looks for attention that is a list of what generate() of transformers returned, one of it for each example: tensors
 * three lists deep. No numbers are read. */
guint
hl_layout_steps_count_lists (HlLayoutLister *lister,
                             const char     *group,
                             char          **members)
{
  for (guint kind = HL_ATTENTION_SELF; kind <= HL_ATTENTION_CROSS; kind++)
    {
      const char *name = hl_layout_names_find (members, kind);
      g_autofree char *path = name != NULL ? hl_archive_join (group, name) : NULL;
      g_autofree char *step = path != NULL ? hl_archive_join (path, "0/0") : NULL;
      g_autofree char *first = path != NULL ? hl_archive_join (path, "0/0/0") : NULL;
      HlShape shape;

      if (step == NULL || hl_archive_get_kind (lister->archive, step) != HL_MEMBER_GROUP ||
          !hl_dataset_look_at (lister->archive, first, &shape, NULL))
        continue;
      g_auto (GStrv) elements = hl_layout_lister_list (lister, path);
      return elements != NULL ? g_strv_length (elements) : 0;
    }
  return 0;
}

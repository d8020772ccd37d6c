/* SPDX-License-Identifier: MIT */
/* Attention in members that are numbered: layers, heads, steps, texts, groups of them; the likeliest of several series. */
#include "core/document/guess/hl-layout-numbered.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/document/guess/hl-dataset-shape.h"
#include "core/document/guess/hl-layout-names.h"
#include "core/document/guess/hl-layout-patterns.h"
#include "core/document/guess/hl-layout-series.h"

/* Series that are named which could be attention as well; the rest is not. */
#define MAX_OTHERS 8

static gboolean read_series (HlLayoutFinder *self,
                             HlAttentionKind kind,
                             const char *group,
                             char **members,
                             const char *pattern,
                             gboolean in_layers);

/* Whether members are a text each: there are as many as lists of tokens, or they are called so. */
static gboolean
are_texts (const HlLayoutFinder *self,
           const char           *pattern,
           guint                 n,
           const HlShape        *first)
{
  if (hl_layout_names_are_layers (pattern) || (first->rank == 4 && first->dims[0] == self->n_lists))
    return FALSE;
  return n == self->n_lists || (hl_layout_names_are_examples (pattern) &&
                                (self->axes == NULL || strpbrk (self->axes->letters, "bs") == NULL));
}

/* Names of what is in groups, behind those of the groups: of all, or of those that are called so. */
static char **
list_inside (HlLayoutFinder *self,
             const char     *group,
             char          **groups,
             const char     *pattern,
             const char     *name)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint64 numbers[2];

  for (guint n = 0; *groups != NULL && n < HL_LIMIT_PARTS; groups++)
    {
      const char *const only[] = { name, NULL };
      g_autofree char *path = hl_archive_join (group, *groups);

      if (hl_layout_pattern_match (pattern, *groups, numbers) == 0)
        continue;
      g_auto (GStrv) inside = name != NULL ? g_strdupv ((char **) only) : hl_layout_lister_list (self->lister, path);
      for (guint i = 0; inside != NULL && inside[i] != NULL; i++, n++)
        {
          g_autofree char *joined = hl_archive_join (*groups, inside[i]);
          g_strv_builder_add (builder, joined);
        }
    }
  return g_strv_builder_end (builder);
}

/* The only member with a name that sounds like attention. */
static const char *
find_only_named (char **members)
{
  const char *found = NULL;

  for (; *members != NULL; members++)
    if (hl_layout_names_is_attention (*members))
      {
        if (found != NULL)
          return NULL;
        found = *members;
      }
  return found;
}

/* Groups that are called layers, in each of which attention is called the same. Of @kind is what says nothing of it. */
static gboolean
add_named_in_layers (HlLayoutFinder *self,
                     HlAttentionKind kind,
                     const char     *group,
                     char          **members,
                     const char     *pattern,
                     char          **inside)
{
  const char *names[HL_LAYOUT_N_KINDS] = { NULL };
  gboolean found = FALSE;

  for (guint i = 0; i < HL_LAYOUT_N_KINDS; i++)
    {
      names[i] = hl_layout_names_find (inside, i);
      found |= names[i] != NULL;
    }
  if (!found)
    names[HL_ATTENTION_SELF] = find_only_named (inside);
  found = FALSE;
  for (guint i = 0; i < HL_LAYOUT_N_KINDS; i++)
    {
      HlAttentionKind own = i;

      if (kind == HL_ATTENTION_CROSS || i == HL_ATTENTION_SELF)
        own = kind;
      else if (kind == HL_ATTENTION_DECODER && i == HL_ATTENTION_ENCODER)
        own = HL_ATTENTION_CROSS;
      if (names[i] == NULL || hl_layout_find_attention (self->layout, own) != NULL)
        continue;
      g_auto (GStrv) all = list_inside (self, group, members, pattern, names[i]);
      g_autofree char *both = hl_archive_join (pattern, names[i]);
      found |= read_series (self, own, group, all, both, TRUE);
    }
  if (kind == HL_ATTENTION_SELF)
    hl_layout_finder_tell_kinds (self, names);
  return found;
}

/* Groups that are called layers: of what is called attention in each, or of examples, which are numbered. Those that have
 * tokens each are no layers, and a file that names its format has examples elsewhere. */
static gboolean
add_layer_groups (HlLayoutFinder *self,
                  HlAttentionKind kind,
                  const char     *group,
                  char          **members,
                  const char     *pattern)
{
  g_autoptr (GVariant) format = hl_archive_get_attribute (self->archive, "", "format", NULL);
  g_auto (GStrv) inside = NULL;
  guint64 numbers[2];
  guint n = 0;

  for (char **member = members; format == NULL && *member != NULL; member++)
    if (hl_layout_pattern_match (pattern, *member, numbers) > 0 && n++ == 0)
      {
        g_autofree char *path = hl_archive_join (group, *member);
        inside = hl_archive_get_kind (self->archive, path) == HL_MEMBER_GROUP
                   ? hl_layout_lister_list (self->lister, path)
                   : NULL;
      }
  if (inside == NULL || inside[0] == NULL || n < 2 || n == self->n_lists)
    return FALSE;
  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    if (hl_layout_names_find_tokens (inside, hl_layout_token_names[i]) != NULL)
      return FALSE;
  if (add_named_in_layers (self, kind, group, members, pattern, inside))
    return TRUE;

  g_autoptr (HlLayoutPatterns) patterns = hl_layout_patterns_new (inside);
  g_autofree char *inner = hl_layout_patterns_get (patterns, inside[0]);
  if (inner == NULL || hl_layout_names_are_layers (inner))
    return FALSE;
  g_autofree char *pair = hl_archive_join (pattern, inner);
  g_auto (GStrv) all = list_inside (self, group, members, pattern, NULL);
  return hl_layout_pattern_is_pair (pair, all) && read_series (self, kind, group, all, pair, TRUE);
}

/* Members of one pattern, a layer each, or heads or parts of them. They are in natural order, which is that of their
 * numbers. @in_layers is whether they are what lies in groups that are called layers. */
static gboolean
read_series (HlLayoutFinder *self,
             HlAttentionKind kind,
             const char     *group,
             char          **members,
             const char     *pattern,
             gboolean        in_layers)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  HlLayoutAxes axes;
  HlShape first = { 0 }, common = { 0 }, shape;
  gboolean ambiguous;
  guint64 own[2];
  guint n = 0;
  g_auto (HlLayoutSteps) steps = { 0 };
  g_autofree char *label = g_str_equal (pattern, "#") ? g_strdup (*group != '\0' ? group : "0, 1 …")
                                                      : g_strdup (pattern);
  const gboolean is_pair = hl_layout_pattern_is_pair (pattern, members);

  if (!is_pair && !in_layers && hl_layout_names_are_layers (pattern) &&
      add_layer_groups (self, kind, group, members, pattern))
    return TRUE;
  /* Who says that steps are an axis of each tensor does not mean that they are the tensors. */
  if (is_pair ? hl_layout_steps_find_pairs (&steps, self->archive, group, members, pattern, self->lister->cancellable)
              : (self->axes == NULL || strchr (self->axes->letters, 's') == NULL) &&
                  hl_layout_steps_find (&steps, self->lister, group, members, pattern))
    return hl_layout_finder_wants_heads (self, &steps) ? hl_layout_finder_add_heads (self, kind, label, &steps)
                                                       : hl_layout_finder_add_steps (self, kind, label, &steps);
  if (is_pair)
    return FALSE;
  for (; *members != NULL; members++)
    {
      if (hl_layout_pattern_match (pattern, *members, own) == 0)
        continue;
      char *path = hl_archive_join (group, *members);
      g_ptr_array_add (paths, path);
      /* So many are refused when they are opened. */
      if (n > HL_LIMIT_LAYERS)
        continue;
      if (g_cancellable_is_cancelled (self->lister->cancellable) ||
          !hl_dataset_look_at (self->archive, path, &shape, NULL) || (n > 0 && shape.rank != first.rank))
        return FALSE;
      if (n++ == 0)
        first = common = shape;
      for (guint axis = 0; axis < shape.rank; axis++)
        common.dims[axis] = shape.dims[axis] == first.dims[axis] ? common.dims[axis] : 0;
      g_array_append_val (numbers, own[0]);
    }
  /* Layers have the same queries and keys. */
  if (in_layers && (n == 0 || first.rank > 4 || common.dims[first.rank - 2] == 0 || common.dims[first.rank - 1] == 0))
    return FALSE;
  if (n > 0 && first.rank <= 4 && are_texts (self, pattern, n, &first))
    {
      hl_layout_steps_clear (&steps);
      steps = (HlLayoutSteps){ .paths = g_steal_pointer (&paths),
                               .n_steps = n,
                               .first = first,
                               .layers = g_array_new (FALSE, FALSE, sizeof (guint64)) };
      return hl_layout_finder_add_steps (self, kind, label, &steps);
    }
  if (hl_layout_finder_are_heads (self, &common, n, pattern))
    {
      hl_layout_steps_clear (&steps);
      steps = (HlLayoutSteps){ .paths = g_steal_pointer (&paths),
                               .n_steps = 1,
                               .first = first,
                               .layers = g_steal_pointer (&numbers),
                               .groups = g_array_new (FALSE, FALSE, sizeof (guint64)) };
      return hl_layout_finder_add_heads (self, kind, label, &steps);
    }
  if (n == 0 || !hl_layout_finder_choose_axes (self, &axes, paths->pdata[0], &first, TRUE, &ambiguous))
    return FALSE;
  /* As layers of a batch lie, so do layers of texts, each of which is a tensor. */
  ambiguous |= n > 1 && self->axes == NULL && first.rank == 4 && first.dims[0] > 1 &&
               (first.dims[0] != self->n_lists || n == self->n_lists) && !hl_layout_names_are_layers (pattern);
  g_ptr_array_add (paths, NULL);
  char **all = (char **) g_ptr_array_free (g_steal_pointer (&paths), FALSE);
  hl_layout_attention_set_outer (hl_layout_finder_add_attention (self, kind, all, &axes, ambiguous), &common);
  hl_layout_finder_note (self, label, &first, &axes, ambiguous);
  /* A number of the only name is that of a layer only where it is called so, and there is no other. */
  if (strchr (axes.letters, 'l') == NULL &&
      (n > 1 || (hl_layout_names_are_layers (pattern) && strpbrk (pattern, "0123456789") == NULL)))
    hl_layout_finder_note_layers (self, numbers);
  return TRUE;
}

gboolean
hl_layout_finder_add_series (HlLayoutFinder *self,
                             HlAttentionKind kind,
                             const char     *group,
                             char          **members,
                             const char     *pattern)
{
  const guint n = self->layout->attentions->len;

  if (!read_series (self, kind, group, members, pattern, FALSE))
    return FALSE;
  ((HlLayoutAttention *) self->layout->attentions->pdata[n])->series = hl_archive_join (group, pattern);
  return TRUE;
}

/* Whether series of that rating are told apart by the kinds that they are called. One kind alone is the only attention
 * there is, unless there are tokens of its own; cross-attention has two sides in any case. */
static gboolean
tell_kinds_apart (const HlLayoutFinder *self,
                  const GPtrArray      *series,
                  int                   rating)
{
  guint kinds = 0;

  for (guint i = 0; i < series->len; i++)
    {
      const HlLayoutSeries *one = series->pdata[i];
      kinds |= one->rating == rating ? 1u << one->kind : 0;
    }
  if (kinds == 1u << HL_ATTENTION_ENCODER)
    return hl_layout_names_find_tokens (self->members, "encoder_tokens") != NULL;
  if (kinds == 1u << HL_ATTENTION_DECODER)
    return hl_layout_names_find_tokens (self->members, "decoder_tokens") != NULL;
  return kinds != 1u << HL_ATTENTION_SELF;
}

static void
note_others (HlLayoutFinder  *self,
             const GPtrArray *others)
{
  g_autoptr (GString) list = g_string_new (NULL);

  if (others->len == 0)
    return;
  for (guint i = 0; i < MIN (others->len, MAX_OTHERS); i++)
    {
      g_autofree char *start = hl_utf8_shorten (((const HlLayoutSeries *) others->pdata[i])->pattern, 60);
      g_string_append_printf (list, "%s“%s”", i > 0 ? ", " : "", start);
    }
  if (others->len > MAX_OTHERS)
    g_string_append (list, ", …");
  g_autofree char *text = g_strdup_printf (_ ("what could be attention as well, and is not read: %s"), list->str);
  hl_utf8_flatten (text);
  hl_layout_finder_say (self, FALSE, text);
}

/* Whether a series is part of one of two numbers. */
static gboolean
is_in_pairs (const GPtrArray      *pairs,
             const HlLayoutSeries *one)
{
  guint64 numbers[2];

  for (guint i = 0; i < pairs->len; i++)
    if (hl_layout_pattern_match (((const HlLayoutSeries *) pairs->pdata[i])->pattern, one->name, numbers) == 2)
      return TRUE;
  return FALSE;
}

/* The likeliest series among members, one of each kind; @kind is what they are of if that is known. Of one number, those
 * are taken that have a rating of @least. */
gboolean
hl_layout_finder_add_likeliest (HlLayoutFinder *self,
                                HlAttentionKind kind,
                                const char     *group,
                                char          **members,
                                int             least)
{
  g_autoptr (GPtrArray) series = hl_layout_series_list (self->archive, group, members);
  g_autoptr (GPtrArray) taken = g_ptr_array_new (), others = g_ptr_array_new ();
  gboolean has_looked = FALSE;

  for (guint i = 0; i < series->len && !g_cancellable_is_cancelled (self->lister->cancellable); i++)
    {
      const HlLayoutSeries *first = taken->len > 0 ? taken->pdata[0] : NULL;

      if (!has_looked && hl_layout_series_may_be_less (series->pdata[i], first))
        {
          hl_layout_series_look_inside (series, self->lister, group);
          has_looked = TRUE;
        }
      HlLayoutSeries *one = series->pdata[i];
      if (first != NULL && one->rating < first->rating)
        break;
      if (one->rating < MIN (least, 0) || (!one->is_pair && one->rating < least) ||
          (first != NULL && one->first.rank != first->first.rank))
        continue;
      const HlAttentionKind own = kind == HL_ATTENTION_SELF && tell_kinds_apart (self, series, one->rating) ? one->kind
                                                                                                            : kind;
      if (hl_layout_find_attention (self->layout, own) == NULL &&
          hl_layout_finder_add_series (self, own, group, members, one->pattern))
        g_ptr_array_add (taken, one);
      else if (first != NULL && !is_in_pairs (taken, one))
        g_ptr_array_add (others, one);
    }
  note_others (self, others);
  return taken->len > 0;
}

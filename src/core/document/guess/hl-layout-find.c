/* SPDX-License-Identifier: MIT */
/* Attention as people save it: by the names and sizes of what is in a file, which of it is attention, how its axes are
 * meant, and where the tokens are. */
#include "core/document/guess/hl-layout-find.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/document/attention/hl-check.h"
#include "core/document/guess/hl-dataset-shape.h"
#include "core/document/guess/hl-layout-names.h"
#include "core/document/guess/hl-layout-numbered.h"
#include "core/document/guess/hl-layout-patterns.h"

/* Of a name, in a sentence about it: a session can say any. */
#define MAX_SHOWN 200

/* A session can say a name with any number of slashes. */
#define MAX_CUTS 100

/* Beside more members, strings are not looked for that say nothing of themselves. */
#define MAX_BESIDE 256

/* A member by its name: a tensor, or a group of them. */
static gboolean
add_member (HlLayoutFinder *self,
            HlAttentionKind kind,
            const char     *name)
{
  g_autofree char *path = hl_archive_join (self->group, name);

  if (hl_archive_get_kind (self->archive, path) != HL_MEMBER_GROUP)
    return hl_layout_finder_add_tensor (self, kind, name);
  g_auto (GStrv) inside = hl_layout_lister_list (self->lister, path);
  return inside != NULL && hl_layout_finder_add_likeliest (self, kind, path, inside, G_MININT);
}

/* Whether all members that are numbered are of one series. */
static gboolean
are_one_series (char **members)
{
  g_autoptr (HlLayoutPatterns) patterns = hl_layout_patterns_new (members);
  g_autofree char *first = NULL;

  for (; *members != NULL; members++)
    {
      g_autofree char *pattern = hl_layout_patterns_get (patterns, *members);
      if (pattern == NULL || hl_layout_names_rate (pattern) < 0)
        continue;
      if (first == NULL)
        first = g_steal_pointer (&pattern);
      else if (!g_str_equal (first, pattern))
        return FALSE;
    }
  return first != NULL;
}

/* The likeliest series among the members themselves. Arrays that say nothing of themselves are attention only where
 * there is nothing else. */
static gboolean
add_own_series (HlLayoutFinder *self)
{
  return hl_layout_finder_add_likeliest (self, HL_ATTENTION_SELF, self->group, self->members,
                                         are_one_series (self->members) ? 0 : 1);
}

/* The tensor that is all there is, or the only one with a name that sounds like it. */
static gboolean
add_only_tensor (HlLayoutFinder *self)
{
  const char *only = NULL, *named = NULL;
  guint n_tensors = 0, n_named = 0;

  for (char **member = self->members; *member != NULL; member++)
    {
      g_autofree char *path = hl_archive_join (self->group, *member);
      HlShape shape;

      if (n_tensors > 100 || !hl_dataset_look_at (self->archive, path, &shape, NULL))
        continue;
      n_tensors++;
      only = *member;
      if (!hl_layout_names_is_attention (*member))
        continue;
      n_named++;
      named = *member;
    }
  if (n_named == 1)
    return hl_layout_finder_add_tensor (self, HL_ATTENTION_SELF, named);
  return n_tensors == 1 && n_named == 0 && !g_str_has_suffix (only, "weight") &&
         hl_layout_finder_add_tensor (self, HL_ATTENTION_SELF, only);
}

/* Strings, or lists of them for each example, which may lie in lists themselves. */
static gboolean
is_list (HlLayoutFinder *self,
         const char     *path)
{
  g_autofree char *first = hl_archive_join (path, "0");
  g_autofree char *inner = hl_archive_join (first, "0");
  HlMemberKind kind = hl_archive_get_kind (self->archive, path);

  if (kind == HL_MEMBER_GROUP)
    kind = hl_archive_get_kind (self->archive, first);
  if (kind == HL_MEMBER_GROUP)
    kind = hl_archive_get_kind (self->archive, inner);
  return kind == HL_MEMBER_STRINGS;
}

/* Lists of tokens by name; and strings that stand alone beside the attention may be its tokens whatever they are
 * called. */
static void
find_tokens (HlLayoutFinder *self)
{
  const char *only = NULL;
  guint n_lists = 0;

  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    {
      const char *member = hl_layout_names_find_tokens (self->members, hl_layout_token_names[i]);
      g_autofree char *path = member != NULL ? hl_archive_join (self->group, member) : NULL;
      if (path != NULL && is_list (self, path))
        g_hash_table_insert (self->layout->names, g_strdup (hl_layout_token_names[i]), g_steal_pointer (&path));
    }
  if (g_hash_table_size (self->layout->names) > 0 || g_strv_length (self->members) > MAX_BESIDE)
    return;
  for (char **member = self->members; *member != NULL && n_lists < 2; member++)
    {
      g_autofree char *path = hl_archive_join (self->group, *member);
      if (hl_layout_names_are_no_tokens (*member) || !is_list (self, path))
        continue;
      n_lists++;
      only = *member;
    }
  if (n_lists != 1)
    return;
  g_hash_table_insert (self->layout->names, g_strdup ("tokens"), hl_archive_join (self->group, only));
  self->layout->are_unnamed = TRUE;
}

static gboolean
has_element (const HlLayoutFinder *self,
             const char           *path,
             guint                 index)
{
  g_autofree char *element = g_strdup_printf ("%s/%u", path, index);

  return hl_archive_get_kind (self->archive, element) != HL_MEMBER_NONE;
}

/* How many lists of that name there are, where these are not one. They are not listed: groups beside them would do so
 * one by one. */
static guint
count_lists (const HlLayoutFinder *self,
             const char           *name)
{
  const char *path = g_hash_table_lookup (self->layout->names, name);
  g_autofree char *own = path != NULL && self->element >= 0 ? g_strdup_printf ("%s/%" PRId64, path, self->element)
                                                            : g_strdup (path);

  if (own == NULL || hl_archive_get_kind (self->archive, own) != HL_MEMBER_GROUP)
    return 0;
  /* There are so many at least, and less than so many. */
  guint least = 0, most = 1;
  while (most <= HL_LIMIT_BATCH_ITEMS && has_element (self, own, most - 1))
    {
      least = most;
      most *= 2;
    }
  while (most - least > 1)
    {
      const guint middle = least + (most - least) / 2;
      if (has_element (self, own, middle - 1))
        least = middle;
      else
        most = middle;
    }
  return least;
}

/* What lists of tokens are counted by: of a list of batches, its elements. */
static guint64
count_examples (const HlLayoutFinder *self)
{
  guint64 n = 1;

  for (guint i = 0; i < self->layout->attentions->len; i++)
    {
      const HlLayoutAttention *attention = self->layout->attentions->pdata[i];
      const char *letters = attention->axes.letters, *examples = strchr (letters, 'b');
      HlShape shape;

      if (attention->n_steps > 0 && strchr (letters, 's') == NULL)
        return attention->n_steps;
      if (examples != NULL && attention->n_heads > 0)
        n = MAX (n, examples == letters ? attention->n_heads : 1);
      else if (examples != NULL && hl_dataset_look_at (self->archive, attention->paths[0], &shape, NULL) &&
               examples - letters < (gssize) shape.rank)
        n = MAX (n, shape.dims[examples - letters]);
    }
  return n;
}

/* How many layers there could be as many of as examples: those of an axis, or tensors. */
static guint64
count_layers (HlLayoutFinder          *self,
              const HlLayoutAttention *attention)
{
  return strchr (attention->axes.letters, 'l') != NULL ? hl_layout_finder_get_length (self, attention, 'l')
                                                       : g_strv_length (attention->paths);
}

/* Whether there are layers and examples, and nothing says which are which. */
static gboolean
is_open (HlLayoutFinder          *self,
         const HlLayoutAttention *attention)
{
  return attention->ambiguous && attention->n_steps == 0 && count_layers (self, attention) > 1 &&
         hl_layout_finder_get_length (self, attention, 'b') > 1;
}

/* How many examples what a model takes and returns beside its attention is of, where that tells layers from examples; else 0. */
static guint
count_outputs (HlLayoutFinder *self)
{
  static const char *const names[] = { "logits", "contacts", "input_ids", "attention_mask", "key_mask" };
  const HlLayoutAttention *attention = self->layout->attentions->pdata[0];

  for (guint i = 0; i < G_N_ELEMENTS (names) && is_open (self, attention); i++)
    {
      g_autofree char *path = hl_archive_join (self->group, names[i]);
      g_autoptr (HlTensor) tensor = hl_archive_get_kind (self->archive, path) == HL_MEMBER_TENSOR
                                      ? hl_archive_open_tensor (self->archive, path, NULL)
                                      : NULL;
      const HlShape *shape = tensor != NULL ? hl_tensor_get_shape (tensor) : NULL;

      if (shape != NULL && shape->rank > 1 &&
          (shape->dims[0] == count_layers (self, attention)) !=
            (shape->dims[0] == hl_layout_finder_get_length (self, attention, 'b')))
        return (guint) shape->dims[0];
    }
  return 0;
}

/* Whether attention is to be looked for again, now that it is known how many lists of tokens there are: there are not
 * as many examples, or this was not sure. What was found is forgotten then. */
static gboolean
learn_lists (HlLayoutFinder *self)
{
  guint n = 0;

  if (self->axes != NULL || hl_layout_is_generation (self->layout))
    return FALSE;
  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    n = MAX (n, count_lists (self, hl_layout_token_names[i]));
  if (n < 2)
    n = count_outputs (self);
  if (n < 2 || (n == count_examples (self) && !is_open (self, self->layout->attentions->pdata[0])))
    return FALSE;
  self->n_lists = n;
  g_ptr_array_set_size (self->layout->attentions, 0);
  g_ptr_array_set_size (self->layout->notes, 0);
  return TRUE;
}

/* Tokens of one example must not name those of another. */
static void
drop_lists (HlLayoutFinder *self)
{
  const guint64 n_examples = count_examples (self);

  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    {
      const char *name = hl_layout_token_names[i];
      const guint n = count_lists (self, name);

      if (n < 2 || n == n_examples || hl_layout_is_generation (self->layout))
        continue;
      g_ptr_array_add (self->layout->notes,
                       hl_check_new (HL_SEVERITY_WARNING,
                                     _ ("“%s” has %u lists, and there are not as many examples; which belongs to which "
                                        "is not known, and none is used"),
                                     name, n));
      /* Where nothing is: without a place, they would be looked for beside the attention. */
      g_hash_table_insert (self->layout->names, g_strdup (name),
                           hl_archive_join (g_hash_table_lookup (self->layout->names, name), "-"));
    }
}

static gboolean
find_attentions (HlLayoutFinder *self)
{
  const char *names[HL_LAYOUT_N_KINDS];
  gboolean has_name = FALSE;

  for (guint kind = 0; kind < HL_LAYOUT_N_KINDS; kind++)
    {
      const char *name = names[kind] = hl_layout_names_find (self->members, kind);

      g_autofree char *own = name != NULL && self->element >= 0 ? g_strdup_printf ("%s/%" PRId64, name, self->element)
                                                                : g_strdup (name);

      has_name |= name != NULL;
      if (name != NULL)
        add_member (self, kind, own);
    }
  hl_layout_finder_tell_kinds (self, names);
  /* What is called attention but cannot be it is not made good by something else. */
  if (has_name || self->element >= 0)
    return self->layout->attentions->len > 0;
  return add_own_series (self) || add_only_tensor (self);
}

/* What lies beside examples that may be the tokens of each. Beside many, only what is called so: each would look at all the others. */
char **
hl_layout_list_beside (HlArchive  *archive,
                       const char *group,
                       GError    **error)
{
  g_auto (GStrv) members = hl_archive_list (archive, group, error);
  g_autoptr (GPtrArray) named = g_ptr_array_new ();

  if (members == NULL || g_strv_length (members) <= MAX_BESIDE)
    return g_steal_pointer (&members);
  for (char **member = members; *member != NULL; member++)
    if (hl_layout_names_are_tokens (*member))
      g_ptr_array_add (named, *member);
  g_ptr_array_add (named, NULL);
  return g_strdupv ((char **) named->pdata);
}

/* What of the members of a group is looked for by name in each element of a list. Of many, no more: they would be looked
 * through for each. */
char **
hl_layout_pick_named (char **members)
{
  g_autoptr (GPtrArray) named = g_ptr_array_new ();
  char *name;

  if (g_strv_length (members) <= MAX_BESIDE)
    return g_strdupv (members);
  for (guint kind = 0; kind < HL_LAYOUT_N_KINDS; kind++)
    if ((name = hl_layout_names_find (members, kind)) != NULL)
      g_ptr_array_add (named, name);
  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    if ((name = hl_layout_names_find_tokens (members, hl_layout_token_names[i])) != NULL)
      g_ptr_array_add (named, name);
  g_ptr_array_add (named, NULL);
  return g_strdupv ((char **) named->pdata);
}

/* Looks for attention among the members of a group: by name, then a series of numbered ones, then the only tensor there
 * is; for tokens also among @beside, which lie in @outer. No numbers are read. Returns NULL if there is none, or the lister
 * could not look at all. */
HlLayout *
hl_layout_find (HlLayoutLister     *lister,
                const char         *group,
                char              **members,
                const char         *outer,
                char              **beside,
                gint64              element,
                const HlLayoutAxes *axes)
{
  g_autoptr (HlLayout) layout = hl_layout_new ();
  HlLayoutFinder finder = { lister->archive, group, members, lister, layout, axes, element };
  layout->element = element;
  if (!find_attentions (&finder))
    return NULL;
  find_tokens (&finder);
  if (g_hash_table_size (layout->names) == 0 && beside != NULL)
    {
      HlLayoutFinder around = finder;
      around.group = outer;
      around.members = beside;
      find_tokens (&around);
    }
  if (learn_lists (&finder) && !find_attentions (&finder))
    return NULL;
  drop_lists (&finder);
  return g_steal_pointer (&layout);
}

/* Returns FALSE where not all was looked at, and says why. */
gboolean
hl_layout_check_listed (const HlLayoutLister *lister,
                        GError              **error)
{
  if (g_cancellable_set_error_if_cancelled (lister->cancellable, error))
    return FALSE;
  if (lister->n_listed <= HL_LIMIT_LISTED_MEMBERS)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the groups in “%s” have more than %zu members together"), "/",
               (gsize) HL_LIMIT_LISTED_MEMBERS);
  return FALSE;
}

/* Why what was named cannot be attention. */
static void
set_not_readable (HlArchive   *archive,
                  const char  *path,
                  HlMemberKind kind,
                  GError     **error)
{
  g_autoptr (HlTensor) tensor = NULL;
  g_autofree char *shown = hl_utf8_quote (path, strlen (path), MAX_SHOWN);

  if (kind == HL_MEMBER_NONE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s”"), shown);
      return;
    }
  if (kind == HL_MEMBER_TENSOR && (tensor = hl_archive_open_tensor (archive, path, error)) == NULL)
    return;
  g_autofree char *sizes = tensor != NULL ? hl_shape_to_string (hl_tensor_get_shape (tensor)) : NULL;
  if (tensor != NULL)
    g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” (%s, %s) cannot be attention"), shown,
                 hl_tensor_get_shape (tensor)->rank > 0 ? sizes : _ ("a single number"),
                 hl_dtype_get_name (hl_tensor_get_dtype (tensor)));
  else
    g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is neither a tensor nor a group with one for each layer"),
                 shown);
}

/* A member, or a series among those beside it. */
static gboolean
add_dataset (HlLayoutFinder *self,
             HlMemberKind    kind,
             const char     *name,
             char          **beside)
{
  if (kind != HL_MEMBER_NONE)
    return add_member (self, HL_ATTENTION_SELF, name);
  return beside != NULL && strchr (name, '#') != NULL &&
         hl_layout_finder_add_series (self, HL_ATTENTION_SELF, self->group, beside, name);
}

/* Whether a group has what is called so, or some of a series. */
static gboolean
has_member (HlArchive  *archive,
            const char *group,
            const char *name)
{
  g_auto (GStrv) members = hl_archive_list (archive, group, NULL);
  guint64 numbers[2];

  for (char **member = members; member != NULL && *member != NULL; member++)
    if (g_str_equal (*member, name) || hl_layout_pattern_match (name, *member, numbers) > 0)
      return TRUE;
  return FALSE;
}

/* Cuts what somebody named into its group, which is returned, and its name there. That may have slashes itself, so all cuts are tried, the
 * last slash first, until a group has the rest; where none has, that at the last slash is meant. */
static char *
split_path (HlArchive   *archive,
            const char  *path,
            const char **name)
{
  const char *last = strrchr (path, '/'), *slash = last;

  *name = path;
  if (last == NULL || has_member (archive, "", path))
    return g_strdup ("");
  for (guint i = 0; slash != NULL && i < MAX_CUTS; i++, slash = g_strrstr_len (path, slash - path, "/"))
    {
      g_autofree char *group = g_strndup (path, (gsize) (slash - path));
      *name = slash + 1;
      if (has_member (archive, group, *name))
        return g_steal_pointer (&group);
    }
  *name = last + 1;
  return g_strndup (path, (gsize) (last - path));
}

/* Takes what somebody named for the attention, and says in which group it is; tokens are looked for beside it and at the root. No numbers
 * are read. */
HlLayout *
hl_layout_new_for_dataset (HlArchive          *archive,
                           const char         *path,
                           const HlLayoutAxes *axes,
                           char              **group,
                           GCancellable       *cancellable,
                           GError            **error)
{
  const HlMemberKind kind = hl_archive_get_kind (archive, path);
  const char *name;
  g_autofree char *own = split_path (archive, path, &name);
  g_autoptr (HlLayout) layout = hl_layout_new ();
  HlLayoutLister lister = { archive, cancellable };
  char *none[] = { NULL };

  /* A group that is not there has no members; that it is not there is said below. */
  g_auto (GStrv) beside = hl_archive_list (archive, own, NULL);
  HlLayoutFinder finder = { archive, own, beside != NULL ? beside : none, &lister, layout, axes, -1 };
  if (!add_dataset (&finder, kind, name, beside))
    {
      if (hl_layout_check_listed (&lister, error))
        set_not_readable (archive, path, kind, error);
      return NULL;
    }
  if (beside == NULL && (beside = hl_archive_list (archive, own, error)) == NULL)
    return NULL;
  finder.members = beside;
  find_tokens (&finder);
  g_auto (GStrv) outermost = NULL;
  if (g_hash_table_size (layout->names) == 0 && *own != '\0')
    {
      HlLayoutFinder root = finder;
      outermost = hl_archive_list (archive, "", error);
      if (outermost == NULL)
        return NULL;
      root.group = "";
      root.members = outermost;
      find_tokens (&root);
    }
  if (learn_lists (&finder) && !add_dataset (&finder, kind, name, beside))
    {
      if (hl_layout_check_listed (&lister, error))
        set_not_readable (archive, path, kind, error);
      return NULL;
    }
  drop_lists (&finder);
  *group = g_steal_pointer (&own);
  return g_steal_pointer (&layout);
}

/* SPDX-License-Identifier: MIT */
/* Which examples a file holds: as data/dump-format.md says, or else as a layout finds them. */
#include "core/document/read/hl-dump-reader.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/guess/hl-dataset-shape.h"
#include "core/document/guess/hl-layout-find.h"
#include "core/document/guess/hl-layout-names.h"
#include "core/document/guess/hl-layout-steps.h"
#include "core/document/read/base/hl-dump-context.h"
#include "core/document/read/base/hl-dump-steps.h"

static void
free_entry (gpointer data)
{
  HlDumpEntry *entry = data;

  g_free (entry->name);
  g_free (entry->group);
  g_clear_pointer (&entry->layout, hl_layout_unref);
  g_free (entry);
}

static GPtrArray *
hl_dump_entries_new (void)
{
  return g_ptr_array_new_with_free_func (free_entry);
}

static gboolean
hl_dump_entries_check (guint64  n_examples,
                       GError **error)
{
  if (n_examples <= HL_LIMIT_EXAMPLES)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("there are %" PRIu64 " examples in one file; at most %d are read"), n_examples, HL_LIMIT_EXAMPLES);
  return FALSE;
}

/* Opens the first maps of an example, if it has any. Only names among its members are looked for: there may be a
 * hundred thousand examples. */
static gboolean
hl_dump_entries_open_first (const HlDumpContext *context,
                            char               **members,
                            HlDumpMaps          *maps,
                            GError             **error)
{
  gboolean opened = TRUE;

  if (context->layout != NULL || hl_dump_has_weights (members))
    for (guint kind = 0; kind < HL_N_ATTENTION_KINDS && opened && maps->n_layers == 0; kind++)
      opened = hl_dump_open_weights (context, kind, maps, error);
  if (members == NULL || !hl_dump_has_projections (members))
    return opened;
  for (guint kind = 0; kind < HL_N_ATTENTION_KINDS && opened && maps->n_layers == 0; kind++)
    {
      const HlDumpContext own = hl_dump_context_of_kind (context, kind);
      opened = hl_dump_open_maps (&own, "queries", HL_DUMP_MAPS_PROJECTIONS, maps, error);
    }
  return opened;
}

/* What an example of a batch is called: by its number, behind the name of the whole. */
static char *
name_item (const char *name,
           guint64     batch,
           guint64     n_batch)
{
  if (n_batch <= 1)
    return g_strdup (name);
  return g_strdup_printf ("%s%s[%" PRIu64 "]", name != NULL ? name : "", name != NULL ? " " : "", batch);
}

static HlDumpEntry *
add_entry (GPtrArray           *entries,
           const HlDumpContext *context,
           guint64              batch,
           guint64              n_batch)
{
  HlDumpEntry *entry = g_new0 (HlDumpEntry, 1);

  entry->group = g_strdup (context->group);
  entry->batch = batch;
  entry->n_batch = n_batch;
  entry->step = context->step;
  entry->layout = context->layout != NULL ? hl_layout_ref ((HlLayout *) context->layout) : NULL;
  g_ptr_array_add (entries, entry);
  return entry;
}

/* Whether what is counted are not examples but steps, each with all of its queries. */
static gboolean
has_steps (const HlLayout *layout)
{
  const HlLayoutAttention *attention = layout != NULL ? layout->attentions->pdata[0] : NULL;

  return attention != NULL && strchr (attention->axes.letters, 's') != NULL;
}

/* Adds an example, or one for each batch item. */
static gboolean
hl_dump_entries_add (GPtrArray           *entries,
                     const HlDumpContext *context,
                     guint64              n_batch,
                     const char          *name,
                     GError             **error)
{
  if (!hl_dump_entries_check (entries->len + n_batch, error))
    return FALSE;
  for (guint64 i = 0; i < n_batch; i++)
    {
      HlDumpEntry *entry = add_entry (entries, context, i, n_batch);
      if (n_batch > 1 && has_steps (context->layout))
        entry->name = g_strdup_printf (_ ("%s%sstep %" PRIu64), name != NULL ? name : "", name != NULL ? " " : "", i);
      else
        entry->name = name_item (name, i, n_batch);
    }
  return TRUE;
}

static void
add_step (GPtrArray           *entries,
          const HlDumpContext *plain,
          const char          *name,
          guint64              batch,
          guint64              n_batch,
          gint64               step,
          gboolean             is_prompt)
{
  HlDumpContext context = *plain;
  g_autofree char *item = name_item (name, batch, n_batch);
  g_autofree char *which =
    step == HL_DUMP_ALL_STEPS
      ? g_strdup (_ ("All steps"))
      : g_strdup_printf (is_prompt ? _ ("Step %" PRId64 " (prompt)") : _ ("Step %" PRId64), step);

  context.step = step;
  HlDumpEntry *entry = add_entry (entries, &context, batch, n_batch);
  entry->name = item != NULL ? g_strconcat (item, " · ", which, NULL) : g_steal_pointer (&which);
  entry->is_part = step != HL_DUMP_ALL_STEPS;
}

/* Adds a generation: all of its steps together, and each of them, for each sequence. Where these would be too many,
 * there is the whole only. */
static gboolean
add_generation (GPtrArray     *entries,
                HlDumpContext *context,
                const char    *name,
                GError       **error)
{
  const guint n_steps = hl_layout_get_n_steps (context->layout);
  gboolean has_prompt = FALSE;
  guint64 n_batch = 1;

  for (guint kind = 0; kind < HL_N_ATTENTION_KINDS; kind++)
    {
      const HlLayoutAttention *attention = hl_layout_find_attention (context->layout, kind);
      g_auto (HlDumpMaps) maps = { 0 }, prompt = { 0 };

      context->step = HL_DUMP_ALL_STEPS;
      if (!hl_dump_open_weights (context, kind, &maps, error))
        return FALSE;
      n_batch = MAX (n_batch, maps.n_batch);
      context->step = 0;
      if (attention == NULL || !attention->is_generation)
        continue;
      if (!hl_dump_open_weights (context, kind, &prompt, error))
        return FALSE;
      has_prompt |= hl_layer_tensor_get_n_rows (prompt.layers) > 1;
    }
  if (!hl_dump_entries_check (entries->len + n_batch, error))
    return FALSE;
  const gboolean with_steps = n_batch * (n_steps + 1) + entries->len <= HL_LIMIT_EXAMPLES;
  for (guint64 batch = 0; batch < n_batch; batch++)
    {
      add_step (entries, context, name, batch, n_batch, HL_DUMP_ALL_STEPS, FALSE);
      for (guint step = 0; with_steps && step < n_steps; step++)
        add_step (entries, context, name, batch, n_batch, step, has_prompt && step == 0);
    }
  return TRUE;
}

/* Adds examples that are the elements of a list, each of which may be a batch. */
static gboolean
add_listed (GPtrArray     *entries,
            HlDumpContext *context,
            const char    *name,
            GError       **error)
{
  const guint n = hl_layout_get_n_steps (context->layout);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *own = g_strdup_printf ("%s%s%u", name != NULL ? name : "", name != NULL ? " " : "", i);
      g_auto (HlDumpMaps) maps = { 0 };

      context->step = i;
      if (!hl_dump_entries_open_first (context, NULL, &maps, error) ||
          !hl_dump_entries_add (entries, context, maps.n_batch, n > 1 ? own : name, error))
        return FALSE;
    }
  return TRUE;
}

/* Adds the steps of each example, where each step has all of its queries and they cannot be one map. */
static gboolean
add_whole_steps (GPtrArray     *entries,
                 HlDumpContext *context,
                 const char    *name,
                 GError       **error)
{
  const guint n_steps = hl_layout_get_n_steps (context->layout);
  g_auto (HlDumpMaps) maps = { 0 };

  context->step = 0;
  if (!hl_dump_entries_open_first (context, NULL, &maps, error) ||
      !hl_dump_entries_check (entries->len + maps.n_batch * n_steps, error))
    return FALSE;
  for (guint64 batch = 0; batch < maps.n_batch; batch++)
    {
      g_autofree char *item = name_item (name, batch, maps.n_batch);
      for (guint step = 0; step < n_steps; step++)
        {
          context->step = step;
          HlDumpEntry *entry = add_entry (entries, context, batch, maps.n_batch);
          entry->name = g_strdup_printf (_ ("%s%sstep %" PRIu64), item != NULL ? item : "", item != NULL ? " · " : "",
                                         (guint64) step);
        }
    }
  return TRUE;
}

/* Adds all examples that a layout has. */
static gboolean
hl_dump_entries_add_layout (GPtrArray           *entries,
                            const HlDumpContext *plain,
                            HlLayout            *layout,
                            const char          *name,
                            GError             **error)
{
  HlDumpContext context = *plain;
  g_auto (HlDumpMaps) maps = { 0 };

  context.layout = layout;
  if (hl_layout_is_generation (layout))
    return add_generation (entries, &context, name, error);
  if (hl_layout_get_n_steps (layout) > 0)
    return has_steps (layout) ? add_whole_steps (entries, &context, name, error)
                              : add_listed (entries, &context, name, error);
  return hl_dump_entries_open_first (&context, NULL, &maps, error) &&
         hl_dump_entries_add (entries, &context, maps.n_batch, name, error);
}

static gboolean
has_attentions (char **members)
{
  return hl_dump_has_weights (members) || hl_dump_has_projections (members);
}

static gboolean
has_tokens (char **members)
{
  for (guint i = 0; members != NULL && hl_layout_token_names[i] != NULL; i++)
    if (hl_layout_names_find_tokens (members, hl_layout_token_names[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Whether weights are a list with a list for each step of a generation, rather than with a tensor for each layer. */
static gboolean
is_in_steps (const HlDumpContext *context,
             HlAttentionKind      kind)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strconcat (hl_dump_get_weights_name (kind), i == 0 ? "/0" : "s/0", NULL);
      if (hl_dump_context_get_kind (context, name) == HL_MEMBER_GROUP)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_matlab (const HlDumpContext *context)
{
  gboolean found = FALSE;

  for (guint kind = 0; kind < HL_N_ATTENTION_KINDS && !found; kind++)
    {
      const char *name = hl_dump_find_weights (context, kind);
      g_autofree char *path = name != NULL ? hl_dump_context_get_path (context, name) : NULL;
      found = path != NULL && hl_dataset_is_matlab (context->archive, path);
    }
  return found;
}

static gboolean
is_any_in_steps (const HlDumpContext *context)
{
  for (guint kind = 0; kind < HL_N_ATTENTION_KINDS; kind++)
    if (is_in_steps (context, kind))
      return TRUE;
  return FALSE;
}

/* Whether what can be read as data/dump-format.md says was likely meant otherwise: the first of five axes is 1, as of
 * one example, or could as well be that of examples, or MATLAB wrote it, or the tokens are called something else, or lie
 * in the group around it. A file that names its format is taken at its word. */
static gboolean
is_meant_otherwise (const HlDumpContext *context,
                    char               **beside,
                    const HlDumpMaps    *maps,
                    char               **members)
{
  g_autoptr (GVariant) format = hl_archive_get_attribute (context->archive, "", "format", NULL);

  if (format != NULL || !hl_dump_has_weights (members))
    return FALSE;
  if ((maps->n_batch > 1 && maps->layers[0].layer_axis == 0) || is_matlab (context))
    return TRUE;
  if (is_in_steps (context, HL_ATTENTION_DECODER) || is_in_steps (context, HL_ATTENTION_CROSS))
    return TRUE;
  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    if (hl_dump_context_get_kind (context, hl_layout_token_names[i]) == HL_MEMBER_STRINGS)
      return FALSE;
  return has_tokens (members) || has_tokens (beside);
}

/* Whether weights that cannot be read as data/dump-format.md says may be meant otherwise. */
static gboolean
can_be_otherwise (const GError *error,
                  char        **members)
{
  return hl_dump_has_weights (members) &&
         (g_error_matches (error, HL_ERROR, HL_ERROR_RANK) || g_error_matches (error, HL_ERROR, HL_ERROR_SHAPE) ||
          g_error_matches (error, HL_ERROR, HL_ERROR_DTYPE));
}

/* Adds what a list has for each example: a generation, or layers. */
static gboolean
add_lists (GPtrArray           *entries,
           HlLayoutLister      *lister,
           const HlDumpContext *context,
           char               **members,
           const char          *outer,
           char               **beside,
           guint                n,
           const char          *name,
           const HlLayoutAxes  *axes,
           GError             **error)
{
  if (!hl_dump_entries_check (entries->len + (guint64) n, error))
    return FALSE;
  g_auto (GStrv) named = hl_layout_pick_named (members);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (HlLayout) layout = NULL;
      g_autofree char *own = n > 1 ? g_strdup_printf ("%s%s%u", name != NULL ? name : "", name != NULL ? " " : "", i)
                                   : g_strdup (name);

      if (g_cancellable_set_error_if_cancelled (context->cancellable, error))
        return FALSE;
      layout = hl_layout_find (lister, context->group, named, outer, beside, i, axes);
      if (!hl_layout_check_listed (lister, error))
        return FALSE;
      if (layout == NULL)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                       _ ("element %u of a list of generations is not of steps with a tensor for each layer"), i);
          return FALSE;
        }
      if (!hl_dump_entries_add_layout (entries, context, layout, own, error))
        return FALSE;
    }
  return TRUE;
}

/* Adds what a group holds; @found is whether that is attention. @outer is where its tokens may be as well, among @beside, @axes those
 * that were chosen. */
static gboolean
add_group (GPtrArray          *entries,
           HlLayoutLister     *lister,
           const char         *group,
           const char         *outer,
           char              **beside,
           char              **members,
           const char         *name,
           const HlLayoutAxes *axes,
           gboolean           *found,
           GError            **error)
{
  const HlDumpContext context = { lister->archive, group, NULL, lister->cancellable };
  g_auto (HlDumpMaps) maps = { 0 };
  g_autoptr (GError) local_error = NULL;
  g_autoptr (HlLayout) layout = NULL;
  const gboolean is_plain = has_attentions (members);

  *found = TRUE;
  if (axes == NULL && is_plain && hl_dump_entries_open_first (&context, members, &maps, &local_error) &&
      !is_meant_otherwise (&context, beside, &maps, members))
    return hl_dump_entries_add (entries, &context, MAX (maps.n_batch, 1), name, error);
  if (local_error == NULL || can_be_otherwise (local_error, members))
    layout = hl_layout_find (lister, group, members, outer, beside, -1, axes);
  /* Layers that do not fit one another are no layers only if they are something else, be it the only one of a list. */
  if (local_error != NULL && !g_error_matches (local_error, HL_ERROR, HL_ERROR_RANK) &&
      hl_layout_get_n_steps (layout) == 0 && !is_any_in_steps (&context))
    g_clear_pointer (&layout, hl_layout_unref);
  const guint n_lists = layout == NULL ? hl_layout_steps_count_lists (lister, group, members) : 0;
  if (!hl_layout_check_listed (lister, error))
    return FALSE;
  if (layout != NULL)
    return hl_dump_entries_add_layout (entries, &context, layout, name, error);
  if (n_lists > 0)
    return add_lists (entries, lister, &context, members, outer, beside, n_lists, name, axes, error);
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  if (axes == NULL && is_plain)
    return hl_dump_entries_add (entries, &context, MAX (maps.n_batch, 1), name, error);
  *found = FALSE;
  return TRUE;
}

static void
set_nothing_found (const HlDumpContext *context,
                   const HlLayoutAxes  *axes,
                   GError             **error)
{
  if (axes == NULL)
    {
      hl_dump_set_nothing_found (context, error);
      return;
    }
  g_autofree char *meaning = hl_layout_axes_describe (axes);
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no stored attention in %s that could be read as %s"),
               *context->group != '\0' ? context->group : _ ("the file"), meaning);
}

/* There are more than are read, the first of the rest among them: that is said of all, not found out one by one. */
static gboolean
set_too_many (const GPtrArray *entries,
              HlArchive       *archive,
              const char      *group,
              char           **rest,
              GError         **error)
{
  guint64 n = entries->len;

  for (; *rest != NULL; rest++)
    {
      g_autofree char *path = hl_archive_join (group, *rest);
      n += hl_archive_get_kind (archive, path) == HL_MEMBER_GROUP;
    }
  return hl_dump_entries_check (n, error);
}

/* Marks what was added last as a layer where it is called so, by its name or by what is said in it. Returns whether it is. */
static gboolean
mark_layers (GPtrArray  *entries,
             guint       first,
             const char *name,
             char      **members)
{
  const gboolean is_layer = (hl_layout_names_are_layers (name) && strpbrk (name, "0123456789") != NULL) ||
                            g_strv_contains ((const char *const *) members, "layer");

  for (guint i = first; is_layer && i < entries->len; i++)
    ((HlDumpEntry *) entries->pdata[i])->is_layer = TRUE;
  return is_layer;
}

/* Examples that are members of a group: all of them when @all, else those that are. */
static gboolean
add_members (GPtrArray          *entries,
             HlLayoutLister     *lister,
             const char         *group,
             gboolean            all,
             const HlLayoutAxes *axes,
             HlProgress         *progress,
             GError            **error)
{
  HlArchive *archive = lister->archive;
  g_auto (GStrv) names = hl_archive_list (archive, group, error);
  const guint n = names != NULL ? g_strv_length (names) : 0;
  /* In examples what is called so is looked for; in groups that may be some each member is looked at. */
  const gsize most = all ? HL_LIMIT_EXAMPLE_MEMBERS : HL_LIMIT_MEMBERS;
  gsize n_members = 0;
  guint n_layers = 0;

  if (names == NULL || (all && !hl_dump_entries_check (n, error)))
    return FALSE;
  g_auto (GStrv) beside = all ? NULL : hl_layout_list_beside (archive, group, error);
  if (!all && beside == NULL)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = hl_archive_join (group, names[i]);
      const HlDumpContext context = { archive, path, NULL, lister->cancellable };
      /* Where all are read that may be, another group may still be something else. */
      g_autoptr (GPtrArray) beyond = entries->len >= HL_LIMIT_EXAMPLES ? hl_dump_entries_new () : NULL;
      const guint n_before = entries->len;
      gboolean found;

      if (g_cancellable_set_error_if_cancelled (lister->cancellable, error))
        return FALSE;
      if (!all && hl_archive_get_kind (archive, path) != HL_MEMBER_GROUP)
        continue;
      hl_progress_set (progress, (double) i / n, NULL);
      g_auto (GStrv) members = hl_archive_list (archive, path, error);
      n_members += members != NULL ? g_strv_length (members) : 0;
      /* Links of a small file can make many large groups of one. */
      if (n_members > most)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                       _ ("the groups in “%s” have more than %zu members together"), *group != '\0' ? group : "/",
                       most);
          return FALSE;
        }
      if (members == NULL || !add_group (beyond != NULL ? beyond : entries, lister, path, all ? NULL : group, beside,
                                         members, names[i], axes, &found, error))
        return FALSE;
      if (found && beyond != NULL)
        return set_too_many (entries, archive, group, names + i, error);
      if (!found && all)
        {
          set_nothing_found (&context, axes, error);
          return FALSE;
        }
      n_layers += !all && found && mark_layers (entries, n_before, names[i], members);
    }
  /* The only one needs no other. */
  for (guint i = 0; n_layers == 1 && i < entries->len; i++)
    ((HlDumpEntry *) entries->pdata[i])->is_layer = FALSE;
  return TRUE;
}

/* What somebody named. */
static gboolean
add_dataset (GPtrArray          *entries,
             HlArchive          *archive,
             const char         *path,
             const HlLayoutAxes *axes,
             GCancellable       *cancellable,
             GError            **error)
{
  g_autofree char *group = NULL;
  g_autoptr (HlLayout) layout = hl_layout_new_for_dataset (archive, path, axes, &group, cancellable, error);
  const HlDumpContext context = { archive, group, NULL, cancellable };

  return layout != NULL && hl_dump_entries_add_layout (entries, &context, layout, NULL, error);
}

/* Finds all examples of a file: the dataset that somebody chose, or else what lies at the root, and the members of
 * `examples`, each as many times as it has batch items; or, where neither is there, the groups of the root that hold
 * attention. The types and sizes of all of them are checked; no numbers are read. */
GPtrArray *
hl_dump_reader_list (HlArchive           *archive,
                     const HlOpenOptions *options,
                     HlProgress          *progress,
                     GCancellable        *cancellable,
                     GError             **error)
{
  const HlLayoutAxes *axes = options != NULL && options->axes.letters[0] != '\0' ? &options->axes : NULL;
  g_autoptr (GPtrArray) entries = hl_dump_entries_new ();
  const HlDumpContext root = { archive, "", NULL, cancellable };
  HlLayoutLister lister = { archive, cancellable };
  g_auto (GStrv) members = hl_archive_list (archive, "", error);
  const HlMemberKind examples = hl_archive_get_kind (archive, "examples");
  gboolean found;

  if (members == NULL)
    return NULL;
  if (options != NULL && options->dataset != NULL)
    return add_dataset (entries, archive, options->dataset, axes, cancellable, error) ? g_steal_pointer (&entries)
                                                                                      : NULL;
  if ((examples == HL_MEMBER_NONE || has_attentions (members)) &&
      !add_group (entries, &lister, "", NULL, NULL, members, NULL, axes, &found, error))
    return NULL;
  if (examples == HL_MEMBER_GROUP && !add_members (entries, &lister, "examples", TRUE, axes, progress, error))
    return NULL;
  if (examples == HL_MEMBER_NONE && entries->len == 0 &&
      !add_members (entries, &lister, "", FALSE, axes, progress, error))
    return NULL;
  /* The only one needs no name. */
  if (entries->len == 1 && examples == HL_MEMBER_NONE)
    g_clear_pointer (&((HlDumpEntry *) entries->pdata[0])->name, g_free);
  if (entries->len > 0)
    return g_steal_pointer (&entries);

  if (examples == HL_MEMBER_GROUP)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("the group “examples” is empty"));
  else if (examples != HL_MEMBER_NONE)
    g_set_error (error, HL_ERROR, HL_ERROR_DTYPE,
                 _ ("“examples” is not a group, and there is no “attention” beside it"));
  else
    set_nothing_found (&root, axes, error);
  return NULL;
}

/* The only attention of an example, as a layout has it or as data/dump-format.md says. */
static char *
find_only (HlArchive         *archive,
           const HlDumpEntry *entry)
{
  const HlDumpContext context = { .archive = archive, .group = entry->group };
  char *found = NULL;

  /* The others of a list are in tensors of their own. */
  if (entry->layout != NULL && entry->layout->element >= 0)
    return NULL;
  if (entry->layout != NULL)
    return entry->layout->attentions->len == 1 ? hl_layout_attention_get_dataset (entry->layout->attentions->pdata[0])
                                               : NULL;
  for (guint kind = 0; kind < HL_N_ATTENTION_KINDS; kind++)
    {
      const char *name = hl_dump_find_weights (&context, kind);
      if (name == NULL)
        continue;
      if (found != NULL)
        {
          g_free (found);
          return NULL;
        }
      found = hl_dump_context_get_path (&context, name);
    }
  return found;
}

/* Returns what #HlOpenOptions calls the tensor or series that all examples are in; %NULL if they are not in one. */
char *
hl_dump_reader_find_dataset (HlArchive *archive,
                             GPtrArray *entries)
{
  const HlDumpEntry *first = entries->pdata[0], *last = entries->pdata[entries->len - 1];

  /* Examples of one tensor are those of its batch. */
  return g_str_equal (first->group, last->group) ? find_only (archive, first) : NULL;
}

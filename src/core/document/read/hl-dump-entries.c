/* SPDX-License-Identifier: MIT */
/* The examples that attention of one kind of layout has: items of a batch, elements of a list, sequences of a
 * generation and each of their steps. */
#include "core/document/read/hl-dump-entries.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/document/read/hl-dump-steps.h"
#include "core/document/read/hl-dump-weights.h"

static void
free_entry (gpointer data)
{
  HlDumpEntry *entry = data;

  g_free (entry->name);
  g_free (entry->group);
  g_clear_pointer (&entry->layout, hl_layout_unref);
  g_free (entry);
}

/**
 * hl_dump_entries_new: (skip)
 *
 * Returns: (transfer full) (element-type HlDumpEntry): room for entries
 */
GPtrArray *
hl_dump_entries_new (void)
{
  return g_ptr_array_new_with_free_func (free_entry);
}

/**
 * hl_dump_entries_check: (skip)
 * @n_examples: how many examples a file would have
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Returns: whether that is not too many
 */
gboolean
hl_dump_entries_check (guint64  n_examples,
                       GError **error)
{
  if (n_examples <= HL_MAX_EXAMPLES)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("there are %" PRIu64 " examples in one file; at most %d are read"), n_examples,
               HL_MAX_EXAMPLES);
  return FALSE;
}

/**
 * hl_dump_entries_open_first: (skip)
 * @context: which example
 * @members: (nullable): the names of what is in its group; %NULL if a layout tells
 * @maps: maps with nothing in them
 * @error: as hl_dump_maps_open()
 *
 * Opens the first maps of an example, if it has any. Only names among its members are looked for: there may be a
 * hundred thousand examples.
 *
 * Returns: %FALSE if there are some, but they cannot be opened
 */
gboolean
hl_dump_entries_open_first (const HlDumpContext *context,
                            char               **members,
                            HlDumpMaps          *maps,
                            GError             **error)
{
  gboolean opened = TRUE;

  if (context->layout != NULL || hl_dump_has_weights (members))
    for (guint kind = 0; kind < HL_N_ATTENTION_KINDS && opened && maps->n_layers == 0; kind++)
      opened = hl_dump_open_weights (context, kind, maps, error);
  if (opened && maps->n_layers == 0 && members != NULL &&
      g_strv_contains ((const char *const *) members, "queries"))
    opened = hl_dump_open_maps (context, "queries", HL_DUMP_MAPS_PROJECTIONS, maps, error);
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

/**
 * hl_dump_entries_add: (skip)
 * @entries: (element-type HlDumpEntry): where to add
 * @context: which example, or which batch of them
 * @n_batch: how many items it has
 * @name: (nullable): what it is called
 * @error: %HL_ERROR_TOO_LARGE
 *
 * Adds an example, or one for each batch item.
 *
 * Returns: whether there was room
 */
gboolean
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
        entry->name =
          g_strdup_printf (_ ("%s%sstep %" PRIu64), name != NULL ? name : "", name != NULL ? " " : "", i);
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
  g_autofree char *which = step == HL_DUMP_ALL_STEPS ? g_strdup (_ ("All steps"))
                                                     : g_strdup_printf (is_prompt ? _ ("Step %" PRId64 " (prompt)")
                                                                                  : _ ("Step %" PRId64), step);

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
  const gboolean with_steps = n_batch * (n_steps + 1) + entries->len <= HL_MAX_EXAMPLES;
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
          entry->name = g_strdup_printf (_ ("%s%sstep %" PRIu64), item != NULL ? item : "",
                                         item != NULL ? " · " : "", (guint64) step);
        }
    }
  return TRUE;
}

/**
 * hl_dump_entries_add_layout: (skip)
 * @entries: (element-type HlDumpEntry): where to add
 * @plain: which group
 * @layout: how it is to be read
 * @name: (nullable): what it is called
 * @error: any of #HlError
 *
 * Adds all examples that a layout has.
 *
 * Returns: whether they can be read and there was room
 */
gboolean
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

/* SPDX-License-Identifier: MIT */
/* Where attention and tokens are in a file that is not as data/dump-format.md says, once that was found. */
#include "core/document/guess/hl-layout.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/text/hl-text-hash.h"

static void
free_attention (gpointer data)
{
  HlLayoutAttention *attention = data;

  g_strfreev (attention->paths);
  g_free (attention->series);
  g_free (attention->beams);
  g_clear_pointer (attention->places, g_bytes_unref);
  g_free (attention->places);
  g_free (attention);
}

static void
clear_layout (gpointer data)
{
  HlLayout *self = data;

  g_ptr_array_unref (self->attentions);
  g_hash_table_unref (self->names);
  g_ptr_array_unref (self->notes);
}

/* In which nothing was found yet. */
HlLayout *
hl_layout_new (void)
{
  HlLayout *self = g_atomic_rc_box_new0 (HlLayout);

  self->attentions = g_ptr_array_new_with_free_func (free_attention);
  self->names = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, g_free);
  self->notes = g_ptr_array_new_with_free_func (g_object_unref);
  self->element = -1;
  return self;
}

HlLayout *
hl_layout_ref (HlLayout *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
hl_layout_unref (HlLayout *self)
{
  g_atomic_rc_box_release_full (self, clear_layout);
}

const HlLayoutAttention *
hl_layout_find_attention (const HlLayout *self,
                          HlAttentionKind kind)
{
  for (guint i = 0; i < self->attentions->len; i++)
    if (((const HlLayoutAttention *) self->attentions->pdata[i])->kind == kind)
      return self->attentions->pdata[i];
  return NULL;
}

/* The first kind of attention that comes in steps or as a list of examples. */
static const HlLayoutAttention *
find_steps (const HlLayout *self)
{
  for (guint i = 0; self != NULL && i < self->attentions->len; i++)
    if (((const HlLayoutAttention *) self->attentions->pdata[i])->n_steps > 0)
      return self->attentions->pdata[i];
  return NULL;
}

/* Returns how many steps of a generation, or examples of a list, it has; 0 if it is neither. */
guint
hl_layout_get_n_steps (const HlLayout *self)
{
  const HlLayoutAttention *attention = find_steps (self);

  return attention != NULL ? attention->n_steps : 0;
}

gboolean
hl_layout_is_generation (const HlLayout *self)
{
  const HlLayoutAttention *attention = find_steps (self);

  return attention != NULL && attention->is_generation;
}

/* Returns what #HlOpenOptions calls its tensor, or its series of them: with `#` in place of the numbers of names that
 * count. */
char *
hl_layout_attention_get_dataset (const HlLayoutAttention *self)
{
  return g_strdup (self->series != NULL && self->paths[1] != NULL ? self->series : self->paths[0]);
}

/* Makes steps or examples of an axis of the tensors, where these are chosen from beside examples: an axis of steps, or
 * the first of two axes of examples. Steps are those of one generation if each has but some of the queries; maps with
 * as many queries as keys stand on their own. */
void
hl_layout_attention_set_outer (HlLayoutAttention *self,
                               const HlShape     *shape)
{
  const char *letters = self->axes.letters;
  const char *steps = strchr (letters, 's'), *first = strchr (letters, 'b');
  const char *outer = steps != NULL ? steps : first != NULL && strchr (first + 1, 'b') != NULL ? first : NULL;
  const char *queries = strchr (letters, 'q'), *keys = strchr (letters, 'k');

  /* Axes that do not fit are found when the tensor is opened. */
  if (outer == NULL || queries == NULL || keys == NULL || strlen (letters) != shape->rank ||
      shape->dims[outer - letters] == 0 || (outer == steps && shape->dims[outer - letters] == 1))
    return;
  const guint64 n_queries = shape->dims[queries - letters];
  self->outer = (guint) (outer - letters) + 1;
  self->n_steps = (guint) MIN (shape->dims[outer - letters], G_MAXINT);
  self->is_generation = outer == steps && (n_queries == 1 || n_queries != shape->dims[keys - letters]);
}

guint
hl_layout_attention_get_per_step (const HlLayoutAttention *self)
{
  return g_strv_length (self->paths) / (self->outer > 0 ? 1 : self->n_steps);
}

/* Returns it as if there were no others. Its paths belong to @self, and those of the steps after it follow. */
HlLayoutAttention
hl_layout_attention_get_step (const HlLayoutAttention *self,
                              guint                    step)
{
  HlLayoutAttention attention = { .kind = self->kind, .paths = self->paths, .axes = self->axes };

  if (self->outer == 0)
    {
      attention.paths += (gsize) step * hl_layout_attention_get_per_step (self);
      return attention;
    }
  attention.axes.letters[self->outer - 1] = 'x';
  attention.axes.indices[self->outer - 1] = step;
  return attention;
}

/* Lists of lists are for as many of these as they are deep, the outermost first: the element in which @self was found,
 * the example of a list, the example of a batch. */
char *
hl_layout_get_path (const HlLayout *self,
                    const char     *name,
                    gint64          step,
                    guint64         batch,
                    HlArchive      *archive)
{
  const HlLayoutAttention *attention = find_steps (self);
  const gboolean is_listed = attention != NULL && !attention->is_generation &&
                             strchr (attention->axes.letters, 's') == NULL;
  const gint64 indices[] = { self->element, is_listed ? step : -1, (gint64) batch };
  char *path = g_strdup (g_hash_table_lookup (self->names, name));

  for (guint i = 0; path != NULL && i < G_N_ELEMENTS (indices); i++)
    {
      if (indices[i] < 0 || hl_archive_get_kind (archive, path) != HL_MEMBER_GROUP)
        continue;
      char *inside = g_strdup_printf ("%s/%" PRId64, path, indices[i]);
      g_free (path);
      path = inside;
    }
  return path;
}

/* SPDX-License-Identifier: MIT */
/* Which series of members may be attention, and of which kind: by their names, and by the sizes of the first of each. */
#include "core/document/guess/hl-layout-series.h"

#include <string.h>

#include "core/base/hl-limits.h"
#include "core/base/text/hl-text-hash.h"
#include "core/document/guess/hl-dataset-shape.h"
#include "core/document/guess/hl-layout-names.h"
#include "core/document/guess/hl-layout-patterns.h"

/* The most series of names that are looked at, of two numbers and of one. */
#define MAX_SERIES 64

static void
free_series (gpointer data)
{
  HlLayoutSeries *self = data;

  g_free (self->pattern);
  g_free (self);
}

static gboolean
has_word (const char *text,
          const char *word)
{
  for (const char *found = strstr (text, word); found != NULL; found = strstr (found + 1, word))
    if ((found == text || !g_ascii_isalpha (found[-1])) && !g_ascii_isalpha (found[strlen (word)]))
      return TRUE;
  return FALSE;
}

/* What a decoder has of the encoder's name is its attention to it; encoder_decoder may be the name of the model. */
static HlAttentionKind
get_kind (const char *pattern)
{
  g_autofree char *name = g_ascii_strdown (pattern, -1);
  const gboolean is_decoder = strstr (name, "decoder") != NULL || has_word (name, "dec");

  if (strstr (name, "cross") != NULL || strstr (name, "encdec") != NULL || strstr (name, "enc_dec") != NULL ||
      strstr (name, "encoder_decoder_att") != NULL || (is_decoder && strstr (name, "encoder_att") != NULL))
    return HL_ATTENTION_CROSS;
  if (is_decoder)
    return HL_ATTENTION_DECODER;
  return strstr (name, "encoder") != NULL || has_word (name, "enc") ? HL_ATTENTION_ENCODER : HL_ATTENTION_SELF;
}

static gboolean
is_map (const HlLayoutSeries *self)
{
  return self->first.rank >= 3 && self->first.dims[self->first.rank - 2] == self->first.dims[self->first.rank - 1];
}

static gboolean
has_attention (HlLayoutLister *lister,
               const char     *path)
{
  g_auto (GStrv) inside = hl_layout_lister_list (lister, path);

  for (guint i = 0; inside != NULL && inside[i] != NULL; i++)
    if (hl_layout_names_is_attention (inside[i]))
      return TRUE;
  return FALSE;
}

static void
add (GPtrArray  *found,
     HlArchive  *archive,
     const char *group,
     const char *name,
     const char *pattern,
     gboolean    is_pair)
{
  g_autofree char *path = hl_archive_join (group, name);
  HlShape shape = { 0 };

  if (!hl_dataset_look_at (archive, path, &shape, NULL) && hl_archive_get_kind (archive, path) != HL_MEMBER_GROUP)
    return;
  HlLayoutSeries *self = g_new0 (HlLayoutSeries, 1);
  self->pattern = g_strdup (pattern);
  self->name = name;
  self->is_pair = is_pair;
  self->rating = hl_layout_names_rate (pattern);
  self->kind = get_kind (pattern);
  self->first = shape;
  g_ptr_array_add (found, self);
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const HlLayoutSeries *one = *(HlLayoutSeries *const *) a, *two = *(HlLayoutSeries *const *) b;

  if (one->rating != two->rating)
    return two->rating - one->rating;
  if (one->is_pair != two->is_pair)
    return two->is_pair - one->is_pair;
  if (is_map (one) != is_map (two))
    return is_map (two) - is_map (one);
  return (int) two->first.rank - (int) one->first.rank;
}

/* Maps of a decoder's queries over other keys, beside those of its own, are of cross-attention. */
static gboolean
is_cross_beside (const HlLayoutSeries *self,
                 const HlLayoutSeries *own)
{
  const HlShape *shape = &own->first;

  return self->kind == HL_ATTENTION_DECODER && own->kind == HL_ATTENTION_DECODER && self->rating == own->rating &&
         is_map (own) && !is_map (self) && self->first.rank == shape->rank &&
         memcmp (self->first.dims, shape->dims, (shape->rank - 1) * sizeof *shape->dims) == 0;
}

static gboolean
has_kind (const GPtrArray *series,
          HlAttentionKind  kind,
          int              rating)
{
  for (guint i = 0; i < series->len; i++)
    {
      const HlLayoutSeries *one = series->pdata[i];
      if (one->kind == kind && one->rating == rating)
        return TRUE;
    }
  return FALSE;
}

/* What names leave open is told by what is beside it: self-attention beside cross-attention is the decoder's. */
static void
tell_kinds (GPtrArray *series)
{
  for (guint i = 0; i < series->len; i++)
    for (guint k = 0; k < series->len; k++)
      if (is_cross_beside (series->pdata[i], series->pdata[k]))
        {
          ((HlLayoutSeries *) series->pdata[i])->kind = HL_ATTENTION_CROSS;
          break;
        }
  for (guint i = 0; i < series->len; i++)
    {
      HlLayoutSeries *one = series->pdata[i];
      g_autofree char *name = g_ascii_strdown (one->pattern, -1);

      if (one->kind == HL_ATTENTION_SELF && strstr (name, "self") != NULL &&
          has_kind (series, HL_ATTENTION_CROSS, one->rating) && !has_kind (series, HL_ATTENTION_DECODER, one->rating))
        one->kind = HL_ATTENTION_DECODER;
    }
}

/* Returns what is numbered among members, the likeliest by its name first. */
GPtrArray *
hl_layout_series_list (HlArchive  *archive,
                       const char *group,
                       char      **members)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (free_series);
  g_autoptr (HlLayoutPatterns) patterns = hl_layout_patterns_new (members);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  guint n_seen[2] = { 0 };

  /* A model has so many parameters that no series of them needs to be looked at. */
  for (guint i = 0; i < HL_LIMIT_LAYERS * 4 && members[i] != NULL; i++)
    for (guint is_pair = 0; is_pair < 2; is_pair++)
      {
        g_autofree char *pattern = is_pair ? hl_layout_patterns_get_pair (patterns, members[i])
                                           : hl_layout_patterns_get (patterns, members[i]);
        if (pattern == NULL || n_seen[is_pair] == MAX_SERIES || g_hash_table_contains (seen, pattern))
          continue;
        n_seen[is_pair]++;
        add (found, archive, group, members[i], pattern, is_pair != 0);
        g_hash_table_add (seen, g_steal_pointer (&pattern));
      }
  tell_kinds (found);
  g_ptr_array_sort (found, compare);
  return found;
}

/* Whether a group that is called a layer could be likelier than @self, and stand beside what was @taken, if anything was. */
gboolean
hl_layout_series_may_be_less (const HlLayoutSeries *self,
                              const HlLayoutSeries *taken)
{
  const int rating = hl_layout_names_rate ("attention");

  return self->rating < rating && (taken == NULL || (taken->first.rank == 0 && taken->rating == rating));
}

/* Groups that are called layers are as likely as what is in them. They are looked into only where names tell nothing: each may
 * have a hundred thousand members. */
void
hl_layout_series_look_inside (GPtrArray      *series,
                              HlLayoutLister *lister,
                              const char     *group)
{
  const int rating = hl_layout_names_rate ("attention");

  for (guint i = 0; i < series->len; i++)
    {
      HlLayoutSeries *self = series->pdata[i];
      g_autofree char *path = hl_archive_join (group, self->name);

      if (self->first.rank == 0 && self->rating < rating && !self->is_pair &&
          hl_layout_names_are_layers (self->pattern) && has_attention (lister, path))
        self->rating = rating;
    }
  tell_kinds (series);
  g_ptr_array_sort (series, compare);
}

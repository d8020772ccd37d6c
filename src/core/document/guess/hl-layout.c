/* SPDX-License-Identifier: MIT */
/* Where attention and tokens are in a file that is not as data/dump-format.md says, once that was found. */
#include "core/document/guess/hl-layout.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"
#include "core/document/attention/hl-check.h"
#include "core/document/guess/hl-dataset-shape.h"
#include "core/document/guess/hl-layout-names.h"
#include "core/document/guess/hl-layout-patterns.h"
#include "core/document/guess/hl-layout-series.h"
#include "core/document/guess/hl-layout-steps.h"

/* Of a name, in a sentence about it: a session can say any. */
#define MAX_SHOWN 200

/* Layers that are named by their numbers; the rest is not. */
#define MAX_NAMED 32

static void
free_attention (gpointer data)
{
  HlLayoutAttention *attention = data;

  g_strfreev (attention->paths);
  g_free (attention->series);
  g_free (attention->beams);
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

static HlLayout *
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
static void
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

/* Attention as people save it: by the names and sizes of what is in a file, which of it is attention, how its axes are
 * meant, and where the tokens are. What was guessed is said. */

#define N_KINDS 4

/* Series that are named which could be attention as well; the rest is not. */
#define MAX_OTHERS 8

/* Beside more members, strings are not looked for that say nothing of themselves. */
#define MAX_BESIDE 256

typedef struct
{
  HlArchive *archive;
  const char *group;
  char **members;
  GCancellable *cancellable;
  HlLayout *layout;
  const HlLayoutAxes *axes; /* those that somebody chose */
  gint64 element;           /* which element of what is called attention is meant; -1 for all of it */
  guint n_lists;            /* of tokens, one for each example; 0 where that is not known */
} Finder;

/* Keeps a sentence about how something was read. */
static void
add_note (Finder     *self,
          gboolean    ambiguous,
          const char *text)
{
  g_ptr_array_add (self->layout->notes, hl_check_new_about (ambiguous ? HL_CHECK_TOPIC_AXES : HL_CHECK_TOPIC_NONE,
                                                            HL_SEVERITY_INFO, "%s", text));
}

static void
note (Finder             *self,
      const char         *name,
      const HlShape      *shape,
      const HlLayoutAxes *axes,
      gboolean            ambiguous)
{
  g_autofree char *sizes = hl_shape_to_string (shape);
  g_autofree char *meaning = hl_layout_axes_describe (axes);
  g_autofree char *start = hl_utf8_shorten (name, 60);
  g_autofree char *text = g_strdup_printf (self->axes != NULL ? _ ("“%s” (%s) is read as %s, as was asked for")
                                           : ambiguous ? _ ("“%s” (%s) was read as %s; nothing in the file says so")
                                                       : _ ("“%s” (%s) was read as %s"),
                                           start, sizes, meaning);

  hl_utf8_flatten (text);
  add_note (self, ambiguous, text);
}

/* Lists numbers in names; %NULL where they count from 0 or 1 and leave out none. */
static char *
list_numbers (const GArray *numbers)
{
  g_autoptr (GString) list = g_string_new (NULL);
  gboolean from_0 = TRUE, from_1 = TRUE;

  for (guint i = 0; i < numbers->len; i++)
    {
      const guint64 number = g_array_index (numbers, guint64, i);

      from_0 &= number == i;
      from_1 &= number == (guint64) i + 1;
      if (i < MAX_NAMED)
        g_string_append_printf (list, "%s%" PRIu64, i > 0 ? ", " : "", number);
    }
  if (from_0 || from_1)
    return NULL;
  if (numbers->len > MAX_NAMED)
    g_string_append (list, ", …");
  return g_string_free (g_steal_pointer (&list), FALSE);
}

/* Says which layers those of the file are where it leaves some out. */
static void
note_layers (Finder       *self,
             const GArray *numbers)
{
  g_autofree char *list = list_numbers (numbers);
  g_autofree char *text =
    list != NULL
      ? g_strdup_printf (_ ("the file has only these layers of the model, which are counted from 0 here: %s"), list)
      : NULL;

  if (text != NULL)
    add_note (self, FALSE, text);
}

static void
note_heads (Finder       *self,
            const GArray *numbers)
{
  g_autofree char *list = list_numbers (numbers);
  g_autofree char *text =
    list != NULL
      ? g_strdup_printf (_ ("the file has only these heads of a layer, which are counted from 0 here: %s"), list)
      : NULL;

  if (text != NULL)
    add_note (self, FALSE, text);
}

static HlLayoutAttention *
add_attention (Finder             *self,
               HlAttentionKind     kind,
               char              **paths,
               const HlLayoutAxes *axes,
               gboolean            ambiguous)
{
  HlLayoutAttention *attention = g_new0 (HlLayoutAttention, 1);

  attention->kind = kind;
  attention->paths = paths;
  attention->axes = *axes;
  attention->ambiguous = ambiguous;
  g_ptr_array_add (self->layout->attentions, attention);
  return attention;
}

/* Whether MATLAB wrote a dataset: it says the class of each. */
gboolean
hl_layout_is_matlab (HlArchive  *archive,
                     const char *path)
{
  g_autoptr (GVariant) class = hl_archive_get_attribute (archive, path, "MATLAB_class", NULL);

  return class != NULL;
}

static void
note_matlab (Finder     *self,
             const char *path)
{
  g_autofree char *start = hl_utf8_shorten (path, 60);
  g_autofree char *text = g_strdup_printf (
    _ ("“%s” was written by MATLAB, which reverses the order of axes; they are named as they lie in the file"), start);

  hl_utf8_flatten (text);
  add_note (self, FALSE, text);
}

/* The axes that somebody chose, which are held against the tensors when these are opened; else the likeliest. */
static gboolean
choose_axes (Finder        *self,
             HlLayoutAxes  *axes,
             const char    *path,
             const HlShape *shape,
             gboolean       one_layer,
             gboolean      *ambiguous)
{
  *ambiguous = FALSE;
  if (self->axes == NULL && path != NULL && hl_layout_is_matlab (self->archive, path))
    {
      note_matlab (self, path);
      return hl_layout_axes_guess_reversed (axes, shape, one_layer, ambiguous);
    }
  if (self->axes == NULL)
    return hl_layout_axes_guess (axes, shape, one_layer, ambiguous);
  *axes = *self->axes;
  return TRUE;
}

/* Of layers and examples, examples are what there are as many of as lists of tokens. */
static void
fit_axes (const Finder  *self,
          HlLayoutAxes  *axes,
          const HlShape *shape,
          gboolean      *ambiguous)
{
  char *layers = strchr (axes->letters, 'l'), *examples = strchr (axes->letters, 'b');

  if (self->n_lists == 0 || shape->rank > 5 || layers == NULL)
    return;
  const gboolean are_layers = shape->dims[layers - axes->letters] != self->n_lists;
  const gboolean are_examples = examples == NULL || shape->dims[examples - axes->letters] == self->n_lists;
  if (are_layers && examples != NULL && are_examples)
    *ambiguous = FALSE;
  if (are_layers || (examples != NULL && are_examples))
    return;
  *layers = 'b';
  if (examples != NULL)
    *examples = 'l';
  *ambiguous = FALSE;
}

/* A tensor with all layers. */
static gboolean
add_tensor (Finder         *self,
            HlAttentionKind kind,
            const char     *name)
{
  g_autofree char *path = hl_archive_join (self->group, name);
  HlLayoutAxes axes;
  HlShape shape;
  gboolean ambiguous;

  if (!hl_dataset_look_at (self->archive, path, &shape, NULL) ||
      !choose_axes (self, &axes, path, &shape, FALSE, &ambiguous))
    return FALSE;
  fit_axes (self, &axes, &shape, &ambiguous);
  const char *const paths[] = { path, NULL };
  hl_layout_attention_set_outer (add_attention (self, kind, g_strdupv ((char **) paths), &axes, ambiguous), &shape);
  note (self, name, &shape, &axes, ambiguous);
  return TRUE;
}

/* A list with an element for each step of a generation, or for each example. */
static gboolean
add_steps (Finder              *self,
           HlAttentionKind      kind,
           const char          *name,
           const HlLayoutSteps *steps)
{
  g_autofree char *start = hl_utf8_shorten (name, 60);
  g_autofree char *sizes = hl_shape_to_string (&steps->first);
  g_autofree char *beams = hl_archive_join (self->group, "beam_indices");
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  HlLayoutAxes axes;
  gboolean ambiguous;

  if (!choose_axes (self, &axes, steps->paths->pdata[0], &steps->first, steps->one_layer, &ambiguous))
    return FALSE;
  for (guint i = 0; i < steps->paths->len; i++)
    g_strv_builder_add (builder, steps->paths->pdata[i]);
  HlLayoutAttention *attention = add_attention (self, kind, g_strv_builder_end (builder), &axes, ambiguous);
  /* A list of one is that one. */
  attention->n_steps = steps->n_steps > 1 ? steps->n_steps : 0;
  attention->is_generation = steps->is_generation;
  if (attention->is_generation && hl_archive_get_kind (self->archive, beams) == HL_MEMBER_TENSOR)
    attention->beams = g_steal_pointer (&beams);

  if (steps->layers->len > 1)
    note_layers (self, steps->layers);
  if (attention->n_steps == 0)
    {
      note (self, name, &steps->first, &axes, ambiguous);
      return TRUE;
    }
  g_autofree char *meaning = hl_layout_axes_describe (&axes);
  g_autofree char *text =
    g_strdup_printf (steps->is_generation
                       ? _ ("“%s” was read as %u steps of a generation, each tensor of them (first %s) as %s")
                       : _ ("“%s” was read as %u examples, each tensor of them (first %s) as %s"),
                     start, steps->n_steps, sizes, meaning);
  hl_utf8_flatten (text);
  add_note (self, ambiguous, text);
  return TRUE;
}

/* Whether groups are to be read as layers of heads: not if somebody said what the axes of each tensor are, or if there
 * are tokens for each group. */
static gboolean
wants_heads (const Finder        *self,
             const HlLayoutSteps *steps)
{
  return steps->are_heads && (self->axes == NULL || strlen (self->axes->letters) == 3) &&
         (self->n_lists == 0 || self->n_lists != steps->n_steps);
}

/* Layers with a tensor for each head. */
static gboolean
add_heads (Finder              *self,
           HlAttentionKind      kind,
           const char          *name,
           const HlLayoutSteps *steps)
{
  const guint n_heads = steps->paths->len / steps->n_steps;
  const HlShape layer = { .rank = 3, .dims = { n_heads, steps->first.dims[0], steps->first.dims[1] } };
  g_autofree char *start = hl_utf8_shorten (name, 60);
  g_autofree char *sizes = hl_shape_to_string (&steps->first);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  HlLayoutAxes axes;
  gboolean ambiguous;

  /* Heads come first in any case. */
  if (!choose_axes (self, &axes, NULL, &layer, TRUE, &ambiguous))
    return FALSE;
  if (self->axes == NULL && hl_layout_is_matlab (self->archive, steps->paths->pdata[0]))
    g_strlcpy (axes.letters, "hkq", sizeof axes.letters);
  for (guint i = 0; i < steps->paths->len; i++)
    g_strv_builder_add (builder, steps->paths->pdata[i]);
  add_attention (self, kind, g_strv_builder_end (builder), &axes, ambiguous)->n_heads = n_heads;
  g_autofree char *text =
    steps->n_steps == 1
      ? g_strdup_printf (_ ("“%s” was read as one layer with a tensor for each of %u heads (first %s)"), start, n_heads,
                         sizes)
      : g_strdup_printf (_ ("“%s” was read as %u layers with a tensor for each of %u heads (first %s)"), start,
                         steps->n_steps, n_heads, sizes);
  hl_utf8_flatten (text);
  add_note (self, ambiguous, text);
  if (steps->groups->len > 1)
    note_layers (self, steps->groups);
  if (steps->layers->len > 1)
    note_heads (self, steps->layers);
  return TRUE;
}

/* Maps that are called heads: those of one layer. */
static gboolean
are_heads (const Finder  *self,
           const HlShape *common,
           guint          n,
           const char    *pattern)
{
  return n > 1 && n <= HL_LIMIT_HEADS && common->rank == 2 && common->dims[0] > 0 && common->dims[1] > 0 &&
         hl_layout_pattern_are_heads (pattern) && (self->axes == NULL || strlen (self->axes->letters) == 3);
}

/* Whether members are a text each: there are as many as lists of tokens, or they are called so. */
static gboolean
are_texts (const Finder  *self,
           const char    *pattern,
           guint          n,
           const HlShape *first)
{
  if (hl_layout_names_are_layers (pattern) || (first->rank == 4 && first->dims[0] == self->n_lists))
    return FALSE;
  return n == self->n_lists || (hl_layout_names_are_examples (pattern) &&
                                (self->axes == NULL || strpbrk (self->axes->letters, "bs") == NULL));
}

/* Returns how long the first axis of that letter is; 0 if there is none. */
static guint64
get_length (Finder                  *self,
            const HlLayoutAttention *attention,
            char                     letter)
{
  const char *axis = strchr (attention->axes.letters, letter);
  const guint n_apart = attention->n_heads > 0;
  const gsize place = axis != NULL ? (gsize) (axis - attention->axes.letters) : 0;
  HlShape shape;

  if (axis == NULL || place < n_apart || !hl_dataset_look_at (self->archive, attention->paths[0], &shape, NULL) ||
      place - n_apart >= shape.rank)
    return 0;
  return shape.dims[place - n_apart];
}

static void
set_kind (Finder                  *self,
          const HlLayoutAttention *attention,
          HlAttentionKind          kind,
          const char              *name)
{
  g_autofree char *text =
    g_strdup_printf (_ ("“%s” was taken for the attention called “%s” here, by its sizes and what is beside it"), name,
                     hl_attention_kind_get_label (kind));

  ((HlLayoutAttention *) attention)->kind = kind;
  add_note (self, FALSE, text);
}

/* Names that do not tell the kind of attention where there is cross-attention: of a layer of a decoder, `self_attn` and, as fairseq
 * and BART call its attention to the encoder, `encoder_attn`. */
static void
tell_kinds (Finder            *self,
            const char *const *names)
{
  const HlLayoutAttention *own = hl_layout_find_attention (self->layout, HL_ATTENTION_SELF);
  const HlLayoutAttention *encoder = hl_layout_find_attention (self->layout, HL_ATTENTION_ENCODER);
  const HlLayoutAttention *cross = hl_layout_find_attention (self->layout, HL_ATTENTION_CROSS);
  const gboolean is_self = own != NULL && g_ascii_strncasecmp (names[HL_ATTENTION_SELF], "self_att", 8) == 0;

  if (encoder != NULL && names[HL_ATTENTION_ENCODER] != NULL && names[HL_ATTENTION_CROSS] == NULL &&
      g_ascii_strncasecmp (names[HL_ATTENTION_ENCODER], "encoder_attn", 12) == 0 &&
      (get_length (self, encoder, 'q') != get_length (self, encoder, 'k') ||
       (is_self && names[HL_ATTENTION_DECODER] == NULL)))
    {
      cross = g_steal_pointer (&encoder);
      set_kind (self, cross, HL_ATTENTION_CROSS, names[HL_ATTENTION_ENCODER]);
    }
  if (!is_self || cross == NULL)
    return;
  const guint64 n = get_length (self, own, 'q');
  if (names[HL_ATTENTION_DECODER] == NULL && n == get_length (self, cross, 'q'))
    set_kind (self, own, HL_ATTENTION_DECODER, names[HL_ATTENTION_SELF]);
  else if (encoder == NULL && n == get_length (self, cross, 'k'))
    set_kind (self, own, HL_ATTENTION_ENCODER, names[HL_ATTENTION_SELF]);
}

static gboolean read_series (Finder *self,
                             HlAttentionKind kind,
                             const char *group,
                             char **members,
                             const char *pattern,
                             gboolean in_layers);

/* Names of what is in groups, behind those of the groups: of all, or of those that are called so. */
static char **
list_inside (Finder     *self,
             const char *group,
             char      **groups,
             const char *pattern,
             const char *name)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  guint64 numbers[2];

  for (guint n = 0; *groups != NULL && n < HL_LIMIT_PARTS; groups++)
    {
      const char *const only[] = { name, NULL };
      g_autofree char *path = hl_archive_join (group, *groups);

      if (hl_layout_pattern_match (pattern, *groups, numbers) == 0)
        continue;
      g_auto (GStrv) inside = name != NULL ? g_strdupv ((char **) only) : hl_archive_list (self->archive, path, NULL);
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
add_named_in_layers (Finder         *self,
                     HlAttentionKind kind,
                     const char     *group,
                     char          **members,
                     const char     *pattern,
                     char          **inside)
{
  const char *names[N_KINDS] = { NULL };
  gboolean found = FALSE;

  for (guint i = 0; i < N_KINDS; i++)
    {
      names[i] = hl_layout_names_find (inside, i);
      found |= names[i] != NULL;
    }
  if (!found)
    names[HL_ATTENTION_SELF] = find_only_named (inside);
  found = FALSE;
  for (guint i = 0; i < N_KINDS; i++)
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
    tell_kinds (self, names);
  return found;
}

/* Groups that are called layers: of what is called attention in each, or of examples, which are numbered. Those that have
 * tokens each are no layers, and a file that names its format has examples elsewhere. */
static gboolean
add_layer_groups (Finder         *self,
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
                   ? hl_archive_list (self->archive, path, NULL)
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
read_series (Finder         *self,
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
  if (is_pair ? hl_layout_steps_find_pairs (&steps, self->archive, group, members, pattern, self->cancellable)
              : (self->axes == NULL || strchr (self->axes->letters, 's') == NULL) &&
                  hl_layout_steps_find (&steps, self->archive, group, members, pattern, self->cancellable))
    return wants_heads (self, &steps) ? add_heads (self, kind, label, &steps) : add_steps (self, kind, label, &steps);
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
      if (g_cancellable_is_cancelled (self->cancellable) || !hl_dataset_look_at (self->archive, path, &shape, NULL) ||
          (n > 0 && shape.rank != first.rank))
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
      return add_steps (self, kind, label, &steps);
    }
  if (are_heads (self, &common, n, pattern))
    {
      hl_layout_steps_clear (&steps);
      steps = (HlLayoutSteps){ .paths = g_steal_pointer (&paths),
                               .n_steps = 1,
                               .first = first,
                               .layers = g_steal_pointer (&numbers),
                               .groups = g_array_new (FALSE, FALSE, sizeof (guint64)) };
      return add_heads (self, kind, label, &steps);
    }
  if (n == 0 || !choose_axes (self, &axes, paths->pdata[0], &first, TRUE, &ambiguous))
    return FALSE;
  /* As layers of a batch lie, so do layers of texts, each of which is a tensor. */
  ambiguous |= n > 1 && self->axes == NULL && first.rank == 4 && first.dims[0] > 1 &&
               (first.dims[0] != self->n_lists || n == self->n_lists) && !hl_layout_names_are_layers (pattern);
  g_ptr_array_add (paths, NULL);
  char **all = (char **) g_ptr_array_free (g_steal_pointer (&paths), FALSE);
  hl_layout_attention_set_outer (add_attention (self, kind, all, &axes, ambiguous), &common);
  note (self, label, &first, &axes, ambiguous);
  /* A number of the only name is that of a layer only where it is called so, and there is no other. */
  if (strchr (axes.letters, 'l') == NULL &&
      (n > 1 || (hl_layout_names_are_layers (pattern) && strpbrk (pattern, "0123456789") == NULL)))
    note_layers (self, numbers);
  return TRUE;
}

static gboolean
add_series (Finder         *self,
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
tell_kinds_apart (const Finder    *self,
                  const GPtrArray *series,
                  int              rating)
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
note_others (Finder          *self,
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
  add_note (self, FALSE, text);
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
static gboolean
add_likeliest (Finder         *self,
               HlAttentionKind kind,
               const char     *group,
               char          **members,
               int             least)
{
  g_autoptr (GPtrArray) series = hl_layout_series_list (self->archive, group, members);
  g_autoptr (GPtrArray) taken = g_ptr_array_new (), others = g_ptr_array_new ();

  for (guint i = 0; i < series->len; i++)
    {
      HlLayoutSeries *one = series->pdata[i];
      const HlLayoutSeries *first = taken->len > 0 ? taken->pdata[0] : NULL;

      if (first != NULL && one->rating < first->rating)
        break;
      if (one->rating < MIN (least, 0) || (!one->is_pair && one->rating < least) ||
          (first != NULL && one->first.rank != first->first.rank))
        continue;
      const HlAttentionKind own = kind == HL_ATTENTION_SELF && tell_kinds_apart (self, series, one->rating) ? one->kind
                                                                                                            : kind;
      if (hl_layout_find_attention (self->layout, own) == NULL && add_series (self, own, group, members, one->pattern))
        g_ptr_array_add (taken, one);
      else if (first != NULL && !is_in_pairs (taken, one))
        g_ptr_array_add (others, one);
    }
  note_others (self, others);
  return taken->len > 0;
}

/* A member by its name: a tensor, or a group of them. */
static gboolean
add_member (Finder         *self,
            HlAttentionKind kind,
            const char     *name)
{
  g_autofree char *path = hl_archive_join (self->group, name);

  if (hl_archive_get_kind (self->archive, path) != HL_MEMBER_GROUP)
    return add_tensor (self, kind, name);
  g_auto (GStrv) inside = hl_archive_list (self->archive, path, NULL);
  return inside != NULL && add_likeliest (self, kind, path, inside, G_MININT);
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
add_own_series (Finder *self)
{
  return add_likeliest (self, HL_ATTENTION_SELF, self->group, self->members, are_one_series (self->members) ? 0 : 1);
}

/* The tensor that is all there is, or the only one with a name that sounds like it. */
static gboolean
add_only_tensor (Finder *self)
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
    return add_tensor (self, HL_ATTENTION_SELF, named);
  return n_tensors == 1 && n_named == 0 && !g_str_has_suffix (only, "weight") &&
         add_tensor (self, HL_ATTENTION_SELF, only);
}

/* Strings, or lists of them for each example, which may lie in lists themselves. */
static gboolean
is_list (Finder     *self,
         const char *path)
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
find_tokens (Finder *self)
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
has_element (const Finder *self,
             const char   *path,
             guint         index)
{
  g_autofree char *element = g_strdup_printf ("%s/%u", path, index);

  return hl_archive_get_kind (self->archive, element) != HL_MEMBER_NONE;
}

/* How many lists of that name there are, where these are not one. They are not listed: groups beside them would do so
 * one by one. */
static guint
count_lists (const Finder *self,
             const char   *name)
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
count_examples (const Finder *self)
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
count_layers (Finder                  *self,
              const HlLayoutAttention *attention)
{
  return strchr (attention->axes.letters, 'l') != NULL ? get_length (self, attention, 'l')
                                                       : g_strv_length (attention->paths);
}

/* Whether there are layers and examples, and nothing says which are which. */
static gboolean
is_open (Finder                  *self,
         const HlLayoutAttention *attention)
{
  return attention->ambiguous && attention->n_steps == 0 && count_layers (self, attention) > 1 &&
         get_length (self, attention, 'b') > 1;
}

/* How many examples what a model takes and returns beside its attention is of, where that tells layers from examples; else 0. */
static guint
count_outputs (Finder *self)
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
          (shape->dims[0] == count_layers (self, attention)) != (shape->dims[0] == get_length (self, attention, 'b')))
        return (guint) shape->dims[0];
    }
  return 0;
}

/* Whether attention is to be looked for again, now that it is known how many lists of tokens there are: there are not
 * as many examples, or this was not sure. What was found is forgotten then. */
static gboolean
learn_lists (Finder *self)
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
drop_lists (Finder *self)
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
find_attentions (Finder *self)
{
  const char *names[N_KINDS];
  gboolean has_name = FALSE;

  for (guint kind = 0; kind < N_KINDS; kind++)
    {
      const char *name = names[kind] = hl_layout_names_find (self->members, kind);

      g_autofree char *own = name != NULL && self->element >= 0 ? g_strdup_printf ("%s/%" PRId64, name, self->element)
                                                                : g_strdup (name);

      has_name |= name != NULL;
      if (name != NULL)
        add_member (self, kind, own);
    }
  tell_kinds (self, names);
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
  for (guint kind = 0; kind < N_KINDS; kind++)
    if ((name = hl_layout_names_find (members, kind)) != NULL)
      g_ptr_array_add (named, name);
  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    if ((name = hl_layout_names_find_tokens (members, hl_layout_token_names[i])) != NULL)
      g_ptr_array_add (named, name);
  g_ptr_array_add (named, NULL);
  return g_strdupv ((char **) named->pdata);
}

/* Looks for attention among the members of a group: by name, then a series of numbered ones, then the only tensor there
 * is; for tokens also among @beside, which lie in @outer. No numbers are read. Returns NULL if there is none. */
HlLayout *
hl_layout_find (HlArchive          *archive,
                const char         *group,
                char              **members,
                const char         *outer,
                char              **beside,
                gint64              element,
                const HlLayoutAxes *axes,
                GCancellable       *cancellable)
{
  g_autoptr (HlLayout) layout = hl_layout_new ();
  Finder finder = { archive, group, members, cancellable, layout, axes, element };
  layout->element = element;
  if (!find_attentions (&finder))
    return NULL;
  find_tokens (&finder);
  if (g_hash_table_size (layout->names) == 0 && beside != NULL)
    {
      Finder around = finder;
      around.group = outer;
      around.members = beside;
      find_tokens (&around);
    }
  if (learn_lists (&finder) && !find_attentions (&finder))
    return NULL;
  drop_lists (&finder);
  return g_steal_pointer (&layout);
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
add_dataset (Finder      *self,
             HlMemberKind kind,
             const char  *name,
             char       **beside)
{
  if (kind != HL_MEMBER_NONE)
    return add_member (self, HL_ATTENTION_SELF, name);
  return beside != NULL && strchr (name, '#') != NULL &&
         add_series (self, HL_ATTENTION_SELF, self->group, beside, name);
}

/* Takes what somebody named for the attention; tokens are looked for beside it and at the root. No numbers are
 * read. */
HlLayout *
hl_layout_new_for_dataset (HlArchive          *archive,
                           const char         *path,
                           const HlLayoutAxes *axes,
                           GCancellable       *cancellable,
                           GError            **error)
{
  const HlMemberKind kind = hl_archive_get_kind (archive, path);
  const char *slash = strrchr (path, '/');
  g_autofree char *group = slash != NULL ? g_strndup (path, (gsize) (slash - path)) : g_strdup ("");
  const char *name = slash != NULL ? slash + 1 : path;
  g_autoptr (HlLayout) layout = hl_layout_new ();
  Finder finder = { archive, group, NULL, cancellable, layout, axes, -1 };

  /* A group that is not there has no members; that it is not there is said below. */
  g_auto (GStrv) beside = hl_archive_list (archive, group, NULL);
  if (!add_dataset (&finder, kind, name, beside))
    {
      set_not_readable (archive, path, kind, error);
      return NULL;
    }
  if (beside == NULL && (beside = hl_archive_list (archive, group, error)) == NULL)
    return NULL;
  finder.members = beside;
  find_tokens (&finder);
  g_auto (GStrv) outermost = NULL;
  if (g_hash_table_size (layout->names) == 0 && slash != NULL)
    {
      Finder root = finder;
      outermost = hl_archive_list (archive, "", error);
      if (outermost == NULL)
        return NULL;
      root.group = "";
      root.members = outermost;
      find_tokens (&root);
    }
  if (learn_lists (&finder) && !add_dataset (&finder, kind, name, beside))
    {
      set_not_readable (archive, path, kind, error);
      return NULL;
    }
  drop_lists (&finder);
  return g_steal_pointer (&layout);
}

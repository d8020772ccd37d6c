/* SPDX-License-Identifier: MIT */
/* What was found of attention, as tensors, steps, or heads: how its axes are meant, and of which kind it is. What was guessed is
 * said. */
#include "core/document/guess/hl-layout-finder.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/document/attention/hl-check.h"
#include "core/document/guess/hl-dataset-shape.h"
#include "core/document/guess/hl-layout-patterns.h"

/* Layers that are named by their numbers; the rest is not. */
#define MAX_NAMED 32

/* Keeps a sentence about how something was read. */
void
hl_layout_finder_say (HlLayoutFinder *self,
                      gboolean        ambiguous,
                      const char     *text)
{
  g_ptr_array_add (self->layout->notes, hl_check_new_about (ambiguous ? HL_CHECK_TOPIC_AXES : HL_CHECK_TOPIC_NONE,
                                                            HL_SEVERITY_INFO, "%s", text));
}

void
hl_layout_finder_note (HlLayoutFinder     *self,
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
  hl_layout_finder_say (self, ambiguous, text);
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
void
hl_layout_finder_note_layers (HlLayoutFinder *self,
                              const GArray   *numbers)
{
  g_autofree char *list = list_numbers (numbers);
  g_autofree char *text =
    list != NULL
      ? g_strdup_printf (_ ("the file has only these layers of the model, which are counted from 0 here: %s"), list)
      : NULL;

  if (text != NULL)
    hl_layout_finder_say (self, FALSE, text);
}

static void
note_heads (HlLayoutFinder *self,
            const GArray   *numbers)
{
  g_autofree char *list = list_numbers (numbers);
  g_autofree char *text =
    list != NULL
      ? g_strdup_printf (_ ("the file has only these heads of a layer, which are counted from 0 here: %s"), list)
      : NULL;

  if (text != NULL)
    hl_layout_finder_say (self, FALSE, text);
}

HlLayoutAttention *
hl_layout_finder_add_attention (HlLayoutFinder     *self,
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
  attention->places = g_new0 (GBytes *, 1);
  g_ptr_array_add (self->layout->attentions, attention);
  return attention;
}

static void
note_matlab (HlLayoutFinder *self,
             const char     *path)
{
  g_autofree char *start = hl_utf8_shorten (path, 60);
  g_autofree char *text = g_strdup_printf (
    _ ("“%s” was written by MATLAB, which reverses the order of axes; they are named as they lie in the file"), start);

  hl_utf8_flatten (text);
  hl_layout_finder_say (self, FALSE, text);
}

/* The axes that somebody chose, which are held against the tensors when these are opened; else the likeliest. */
gboolean
hl_layout_finder_choose_axes (HlLayoutFinder *self,
                              HlLayoutAxes   *axes,
                              const char     *path,
                              const HlShape  *shape,
                              gboolean        one_layer,
                              gboolean       *ambiguous)
{
  *ambiguous = FALSE;
  if (self->axes == NULL && path != NULL && hl_dataset_is_matlab (self->archive, path))
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
fit_axes (const HlLayoutFinder *self,
          HlLayoutAxes         *axes,
          const HlShape        *shape,
          gboolean             *ambiguous)
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
gboolean
hl_layout_finder_add_tensor (HlLayoutFinder *self,
                             HlAttentionKind kind,
                             const char     *name)
{
  g_autofree char *path = hl_archive_join (self->group, name);
  HlLayoutAxes axes;
  HlShape shape;
  gboolean ambiguous;

  if (!hl_dataset_look_at (self->archive, path, &shape, NULL) ||
      !hl_layout_finder_choose_axes (self, &axes, path, &shape, FALSE, &ambiguous))
    return FALSE;
  fit_axes (self, &axes, &shape, &ambiguous);
  const char *const paths[] = { path, NULL };
  hl_layout_attention_set_outer (hl_layout_finder_add_attention (self, kind, g_strdupv ((char **) paths), &axes,
                                                                 ambiguous),
                                 &shape);
  hl_layout_finder_note (self, name, &shape, &axes, ambiguous);
  return TRUE;
}

/* A list with an element for each step of a generation, or for each example. */
gboolean
hl_layout_finder_add_steps (HlLayoutFinder      *self,
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

  if (!hl_layout_finder_choose_axes (self, &axes, steps->paths->pdata[0], &steps->first, steps->one_layer, &ambiguous))
    return FALSE;
  for (guint i = 0; i < steps->paths->len; i++)
    g_strv_builder_add (builder, steps->paths->pdata[i]);
  HlLayoutAttention *attention =
    hl_layout_finder_add_attention (self, kind, g_strv_builder_end (builder), &axes, ambiguous);
  /* A list of one is that one. */
  attention->n_steps = steps->n_steps > 1 ? steps->n_steps : 0;
  attention->is_generation = steps->is_generation;
  if (attention->is_generation && hl_archive_get_kind (self->archive, beams) == HL_MEMBER_TENSOR)
    attention->beams = g_steal_pointer (&beams);

  if (steps->layers->len > 1)
    hl_layout_finder_note_layers (self, steps->layers);
  if (attention->n_steps == 0)
    {
      hl_layout_finder_note (self, name, &steps->first, &axes, ambiguous);
      return TRUE;
    }
  g_autofree char *meaning = hl_layout_axes_describe (&axes);
  g_autofree char *text =
    g_strdup_printf (steps->is_generation
                       ? _ ("“%s” was read as %u steps of a generation, each tensor of them (first %s) as %s")
                       : _ ("“%s” was read as %u examples, each tensor of them (first %s) as %s"),
                     start, steps->n_steps, sizes, meaning);
  hl_utf8_flatten (text);
  hl_layout_finder_say (self, ambiguous, text);
  return TRUE;
}

/* Whether groups are to be read as layers of heads: not if somebody said what the axes of each tensor are, or if there
 * are tokens for each group. */
gboolean
hl_layout_finder_wants_heads (const HlLayoutFinder *self,
                              const HlLayoutSteps  *steps)
{
  return steps->are_heads && (self->axes == NULL || strlen (self->axes->letters) == 3) &&
         (self->n_lists == 0 || self->n_lists != steps->n_steps);
}

/* Layers with a tensor for each head. */
gboolean
hl_layout_finder_add_heads (HlLayoutFinder      *self,
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
  if (!hl_layout_finder_choose_axes (self, &axes, NULL, &layer, TRUE, &ambiguous))
    return FALSE;
  if (self->axes == NULL && hl_dataset_is_matlab (self->archive, steps->paths->pdata[0]))
    g_strlcpy (axes.letters, "hkq", sizeof axes.letters);
  for (guint i = 0; i < steps->paths->len; i++)
    g_strv_builder_add (builder, steps->paths->pdata[i]);
  hl_layout_finder_add_attention (self, kind, g_strv_builder_end (builder), &axes, ambiguous)->n_heads = n_heads;
  g_autofree char *text =
    steps->n_steps == 1
      ? g_strdup_printf (_ ("“%s” was read as one layer with a tensor for each of %u heads (first %s)"), start, n_heads,
                         sizes)
      : g_strdup_printf (_ ("“%s” was read as %u layers with a tensor for each of %u heads (first %s)"), start,
                         steps->n_steps, n_heads, sizes);
  hl_utf8_flatten (text);
  hl_layout_finder_say (self, ambiguous, text);
  if (steps->groups->len > 1)
    hl_layout_finder_note_layers (self, steps->groups);
  if (steps->layers->len > 1)
    note_heads (self, steps->layers);
  return TRUE;
}

/* Maps that are called heads: those of one layer. */
gboolean
hl_layout_finder_are_heads (const HlLayoutFinder *self,
                            const HlShape        *common,
                            guint                 n,
                            const char           *pattern)
{
  return n > 1 && n <= HL_LIMIT_HEADS && common->rank == 2 && common->dims[0] > 0 && common->dims[1] > 0 &&
         hl_layout_pattern_are_heads (pattern) && (self->axes == NULL || strlen (self->axes->letters) == 3);
}

/* Returns how long the first axis of that letter is; 0 if there is none. */
guint64
hl_layout_finder_get_length (HlLayoutFinder          *self,
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
set_kind (HlLayoutFinder          *self,
          const HlLayoutAttention *attention,
          HlAttentionKind          kind,
          const char              *name)
{
  g_autofree char *text =
    g_strdup_printf (_ ("“%s” was taken for the attention called “%s” here, by its sizes and what is beside it"), name,
                     hl_attention_kind_get_label (kind));

  ((HlLayoutAttention *) attention)->kind = kind;
  hl_layout_finder_say (self, FALSE, text);
}

/* Names that do not tell the kind of attention where there is cross-attention: of a layer of a decoder, `self_attn` and, as fairseq
 * and BART call its attention to the encoder, `encoder_attn`. */
void
hl_layout_finder_tell_kinds (HlLayoutFinder    *self,
                             const char *const *names)
{
  const HlLayoutAttention *own = hl_layout_find_attention (self->layout, HL_ATTENTION_SELF);
  const HlLayoutAttention *encoder = hl_layout_find_attention (self->layout, HL_ATTENTION_ENCODER);
  const HlLayoutAttention *cross = hl_layout_find_attention (self->layout, HL_ATTENTION_CROSS);
  const gboolean is_self = own != NULL && g_ascii_strncasecmp (names[HL_ATTENTION_SELF], "self_att", 8) == 0;

  if (encoder != NULL && names[HL_ATTENTION_ENCODER] != NULL && names[HL_ATTENTION_CROSS] == NULL &&
      g_ascii_strncasecmp (names[HL_ATTENTION_ENCODER], "encoder_attn", 12) == 0 &&
      (hl_layout_finder_get_length (self, encoder, 'q') != hl_layout_finder_get_length (self, encoder, 'k') ||
       (is_self && names[HL_ATTENTION_DECODER] == NULL)))
    {
      cross = g_steal_pointer (&encoder);
      set_kind (self, cross, HL_ATTENTION_CROSS, names[HL_ATTENTION_ENCODER]);
    }
  if (!is_self || cross == NULL)
    return;
  const guint64 n = hl_layout_finder_get_length (self, own, 'q');
  if (names[HL_ATTENTION_DECODER] == NULL && n == hl_layout_finder_get_length (self, cross, 'q'))
    set_kind (self, own, HL_ATTENTION_DECODER, names[HL_ATTENTION_SELF]);
  else if (encoder == NULL && n == hl_layout_finder_get_length (self, cross, 'k'))
    set_kind (self, own, HL_ATTENTION_ENCODER, names[HL_ATTENTION_SELF]);
}

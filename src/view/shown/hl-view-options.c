/* SPDX-License-Identifier: MIT */
#include "view/shown/hl-view-options.h"

#include "core/base/hl-limits.h"
#include "core/source/steps/hl-head-steps.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define FLAG(field) .type = HL_OPTION_FLAG, .offset = G_STRUCT_OFFSET (HlViewOptions, field)
#define NUMBER(field, low, high)                                                                                       \
  .type = HL_OPTION_NUMBER, .offset = G_STRUCT_OFFSET (HlViewOptions, field), .minimum = low, .maximum = high
#define COUNT(field, low, high)                                                                                        \
  .type = HL_OPTION_COUNT, .offset = G_STRUCT_OFFSET (HlViewOptions, field), .minimum = low, .maximum = high
#define CHOICE(field, type_name)                                                                                       \
  .type = HL_OPTION_CHOICE, .offset = G_STRUCT_OFFSET (HlViewOptions, field), .get_type = type_name##_get_type

/* There are more than anybody would read in one line. */
#define NUMBER_RULE N_ ("none, pair, change, or a number that “headlight-cli stats --help” lists")

/* In the order of --help and of sessions. */
static const HlViewOption table[] = {
  { "view", CHOICE (view, hl_view_kind), .changes = HL_CHANGED_VIEW,
    .description = N_ ("Token lines, the matrix of one head, all heads, the steps to one, features of queries and "
                       "keys, lines through all layers, charts of numbers of heads, or an image with its patches") },
  { "quantity", CHOICE (quantity, hl_quantity), .changes = HL_CHANGED_DERIVATION,
    .description = N_ ("What is shown of attention") },
  { "rollout-from", COUNT (rollout_from, 0, HL_LIMIT_LAYERS - 1), .changes = HL_CHANGED_DERIVATION,
    .description = N_ ("The layer that rollout and flow begin with") },
  { "combine", CHOICE (combine, hl_combine), .changes = HL_CHANGED_DERIVATION,
    .description = N_ ("Make one map of several: cell by cell their mean, the largest, or the sum") },
  { "combine-over", CHOICE (combine_over, hl_combine_over), .changes = HL_CHANGED_DERIVATION,
    .description = N_ (
      "Of which maps one is made: of the chosen heads of each layer, of each head over the chosen layers, or of all") },
  { "direction", CHOICE (direction, hl_direction), .changes = HL_CHANGED_DERIVATION,
    .description =
      N_ ("Rows as they are, transposed so that they are keys, or A − Aᵀ: how much more a token looks at another than "
          "that one looks back") },
  { "words", FLAG (words), .changes = HL_CHANGED_DERIVATION,
    .description = N_ ("Put pieces of words together: the sum over pieces of a key, the mean over those of a "
                       "query") },
  { "hide-special", FLAG (hide_special), .changes = HL_CHANGED_DERIVATION,
    .description = N_ ("Leave out special tokens, such as [CLS] and <s>") },
  { "hide-first", FLAG (hide_first), .changes = HL_CHANGED_DERIVATION,
    .description = N_ ("Leave out the first token, which many heads look at when they look at nothing") },
  { "renormalise", FLAG (renormalise), .changes = HL_CHANGED_DERIVATION,
    .description =
      N_ ("Divide rows of which keys are left out by what is left of them, so that their sum is 1 again") },
  { "threshold", NUMBER (threshold, 0, 1), .changes = HL_CHANGED_FILTERS,
    .description = N_ ("Leave out weights below this") },
  { "top-mass", NUMBER (top_mass, 0, 1), .initial = 1, .changes = HL_CHANGED_FILTERS,
    .description =
      N_ ("For each query, show only the strongest keys that hold this part of its weight; transposed, for "
          "each key the strongest queries") },
  { "sentences", CHOICE (sentences, hl_sentences), .changes = HL_CHANGED_TOKENS,
    .description = N_ ("Which part of a pair of texts: A → B (ab) is from the first to the second") },
  { "crop-padding", FLAG (crop_padding), .initial = TRUE, .changes = HL_CHANGED_TOKENS,
    .description = N_ ("Leave out positions that are padding") },
  { "colour-map", CHOICE (colour_map, hl_colour_map), .initial = HL_COLOUR_MAP_VIRIDIS, .changes = HL_CHANGED_COLOURS,
    .description = N_ ("Colours of a heatmap") },
  { "value-scale", CHOICE (value_scale, hl_value_scale_kind), .changes = HL_CHANGED_COLOURS,
    .description =
      N_ ("How weights become colours; auto leaves the diagonal out where a token keeps itself by the residual "
          "connection, and is linear elsewhere") },
  { "relative-lines", FLAG (relative_lines), .initial = TRUE, .changes = HL_CHANGED_LINES,
    .description = N_ ("Draw the strongest line that is shown at full strength, and others relative to it, rather than "
                       "lines as strong as their weights") },
  { "curved-lines", FLAG (curved_lines), .changes = HL_CHANGED_LINES,
    .description = N_ ("Draw lines as curves that leave and reach tokens level") },
  { "thumbnails", CHOICE (thumbnails, hl_thumbnail_kind), .changes = HL_CHANGED_THUMBNAILS,
    .description = N_ ("How heads look in the model view") },
  { "square-cells", FLAG (square_cells), .initial = TRUE, .changes = HL_CHANGED_THUMBNAILS,
    .description = N_ ("In the model view, make heads as high as wide") },
  { "sort", CHOICE (sort, hl_head_measure), .changes = HL_CHANGED_ORDER, .rule = NUMBER_RULE,
    .description = N_ ("In the model view, by what heads are sorted, the greatest first") },
  { "colour-by", CHOICE (colour_by, hl_head_measure), .changes = HL_CHANGED_ORDER, .rule = NUMBER_RULE,
    .description = N_ ("What the colours of heads in the sidebar tell, and the frames around them in the model view") },
  { "chart", CHOICE (chart, hl_chart_kind), .changes = HL_CHANGED_CHART,
    .description = N_ ("In the chart view: a number by layer, shares by layer, a grid of layers and heads, heads by "
                       "distance, or queries and keys of a head in their plane") },
  { "number", CHOICE (number, hl_head_measure), .initial = HL_HEAD_MEASURE_STATS, .changes = HL_CHANGED_CHART,
    .rule = NUMBER_RULE, .description = N_ ("In the chart view, the number of heads that is drawn") },
  { "heat", CHOICE (heat, hl_heat_kind), .changes = HL_CHANGED_COLOURS,
    .description = N_ ("In the picture view, colours over the image, or the image dark where nothing is attended to") },
  { "smooth-heat", FLAG (smooth_heat), .changes = HL_CHANGED_COLOURS,
    .description = N_ ("In the picture view, let the colours of patches run into one another") },
  { "opacity", NUMBER (opacity, 0, 1), .initial = 0.6, .changes = HL_CHANGED_COLOURS,
    .description = N_ ("In the picture view, how much of the image is covered") },
  { "score-scale", NUMBER (score_scale, HL_MIN_SCORE_SCALE, HL_MAX_SCORE_SCALE), .initial = 1,
    .changes = HL_CHANGED_SCORES,
    .description =
      N_ ("In steps and neuron, multiply the scale of scores by this: large ones make the softmax choose a single "
          "key, small ones make it flat") },
  { "mask", FLAG (mask), .initial = TRUE, .changes = HL_CHANGED_SCORES,
    .description = N_ ("In steps and neuron, hide the keys that the model hides from queries") },
  { "whole-bars", FLAG (whole_bars), .changes = HL_CHANGED_LINES,
    .description = N_ ("In neuron, draw bars as parts of 1, so that those of two views compare") },
  { "orientation", CHOICE (orientation, hl_orientation), .changes = HL_CHANGED_ORIENTATION,
    .description = N_ ("Whether tokens joined by lines run down or across") },
  { "reading", CHOICE (reading, hl_reading), .changes = HL_CHANGED_READING,
    .description = N_ ("From which side the text is read; auto tells it from the letters") },
  { "dark", FLAG (dark), .changes = HL_CHANGED_THEME, .spelled = "theme", .words = { "light", "dark" },
    .rule = N_ ("light or dark"), .description = N_ ("Colours") },
};

/* Enumerations and flags are read and written as int. */
G_STATIC_ASSERT (sizeof (HlViewKind) == sizeof (int) && sizeof (gboolean) == sizeof (int));

const HlViewOption *
hl_view_options_get_table (guint *n)
{
  *n = G_N_ELEMENTS (table);
  return table;
}

static double
get_number (const HlViewOption  *self,
            const HlViewOptions *options)
{
  return self->type == HL_OPTION_NUMBER ? G_STRUCT_MEMBER (double, options, self->offset)
                                        : G_STRUCT_MEMBER (int, options, self->offset);
}

static void
set_number (const HlViewOption *self,
            HlViewOptions      *options,
            double              number)
{
  if (self->type == HL_OPTION_NUMBER)
    G_STRUCT_MEMBER (double, options, self->offset) = number;
  else
    G_STRUCT_MEMBER (int, options, self->offset) = self->type == HL_OPTION_FLAG ? number != 0 : (int) number;
}

void
hl_view_options_init (HlViewOptions *self)
{
  /* What is between the fields too: it is no harm, and tools for memory are content. */
  memset (self, 0, sizeof *self);
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    set_number (&table[i], self, table[i].initial);
}

gboolean
hl_view_options_are_valid (const HlViewOptions *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      const double number = get_number (&table[i], self);

      if ((table[i].type == HL_OPTION_NUMBER || table[i].type == HL_OPTION_COUNT) &&
          !(number >= table[i].minimum && number <= table[i].maximum))
        return FALSE;
      if (table[i].type != HL_OPTION_CHOICE)
        continue;
      g_autoptr (GEnumClass) klass = g_type_class_ref (table[i].get_type ());
      if (g_enum_get_value (klass, (int) number) == NULL)
        return FALSE;
    }
  return TRUE;
}

HlChanges
hl_view_options_compare (const HlViewOptions *a,
                         const HlViewOptions *b)
{
  HlChanges changes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (!hl_view_option_is_same (&table[i], a, b))
      changes |= table[i].changes;
  return changes;
}

GParamSpec *
hl_view_option_make_pspec (const HlViewOption *self)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  if (self->type == HL_OPTION_FLAG)
    return g_param_spec_boolean (self->name, NULL, NULL, self->initial != 0, flags);
  if (self->type == HL_OPTION_NUMBER)
    return g_param_spec_double (self->name, NULL, NULL, self->minimum, self->maximum, self->initial, flags);
  if (self->type == HL_OPTION_COUNT)
    return g_param_spec_uint (self->name, NULL, NULL, (guint) self->minimum, (guint) self->maximum,
                              (guint) self->initial, flags);
  return g_param_spec_enum (self->name, NULL, NULL, self->get_type (), (int) self->initial, flags);
}

gboolean
hl_view_option_is_same (const HlViewOption  *self,
                        const HlViewOptions *a,
                        const HlViewOptions *b)
{
  if (self->type == HL_OPTION_FLAG)
    return (get_number (self, a) != 0) == (get_number (self, b) != 0);
  return get_number (self, a) == get_number (self, b);
}

void
hl_view_option_get_value (const HlViewOption  *self,
                          const HlViewOptions *options,
                          GValue              *value)
{
  const double number = get_number (self, options);

  if (self->type == HL_OPTION_FLAG)
    g_value_set_boolean (value, number != 0);
  else if (self->type == HL_OPTION_NUMBER)
    g_value_set_double (value, number);
  else if (self->type == HL_OPTION_COUNT)
    g_value_set_uint (value, (guint) number);
  else
    g_value_set_enum (value, (int) number);
}

void
hl_view_option_set_value (const HlViewOption *self,
                          HlViewOptions      *options,
                          const GValue       *value)
{
  if (self->type == HL_OPTION_FLAG)
    set_number (self, options, g_value_get_boolean (value));
  else if (self->type == HL_OPTION_NUMBER)
    set_number (self, options, g_value_get_double (value));
  else if (self->type == HL_OPTION_COUNT)
    set_number (self, options, g_value_get_uint (value));
  else
    set_number (self, options, g_value_get_enum (value));
}

static const char *
get_word (const HlViewOption *self,
          gboolean            value)
{
  static const char *const words[] = { "no", "yes" };

  return self->words[0] != NULL ? self->words[value] : words[value];
}

/* "linear|log", "0…1", as --help and errors have it. */
char *
hl_view_option_dup_hint (const HlViewOption *self)
{
  if (self->type == HL_OPTION_FLAG)
    return self->words[0] != NULL ? g_strdup_printf ("%s|%s", self->words[0], self->words[1]) : g_strdup ("yes|no");
  if (self->type == HL_OPTION_NUMBER || self->type == HL_OPTION_COUNT)
    return g_strdup_printf ("%g…%g", self->minimum, self->maximum);

  if (self->rule != NULL)
    return g_strdup ("NICK");

  g_autoptr (GEnumClass) klass = g_type_class_ref (self->get_type ());
  GString *nicks = g_string_new (NULL);
  for (guint i = 0; i < klass->n_values; i++)
    g_string_append_printf (nicks, "%s%s", i > 0 ? "|" : "", klass->values[i].value_nick);
  return g_string_free (nicks, FALSE);
}

/* The shortest of the usual lengths that is read back as the same number. */
static char *
spell_number (double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.15g", number);
  if (g_ascii_strtod (text, NULL) != number)
    g_ascii_formatd (text, sizeof text, "%.17g", number);
  return g_strdup (text);
}

/* NULL for what it is from the start. */
char *
hl_view_option_dup_text (const HlViewOption  *self,
                         const HlViewOptions *options)
{
  const double number = get_number (self, options);

  if (self->type == HL_OPTION_FLAG)
    return (number != 0) == (self->initial != 0) ? NULL : g_strdup (get_word (self, number != 0));
  if (number == self->initial)
    return NULL;
  if (self->type == HL_OPTION_NUMBER || self->type == HL_OPTION_COUNT)
    return spell_number (number);
  g_autoptr (GEnumClass) klass = g_type_class_ref (self->get_type ());
  return g_strdup (g_enum_get_value (klass, (int) number)->value_nick);
}

gboolean
hl_view_option_parse (const HlViewOption *self,
                      HlViewOptions      *options,
                      const char         *text)
{
  double number = 0;
  gboolean is_valid;

  if (self->type == HL_OPTION_FLAG)
    {
      number = g_str_equal (text, get_word (self, TRUE));
      is_valid = number != 0 || g_str_equal (text, get_word (self, FALSE));
    }
  else if (self->type == HL_OPTION_NUMBER || self->type == HL_OPTION_COUNT)
    {
      char *end;
      number = g_ascii_strtod (text, &end);
      is_valid = end != text && *end == '\0' && number >= self->minimum && number <= self->maximum &&
                 (self->type == HL_OPTION_NUMBER || number == floor (number));
    }
  else
    {
      g_autoptr (GEnumClass) klass = g_type_class_ref (self->get_type ());
      const GEnumValue *found = g_enum_get_value_by_nick (klass, text);
      is_valid = found != NULL;
      number = found != NULL ? found->value : 0;
    }
  if (is_valid)
    set_number (self, options, number);
  return is_valid;
}

/* SPDX-License-Identifier: MIT */
/* What the view shows, as options: one line a property of HlViewState. How a value is written and
 * what it may be follows from the property. */
#include "cli/cli-view-options.h"

#include "cli/cli-text.h"

#include <glib/gi18n-lib.h>

static const struct
{
  const char *property;
  const char *description;
} table[] = {
  { "view", N_ ("Token lines, the matrix of one head, all heads, the steps to one, or features of queries and keys") },
  { "combine", N_ ("Make one map of several: cell by cell their mean, or the largest") },
  { "combine-over", N_ ("Of which: the heads of each layer, the layers of each head, or all") },
  { "direction", N_ ("Rows as they are, transposed so that they are keys, or A − Aᵀ") },
  { "words", N_ ("Put pieces of words together: the sum over pieces of a key, the mean over those of a query") },
  { "hide-special", N_ ("Leave out special tokens, such as [CLS] and <s>") },
  { "hide-first", N_ ("Leave out the first token") },
  { "hidden", N_ ("Leave out these tokens, counted from 0; q before one stands for queries only, k for keys") },
  { "renormalise", N_ ("Divide rows of which keys are left out by what is left of them") },
  { "threshold", N_ ("Leave out weights below this") },
  { "top-mass",
    N_ ("For each query, show only the strongest keys that hold this part of its weight") },
  { "sentences", N_ ("Which part of a pair of texts: aa is first to first, ab first to second") },
  { "crop-padding", N_ ("Leave out positions that are padding") },
  { "colour-map", N_ ("Colours of a heatmap") },
  { "value-scale", N_ ("How weights become colours") },
  { "thumbnails", N_ ("How heads look in the model view") },
  { "sort", N_ ("In the model view, by what heads are sorted, the greatest first") },
  { "colour-by", N_ ("In the model view, what the frames around heads tell") },
  { "score-scale", N_ ("In steps and neuron, multiply the scale of scores by this") },
  { "mask", N_ ("In steps and neuron, whether the mask is in force") },
  { "orientation", N_ ("Whether tokens joined by lines run down or across") },
  { "reading", N_ ("From which side the text is read; auto tells it from the letters") },
};

G_STATIC_ASSERT (G_N_ELEMENTS (table) == CLI_N_VIEW_OPTIONS);

static GParamSpec *
find_property (guint i)
{
  /* The class stays: its state is about to be made. */
  GObjectClass *klass = g_type_class_ref (HL_TYPE_VIEW_STATE);
  GParamSpec *pspec = g_object_class_find_property (klass, table[i].property);

  g_assert (pspec != NULL);
  return pspec;
}

static char *
make_hint (GParamSpec *pspec)
{
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    return g_strdup ("yes|no");
  if (G_IS_PARAM_SPEC_STRING (pspec))
    return g_strdup ("I,I-J,qI,kI…");
  if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    return g_strdup_printf ("%g…%g", G_PARAM_SPEC_DOUBLE (pspec)->minimum,
                            G_PARAM_SPEC_DOUBLE (pspec)->maximum);

  g_assert (G_IS_PARAM_SPEC_ENUM (pspec));
  const GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;
  GString *nicks = g_string_new (NULL);
  for (guint i = 0; i < klass->n_values; i++)
    g_string_append_printf (nicks, "%s%s", i > 0 ? "|" : "", klass->values[i].value_nick);
  return g_string_free (nicks, FALSE);
}

/**
 * cli_view_options_add_entries:
 * @self: options, none of them written yet
 * @context: what they are added to; it keeps pointing into @self
 *
 * Adds an option for each property.
 */
void
cli_view_options_add_entries (CliViewOptions *self,
                              GOptionContext *context)
{
  for (guint i = 0; i < CLI_N_VIEW_OPTIONS; i++)
    {
      self->hints[i] = make_hint (find_property (i));
      const GOptionEntry entries[] = {
        { table[i].property, 0, 0, G_OPTION_ARG_STRING, &self->texts[i], table[i].description,
          self->hints[i] },
        G_OPTION_ENTRY_NULL,
      };
      g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
    }
}

static gboolean
parse_value (GParamSpec *pspec,
             const char *text,
             GValue     *value)
{
  g_value_init (value, pspec->value_type);
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    {
      g_value_set_boolean (value, g_str_equal (text, "yes"));
      return g_str_equal (text, "yes") || g_str_equal (text, "no");
    }
  if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    {
      char *end;
      const double number = g_ascii_strtod (text, &end);
      g_value_set_double (value, number);
      return end != text && *end == '\0' && number >= G_PARAM_SPEC_DOUBLE (pspec)->minimum &&
             number <= G_PARAM_SPEC_DOUBLE (pspec)->maximum;
    }
  if (G_IS_PARAM_SPEC_STRING (pspec))
    {
      g_autoptr (HlTokenSet) queries = NULL;
      g_autoptr (HlTokenSet) keys = NULL;
      g_value_set_string (value, text);
      return hl_token_sets_parse (text, &queries, &keys);
    }
  const GEnumValue *found = g_enum_get_value_by_nick (G_PARAM_SPEC_ENUM (pspec)->enum_class, text);
  if (found != NULL)
    g_value_set_enum (value, found->value);
  return found != NULL;
}

/**
 * cli_view_options_parse:
 * @self: options as they were written
 *
 * Finds out what was meant. What cannot be is said on standard error.
 *
 * Returns: 0, or the exit status for wrong usage
 */
int
cli_view_options_parse (CliViewOptions *self)
{
  for (guint i = 0; i < CLI_N_VIEW_OPTIONS; i++)
    if (self->texts[i] != NULL &&
        !parse_value (find_property (i), self->texts[i], &self->values[i]))
      return cli_print_misuse (_ ("--%s cannot be “%s”; it is one of %s"), table[i].property,
                               self->texts[i], self->hints[i]);
  return 0;
}

/**
 * cli_view_options_get_name:
 * @i: one of the options
 *
 * Returns: (transfer none): its name without dashes
 */
const char *
cli_view_options_get_name (guint i)
{
  return table[i].property;
}

/**
 * cli_view_options_get_enum:
 * @self: options that were parsed
 * @property: a property that is an enumeration and has an option
 *
 * Returns: its value: the one that was written, or the one it has from the start
 */
int
cli_view_options_get_enum (CliViewOptions *self,
                           const char     *property)
{
  guint i = 0;

  while (!g_str_equal (table[i].property, property))
    i++;
  return G_IS_VALUE (&self->values[i]) ? g_value_get_enum (&self->values[i])
                                       : G_PARAM_SPEC_ENUM (find_property (i))->default_value;
}

/**
 * cli_view_options_apply:
 * @self: options that were parsed
 * @state: a view state
 *
 * Sets the properties whose options were written.
 */
void
cli_view_options_apply (CliViewOptions *self,
                        HlViewState    *state)
{
  for (guint i = 0; i < CLI_N_VIEW_OPTIONS; i++)
    if (G_IS_VALUE (&self->values[i]))
      g_object_set_property (G_OBJECT (state), table[i].property, &self->values[i]);
}

/**
 * cli_view_options_clear:
 * @self: options
 *
 * Frees what is in them.
 */
void
cli_view_options_clear (CliViewOptions *self)
{
  for (guint i = 0; i < CLI_N_VIEW_OPTIONS; i++)
    {
      g_clear_pointer (&self->texts[i], g_free);
      g_clear_pointer (&self->hints[i], g_free);
      if (G_IS_VALUE (&self->values[i]))
        g_value_unset (&self->values[i]);
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * How what is looked at is spelt: one line a property of HlViewState. Options of the command line, session files and
 * the command that the window copies all follow from this table, in its order.
 */
#include "view/spelling/hl-state-text-private.h"

#include <glib/gi18n-lib.h>

typedef enum
{
  VALUE,   /* how it looks, whatever is looked at */
  PLACE,   /* what of the document is looked at */
  DERIVED, /* follows from the rest, or passes with the pointer */
} Role;

static const struct
{
  const char *property;
  Role role;
  const char *name;                /* unless it is that of the property */
  const HlStateSpelling *spelling; /* unless the type of the property says it */
  const char *description;
} table[] = {
  { "attention", PLACE, "block", &hl_state_attention_spelling,
    N_ ("Which attention of an encoder–decoder model") },
  { "view", VALUE, NULL, NULL,
    N_ ("Token lines, the matrix of one head, all heads, the steps to one, features of queries and "
        "keys, or lines through all layers") },
  { "combine", VALUE, NULL, NULL,
    N_ ("Make one map of several: cell by cell their mean, or the largest") },
  { "combine-over", VALUE, NULL, NULL,
    N_ ("Of which: the heads of each layer, the layers of each head, or all") },
  { "direction", VALUE, NULL, NULL,
    N_ ("Rows as they are, transposed so that they are keys, or A − Aᵀ") },
  { "words", VALUE, NULL, NULL,
    N_ ("Put pieces of words together: the sum over pieces of a key, the mean over those of a "
        "query") },
  { "hide-special", VALUE, NULL, NULL, N_ ("Leave out special tokens, such as [CLS] and <s>") },
  { "hide-first", VALUE, NULL, NULL, N_ ("Leave out the first token") },
  { "hidden", VALUE, NULL, &hl_state_hidden_spelling,
    N_ (
      "Leave out these tokens, counted from 0; q before one stands for queries only, k for keys") },
  { "renormalise", VALUE, NULL, NULL,
    N_ ("Divide rows of which keys are left out by what is left of them") },
  { "threshold", VALUE, NULL, NULL, N_ ("Leave out weights below this") },
  { "top-mass", VALUE, NULL, NULL,
    N_ ("For each query, show only the strongest keys that hold this part of its weight") },
  { "sentences", VALUE, NULL, NULL,
    N_ ("Which part of a pair of texts: aa is first to first, ab first to second") },
  { "crop-padding", VALUE, NULL, NULL, N_ ("Leave out positions that are padding") },
  { "colour-map", VALUE, NULL, NULL, N_ ("Colours of a heatmap") },
  { "value-scale", VALUE, NULL, NULL, N_ ("How weights become colours") },
  { "thumbnails", VALUE, NULL, NULL, N_ ("How heads look in the model view") },
  { "sort", VALUE, NULL, NULL,
    N_ ("In the model view, by what heads are sorted, the greatest first") },
  { "colour-by", VALUE, NULL, NULL, N_ ("In the model view, what the frames around heads tell") },
  { "score-scale", VALUE, NULL, NULL,
    N_ ("In steps and neuron, multiply the scale of scores by this") },
  { "mask", VALUE, NULL, NULL, N_ ("In steps and neuron, whether the mask is in force") },
  { "orientation", VALUE, NULL, NULL, N_ ("Whether tokens joined by lines run down or across") },
  { "reading", VALUE, NULL, NULL,
    N_ ("From which side the text is read; auto tells it from the letters") },
  { "dark", VALUE, "theme", &hl_state_theme_spelling, N_ ("Colours") },
  { "layer", PLACE, NULL, &hl_state_layer_spelling, N_ ("Which layer, from 0") },
  { "layers", PLACE, NULL, &hl_state_layers_spelling,
    N_ ("Which layers are combined, from 0; all unless named") },
  { "head", PLACE, NULL, &hl_state_head_spelling,
    N_ ("Which head of several is the one that views of one head show; the first unless named") },
  { "heads", PLACE, NULL, &hl_state_heads_spelling,
    N_ ("Which heads of it, from 0; of all that are combined, unless named, all") },
  { "pairs", PLACE, NULL, &hl_state_pairs_spelling, NULL },
  { "pinned", PLACE, "token", &hl_state_pin_spelling,
    N_ ("Pin a query, as I, a key, as :J, or both: show only what it attends to") },
  { "example", DERIVED },
  { "shown-attention", DERIVED },
  { "source", DERIVED },
  { "shown-source", DERIVED },
  { "other-attention", DERIVED },
  { "name", DERIVED },
  { "beside", DERIVED },
  { "compared", DERIVED },
  { "hovered", DERIVED },
  { "numbers", DERIVED },
};

G_STATIC_ASSERT (G_N_ELEMENTS (table) <= HL_MAX_STATE_TEXTS);

static GParamSpec *
find_property (guint index)
{
  /* The class stays: its state is about to be made. */
  GObjectClass *klass = g_type_class_ref (HL_TYPE_VIEW_STATE);
  GParamSpec *pspec = g_object_class_find_property (klass, table[index].property);

  g_assert (pspec != NULL);
  return pspec;
}

static int
find_index (const char *property)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (g_str_equal (table[i].property, property))
      return (int) i;
  return -1;
}

/**
 * hl_state_text_get_n:
 *
 * Returns: how many properties are known, spelt or not
 */
guint
hl_state_text_get_n (void)
{
  return G_N_ELEMENTS (table);
}

/**
 * hl_state_text_find:
 * @name: a name, as hl_state_text_get_name() gives it
 *
 * Returns: the index of the property that is spelt under this name; -1 for none
 */
int
hl_state_text_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (hl_state_text_is_spelled (i) && g_str_equal (hl_state_text_get_name (i), name))
      return (int) i;
  return -1;
}

/**
 * hl_state_text_get_property:
 * @index: a property
 *
 * Returns: (transfer none): what #HlViewState calls it
 */
const char *
hl_state_text_get_property (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (table), NULL);

  return table[index].property;
}

/**
 * hl_state_text_get_name:
 * @index: a property
 *
 * Returns: (transfer none): the name of its option, without dashes, and in a session file
 */
const char *
hl_state_text_get_name (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (table), NULL);

  return table[index].name != NULL ? table[index].name : table[index].property;
}

/**
 * hl_state_text_get_description:
 * @index: a property that is spelt
 *
 * Returns: (transfer none) (nullable): what --help says of it, not translated; %NULL for what has no option of its own
 */
const char *
hl_state_text_get_description (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (table), NULL);

  return table[index].description;
}

/**
 * hl_state_text_is_spelled:
 * @index: a property
 *
 * Returns: whether it is part of what makes a picture; what is not follows from the rest or passes with the pointer
 */
gboolean
hl_state_text_is_spelled (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (table), FALSE);

  return table[index].role != DERIVED;
}

/**
 * hl_state_text_is_place:
 * @index: a property
 *
 * Returns: whether it says what of the document is looked at, rather than how
 */
gboolean
hl_state_text_is_place (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (table), FALSE);

  return table[index].role == PLACE;
}

/**
 * hl_state_text_dup_hint:
 * @index: a property that is spelt
 *
 * Returns: (transfer full): what can be written, for --help: `linear|log`, `0…1`
 */
char *
hl_state_text_dup_hint (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (table) && hl_state_text_is_spelled (index), NULL);

  if (table[index].spelling != NULL)
    return g_strdup (table[index].spelling->hint);
  GParamSpec *pspec = find_property (index);
  if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    return g_strdup ("yes|no");
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
 * hl_state_text_dup_rule:
 * @index: a property that is spelt
 *
 * Returns: (transfer full): what can be written, as the end of a sentence that begins with "it is"
 */
char *
hl_state_text_dup_rule (guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (table) && hl_state_text_is_spelled (index), NULL);

  if (table[index].spelling != NULL)
    return g_strdup (_ (table[index].spelling->rule));
  g_autofree char *hint = hl_state_text_dup_hint (index);
  /* Translators: ends the sentence “--view cannot be “x”; it is %s”. %s is a list: “yes|no” */
  return g_strdup_printf (_ ("one of %s"), hint);
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
  const GEnumValue *found = g_enum_get_value_by_nick (G_PARAM_SPEC_ENUM (pspec)->enum_class, text);
  if (found != NULL)
    g_value_set_enum (value, found->value);
  return found != NULL;
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

static char *
spell_value (const GValue *value)
{
  if (G_VALUE_HOLDS_BOOLEAN (value))
    return g_strdup (g_value_get_boolean (value) ? "yes" : "no");
  if (G_VALUE_HOLDS_DOUBLE (value))
    return spell_number (g_value_get_double (value));

  g_autoptr (GEnumClass) klass = g_type_class_ref (G_VALUE_TYPE (value));
  return g_strdup (g_enum_get_value (klass, g_value_get_enum (value))->value_nick);
}

/**
 * hl_state_text_check:
 * @index: a property that is spelt
 * @text: a text
 *
 * Returns: whether the property can be spelt so, whatever the document
 */
gboolean
hl_state_text_check (guint       index,
                     const char *text)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_return_val_if_fail (index < G_N_ELEMENTS (table) && hl_state_text_is_spelled (index), FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  if (table[index].spelling != NULL)
    return table[index].spelling->check (text);
  return parse_value (find_property (index), text, &value);
}

static char *
dup_text (guint        index,
          HlViewState *state)
{
  g_auto (GValue) value = G_VALUE_INIT;
  GParamSpec *pspec = find_property (index);

  if (table[index].spelling != NULL)
    return table[index].spelling->dup (state);
  g_value_init (&value, pspec->value_type);
  g_object_get_property (G_OBJECT (state), pspec->name, &value);
  return g_param_value_defaults (pspec, &value) ? NULL : spell_value (&value);
}

static gboolean
apply_text (guint        index,
            const char  *text,
            HlViewState *state,
            GError     **error)
{
  g_auto (GValue) value = G_VALUE_INIT;

  if (table[index].spelling != NULL)
    return table[index].spelling->apply (state, text, error);
  g_return_val_if_fail (parse_value (find_property (index), text, &value), FALSE);
  g_object_set_property (G_OBJECT (state), table[index].property, &value);
  return TRUE;
}

/**
 * hl_state_texts_take:
 * @self: (out caller-allocates): texts
 * @state: a view state
 *
 * Spells all that makes the picture and is not as in a new view state.
 */
void
hl_state_texts_take (HlStateTexts *self,
                     HlViewState  *state)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  *self = (HlStateTexts){ 0 };
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (hl_state_text_is_spelled (i))
      self->texts[i] = dup_text (i, state);
}

/**
 * hl_state_texts_get:
 * @self: texts
 * @property: a property that is spelt
 *
 * Returns: (nullable): what is written for it
 */
const char *
hl_state_texts_get (const HlStateTexts *self,
                    const char         *property)
{
  const int index = find_index (property);

  g_return_val_if_fail (index >= 0, NULL);

  return self->texts[index];
}

/**
 * hl_state_texts_set:
 * @self: texts
 * @property: a property that is spelt
 * @text: (nullable): what is to be written for it; %NULL for nothing
 */
void
hl_state_texts_set (HlStateTexts *self,
                    const char   *property,
                    const char   *text)
{
  const int index = find_index (property);

  g_return_if_fail (index >= 0);

  char *copy = g_strdup (text);
  g_free (self->texts[index]);
  self->texts[index] = copy;
}

/**
 * hl_state_texts_get_enum:
 * @self: texts that were checked
 * @property: a property that is an enumeration and is spelt
 *
 * Returns: its value: the one that was written, or the one it has from the start
 */
int
hl_state_texts_get_enum (const HlStateTexts *self,
                         const char         *property)
{
  g_auto (GValue) value = G_VALUE_INIT;
  const int index = find_index (property);

  g_return_val_if_fail (index >= 0, 0);

  GParamSpec *pspec = find_property ((guint) index);
  if (self->texts[index] == NULL || !parse_value (pspec, self->texts[index], &value))
    return G_PARAM_SPEC_ENUM (pspec)->default_value;
  return g_value_get_enum (&value);
}

/**
 * hl_state_texts_count_heads:
 * @self: texts that were checked
 * @n_guests: (out): how many of them are named with their layer
 *
 * Returns: how many heads were written; all there can be for all, 0 if none were
 */
guint
hl_state_texts_count_heads (const HlStateTexts *self,
                            guint              *n_guests)
{
  const char *text = hl_state_texts_get (self, "heads");
  HlGuests guests = { 0 };
  HlHeadSet heads;

  *n_guests = 0;
  if (text == NULL || !hl_state_heads_parse (text, &heads, &guests))
    return 0;
  *n_guests = guests.n;
  return hl_head_set_count (&heads) + guests.n;
}

/**
 * hl_state_texts_apply:
 * @self: texts that were checked
 * @state: a view state as it was made
 * @error: %HL_ERROR_MISSING for what the document does not have, and what hl_token_pairs_parse() finds
 *
 * Has a view state be as the texts say. Where heads become one and none was named, all do.
 *
 * Returns: whether all is there
 */
gboolean
hl_state_texts_apply (const HlStateTexts *self,
                      HlViewState        *state,
                      GError            **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (state), FALSE);

  const gboolean names_heads = hl_state_texts_get (self, "heads") != NULL ||
                               hl_state_texts_get (self, "head") != NULL;
  gboolean applied = TRUE;

  g_object_freeze_notify (G_OBJECT (state));
  for (guint i = 0; i < G_N_ELEMENTS (table) && applied; i++)
    {
      /* Before words are looked for and a token is pinned in what is shown. */
      if (!names_heads && g_str_equal (table[i].property, "heads") &&
          hl_view_state_merges_heads (state))
        hl_view_state_select_all_heads (state);
      applied = self->texts[i] == NULL || apply_text (i, self->texts[i], state, error);
    }
  g_object_thaw_notify (G_OBJECT (state));
  return applied;
}

/**
 * hl_state_texts_apply_values:
 * @self: texts that were checked
 * @state: a view state
 *
 * Has a view state look as the texts say, and leaves what it looks at.
 */
void
hl_state_texts_apply_values (const HlStateTexts *self,
                             HlViewState        *state)
{
  g_return_if_fail (HL_IS_VIEW_STATE (state));

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (self->texts[i] != NULL && table[i].role == VALUE)
      apply_text (i, self->texts[i], state, NULL);
}

/**
 * hl_state_texts_clear:
 * @self: texts
 *
 * Frees them; nothing is written any more.
 */
void
hl_state_texts_clear (HlStateTexts *self)
{
  for (guint i = 0; i < HL_MAX_STATE_TEXTS; i++)
    g_clear_pointer (&self->texts[i], g_free);
}

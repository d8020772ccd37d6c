/* SPDX-License-Identifier: MIT */
/* Attributes of a dump. Beside stored weights a wrong one is odd: it is said and left out. Where weights are computed
 * from it, it is an error, since what is shown would not be what the model did. */
#include "core/document/read/base/hl-dump-attributes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/document/read/base/hl-dump-number.h"

/* Newer files may hold what this program does not know of. */
#define NEWEST_VERSION 2

/* Of what is wrong as many characters are told. */
#define MAX_TOLD 40

typedef struct
{
  const char *name;
  const char *need; /* for people */
  double low;
  double high;
  gboolean above_low; /* low itself is not allowed */
  gboolean whole;
  gboolean inherited; /* also read from the root, for all examples */
  gboolean shared;    /* also read without the beginning of a decoder's names */
} NumberRule;

static char *
describe_value (GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    {
      const char *text = g_variant_get_string (value, NULL);
      g_autofree char *start = g_utf8_substring (text, 0, MIN (MAX_TOLD, g_utf8_strlen (text, -1)));
      return g_strdup_printf ("“%s”", start);
    }
  if (g_variant_is_container (value))
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "a list of %zu", "a list of %zu",
                                         (gulong) g_variant_n_children (value)),
                            g_variant_n_children (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return g_strdup_printf ("%" PRId64, g_variant_get_int64 (value));

  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%g", g_variant_get_double (value)));
}

/* A list of numbers is an attribute, or a tensor of one axis where the container has no such attributes. */
static GVariant *
look_up_in (const HlDumpContext *context,
            const char          *group,
            const char          *name,
            GError             **error)
{
  g_autofree char *path = hl_archive_join (group, name);
  g_autoptr (HlTensor) tensor = hl_archive_get_kind (context->archive, path) == HL_MEMBER_TENSOR
                                  ? hl_archive_open_tensor (context->archive, path, NULL)
                                  : NULL;
  const HlShape *shape = tensor != NULL ? hl_tensor_get_shape (tensor) : NULL;

  if (shape == NULL || shape->rank != 1 || shape->dims[0] == 0 || shape->dims[0] > HL_LIMIT_LAYERS)
    return hl_archive_get_attribute (context->archive, group, name, error);
  const guint64 start[1] = { 0 };
  g_autofree float *numbers = g_new (float, shape->dims[0]);
  g_autofree double *wide = g_new (double, shape->dims[0]);
  if (!hl_tensor_read_f32 (tensor, start, shape->dims, numbers, context->cancellable, error))
    return NULL;
  for (guint64 i = 0; i < shape->dims[0]; i++)
    wide[i] = numbers[i];
  return g_variant_ref_sink (g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, wide, shape->dims[0], sizeof (double)));
}

/* Of the example, or of all, by the name that it has for the kind of attention. Of a decoder it may be without that: so it was in version 1. */
static GVariant *
look_up (const HlDumpContext *context,
         const char          *name,
         gboolean             inherited,
         gboolean             shared,
         GError             **error)
{
  const char *own = hl_dump_context_get_name (context, name);
  const char *const names[] = { own, shared && g_strcmp0 (context->prefix, "decoder_") == 0 ? name : NULL };
  const char *const groups[] = { context->group, inherited && *context->group != '\0' ? "" : NULL };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    for (guint j = 0; j < G_N_ELEMENTS (names) && groups[i] != NULL; j++)
      {
        GError *local_error = NULL;
        GVariant *value = names[j] != NULL ? look_up_in (context, groups[i], names[j], &local_error) : NULL;

        if (local_error != NULL)
          g_propagate_error (error, local_error);
        if (value != NULL || local_error != NULL)
          return value;
      }
  return NULL;
}

static gboolean
look_up_for (const HlDumpContext *context,
             const NumberRule    *rule,
             GVariant           **value,
             GError             **error)
{
  g_autoptr (GError) local_error = NULL;

  *value = look_up (context, rule->name, rule->inherited, rule->shared, &local_error);
  if (local_error == NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, local_error->domain == HL_ERROR ? local_error->code : HL_ERROR_VALUE,
               _ ("attribute “%s” cannot be used: %s"), hl_dump_context_get_name (context, rule->name),
               local_error->message);
  return FALSE;
}

/* Written so that NaN is refused. */
static gboolean
is_allowed (const NumberRule *rule,
            double            number)
{
  return (rule->above_low ? number > rule->low : number >= rule->low) && number <= rule->high &&
         (!rule->whole || number == floor (number));
}

/* Reads a number into @number if there is one; FALSE if it is not as it should be. */
static gboolean
read_number (const HlDumpContext *context,
             const NumberRule    *rule,
             gboolean            *present,
             double              *number,
             GError             **error)
{
  g_autoptr (GVariant) value = NULL;
  double found;

  *present = FALSE;
  if (!look_up_for (context, rule, &value, error))
    return FALSE;
  if (value == NULL)
    return TRUE;
  if (hl_dump_number_parse (value, &found) && is_allowed (rule, found))
    {
      *present = TRUE;
      *number = found;
      return TRUE;
    }
  g_autofree char *text = describe_value (value);
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("attribute “%s” is %s; %s is needed"),
               hl_dump_context_get_name (context, rule->name), text, rule->need);
  return FALSE;
}

/* The same, where a number that is wrong is left out unless it matters. */
static gboolean
read_number_or_warn (const HlDumpContext *context,
                     const NumberRule    *rule,
                     gboolean             strict,
                     gboolean            *present,
                     double              *number,
                     GError             **error)
{
  g_autoptr (GError) local_error = NULL;

  if (read_number (context, rule, present, number, &local_error))
    return TRUE;
  if (strict)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; it is left out"), local_error->message);
  return TRUE;
}

/* As many numbers as there are, up to @max; of the first that is not as it should be its place and what it is, or else @bad is @max. */
static guint
parse_numbers (const NumberRule *rule,
               GVariant         *value,
               guint             max,
               double           *found,
               guint            *bad,
               char            **bad_text)
{
  guint n;

  *bad = max;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    {
      g_auto (GStrv) parts = g_strsplit (g_variant_get_string (value, NULL), ",", (int) max + 1);

      n = g_strv_length (parts);
      for (guint i = 0; i < MIN (n, max) && *bad == max; i++)
        if (!hl_dump_number_parse_text (g_strstrip (parts[i]), &found[i]) || !is_allowed (rule, found[i]))
          {
            g_autoptr (GVariant) part = g_variant_ref_sink (g_variant_new_string (parts[i]));
            *bad = i;
            *bad_text = describe_value (part);
          }
      return n;
    }
  n = (guint) g_variant_n_children (value);
  for (guint i = 0; i < MIN (n, max) && *bad == max; i++)
    {
      g_autoptr (GVariant) number = g_variant_get_child_value (value, i);
      if (hl_dump_number_parse (number, &found[i]) && is_allowed (rule, found[i]))
        continue;
      *bad = i;
      *bad_text = describe_value (number);
    }
  return n;
}

static gboolean
is_list (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ? strchr (g_variant_get_string (value, NULL), ',') != NULL
                                                             : g_variant_is_container (value);
}

/* One for all layers, or a list with one for each; FALSE if they are not as they should be. */
static gboolean
read_numbers (const HlDumpContext *context,
              const NumberRule    *rule,
              guint                n_layers,
              HlDumpNumbers       *numbers,
              GError             **error)
{
  g_autoptr (GVariant) value = NULL;
  g_autofree char *bad_text = NULL;
  gboolean present;
  double one;
  guint bad;

  if (!look_up_for (context, rule, &value, error))
    return FALSE;
  if (value == NULL || !is_list (value))
    {
      if (!read_number (context, rule, &present, &one, error))
        return FALSE;
      *numbers = (HlDumpNumbers){ present, present ? g_memdup2 (&one, sizeof one) : NULL };
      return TRUE;
    }
  g_autofree double *found = g_new (double, n_layers);
  const guint n = parse_numbers (rule, value, n_layers, found, &bad, &bad_text);

  if (n == n_layers && bad < n)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("attribute “%s” is %s for layer %u; %s is needed"),
                   hl_dump_context_get_name (context, rule->name), bad_text, bad, rule->need);
      return FALSE;
    }
  if (n != n_layers)
    {
      g_autofree char *text = describe_value (value);
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("attribute “%s” is %s; %s is needed, or one for each of %u layers"),
                   hl_dump_context_get_name (context, rule->name), text, rule->need, n_layers);
      return FALSE;
    }
  *numbers = (HlDumpNumbers){ n, g_steal_pointer (&found) };
  return TRUE;
}

static gboolean
read_numbers_or_warn (const HlDumpContext *context,
                      const NumberRule    *rule,
                      guint                n_layers,
                      gboolean             strict,
                      HlDumpNumbers       *numbers,
                      GError             **error)
{
  GError *local_error = NULL;

  if (read_numbers (context, rule, n_layers, numbers, &local_error))
    return TRUE;
  if (!strict)
    return hl_dump_context_leave_out (context, local_error, error);
  g_propagate_error (error, local_error);
  return FALSE;
}

const char *
hl_dump_rule_get_name (HlDumpRuleNumber which)
{
  static const char *const names[HL_DUMP_N_RULES] = {
    [HL_DUMP_RULE_CAUSAL] = "causal",     [HL_DUMP_RULE_WINDOW] = "sliding_window",
    [HL_DUMP_RULE_CHUNK] = "chunk",       [HL_DUMP_RULE_OFFSET] = "query_offset",
    [HL_DUMP_RULE_SCALE] = "scale",       [HL_DUMP_RULE_SOFTCAP] = "softcap",
    [HL_DUMP_RULE_CAPTURED] = "captured",
  };

  g_return_val_if_fail (which < HL_DUMP_N_RULES, NULL);

  return names[which];
}

void
hl_dump_rule_clear (HlDumpRule *rule)
{
  for (guint i = 0; i < HL_DUMP_N_RULES; i++)
    g_clear_pointer (&rule->numbers[i].numbers, g_free);
}

gboolean
hl_dump_rule_has (const HlDumpRule *rule,
                  HlDumpRuleNumber  which)
{
  return rule->numbers[which].n > 0;
}

double
hl_dump_rule_get (const HlDumpRule *rule,
                  HlDumpRuleNumber  which,
                  guint             layer,
                  double            otherwise)
{
  const HlDumpNumbers *numbers = &rule->numbers[which];

  return numbers->n > 0 ? numbers->numbers[numbers->n > 1 ? layer : 0] : otherwise;
}

/* 0 where there are none. */
double
hl_dump_rule_get_max (const HlDumpRule *rule,
                      HlDumpRuleNumber  which)
{
  const HlDumpNumbers *numbers = &rule->numbers[which];
  double greatest = 0;

  for (guint i = 0; i < numbers->n; i++)
    greatest = MAX (greatest, numbers->numbers[i]);
  return greatest;
}

/* Notes when the file has another number of layers than it says. */
void
hl_dump_check_layers (const HlDumpContext *context,
                      guint                n_layers)
{
  const NumberRule rule = { "layers", _ ("a whole number, 1 or more"), 1, HL_LIMIT_LAYERS, .whole = TRUE };
  gboolean present;
  double number = 0;

  read_number_or_warn (context, &rule, FALSE, &present, &number, NULL);
  if (present && number != n_layers)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("attribute “%s” is %.0f, but there are maps of %u layers; it is left out"),
                               hl_dump_context_get_name (context, "layers"), number, n_layers);
}

/* Reads the numbers of #HlDumpRuleNumber, of the example or of the whole file. Clear it afterwards. */
gboolean
hl_dump_read_rule (const HlDumpContext *context,
                   guint                n_layers,
                   gboolean             strict,
                   HlDumpRule          *rule,
                   GError             **error)
{
  const double farthest = 2.0 * HL_LIMIT_POSITIONS;
  const NumberRule rules[HL_DUMP_N_RULES] = {
    [HL_DUMP_RULE_CAUSAL] = { .need = _ ("0 or 1"), .high = 1, .whole = TRUE, .shared = TRUE },
    [HL_DUMP_RULE_WINDOW] = { .need = _ ("a whole number, 0 or more"), .high = 1e15, .whole = TRUE, .shared = TRUE },
    [HL_DUMP_RULE_CHUNK] = { .need = _ ("a whole number, 0 or more"), .high = 1e15, .whole = TRUE },
    [HL_DUMP_RULE_OFFSET] = { .need = _ ("a whole number that can be a position"),
                              .low = -farthest,
                              .high = farthest,
                              .whole = TRUE },
    [HL_DUMP_RULE_SCALE] = { .need = _ ("a number above 0"), .high = G_MAXDOUBLE, .above_low = TRUE },
    [HL_DUMP_RULE_SOFTCAP] = { .need = _ ("a number, 0 or more"), .high = G_MAXDOUBLE },
    [HL_DUMP_RULE_CAPTURED] = { .need = _ ("0 or 1"), .high = 1, .whole = TRUE },
  };
  const guint version = hl_dump_read_version (context);

  *rule = (HlDumpRule){ 0 };
  for (HlDumpRuleNumber i = 0; i < HL_DUMP_N_RULES; i++)
    {
      NumberRule number = rules[i];

      number.name = hl_dump_rule_get_name (i);
      number.inherited = TRUE;
      if (!read_numbers_or_warn (context, &number, n_layers, strict, &rule->numbers[i], error))
        return FALSE;
    }
  /* Such windows came with version 2. */
  const double greatest = hl_dump_rule_get_max (rule, HL_DUMP_RULE_WINDOW);
  if (version != 1 || greatest == 0 || hl_dump_rule_get_max (rule, HL_DUMP_RULE_CAUSAL) > 0)
    return TRUE;
  if (strict)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("attribute “sliding_window” is %.0f, but “causal” is not 1: which keys are in the window is "
                      "unclear"),
                   greatest);
      return FALSE;
    }
  hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                             _ ("attribute “sliding_window” is left out, because “causal” is not 1"));
  g_clear_pointer (&rule->numbers[HL_DUMP_RULE_WINDOW].numbers, g_free);
  rule->numbers[HL_DUMP_RULE_WINDOW].n = 0;
  return TRUE;
}

gsize
hl_dump_read_split (const HlDumpContext *context,
                    gsize                n_positions)
{
  g_autofree char *need = g_strdup_printf (_ ("a position before %zu"), n_positions);
  const NumberRule rule = { "sentence_b_start", need, 0, (double) n_positions - 1, .whole = TRUE };
  gboolean present;
  double split = 0;

  read_number_or_warn (context, &rule, FALSE, &present, &split, NULL);
  return (gsize) split;
}

/* Whether the file says that its numbers lie on both sides of zero. */
gboolean
hl_dump_read_signed (const HlDumpContext *context)
{
  const NumberRule rule = { "signed", _ ("0 or 1"), 0, 1, .whole = TRUE, .inherited = TRUE };
  gboolean present;
  double is_signed = 0;

  read_number_or_warn (context, &rule, FALSE, &present, &is_signed, NULL);
  return is_signed > 0;
}

/* Anything that is there but not text is noted as odd. */
char *
hl_dump_read_text (const HlDumpContext *context,
                   const char          *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = look_up (context, name, FALSE, FALSE, &error);

  if (error != NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("attribute “%s” cannot be used: %s"), name,
                               error->message);
  if (value == NULL)
    return NULL;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return g_variant_dup_string (value, NULL);

  g_autofree char *found = describe_value (value);
  hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("attribute “%s” is %s; text is needed; it is left out"),
                             name, found);
  return NULL;
}

/* A list of strings, as a member or an attribute, of the example or of all; NULL if there is none, or what is there is something else. */
char **
hl_dump_read_texts (const HlDumpContext *context,
                    const char          *name)
{
  const HlDumpContext place = hl_dump_context_of_model (context, name);
  g_autofree char *path = hl_dump_context_get_path (&place, name);

  if (hl_archive_get_kind (context->archive, path) == HL_MEMBER_STRINGS)
    return hl_archive_read_strings (context->archive, path, NULL);
  g_autoptr (GVariant) value = look_up (context, name, TRUE, FALSE, NULL);
  if (value == NULL)
    return NULL;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING_ARRAY))
    return g_variant_dup_strv (value, NULL);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return NULL;
  char **parts = g_strsplit (g_variant_get_string (value, NULL), ",", HL_LIMIT_LAYERS);
  for (guint i = 0; parts[i] != NULL; i++)
    g_strstrip (parts[i]);
  return parts;
}

/* Returns the version of the format that the file says it has; 0 if it says none. */
guint
hl_dump_read_version (const HlDumpContext *context)
{
  g_autoptr (GVariant) value = hl_archive_get_attribute (context->archive, "", "version", NULL);
  double number;

  /* Written so that NaN is none; what is odd is said by hl_dump_check_format(). */
  return value != NULL && hl_dump_number_parse (value, &number) && number >= 1 && number <= G_MAXINT ? (guint) number
                                                                                                     : 0;
}

/* Notes when the file says that it is of another format, or newer than this program. */
void
hl_dump_check_format (const HlDumpContext *context)
{
  const NumberRule rule = { "version", _ ("a whole number, 1 or more"), 1, 1e15, .whole = TRUE };
  g_autofree char *format = hl_dump_read_text (context, "format");
  gboolean present;
  double version = 0;

  if (format != NULL && !g_str_equal (format, "headlight-attention"))
    {
      g_autofree char *start = hl_utf8_shorten (format, 60);
      hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                                 _ ("the file says that its format is “%s”; it was read as headlight-attention"),
                                 start);
    }
  read_number_or_warn (context, &rule, FALSE, &present, &version, NULL);
  if (present && version > NEWEST_VERSION)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("the file is of version %.0f of its format, this program knows version %d: newer "
                                  "content is missed"),
                               version, NEWEST_VERSION);
}

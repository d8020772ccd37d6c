/* SPDX-License-Identifier: MIT */
/* Attributes of a dump. Beside stored weights a wrong one is odd: it is said and left out. Where weights are computed
 * from it, it is an error, since what is shown would not be what the model did. */
#include "core/document/read/hl-dump-attributes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"
#include "core/document/read/hl-dump-number.h"

/* Newer files may hold what this program does not know of. */
#define NEWEST_VERSION 1

typedef struct
{
  const char *name;
  const char *need; /* for people */
  double low;
  double high;
  gboolean above_low; /* low itself is not allowed */
  gboolean whole;
  gboolean inherited; /* also read from the root, for all examples */
} NumberRule;

static char *
describe_value (GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    {
      const char *text = g_variant_get_string (value, NULL);
      g_autofree char *start = g_utf8_substring (text, 0, MIN (40, g_utf8_strlen (text, -1)));
      return g_strdup_printf ("“%s”", start);
    }
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return g_strdup_printf ("%" PRId64, g_variant_get_int64 (value));

  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  return g_strdup (g_ascii_formatd (buffer, sizeof buffer, "%g", g_variant_get_double (value)));
}

static GVariant *
look_up (const HlDumpContext *context,
         const char          *name,
         gboolean             inherited,
         GError             **error)
{
  g_autoptr (GError) local_error = NULL;
  GVariant *value = hl_archive_get_attribute (context->archive, context->group, name, &local_error);

  if (value == NULL && local_error == NULL && inherited && *context->group != '\0')
    value = hl_archive_get_attribute (context->archive, "", name, &local_error);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return value;
}

static gboolean
look_up_for (const HlDumpContext *context,
             const NumberRule    *rule,
             GVariant           **value,
             GError             **error)
{
  g_autoptr (GError) local_error = NULL;

  *value = look_up (context, rule->name, rule->inherited, &local_error);
  if (local_error == NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, local_error->domain == HL_ERROR ? local_error->code : HL_ERROR_VALUE,
               _ ("attribute “%s” cannot be used: %s"), rule->name, local_error->message);
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
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("attribute “%s” is %s; %s is needed"), rule->name, text, rule->need);
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

/* One for all layers, or text with one for each, apart by commas; FALSE if they are not as they should be. */
static gboolean
read_numbers (const HlDumpContext *context,
              const NumberRule    *rule,
              guint                n_layers,
              HlDumpNumbers       *numbers,
              GError             **error)
{
  g_autoptr (GVariant) value = NULL;
  gboolean present;
  double one;

  if (!look_up_for (context, rule, &value, error))
    return FALSE;
  if (value == NULL || !g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ||
      strchr (g_variant_get_string (value, NULL), ',') == NULL)
    {
      if (!read_number (context, rule, &present, &one, error))
        return FALSE;
      *numbers = (HlDumpNumbers){ present, present ? g_memdup2 (&one, sizeof one) : NULL };
      return TRUE;
    }
  g_auto (GStrv) parts = g_strsplit (g_variant_get_string (value, NULL), ",", (int) n_layers + 1);
  g_autofree double *found = g_new (double, n_layers);
  const guint n = g_strv_length (parts);
  guint n_good = 0;

  while (n_good < MIN (n, n_layers) && hl_dump_number_parse_text (g_strstrip (parts[n_good]), &found[n_good]) &&
         is_allowed (rule, found[n_good]))
    n_good++;
  if (n != n_layers || n_good < n)
    {
      g_autofree char *text = describe_value (value);
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("attribute “%s” is %s; %s is needed, or one for each of %u layers, apart by commas"), rule->name,
                   text, rule->need, n_layers);
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

void
hl_dump_rule_clear (HlDumpRule *rule)
{
  g_clear_pointer (&rule->windows.numbers, g_free);
  g_clear_pointer (&rule->scales.numbers, g_free);
  g_clear_pointer (&rule->softcaps.numbers, g_free);
}

double
hl_dump_numbers_get (const HlDumpNumbers *numbers,
                     guint                layer,
                     double               otherwise)
{
  return numbers->n > 0 ? numbers->numbers[numbers->n > 1 ? layer : 0] : otherwise;
}

/* 0 where there are none. */
double
hl_dump_numbers_max (const HlDumpNumbers *numbers)
{
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
                               _ ("attribute “layers” is %.0f, but there are maps of %u layers; it is left out"),
                               number, n_layers);
}

/* Reads `causal`, `sliding_window`, `scale` and `softcap`, of the example or of the whole file. Clear it afterwards. */
gboolean
hl_dump_read_rule (const HlDumpContext *context,
                   guint                n_layers,
                   gboolean             strict,
                   HlDumpRule          *rule,
                   GError             **error)
{
  const NumberRule causal = { "causal", _ ("0 or 1"), 0, 1, .whole = TRUE, .inherited = TRUE };
  const NumberRule window = { "sliding_window", _ ("a whole number, 1 or more"), 0, 1e15, .whole = TRUE,
                              .inherited = TRUE };
  const NumberRule scale = { "scale", _ ("a number above 0"), 0, G_MAXDOUBLE, .above_low = TRUE, .inherited = TRUE };
  const NumberRule softcap = { "softcap", _ ("a number above 0"), 0, G_MAXDOUBLE, .inherited = TRUE };
  double causal_value = 0;

  *rule = (HlDumpRule){ 0 };
  if (!read_number_or_warn (context, &causal, strict, &rule->has_causal, &causal_value, error) ||
      !read_numbers_or_warn (context, &window, n_layers, strict, &rule->windows, error) ||
      !read_numbers_or_warn (context, &scale, n_layers, strict, &rule->scales, error) ||
      !read_numbers_or_warn (context, &softcap, n_layers, strict, &rule->softcaps, error))
    return FALSE;
  rule->causal = causal_value != 0;

  const double greatest = hl_dump_numbers_max (&rule->windows);
  if (strict && greatest > 0 && !rule->causal)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("attribute “sliding_window” is %.0f, but “causal” is not 1: which keys are in the window is "
                      "unclear"),
                   greatest);
      return FALSE;
    }
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

/* Anything that is there but not text is noted as odd. */
char *
hl_dump_read_text (const HlDumpContext *context,
                   const char          *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = look_up (context, name, FALSE, &error);

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

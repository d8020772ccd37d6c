/* SPDX-License-Identifier: MIT */
/* Attributes of a dump. Beside stored weights a wrong one is odd: it is said and left out. Where weights are computed
 * from it, it is an error, since what is shown would not be what the model did. */
#include "core/document/read/hl-dump-attributes.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"

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

/* Some containers can only hold text, and there a number is spelled out. */
static gboolean
get_number (GVariant *value,
            double   *number)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    *number = (double) g_variant_get_int64 (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    *number = g_variant_get_double (value);
  else
    {
      const char *text = g_variant_get_string (value, NULL);
      char *end;

      *number = g_ascii_strtod (text, &end);
      return *text != '\0' && *end == '\0';
    }
  return TRUE;
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

/* Reads a number into @number if there is one; FALSE if it is not as it should be. */
static gboolean
read_number (const HlDumpContext *context,
             const NumberRule    *rule,
             gboolean            *present,
             double              *number,
             GError             **error)
{
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GVariant) value = look_up (context, rule->name, rule->inherited, &local_error);
  double found;

  *present = FALSE;
  if (local_error != NULL)
    {
      g_set_error (error, HL_ERROR, local_error->domain == HL_ERROR ? local_error->code : HL_ERROR_VALUE,
                   _ ("attribute “%s” cannot be used: %s"), rule->name, local_error->message);
      return FALSE;
    }
  if (value == NULL)
    return TRUE;
  /* Written so that NaN is refused. */
  if (get_number (value, &found) && (rule->above_low ? found > rule->low : found >= rule->low) && found <= rule->high &&
      (!rule->whole || found == floor (found)))
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

/* Reads `causal`, `sliding_window`, `scale` and `softcap`, of the example or of the whole file. */
gboolean
hl_dump_read_rule (const HlDumpContext *context,
                   gboolean             strict,
                   HlDumpRule          *rule,
                   GError             **error)
{
  const NumberRule causal = { "causal", _ ("0 or 1"), 0, 1, .whole = TRUE, .inherited = TRUE };
  const NumberRule window = { "sliding_window", _ ("a whole number, 1 or more"), 0, 1e15, .whole = TRUE,
                              .inherited = TRUE };
  const NumberRule scale = { "scale", _ ("a number above 0"), 0, G_MAXDOUBLE, .above_low = TRUE, .inherited = TRUE };
  const NumberRule softcap = { "softcap", _ ("a number above 0"), 0, G_MAXDOUBLE, .inherited = TRUE };
  gboolean present;
  double causal_value = 0, window_value = 0;

  *rule = (HlDumpRule){ 0 };
  if (!read_number_or_warn (context, &causal, strict, &rule->has_causal, &causal_value, error) ||
      !read_number_or_warn (context, &window, strict, &present, &window_value, error) ||
      !read_number_or_warn (context, &scale, strict, &present, &rule->scale, error) ||
      !read_number_or_warn (context, &softcap, strict, &present, &rule->softcap, error))
    return FALSE;
  rule->causal = causal_value != 0;
  rule->window = (guint64) window_value;

  if (strict && rule->window > 0 && !rule->causal)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("attribute “sliding_window” is %" PRIu64
                      ", but “causal” is not 1: which keys are in the window is unclear"),
                   rule->window);
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

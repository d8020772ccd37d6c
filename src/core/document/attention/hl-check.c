/* SPDX-License-Identifier: MIT */
#include "core/document/attention/hl-check.h"

#include "core/base/hl-utf8.h"

/* Of a sentence. */
#define MAX_LETTERS 1000

/**
 * HlCheck:
 *
 * Something that looked odd about a file, or is good to know, in a sentence. Never fatal: what is fatal is a GError. Immutable.
 */

struct _HlCheck
{
  GObject parent_instance;

  HlCheckTopic topic;
  HlSeverity severity;
  char *message;
};

G_DEFINE_FINAL_TYPE (HlCheck, hl_check, G_TYPE_OBJECT)

static void
hl_check_finalize (GObject *object)
{
  g_free (HL_CHECK (object)->message);
  G_OBJECT_CLASS (hl_check_parent_class)->finalize (object);
}

static void
hl_check_class_init (HlCheckClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_check_finalize;
}

static void
hl_check_init (HlCheck *self)
{
}

/* Names of a file may be in it: it stays a sentence, in one line. */
static char *
make_message (const char *format,
              va_list     arguments)
{
  g_autofree char *message = g_strdup_vprintf (format, arguments);

  hl_utf8_flatten (message);
  return hl_utf8_shorten (message, MAX_LETTERS);
}

/**
 * hl_check_new:
 * @severity: how bad it is
 * @format: a sentence, translated, as of printf()
 * @...: what goes into it
 *
 * Returns: (transfer full): a check about nothing that somebody could do something about
 */
HlCheck *
hl_check_new (HlSeverity  severity,
              const char *format,
              ...)
{
  HlCheck *self = g_object_new (HL_TYPE_CHECK, NULL);
  va_list arguments;

  self->severity = severity;
  va_start (arguments, format);
  self->message = make_message (format, arguments);
  va_end (arguments);
  return self;
}

/**
 * hl_check_new_about:
 * @topic: what somebody could do something about
 * @severity: how bad it is
 * @format: a sentence, translated, as of printf()
 * @...: what goes into it
 *
 * Returns: (transfer full): a check
 */
HlCheck *
hl_check_new_about (HlCheckTopic topic,
                    HlSeverity   severity,
                    const char  *format,
                    ...)
{
  HlCheck *self = g_object_new (HL_TYPE_CHECK, NULL);
  va_list arguments;

  self->topic = topic;
  self->severity = severity;
  va_start (arguments, format);
  self->message = make_message (format, arguments);
  va_end (arguments);
  return self;
}

/**
 * hl_check_get_severity:
 * @self: a check
 *
 * Returns: how bad it is
 */
HlSeverity
hl_check_get_severity (HlCheck *self)
{
  g_return_val_if_fail (HL_IS_CHECK (self), HL_SEVERITY_INFO);

  return self->severity;
}

/**
 * hl_check_get_severity_name:
 * @self: a check
 *
 * Returns: `info` or `warning`, for programs: not translated
 */
const char *
hl_check_get_severity_name (HlCheck *self)
{
  g_return_val_if_fail (HL_IS_CHECK (self), NULL);

  return self->severity == HL_SEVERITY_WARNING ? "warning" : "info";
}

/**
 * hl_check_get_topic:
 * @self: a check
 *
 * Returns: what somebody could do something about
 */
HlCheckTopic
hl_check_get_topic (HlCheck *self)
{
  g_return_val_if_fail (HL_IS_CHECK (self), HL_CHECK_TOPIC_NONE);

  return self->topic;
}

/**
 * hl_check_get_message:
 * @self: a check
 *
 * Returns: the sentence
 */
const char *
hl_check_get_message (HlCheck *self)
{
  g_return_val_if_fail (HL_IS_CHECK (self), NULL);

  return self->message;
}

/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * HlSeverity:
 * @HL_SEVERITY_INFO: good to know
 * @HL_SEVERITY_WARNING: what is shown may not be what was meant
 */
typedef enum {
  HL_SEVERITY_INFO,
  HL_SEVERITY_WARNING,
} HlSeverity;

/**
 * HlCheckTopic:
 * @HL_CHECK_TOPIC_NONE: anything else
 * @HL_CHECK_TOPIC_AXES: the axes were guessed and could as well be others
 * @HL_CHECK_TOPIC_SCORES: the numbers look like scores before a softmax
 * @HL_CHECK_TOPIC_LENGTH: the text is longer than what is read of it
 * @HL_CHECK_TOPIC_UNKNOWN: most of a text is unknown to the model, while its letters by themselves are known
 * @HL_CHECK_TOPIC_EXPANSION: the file announces far more numbers than it holds
 * @HL_CHECK_TOPIC_WRITER: another program has the file open for writing
 *
 * What somebody could do something about.
 */
typedef enum {
  HL_CHECK_TOPIC_NONE,
  HL_CHECK_TOPIC_AXES,
  HL_CHECK_TOPIC_SCORES,
  HL_CHECK_TOPIC_LENGTH,
  HL_CHECK_TOPIC_UNKNOWN,
  HL_CHECK_TOPIC_EXPANSION,
  HL_CHECK_TOPIC_WRITER,
} HlCheckTopic;

#define HL_TYPE_CHECK (hl_check_get_type ())
G_DECLARE_FINAL_TYPE (HlCheck, hl_check, HL, CHECK, GObject)

HlCheck     *hl_check_new               (HlSeverity    severity,
                                         const char   *format,
                                         ...) G_GNUC_PRINTF (2, 3);
HlCheck     *hl_check_new_about         (HlCheckTopic  topic,
                                         HlSeverity    severity,
                                         const char   *format,
                                         ...) G_GNUC_PRINTF (3, 4);
HlSeverity   hl_check_get_severity      (HlCheck      *self);
const char  *hl_check_get_severity_name (HlCheck      *self);
HlCheckTopic hl_check_get_topic         (HlCheck      *self);
const char  *hl_check_get_message       (HlCheck      *self);

G_END_DECLS

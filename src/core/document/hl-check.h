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

#define HL_TYPE_CHECK (hl_check_get_type ())
G_DECLARE_FINAL_TYPE (HlCheck, hl_check, HL, CHECK, GObject)

HlCheck    *hl_check_new               (HlSeverity  severity,
                                        const char *format,
                                        ...) G_GNUC_PRINTF (2, 3);
HlSeverity  hl_check_get_severity      (HlCheck    *self);
const char *hl_check_get_severity_name (HlCheck    *self);
const char *hl_check_get_message       (HlCheck    *self);

G_END_DECLS

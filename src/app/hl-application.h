/* SPDX-License-Identifier: MIT */
/* The program: one instance, its windows, and what concerns all of them. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_APPLICATION (hl_application_get_type ())
G_DECLARE_FINAL_TYPE (HlApplication, hl_application, HL, APPLICATION, AdwApplication)

HlApplication *hl_application_new        (void);
gboolean       hl_application_get_failed (HlApplication *self);

G_END_DECLS

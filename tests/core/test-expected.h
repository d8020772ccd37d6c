/* SPDX-License-Identifier: MIT */
/* What the scripts beside fixtures say that is in them, for tests. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

void test_check_expected (JsonObject *expected,
                          const char *folder,
                          const char *name);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

double bench_time_reading (const char *bytes,
                           gsize       size);

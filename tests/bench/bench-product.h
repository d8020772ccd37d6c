/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

double bench_rate_product (gsize m,
                           gsize n,
                           gsize k);

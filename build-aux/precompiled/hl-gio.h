/* SPDX-License-Identifier: MIT */
/* What the compiler reads once for all files that need no window. */
#pragma once

#include <gio/gio.h>

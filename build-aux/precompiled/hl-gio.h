/* SPDX-License-Identifier: MIT */
/* What the compiler reads once for all files that need no window. */

#include <gio/gio.h>

/* SPDX-License-Identifier: MIT */
/* What the compiler reads once for all files of the window. */

#include <adwaita.h>

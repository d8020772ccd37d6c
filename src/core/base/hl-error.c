/* SPDX-License-Identifier: MIT */
/* The error domain of everything below the window. */
#include "core/base/hl-error.h"

G_DEFINE_QUARK (hl-error-quark, hl_error)

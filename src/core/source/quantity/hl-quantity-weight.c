/* SPDX-License-Identifier: MIT */
/* The weights themselves: A[i,j]. */
#include "core/source/quantity/hl-quantity.h"

#include <glib/gi18n-lib.h>

const HlQuantityClass hl_quantity_weight = {
  .label = N_ ("Weight"),
  .sentence = N_ ("How much of what a query takes in comes from a key"),
};

/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/pydata/hl-pickle-value.h"

G_BEGIN_DECLS

GPtrArray *hl_pickle_list_nest      (const HlPickleArray *array);
HlTensor  *hl_pickle_list_to_tensor (const HlPickleValue *value);

G_END_DECLS

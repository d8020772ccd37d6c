/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-pickle-value.h"

G_BEGIN_DECLS

HlTensor *hl_pickle_list_to_tensor (const HlPickleValue *value);

G_END_DECLS

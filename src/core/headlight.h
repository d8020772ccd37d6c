/* SPDX-License-Identifier: MIT */
/* All that programs other than Headlight's own are to include. */
#pragma once

#include "core/base/hl-error.h"
#include "core/document/hl-document.h"
#include "core/source/hl-attention-source.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/quantity/hl-quantity.h"

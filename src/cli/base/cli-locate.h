/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/base/cli-model-part.h"

G_BEGIN_DECLS

int cli_locate (char         **name,
                CliModelPart  *part);

G_END_DECLS

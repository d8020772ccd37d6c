/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-example.h"
#include "core/document/guess/hl-open-options.h"

G_BEGIN_DECLS

gboolean hl_expansion_check       (HlExample            *example,
                                   guint64               file_size,
                                   const HlOpenOptions  *options,
                                   GError              **error);
gboolean hl_expansion_refuse      (HlExample            *example,
                                   const HlOpenOptions  *options,
                                   GError              **error);
gboolean hl_expansion_refuse_maps (HlExample            *example,
                                   HlAttention          *attention,
                                   guint64               n_maps,
                                   const HlOpenOptions  *options,
                                   GError              **error);
gboolean hl_expansion_ask         (HlExample            *example,
                                   GError              **error);
gboolean hl_expansion_ask_maps    (HlExample            *example,
                                   HlAttention          *attention,
                                   guint64               n_maps,
                                   GError              **error);

G_END_DECLS

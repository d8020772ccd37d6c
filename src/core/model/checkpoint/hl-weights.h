/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

/**
 * HlWeights:
 *
 * The tensors of a model by name, from one file or from shards. The files are mapped, not read. Immutable once a
 * prefix is set and what is to be replaced is.
 */
typedef struct _HlWeights HlWeights;

HlWeights *hl_weights_open        (GFile              *folder,
                                   GError            **error);
gboolean   hl_weights_are_in      (GFile              *folder,
                                   GError            **error);
char     **hl_weights_list_files  (GFile              *folder);
HlArchive *hl_weights_open_file   (GFile              *file,
                                   GError            **error);
HlWeights *hl_weights_new         (void);
gboolean   hl_weights_add         (HlWeights          *self,
                                   HlArchive          *archive,
                                   const char         *file,
                                   GError            **error);
void       hl_weights_free        (HlWeights          *self);
gboolean   hl_weights_set_prefix  (HlWeights          *self,
                                   const char *const  *prefixes,
                                   const char         *layer,
                                   GError            **error);
guint      hl_weights_get_n       (HlWeights          *self);
gboolean   hl_weights_has         (HlWeights          *self,
                                   const char         *name);
HlTensor  *hl_weights_get         (HlWeights          *self,
                                   const char         *name,
                                   guint               rank,
                                   const guint64      *dims,
                                   GError            **error);
HlTensor  *hl_weights_get_any     (HlWeights          *self,
                                   const char         *name,
                                   GError            **error);
char     **hl_weights_list        (HlWeights          *self);
HlTensor  *hl_weights_find        (HlWeights          *self,
                                   const char *const  *names,
                                   GError            **error);
char      *hl_weights_match       (HlWeights          *self,
                                   const char *const  *prefixes,
                                   const char         *name);
void       hl_weights_replace     (HlWeights          *self,
                                   const char         *name,
                                   HlTensor           *tensor);
void       hl_weights_watch       (HlWeights          *self,
                                   HlArchive          *archive,
                                   const char         *file);
gboolean   hl_weights_check       (HlWeights          *self,
                                   GError            **error);
char      *hl_weights_find_bad    (HlWeights          *self,
                                   GCancellable       *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlWeights, hl_weights_free)

G_END_DECLS

/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/document/attention/hl-example.h"
#include "core/document/guess/hl-open-options.h"

G_BEGIN_DECLS

#define HL_TYPE_DOCUMENT (hl_document_get_type ())
G_DECLARE_FINAL_TYPE (HlDocument, hl_document, HL, DOCUMENT, GObject)

HlDocument *hl_document_new              (GFile                *file,
                                          const char           *container,
                                          const char           *model,
                                          HlExample            *example,
                                          GObject              *maker);
HlDocument *hl_document_load             (GFile                *file,
                                          HlProgress           *progress,
                                          GCancellable         *cancellable,
                                          GError              **error);
HlDocument *hl_document_load_with        (GFile                *file,
                                          const HlOpenOptions  *options,
                                          HlProgress           *progress,
                                          GCancellable         *cancellable,
                                          GError              **error);
HlDocument *hl_document_new_for_archive  (GFile                *file,
                                          HlArchive            *archive,
                                          const HlOpenOptions  *options,
                                          HlProgress           *progress,
                                          GCancellable         *cancellable,
                                          GError              **error);
void        hl_document_load_async       (GFile                *file,
                                          const HlOpenOptions  *options,
                                          HlProgress           *progress,
                                          GCancellable         *cancellable,
                                          GAsyncReadyCallback   callback,
                                          gpointer              user_data);
void        hl_document_read_again_async (HlDocument           *self,
                                          const HlOpenOptions  *options,
                                          GCancellable         *cancellable,
                                          GAsyncReadyCallback   callback,
                                          gpointer              user_data);
HlDocument *hl_document_load_finish      (GAsyncResult         *result,
                                          GError              **error);
GFile      *hl_document_get_file         (HlDocument           *self);
const char *hl_document_get_container    (HlDocument           *self);
const char *hl_document_get_model        (HlDocument           *self);
HlArchive  *hl_document_get_archive      (HlDocument           *self);
GObject    *hl_document_get_maker        (HlDocument           *self);
const HlOpenOptions *hl_document_get_options (HlDocument       *self);
void        hl_document_allow_expansion  (HlDocument           *self);
gboolean    hl_document_get_allows_expansion (HlDocument       *self);
gboolean    hl_document_get_axes         (HlDocument           *self,
                                          guint                 index,
                                          HlLayoutAxes         *axes);
char       *hl_document_get_dataset      (HlDocument           *self);
guint       hl_document_get_n_examples   (HlDocument           *self);
const char *hl_document_get_example_name (HlDocument           *self,
                                          guint                 index);
gboolean    hl_document_is_part          (HlDocument           *self,
                                          guint                 index);
HlExample  *hl_document_get_example      (HlDocument           *self,
                                          guint                 index,
                                          GCancellable         *cancellable,
                                          GError              **error);

G_END_DECLS

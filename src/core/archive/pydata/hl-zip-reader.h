/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/pydata/hl-zip-store.h"
#include "core/base/hl-progress.h"

G_BEGIN_DECLS

typedef struct
{
  char    *name;      /* its path, valid UTF-8 */
  guint64  header;    /* where its own header begins */
  guint64  offset;    /* where its bytes begin */
  guint64  packed_size;
  guint64  size;
  guint64  place;     /* of the unpacked bytes in the store, if packed */
  guint32  crc;       /* of the unpacked bytes */
  gboolean is_packed; /* deflated; stored as they are otherwise */
} HlZipMember;

/* The directory of a zip file, checked in full. Spans that come from it outlive it. */
typedef struct
{
  HlSpan     *file;
  HlZipStore *store;   /* of what is unpacked */
  GPtrArray  *members; /* of HlZipMember, by where they lie */
  GTree      *index;   /* the same by name; a tree, because names can be made to collide in a table */
} HlZipReader;

HlZipReader *hl_zip_reader_new         (HlSpan             *file,
                                        GCancellable       *cancellable,
                                        GError            **error);
void         hl_zip_reader_free        (HlZipReader        *self);
HlSpan      *hl_zip_reader_get_bytes   (HlZipReader        *self,
                                        const HlZipMember  *member);
HlSpan      *hl_zip_reader_open        (HlZipReader        *self,
                                        const HlZipMember  *member,
                                        guint64             n_wanted,
                                        GCancellable       *cancellable,
                                        GError            **error);
gboolean     hl_zip_reader_verify      (HlZipReader        *self,
                                        guint              *n_verified,
                                        HlProgress         *progress,
                                        GCancellable       *cancellable,
                                        GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlZipReader, hl_zip_reader_free)

G_END_DECLS

/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-span.h"

G_BEGIN_DECLS

/**
 * HL_ZIP_MAX_UNPACKED:
 *
 * The most bytes that all packed members of a file may unpack to: 2 GiB.
 */
#define HL_ZIP_MAX_UNPACKED (G_GUINT64_CONSTANT (2) << 30)

/**
 * HlZipMember:
 * @name: its path, valid UTF-8
 * @header: where its own header begins
 * @offset: where its bytes begin
 * @packed_size: how many bytes there are in the file
 * @size: how many they unpack to
 * @crc: the checksum of the unpacked bytes
 * @is_packed: whether they are deflated; stored as they are otherwise
 *
 * A member of a zip file.
 */
typedef struct
{
  char    *name;
  guint64  header;
  guint64  offset;
  guint64  packed_size;
  guint64  size;
  guint32  crc;
  gboolean is_packed;
} HlZipMember;

/**
 * HlZipReader:
 * @file: the file
 * @members: (element-type HlZipMember): its members, by where they lie
 * @index: (element-type utf8 HlZipMember): the same by name; a tree, because names can be made to collide in a table
 *
 * The directory of a zip file, checked in full.
 */
typedef struct
{
  HlSpan     *file;
  GPtrArray  *members;
  GTree      *index;
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlZipReader, hl_zip_reader_free)

G_END_DECLS

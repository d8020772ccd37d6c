/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"
#include "core/base/tensor/hl-tensor.h"

G_BEGIN_DECLS

/**
 * HlMemberKind:
 * @HL_MEMBER_NONE: there is nothing of that name
 * @HL_MEMBER_GROUP: members are inside
 * @HL_MEMBER_TENSOR: numbers of some shape
 * @HL_MEMBER_STRINGS: text, of rank 0 or 1
 * @HL_MEMBER_OTHER: something that Headlight has no use for, for example a compound type
 */
typedef enum {
  HL_MEMBER_NONE,
  HL_MEMBER_GROUP,
  HL_MEMBER_TENSOR,
  HL_MEMBER_STRINGS,
  HL_MEMBER_OTHER,
} HlMemberKind;

#define HL_TYPE_ARCHIVE (hl_archive_get_type ())
G_DECLARE_INTERFACE (HlArchive, hl_archive, HL, ARCHIVE, GObject)

/**
 * HlArchiveInterface:
 * @get_container: the name of the container, such as "HDF5"; static
 * @list: names of what lies directly inside a group, without the group's path, in natural order
 * @get_kind: what a name stands for
 * @open_tensor: a tensor by name; its numbers stay where they are until asked for
 * @read_strings: all strings of a member
 * @count_repaired: (nullable): how many strings of a member hold bytes that were no UTF-8; without it, none do
 * @get_attribute: a small value of type `s`, `x` or `d`, or a list of the type `as` or `ad` of at most %HL_LIMIT_LAYERS, floating; %NULL without an
 *   error if there is none
 * @verify: (nullable): whether its bytes have the checksums that were written with them, and how many were held against them; without it, there
 *   are none
 * @check: (nullable): whether what was read, and numbers that were looked at where they lie, are of the file as it was opened; without it, it
 *   does not matter what becomes of that
 *
 * A file opened as named tensors, strings and attributes. Names are paths with `/` between groups and none in front;
 * the empty name is the root. Immutable; every function may be called from any thread, also from several at once.
 */
struct _HlArchiveInterface
{
  GTypeInterface parent_interface;

  const char   *(*get_container) (HlArchive   *self);
  char        **(*list)          (HlArchive   *self,
                                  const char  *group,
                                  GError     **error);
  HlMemberKind  (*get_kind)      (HlArchive   *self,
                                  const char  *name);
  HlTensor     *(*open_tensor)   (HlArchive   *self,
                                  const char  *name,
                                  GError     **error);
  char        **(*read_strings)  (HlArchive   *self,
                                  const char  *name,
                                  GError     **error);
  gsize         (*count_repaired) (HlArchive  *self,
                                   const char *name);
  GVariant     *(*get_attribute) (HlArchive   *self,
                                  const char  *group,
                                  const char  *name,
                                  GError     **error);
  gboolean      (*check)         (HlArchive   *self,
                                  GError     **error);
  gboolean      (*verify)        (HlArchive    *self,
                                  guint        *n_verified,
                                  HlProgress   *progress,
                                  GCancellable *cancellable,
                                  GError      **error);
};

const char   *hl_archive_get_container (HlArchive     *self);
char        **hl_archive_list          (HlArchive     *self,
                                        const char    *group,
                                        GError       **error);
HlMemberKind  hl_archive_get_kind      (HlArchive     *self,
                                        const char    *name);
HlTensor     *hl_archive_open_tensor   (HlArchive     *self,
                                        const char    *name,
                                        GError       **error);
char        **hl_archive_read_strings  (HlArchive     *self,
                                        const char    *name,
                                        GError       **error);
gsize         hl_archive_count_repaired (HlArchive    *self,
                                         const char   *name);
GVariant     *hl_archive_get_attribute (HlArchive     *self,
                                        const char    *group,
                                        const char    *name,
                                        GError       **error);
gboolean      hl_archive_check         (HlArchive     *self,
                                        GError       **error);
gboolean      hl_archive_verify        (HlArchive     *self,
                                        guint         *n_verified,
                                        HlProgress    *progress,
                                        GCancellable  *cancellable,
                                        GError       **error);
char         *hl_archive_join          (const char    *group,
                                        const char    *name);

G_END_DECLS

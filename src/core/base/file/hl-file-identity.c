/* SPDX-License-Identifier: MIT */
#include "core/base/file/hl-file-identity.h"

/**
 * hl_file_identity_describe: (skip)
 * @info: what was asked for by #HL_FILE_IDENTITY_ATTRIBUTES
 *
 * Returns: (transfer full): its name, which file it is, its size, and when it was written, in one line
 */
char *
hl_file_identity_describe (GFileInfo *info)
{
  g_return_val_if_fail (G_IS_FILE_INFO (info), NULL);

  return g_strdup_printf ("%s %u:%" G_GUINT64_FORMAT " %" G_GOFFSET_FORMAT " %" G_GUINT64_FORMAT ".%09u",
                          g_file_info_get_name (info),
                          g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_UNIX_DEVICE),
                          g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_UNIX_INODE),
                          g_file_info_get_size (info),
                          g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED),
                          g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_NSEC));
}

/**
 * hl_file_identity_take: (skip)
 * @file: a file
 * @cancellable: (nullable): stops asking
 *
 * Blocks.
 *
 * Returns: (transfer full) (nullable): the same of a file; %NULL where there is none
 */
char *
hl_file_identity_take (GFile        *file,
                       GCancellable *cancellable)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (GFileInfo)
    info = g_file_query_info (file, HL_FILE_IDENTITY_ATTRIBUTES, G_FILE_QUERY_INFO_NONE, cancellable, NULL);
  return info != NULL ? hl_file_identity_describe (info) : NULL;
}

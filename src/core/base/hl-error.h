/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlError:
 * @HL_ERROR_UNKNOWN_FORMAT: the bytes are of no container that Headlight reads
 * @HL_ERROR_NOT_A_FILE: a folder, device or socket where a file was expected
 * @HL_ERROR_TRUNCATED: the file ends before what it announces
 * @HL_ERROR_CORRUPT: the container contradicts itself
 * @HL_ERROR_UNSUPPORTED: well formed, but of a kind that Headlight does not read
 * @HL_ERROR_MISSING: something that is needed is not in the file
 * @HL_ERROR_RANK: a tensor has the wrong number of axes
 * @HL_ERROR_SHAPE: the sizes of tensors do not fit one another
 * @HL_ERROR_DTYPE: a tensor holds the wrong type of element
 * @HL_ERROR_VALUE: an attribute or number has a value that makes no sense
 * @HL_ERROR_ENCODING: text is not valid UTF-8
 * @HL_ERROR_TOO_LARGE: reading would exceed a stated budget, or a size overflows
 * @HL_ERROR_EXTERNAL: the file refers to bytes outside itself
 * @HL_ERROR_IO: the system could not read or write
 * @HL_ERROR_NOT_COMPUTED: numbers that a model was to compute, which was stopped before
 *
 * The ways in which a file can be wrong. The message of every error of this domain is one
 * sentence that says what is wrong and where in the file, without naming the file: whoever shows it puts
 * the file name before it.
 */
typedef enum {
  HL_ERROR_UNKNOWN_FORMAT,
  HL_ERROR_NOT_A_FILE,
  HL_ERROR_TRUNCATED,
  HL_ERROR_CORRUPT,
  HL_ERROR_UNSUPPORTED,
  HL_ERROR_MISSING,
  HL_ERROR_RANK,
  HL_ERROR_SHAPE,
  HL_ERROR_DTYPE,
  HL_ERROR_VALUE,
  HL_ERROR_ENCODING,
  HL_ERROR_TOO_LARGE,
  HL_ERROR_EXTERNAL,
  HL_ERROR_IO,
  HL_ERROR_NOT_COMPUTED,
} HlError;

#define HL_ERROR (hl_error_quark ())

GQuark   hl_error_quark         (void);
gboolean hl_error_set_no_memory (GError **error);
gboolean hl_error_set_unread    (GError **error,
                                 int      code);
gboolean hl_error_set_shorter   (GError **error);

G_END_DECLS

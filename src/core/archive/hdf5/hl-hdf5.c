/* SPDX-License-Identifier: MIT */
/* What every use of the HDF5 library needs: its lock, the end of its identifiers, and its complaints as sentences. The
 * serial library is not thread-safe at all, so each call to it, anywhere in the program, is made between lock and
 * unlock. */
#include "core/archive/hdf5/hl-hdf5.h"

#include <inttypes.h>
#include <stdio.h>

#include <glib/gi18n-lib.h>

static GRecMutex mutex;
static HlHdf5Lock held;

/**
 * hl_hdf5_lock: (skip)
 *
 * Waits for the HDF5 library. The same thread may lock again while it holds the lock.
 *
 * Returns: what hl_hdf5_unlock() takes, to be kept in a g_autoptr
 */
HlHdf5Lock *
hl_hdf5_lock (void)
{
  static gboolean prepared;

  g_rec_mutex_lock (&mutex);
  if (!prepared)
    {
      /* The library would close files when the process ends, perhaps while a worker still reads one. */
      H5dont_atexit ();
      H5open ();
      /* It would print its errors, and load code from a folder when a file names a filter it does not know. */
      H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
      H5PLset_loading_state (0);
      prepared = TRUE;
    }
  return &held;
}

/**
 * hl_hdf5_unlock: (skip)
 * @lock: what hl_hdf5_lock() returned
 *
 * Leaves the HDF5 library to others.
 */
void
hl_hdf5_unlock (HlHdf5Lock *lock)
{
  g_rec_mutex_unlock (&mutex);
}

/**
 * hl_hdf5_close: (skip)
 * @id: an identifier of any kind, or a negative one
 *
 * Closes it. With the lock held.
 */
void
hl_hdf5_close (hid_t id)
{
  if (id >= 0)
    H5Idec_ref (id);
}

typedef struct
{
  char *reason;
  gboolean truncated;
  gboolean memory;
  gboolean is_virtual; /* only virtual datasets make the library ask for what the driver then refuses */
} Complaint;

/* The library's own wording, of which the numbers are wanted. */
static gboolean
parse_truncation (const char *reason,
                  guint64    *present,
                  guint64    *announced)
{
  return reason != NULL &&
         sscanf (reason, "truncated file: eof = %" PRIu64 ", sblock->base_addr = %*u, stored_eof = %" PRIu64, present,
                 announced) == 2;
}

static herr_t
take_complaint (unsigned           n,
                const H5E_error2_t *entry,
                void               *data)
{
  Complaint *complaint = data;

  if (entry->min_num == H5E_TRUNCATED)
    complaint->truncated = TRUE;
  if (entry->maj_num == H5E_IO && entry->min_num == H5E_UNSUPPORTED)
    complaint->is_virtual = TRUE;
  if (entry->maj_num == H5E_RESOURCE && entry->min_num == H5E_NOSPACE)
    complaint->memory = TRUE;
  /* Walking upward, the first entry is where it went wrong. */
  if (n == 0 && entry->desc != NULL)
    complaint->reason = g_utf8_make_valid (entry->desc, -1);
  return 0;
}

/**
 * hl_hdf5_set_error: (skip)
 * @error: where to say it
 * @format: what could not be done, translated: "“attention” cannot be read"
 * @...: what goes into it
 *
 * Turns the library's stack of errors into a sentence: what we wanted, and the innermost reason. With the lock held,
 * right after the call that failed.
 */
void
hl_hdf5_set_error (GError    **error,
                   const char *format,
                   ...)
{
  Complaint complaint = { 0 };
  va_list arguments;

  H5Ewalk2 (H5E_DEFAULT, H5E_WALK_UPWARD, take_complaint, &complaint);
  H5Eclear2 (H5E_DEFAULT);

  va_start (arguments, format);
  g_autofree char *what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *reason = complaint.reason;

  guint64 present, announced;
  if (complaint.truncated && parse_truncation (reason, &present, &announced))
    g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                 _ ("%s: the file is cut off, %" PRIu64 " of its %" PRIu64 " bytes are there"), what, present,
                 announced);
  else if (complaint.truncated)
    g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("%s: the file ends before what it announces (%s)"), what,
                 reason);
  else if (complaint.is_virtual)
    g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL,
                 _ ("%s: it is a virtual dataset, made of other datasets, which is not followed"), what);
  else if (complaint.memory)
    g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("%s: there is not enough memory (%s)"), what, reason);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s: the file is damaged (%s)"), what,
                 reason != NULL && *reason != '\0' ? reason : _ ("the HDF5 library does not say how"));
}

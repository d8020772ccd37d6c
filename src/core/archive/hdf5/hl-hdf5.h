/* SPDX-License-Identifier: MIT */
/* What the files share that read and write HDF5. All but hl_hdf5_lock() and hl_hdf5_let_go() is called with the lock
 * held. */
#pragma once

/* HDF5 1.12 and later give some functions other arguments unless asked not to. */
#define H5_USE_110_API
#include <hdf5.h>

#include "core/archive/hl-archive.h"
#include "core/base/file/hl-file-version.h"
#include "core/base/hl-error.h"

G_BEGIN_DECLS

/* To be kept in a g_autoptr. The same thread may lock again while it holds the lock. */
typedef struct
{
  char nothing;
} HlHdf5Lock;

HlHdf5Lock *hl_hdf5_lock      (void);
void        hl_hdf5_unlock    (HlHdf5Lock *lock);
void        hl_hdf5_close     (hid_t       id);
void        hl_hdf5_set_error (GError    **error,
                               const char *format,
                               ...) G_GNUC_PRINTF (2, 3);
gboolean    hl_hdf5_was_absent (void);
gboolean    hl_hdf5_met_heap  (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHdf5Lock, hl_hdf5_unlock)

/* An identifier that is closed where it goes out of scope. */
typedef hid_t HlHdf5Id;
G_DEFINE_AUTO_CLEANUP_FREE_FUNC (HlHdf5Id, hl_hdf5_close, H5I_INVALID_HID)

/* Who closes the library closes what everybody has open in it, and its numbers soon stand for other things: another life of it
 * begins. None is 0. */
guint     hl_hdf5_get_life          (void);
gboolean  hl_hdf5_is_new_life       (guint          *seen);
gboolean  hl_hdf5_check_life        (guint           life,
                                     GError        **error);
void      hl_hdf5_let_go            (guint           life,
                                     hid_t           id);

/* What H5Fget_vfd_handle() tells of, counted: who reads without the library keeps the descriptor open. */
typedef struct
{
  int           fd;
  HlFileVersion version;
  int           write_error; /* why not all was written, 0 if it was; guarded by the lock */
} HlHdf5Handle;

void      hl_hdf5_handle_unref      (HlHdf5Handle   *self);
hid_t     hl_hdf5_open_file         (const char     *path,
                                     GError        **error);
hid_t     hl_hdf5_create_file       (int             fd);
hid_t     hl_hdf5_keep              (hid_t           id);
void      hl_hdf5_forget            (hid_t           id);
guint64   hl_hdf5_get_file_size     (hid_t           file);
herr_t    hl_hdf5_read_stored_chunk (hid_t           dataset,
                                     const hsize_t  *offset,
                                     guint32        *skipped,
                                     void           *target,
                                     gsize           size);

/* The bytes of an HDF5 file, for what the library cannot be trusted with. */
typedef struct
{
  const HlHdf5Handle *handle;
  guint64             base; /* where its addresses count from */
  gsize               n_address;
  gsize               n_length;
} HlHdf5Bytes;

gboolean  hl_hdf5_bytes_init        (HlHdf5Bytes        *self,
                                     hid_t               id);
gboolean  hl_hdf5_is_as_opened      (hid_t               id,
                                     GError            **error);
gboolean  hl_hdf5_bytes_read        (const HlHdf5Bytes  *self,
                                     guint64             address,
                                     void               *target,
                                     gsize               size);
guint64   hl_hdf5_bytes_get         (const guint8       *bytes,
                                     gsize               n);

/* Whether types, fill values and attributes are as long as they say. */
gboolean  hl_hdf5_check_attributes  (hid_t          object,
                                     const char    *name,
                                     GError       **error);
gboolean  hl_hdf5_check_links       (hid_t           group,
                                     const char     *name,
                                     GError        **error);
gboolean  hl_hdf5_check_type        (hid_t          group,
                                     const char    *link,
                                     const char    *name,
                                     GError       **error);
gboolean  hl_hdf5_read_fill         (hid_t          dataset,
                                     guint8        *value,
                                     gsize          size);

/* What a dataset or an attribute is made of, and small values. */
gboolean  hl_hdf5_get_dtype         (hid_t          type,
                                     HlDType       *dtype,
                                     gboolean      *swapped);
char     *hl_hdf5_describe_type     (hid_t          type);
gboolean  hl_hdf5_get_shape         (hid_t          space,
                                     const char    *name,
                                     HlShape       *shape,
                                     GError       **error);
GVariant *hl_hdf5_read_value        (hid_t          attribute_or_dataset,
                                     const char    *name,
                                     GError       **error);
char    **hl_hdf5_read_strings      (hid_t          dataset,
                                     const char    *name,
                                     gsize         *n_repaired,
                                     GError       **error);

/* Strings of variable length: elements are places, of a type of their own. */
hid_t     hl_hdf5_make_place_type   (hid_t          attribute_or_dataset);
gboolean  hl_hdf5_read_places       (hid_t          attribute_or_dataset,
                                     const guint8  *places,
                                     guint64        n,
                                     const char    *name,
                                     GPtrArray     *strings,
                                     gsize         *n_repaired,
                                     GError       **error);
char     *hl_hdf5_take_text         (const char    *bytes,
                                     gsize          length,
                                     gsize         *n_repaired);

HlTensor *hl_hdf5_tensor_new        (HlArchive     *archive,
                                     hid_t          file,
                                     hid_t          dataset,
                                     const char    *name,
                                     GError       **error);

G_END_DECLS

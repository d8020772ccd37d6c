/* SPDX-License-Identifier: MIT */
#pragma once

/* HDF5 1.12 and later give some functions other arguments unless asked not to. */
#define H5_USE_110_API
#include <hdf5.h>

#include "core/archive/hl-archive.h"
#include "core/base/hl-error.h"

G_BEGIN_DECLS

/**
 * HL_HDF5_MAX_CHUNK:
 *
 * The largest chunk in bytes that is unpacked: to read one number of a chunk, all of it must be.
 */
#define HL_HDF5_MAX_CHUNK (G_GUINT64_CONSTANT (512) << 20)

/**
 * HL_HDF5_MAX_TEXT:
 *
 * The most bytes of text that are read from one dataset.
 */
#define HL_HDF5_MAX_TEXT (G_GUINT64_CONSTANT (256) << 20)

/**
 * HL_HDF5_MAX_ATTRIBUTE:
 *
 * The most bytes that an attribute can have.
 */
#define HL_HDF5_MAX_ATTRIBUTE (G_GUINT64_CONSTANT (1) << 20)

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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHdf5Lock, hl_hdf5_unlock)

/* An identifier that is closed where it goes out of scope. */
typedef hid_t HlHdf5Id;
G_DEFINE_AUTO_CLEANUP_FREE_FUNC (HlHdf5Id, hl_hdf5_close, H5I_INVALID_HID)

hid_t    hl_hdf5_open_file     (const char  *path,
                                GError     **error);

herr_t   hl_hdf5_read_stored_chunk (hid_t           dataset,
                                    const hsize_t  *offset,
                                    guint32        *skipped,
                                    void           *target,
                                    gsize           size);

/* What a dataset is made of; called with the lock held. */
gboolean  hl_hdf5_get_dtype       (hid_t          type,
                                   HlDType       *dtype,
                                   gboolean      *swapped);
char     *hl_hdf5_describe_type   (hid_t          type);
gboolean  hl_hdf5_get_shape       (hid_t          space,
                                   const char    *name,
                                   HlShape       *shape,
                                   GError       **error);

/* Links, one step at a time; called with the lock held. */
hid_t     hl_hdf5_open_member     (hid_t          start,
                                   const char    *path,
                                   const char    *name,
                                   GError       **error);

/* Text and small values; called with the lock held. */
GVariant *hl_hdf5_read_value      (hid_t          attribute_or_dataset,
                                   const char    *name,
                                   GError       **error);
char    **hl_hdf5_read_strings    (hid_t          dataset,
                                   const char    *name,
                                   gsize         *n_repaired,
                                   GError       **error);
char     *hl_hdf5_take_text       (const char    *bytes,
                                   gsize          length,
                                   gsize         *n_repaired);
hid_t     hl_hdf5_make_place_type (hid_t          attribute_or_dataset);
gboolean  hl_hdf5_read_places     (hid_t          attribute_or_dataset,
                                   const guint8  *places,
                                   guint64        n,
                                   const char    *name,
                                   GPtrArray     *strings,
                                   gsize         *n_repaired,
                                   GError       **error);

HlTensor *hl_hdf5_tensor_new      (HlArchive     *archive,
                                   hid_t          file,
                                   hid_t          dataset,
                                   const char    *name,
                                   GError       **error);

G_END_DECLS

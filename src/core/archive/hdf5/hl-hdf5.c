/* SPDX-License-Identifier: MIT */
/* What every use of the HDF5 library needs: its lock, the end of its identifiers, its complaints as sentences, and how
 * it reads a file. The serial library is not thread-safe at all, so each call to it, anywhere in the program, is made
 * between lock and unlock. */
#include "core/archive/hdf5/hl-hdf5-driver.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/hl-limits.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static GRecMutex mutex;
static HlHdf5Lock held;

/* What is to be closed: who lets go of a file waits for nobody who reads another, which may lie where reading takes for ever. */
typedef struct
{
  guint life;
  hid_t id;
} Leftover;

static GMutex left_mutex; /* who has it takes no other */
static GArray *left;      /* of Leftover, guarded by it; NULL for none */

/* A thread that nobody waits for may read when the process ends; that it ends is waited for so many times so long. */
#define N_WAITS 200
#define WAIT (10 * G_TIME_SPAN_MILLISECOND)

/* Which plugins may be loaded while we read: of no kind that there is, and not the 0 by which others forbid all. */
#define OUR_PLUGINS 0x40000000u

/* What is the process's, and so of others that use the library in it, as h5py does. Only who holds the lock looks at it. */
static struct
{
  guint depth;
  unsigned plugins;
  H5E_auto2_t tell;
  void *tell_data;
  gboolean tells;
} outside = { .plugins = H5PL_ALL_PLUGIN };

/* The library would load code from a folder when a file names a filter it does not know, and print its errors; built for
 * threads, it asks each of them about the errors, and none about the code. */
static void
set_our_ways (void)
{
  unsigned plugins;

  /* It is ours when somebody has put back what he found while we read. */
  if (H5PLget_loading_state (&plugins) >= 0 && plugins != OUR_PLUGINS)
    outside.plugins = plugins;
  H5PLset_loading_state (OUR_PLUGINS);
  /* Of a function of HDF5 1.6 nothing is known, and it stays. */
  unsigned is_current = 0;
  outside.tells = H5Eauto_is_v2 (H5E_DEFAULT, &is_current) >= 0 && is_current != 0 &&
                  H5Eget_auto2 (H5E_DEFAULT, &outside.tell, &outside.tell_data) >= 0;
  if (outside.tells)
    H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
}

static void
set_their_ways (void)
{
  unsigned plugins;

  /* What another thread has chosen meanwhile stays. */
  if (H5PLget_loading_state (&plugins) >= 0 && plugins == OUR_PLUGINS)
    H5PLset_loading_state (outside.plugins);
  if (outside.tells)
    H5Eset_auto2 (H5E_DEFAULT, outside.tell, outside.tell_data);
}

/* How often the library was closed, which anybody does, and without our lock. */
static int n_ends;

guint
hl_hdf5_get_life (void)
{
  return (guint) g_atomic_int_get (&n_ends) + 1;
}

/* Whether something is to be registered in the library anew; @seen is where that is kept, 0 at first. */
gboolean
hl_hdf5_is_new_life (guint *seen)
{
  const guint now = hl_hdf5_get_life ();
  const gboolean is_new = *seen != now;

  *seen = now;
  return is_new;
}

/* This is a child of fork(), which has not the thread that was in the library. It is called no more. */
static gboolean is_lost;

/* Whether what was opened in that life of the library is open still. */
gboolean
hl_hdf5_check_life (guint    life,
                    GError **error)
{
  if (is_lost)
    {
      g_set_error_literal (error, HL_ERROR, HL_ERROR_IO,
                           _ ("this process was forked while another thread read HDF5, and cannot read or write it"));
      return FALSE;
    }
  if (life == hl_hdf5_get_life ())
    return TRUE;
  g_set_error_literal (error, HL_ERROR, HL_ERROR_IO, _ ("another part of the program has closed it; open it again"));
  return FALSE;
}

/* The life in which the lock was taken. */
static guint our_life;

/* The numbers of files that were opened here and are not closed. */
static GHashTable *own;

static gboolean
is_own (hid_t id)
{
  return own != NULL && g_hash_table_contains (own, &id);
}

/* Returns the same. */
hid_t
hl_hdf5_keep (hid_t id)
{
  if (own == NULL)
    own = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  if (id >= 0)
    g_hash_table_add (own, g_memdup2 (&id, sizeof id));
  return id;
}

/* It is closed. */
void
hl_hdf5_forget (hid_t id)
{
  if (own != NULL)
    g_hash_table_remove (own, &id);
}

static void begin_life (void);

static struct
{
  gboolean prepared;
  gboolean closes; /* nobody else closes the library when the process ends */
} ending;

/* Lets go of what somebody forgot to close, as often as he has it. */
static void
close_all (hid_t id)
{
  while (H5Iis_valid (id) > 0 && H5Idec_ref (id) >= 0)
    ;
}

/* What is open in the library, of the kinds that are asked for. */
static hid_t *
list_open (unsigned kinds,
           gssize  *n)
{
  const gssize room = MAX (H5Fget_obj_count (H5F_OBJ_ALL, kinds), 0);
  hid_t *ids = g_new (hid_t, room + 1);

  *n = H5Fget_obj_ids (H5F_OBJ_ALL, kinds, (gsize) room, ids);
  return ids;
}

static gboolean
is_of_own_file (hid_t id)
{
  const hid_t file = H5Iget_file_id (id);
  const gboolean result = is_own (file);

  H5Idec_ref (file);
  return result;
}

/* Not ours: with damaged ones the library does not come to an end. What is in files goes first: of one that is closed but for that there is no
 * number. */
static void
close_files_of_others (void)
{
  gssize n_parts, n_files;
  g_autofree hid_t *parts = list_open (H5F_OBJ_DATASET | H5F_OBJ_GROUP | H5F_OBJ_DATATYPE | H5F_OBJ_ATTR, &n_parts);

  for (gssize i = 0; i < n_parts; i++)
    if (H5Iis_valid (parts[i]) > 0 && !is_of_own_file (parts[i]))
      close_all (parts[i]);

  g_autofree hid_t *files = list_open (H5F_OBJ_FILE, &n_files);
  for (gssize i = 0; i < n_files; i++)
    if (!is_own (files[i]))
      close_all (files[i]);
}

/* What others have open in the library is closed when the process ends, perhaps while a worker still reads: that is waited for,
 * and nobody reads afterwards. Where the library does not close itself, a worker may as well go on until the process is gone. */
static void
close_at_exit (void)
{
  if (is_lost)
    return;
  if (!ending.closes)
    {
      g_rec_mutex_lock (&mutex);
      return;
    }
  for (guint i = 0; !g_rec_mutex_trylock (&mutex); i++)
    {
      if (i == N_WAITS)
        return;
      g_usleep (WAIT);
    }
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  begin_life ();
  close_files_of_others ();
}

static void
look_for_locks (void)
{
  is_lost = is_lost || !g_mutex_trylock (&left_mutex) || !g_rec_mutex_trylock (&mutex);
  if (is_lost)
    return;
  g_rec_mutex_unlock (&mutex);
  g_mutex_unlock (&left_mutex);
}

static void
prepare (void)
{
  /* Where others were first, the library closes itself or they do it: after this, as what is registered last is called first. */
  ending.closes = H5dont_atexit () >= 0;
  H5open ();
  atexit (close_at_exit);
  pthread_atfork (NULL, NULL, look_for_locks);
  ending.prepared = TRUE;
}

/* The lock is taken. */
static void
enter (void)
{
  if (!ending.prepared)
    prepare ();
  if (outside.depth++ == 0)
    {
      set_our_ways ();
      begin_life ();
    }
}

static void
leave (void)
{
  if (--outside.depth == 0)
    set_their_ways ();
  g_rec_mutex_unlock (&mutex);
}

static GArray *
steal_left (void)
{
  g_mutex_lock (&left_mutex);
  GArray *ids = g_steal_pointer (&left);
  g_mutex_unlock (&left_mutex);
  return ids;
}

static gboolean
has_left (void)
{
  g_mutex_lock (&left_mutex);
  const gboolean result = left != NULL;
  g_mutex_unlock (&left_mutex);
  return result;
}

/* Closes what was left, unless another thread has the lock: that comes here too, and only after it has let go of it. */
static void
close_left (void)
{
  while (has_left () && g_rec_mutex_trylock (&mutex))
    {
      enter ();
      g_autoptr (GArray) ids = steal_left ();
      for (guint i = 0; ids != NULL && i < ids->len; i++)
        {
          const Leftover *leftover = &g_array_index (ids, Leftover, i);
          if (leftover->life == hl_hdf5_get_life ())
            hl_hdf5_close (leftover->id);
        }
      leave ();
    }
}

HlHdf5Lock *
hl_hdf5_lock (void)
{
  if (!is_lost)
    {
      g_rec_mutex_lock (&mutex);
      enter ();
    }
  return &held;
}

void
hl_hdf5_unlock (HlHdf5Lock *lock)
{
  if (is_lost)
    return;
  leave ();
  close_left ();
}

/* Unless it was closed with the library meanwhile, and its number may stand for something of others. */
void
hl_hdf5_close (hid_t id)
{
  if (id >= 0 && our_life == hl_hdf5_get_life () && H5Idec_ref (id) == 0)
    hl_hdf5_forget (id);
}

/* Closes what was opened in that life of the library, with which it is closed at the latest: at once, or when whoever has the lock lets go of
 * it. Needs no lock. */
void
hl_hdf5_let_go (guint life,
                hid_t id)
{
  if (id < 0 || is_lost)
    return;
  g_mutex_lock (&left_mutex);
  if (left == NULL)
    left = g_array_new (FALSE, FALSE, sizeof (Leftover));
  g_array_append_val (left, ((Leftover){ life, id }));
  g_mutex_unlock (&left_mutex);
  close_left ();
}

typedef struct
{
  char *reason;
  gboolean truncated;
  gboolean memory;
  gboolean is_written;
  gboolean is_unopened;
  /* The driver refuses global heaps, of which nothing is asked but for virtual datasets and fill values of variable length. */
  gboolean met_heap;
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
take_complaint (unsigned            n,
                const H5E_error2_t *entry,
                void               *data)
{
  Complaint *complaint = data;

  if (entry->min_num == H5E_TRUNCATED)
    complaint->truncated = TRUE;
  if (entry->maj_num == H5E_IO && entry->min_num == H5E_UNSUPPORTED)
    complaint->met_heap = TRUE;
  if (entry->maj_num == H5E_IO && entry->min_num == H5E_VERSION)
    complaint->is_written = TRUE;
  if (entry->maj_num == H5E_IO && entry->min_num == H5E_CANTOPENFILE)
    complaint->is_unopened = TRUE;
  if (entry->maj_num == H5E_RESOURCE && entry->min_num == H5E_NOSPACE)
    complaint->memory = TRUE;
  /* Walking upward, the first entry is where it went wrong. */
  if (n == 0 && entry->desc != NULL)
    complaint->reason = g_utf8_make_valid (entry->desc, -1);
  return 0;
}

/* What we wanted, and the innermost reason on the library's stack of errors: right after the call that failed. */
void
hl_hdf5_set_error (GError    **error,
                   const char *format,
                   ...)
{
  Complaint complaint = { 0 };
  va_list arguments;

  /* Which is why nothing worked. */
  if (!hl_hdf5_check_life (our_life, error))
    return;
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
  else if (complaint.met_heap)
    g_set_error (error, HL_ERROR, HL_ERROR_EXTERNAL,
                 _ ("%s: it is a virtual dataset, made of other datasets, which is not followed"), what);
  else if (complaint.is_unopened)
    g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("it cannot be read: %s"), reason);
  else if (complaint.is_written)
    g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("%s: it has been written to since it was opened; open it again"),
                 what);
  else if (complaint.memory)
    g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("%s: there is not enough memory (%s)"), what, reason);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s: the file is damaged (%s)"), what,
                 reason != NULL && *reason != '\0' ? reason : _ ("the HDF5 library does not say how"));
}

static herr_t
take_absence (unsigned            n,
              const H5E_error2_t *entry,
              void               *data)
{
  if (n == 0)
    *(gboolean *) data = g_strcmp0 (entry->func_name, "H5D__get_chunk_storage_size") == 0;
  return 0;
}

/* Whether H5Dget_chunk_storage_size() just failed because the chunk was never written, although others were. No number tells that from
 * damage (1.10.8): what is damaged is found deeper in the library. */
gboolean
hl_hdf5_was_absent (void)
{
  gboolean absent = FALSE;

  H5Ewalk2 (H5E_DEFAULT, H5E_WALK_UPWARD, take_absence, &absent);
  return absent;
}

/* Whether a global heap was asked for by the call that failed. */
gboolean
hl_hdf5_met_heap (void)
{
  Complaint complaint = { 0 };

  H5Ewalk2 (H5E_DEFAULT, H5E_WALK_UPWARD, take_complaint, &complaint);
  g_free (complaint.reason);
  return complaint.met_heap;
}

/* The library's own driver takes two files at the same place for one, and then shows what was there when the first was
 * opened, although another program has written the file anew since. It also locks files, and takes what lies behind
 * their end for zeros. This one only reads, without a lock, and each file that is opened is one of its own. */
static H5FD_t *
driver_open (const char *name,
             unsigned    flags,
             hid_t       access,
             haddr_t     largest)
{
  struct stat info;
  const int fd = flags & H5F_ACC_RDWR ? -1 : open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (fd < 0)
    return NULL;
  if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode))
    {
      close (fd);
      return NULL;
    }
  if (!hl_file_leaves_room (fd))
    {
      close (fd);
      hl_hdf5_driver_refuse (H5E_CANTOPENFILE, g_strerror (EMFILE));
      return NULL;
    }
  const HlFileVersion version = hl_file_version_take (fd, &info);
  return hl_hdf5_driver_new (&(HlHdf5Handle){ fd, version }, (haddr_t) info.st_size);
}

static herr_t
driver_query (const H5FD_t  *file,
              unsigned long *flags)
{
  /* Not those that gather reads: the buffers they gather in are overrun by addresses near the end of the space
   * (1.10.8). */
  *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

/* While a chunk is read, how much room there is for it, otherwise 0; guarded by the lock. What the library says about
 * the size of a chunk is not always what it then reads. */
static gsize room_for_chunk;

/* A global heap, where strings of variable length lie and what virtual datasets are made of. Strings are read elsewhere
 * and virtual datasets not at all, so the library has no business there: its reader of heaps (1.10.8) runs in circles
 * or beyond their end when they are damaged. */
static gboolean
is_heap (const guint8 *bytes,
         size_t        size)
{
  return size >= 4 && memcmp (bytes, "GCOL", 4) == 0;
}

/* The gaps of a local heap are a chain, from which the library (1.10.8) takes memory until it ends, if it does; each tells where the next
 * one is, 1 for none, and how long it is. */
static gboolean
is_sound_chain (const HlHdf5Bytes *self,
                guint64            address,
                guint64            heap_size,
                guint64            gap)
{
  guint8 bytes[16];

  for (guint i = 0; gap != 1; i++)
    {
      if (i >= HL_LIMIT_HDF5_GAPS || heap_size < sizeof bytes || gap > heap_size - sizeof bytes ||
          !hl_hdf5_bytes_read (self, address + gap, bytes, sizeof bytes))
        return FALSE;
      gap = hl_hdf5_bytes_get (bytes, sizeof gap);
    }
  return TRUE;
}

/* Returns what is wrong with the head of a local heap, where names of members lie; NULL for nothing, or if it is none. Signature,
 * version, three zeros, a size, which the library adds to without a look at how large it is, the first gap, and where the names are.
 * Numbers take 8 bytes in every file that the library writes unless it is told otherwise. */
static const char *
check_local_heap (const HlHdf5Driver *self,
                  const guint8       *bytes,
                  size_t              size)
{
  if (size < 4 || memcmp (bytes, "HEAP", 4) != 0)
    return NULL;
  const HlHdf5Bytes file = { self->handle, self->parent.base_addr, sizeof (guint64), sizeof (guint64) };
  const guint64 heap_size = size >= 32 ? hl_hdf5_bytes_get (bytes + 8, 8) : G_MAXUINT64;
  if (heap_size > self->end_of_file)
    return "a heap of names is longer than the file";
  const guint64 address = hl_hdf5_bytes_get (bytes + 24, 8);
  /* Names that lie behind the end of the file are not read. */
  if (address <= self->end_of_file - heap_size &&
      !is_sound_chain (&file, address, heap_size, hl_hdf5_bytes_get (bytes + 16, 8)))
    return "a heap of names is damaged, or has more than " G_STRINGIFY (HL_LIMIT_HDF5_GAPS) " gaps";
  return NULL;
}

static herr_t
driver_read (H5FD_t    *file,
             H5FD_mem_t type,
             hid_t      transfer,
             haddr_t    address,
             size_t     size,
             void      *target)
{
  const HlHdf5Driver *self = (const HlHdf5Driver *) file;
  size_t done = 0;

  if (room_for_chunk > 0 && type == H5FD_MEM_DRAW && size > room_for_chunk)
    return hl_hdf5_driver_refuse (H5E_BADVALUE, "a chunk is longer than it should be");
  while (done < size)
    {
      const gssize n = address + done < self->end_of_file
                         ? pread (self->handle->fd, (guint8 *) target + done, size - done, (off_t) (address + done))
                         : 0;
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return hl_hdf5_driver_refuse (H5E_READERROR, g_strerror (errno));
      if (n == 0)
        return hl_hdf5_driver_refuse (H5E_TRUNCATED, "something lies behind the end of the file");
      done += (size_t) n;
    }
  if (!hl_file_version_check (&self->handle->version, self->handle->fd, NULL))
    return hl_hdf5_driver_refuse (H5E_VERSION, "the file was written to");
  /* Numbers may look like anything. */
  if (room_for_chunk == 0 && is_heap (target, size))
    return hl_hdf5_driver_refuse (H5E_UNSUPPORTED, "a global heap");
  const char *wrong = room_for_chunk == 0 ? check_local_heap (self, target, size) : NULL;
  return wrong != NULL ? hl_hdf5_driver_refuse (H5E_BADVALUE, wrong) : 0;
}

static herr_t
driver_write (H5FD_t     *file,
              H5FD_mem_t  type,
              hid_t       transfer,
              haddr_t     address,
              size_t      size,
              const void *source)
{
  return -1;
}

/* Nobody but the library lets go of the driver, when it is closed. */
static herr_t
driver_terminate (void)
{
  g_atomic_int_inc (&n_ends);
  return 0;
}

static const H5FD_class_t driver_class = {
  HL_HDF5_DRIVER_CLASS,  .name = "headlight", .fc_degree = H5F_CLOSE_STRONG, .open = driver_open,
  .query = driver_query, .read = driver_read, .write = driver_write,         .terminate = driver_terminate,
};

static hid_t driver;

/* With each the driver is the library's anew, and nothing is open here. */
static void
begin_life (void)
{
  if (!hl_hdf5_is_new_life (&our_life))
    return;
  g_clear_pointer (&own, g_hash_table_unref);
  driver = H5FDregister (&driver_class);
}

hid_t
hl_hdf5_open_file (const char *path,
                   GError    **error)
{
  if (!hl_hdf5_check_life (hl_hdf5_get_life (), error))
    return H5I_INVALID_HID;

  g_auto (HlHdf5Id) access = H5Pcreate (H5P_FILE_ACCESS);

  /* Without ours, the library would take its own. */
  if (H5Pset_driver (access, driver, NULL) < 0)
    {
      hl_hdf5_set_error (error, _ ("it cannot be opened as HDF5"));
      return H5I_INVALID_HID;
    }
  H5Pset_fclose_degree (access, H5F_CLOSE_STRONG);
  /* Chunks are unpacked and kept elsewhere. */
  H5Pset_cache (access, 0, 1, 0, 0);
  const hid_t file = H5Fopen (path, H5F_ACC_RDONLY, access);
  if (file < 0)
    hl_hdf5_set_error (error, _ ("it cannot be opened as HDF5"));
  return hl_hdf5_keep (file);
}

guint64
hl_hdf5_get_file_size (hid_t file)
{
  hsize_t size = 0;

  return H5Fget_filesize (file, &size) < 0 ? 0 : size;
}

herr_t
hl_hdf5_read_stored_chunk (hid_t          dataset,
                           const hsize_t *offset,
                           guint32       *skipped,
                           void          *target,
                           gsize          size)
{
  room_for_chunk = size;
  const herr_t result = H5Dread_chunk (dataset, H5P_DEFAULT, offset, skipped, target);
  room_for_chunk = 0;
  return result;
}

gboolean
hl_hdf5_bytes_init (HlHdf5Bytes *self,
                    hid_t        id)
{
  g_auto (HlHdf5Id) file = H5Iget_file_id (id);
  g_auto (HlHdf5Id) plist = file >= 0 ? H5Fget_create_plist (file) : H5I_INVALID_HID;
  size_t n_address, n_length;
  hsize_t base;
  void *handle;

  if (plist < 0 || H5Pget_sizes (plist, &n_address, &n_length) < 0 || H5Pget_userblock (plist, &base) < 0 ||
      H5Fget_vfd_handle (file, H5P_DEFAULT, &handle) < 0 || n_address < 2 || n_address > 8 || n_length < 2 ||
      n_length > 8)
    return FALSE;
  *self = (HlHdf5Bytes){ handle, base, n_address, n_length };
  return TRUE;
}

/* Where something is damaged, somebody may be writing. */
gboolean
hl_hdf5_is_as_opened (hid_t    id,
                      GError **error)
{
  HlHdf5Bytes bytes;

  return !hl_hdf5_bytes_init (&bytes, id) || hl_file_version_check (&bytes.handle->version, bytes.handle->fd, error);
}

gboolean
hl_hdf5_bytes_read (const HlHdf5Bytes *self,
                    guint64            address,
                    void              *target,
                    gsize              size)
{
  guint8 *at = target;

  if (address > G_MAXINT64 - self->base || size > G_MAXINT64 - self->base - address)
    return FALSE;
  for (guint64 offset = self->base + address; size > 0;)
    {
      const gssize n = pread (self->handle->fd, at, size, (off_t) offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      at += n;
      offset += (guint64) n;
      size -= (gsize) n;
    }
  return hl_file_version_check (&self->handle->version, self->handle->fd, NULL);
}

guint64
hl_hdf5_bytes_get (const guint8 *bytes,
                   gsize         n)
{
  guint64 value = 0;

  for (gsize i = n; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

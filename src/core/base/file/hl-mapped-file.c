/* SPDX-License-Identifier: MIT */
/* Whole files in memory, without being read before they are looked at. Looking at what is no longer there raises SIGBUS, which would end
 * the program; as libwayland does for memory that it shares, a handler puts zeros there and marks the file. */
#include "core/base/file/hl-mapped-file.h"

#include "core/base/hl-error.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-file-version.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

typedef enum
{
  PROBLEM_NONE,
  PROBLEM_SHORTER,
  PROBLEM_UNREADABLE,
} Problem;

struct _HlMappedFile
{
  gatomicrefcount n_refs;
  char *data; /* NULL for an empty file */
  gsize size;
  int fd;
  HlFileVersion version;
  int problem; /* a Problem, once there is one it stays */
  HlMappedFile *next;
};

/* All that are mapped. Only who has the lock changes the list; the handler, which must not wait for locks, follows it
 * at any time, and nothing is freed while it does. */
static HlMappedFile *files;
static GMutex lock;
static int n_handling;

static struct sigaction previous;

static gboolean
is_shorter (const HlMappedFile *self)
{
  struct stat info;

  return fstat (self->fd, &info) == 0 && (guint64) info.st_size < self->size;
}

/* All of the file, so that it is but one mapping still and no other part of it faults. Several threads may be here at once: one more
 * layer of zeros does no harm. */
static gboolean
put_zeros (HlMappedFile *self)
{
  g_atomic_int_set (&self->problem, is_shorter (self) ? PROBLEM_SHORTER : PROBLEM_UNREADABLE);
  return mmap (self->data, self->size, PROT_READ, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
         MAP_FAILED;
}

static gboolean
handle (const char *address)
{
  HlMappedFile *file;

  g_atomic_int_inc (&n_handling);
  file = g_atomic_pointer_get (&files);
  while (file != NULL && (address < file->data || address >= file->data + file->size))
    file = g_atomic_pointer_get (&file->next);
  const gboolean handled = file != NULL && put_zeros (file);
  g_atomic_int_add (&n_handling, -1);
  return handled;
}

static void
on_bus_error (int        number,
              siginfo_t *info,
              void      *context)
{
  const gboolean is_fault = info->si_code > 0;
  const int saved_errno = errno;
  const gboolean handled = is_fault && handle (info->si_addr);

  errno = saved_errno;
  if (handled)
    return;
  if ((previous.sa_flags & SA_SIGINFO) != 0)
    {
      previous.sa_sigaction (number, info, context);
    }
  else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    {
      previous.sa_handler (number);
    }
  else if (is_fault || previous.sa_handler == SIG_DFL)
    {
      /* As if nobody were here: what faulted does so again, and what was sent is sent again. */
      sigaction (number, &previous, NULL);
      if (!is_fault)
        raise (number);
    }
}

static void
add_to_list (HlMappedFile *self)
{
  static gboolean has_handler = FALSE;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (!has_handler)
    {
      struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_ONSTACK };

      sigemptyset (&action.sa_mask);
      /* What was there has to be known before the handler can be called. */
      sigaction (SIGBUS, NULL, &previous);
      sigaction (SIGBUS, &action, NULL);
      has_handler = TRUE;
    }
  self->next = files;
  g_atomic_pointer_set (&files, self);
}

static void
remove_from_list (HlMappedFile *self)
{
  HlMappedFile **link = &files;

  g_mutex_lock (&lock);
  while (*link != self)
    link = &(*link)->next;
  g_atomic_pointer_set (link, self->next);
  g_mutex_unlock (&lock);

  while (g_atomic_int_get (&n_handling) > 0)
    g_thread_yield ();
}

static HlMappedFile *
new_for_fd (int      fd,
            gboolean is_ours,
            GError **error)
{
  g_autoptr (HlMappedFile) self = g_new0 (HlMappedFile, 1);
  struct stat info;

  g_atomic_ref_count_init (&self->n_refs);
  self->fd = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  if (self->fd < 0 || fstat (self->fd, &info) != 0 || !hl_file_leaves_room (self->fd))
    {
      hl_error_set_unread (error, errno);
      return NULL;
    }
  self->version = is_ours ? hl_file_version_of (&info) : hl_file_version_take (self->fd, &info);
  self->version.is_ours = is_ours;
  if (info.st_size == 0 && S_ISREG (info.st_mode))
    return g_steal_pointer (&self);

  void *data = mmap (NULL, (gsize) info.st_size, PROT_READ, MAP_PRIVATE, self->fd, 0);
  if (data == MAP_FAILED)
    {
      hl_error_set_unread (error, errno);
      return NULL;
    }
  self->data = data;
  self->size = (gsize) info.st_size;
  add_to_list (self);
  return g_steal_pointer (&self);
}

/* Returns the file as it is now. */
HlMappedFile *
hl_mapped_file_new_for_fd (int      fd,
                           GError **error)
{
  return new_for_fd (fd, FALSE, error);
}

/* Returns a file of hl_scratch_file_open(), which may be written to later, where nobody has looked. */
HlMappedFile *
hl_mapped_file_new_for_scratch (int      fd,
                                GError **error)
{
  return new_for_fd (fd, TRUE, error);
}

/* Returns the file as it is now. */
HlMappedFile *
hl_mapped_file_open (GFile   *file,
                     GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  struct stat info;
  const int fd = hl_file_open_regular (file, &info, error);
  if (fd < 0)
    return NULL;
  HlMappedFile *self = hl_mapped_file_new_for_fd (fd, error);
  g_close (fd, NULL);
  return self;
}

HlMappedFile *
hl_mapped_file_ref (HlMappedFile *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/* With the last reference, the file is closed. */
void
hl_mapped_file_unref (HlMappedFile *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  if (self->data != NULL)
    {
      remove_from_list (self);
      munmap (self->data, self->size);
    }
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  g_free (self);
}

/* Returns its first byte; %NULL if it is empty. */
const char *
hl_mapped_file_get_data (HlMappedFile *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->data;
}

/* Returns how many bytes it had when it was mapped. */
gsize
hl_mapped_file_get_size (HlMappedFile *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->size;
}

/* Returns all of it, with a reference to the file; who looks at them is to ask hl_mapped_file_check() as well. */
GBytes *
hl_mapped_file_get_bytes (HlMappedFile *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_bytes_new_with_free_func (self->data, self->size, (GDestroyNotify) hl_mapped_file_unref,
                                     hl_mapped_file_ref (self));
}

/* To be called after the file was looked at, and before anybody sees what was made of that. Returns whether what was
 * found is what was in the file. */
gboolean
hl_mapped_file_check (HlMappedFile *self,
                      GError      **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  /* Behind the end of the file, up to that of a page, zeros are found without a fault. */
  if (g_atomic_int_get (&self->problem) == PROBLEM_NONE && is_shorter (self))
    g_atomic_int_set (&self->problem, PROBLEM_SHORTER);
  const Problem problem = (Problem) g_atomic_int_get (&self->problem);
  if (problem == PROBLEM_NONE)
    {
      g_autoptr (GError) changed = NULL;

      if (hl_file_version_check (&self->version, self->fd, &changed))
        return TRUE;
      g_clear_error (error);
      g_propagate_error (error, g_steal_pointer (&changed));
      return FALSE;
    }
  g_clear_error (error);
  return problem == PROBLEM_SHORTER ? hl_error_set_shorter (error) : hl_error_set_unread (error, EIO);
}

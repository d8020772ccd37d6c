/* SPDX-License-Identifier: MIT */
/* Reads all of each HDF5 file with the library alone, without Headlight's guards, and says what came of it.
 *
 * Usage: walk-hdf5 SECONDS FILE… | walk-hdf5 --version
 *
 * Each file is read in a process of its own, all of them at once. A line for each: the file, a tab, and “read” or
 * “refused”, or “crashed in FUNCTION” or “hung in FUNCTION”, the innermost function of the library that has a name.
 * A file hangs if more than so many seconds of processor time do not suffice.
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hdf5.h>

/* Larger ones are not read: that they need memory is no fault of the library. */
#define LARGEST (64 << 20)
#define MEMORY ((rlim_t) 1 << 30)

static int where; /* the pipe to which the function is written in which a file ends the process */

static void
say_where (int number)
{
  void *frames[64];
  const int n_frames = backtrace (frames, 64);

  for (int i = 0; i < n_frames; i++)
    {
      Dl_info info;

      if (dladdr (frames[i], &info) == 0 || info.dli_sname == NULL || strncmp (info.dli_sname, "H5", 2) != 0)
        continue;
      if (write (where, info.dli_sname, strlen (info.dli_sname)) < 0)
        _exit (1);
      break;
    }
  signal (number, SIG_DFL);
  raise (number);
}

static void
catch_signals (void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU };
  static char stack[1 << 16]; /* where the other has overflowed */
  void *frame;

  sigaltstack (&(stack_t){ .ss_sp = stack, .ss_size = sizeof stack }, NULL);
  backtrace (&frame, 1); /* loads what it needs */
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction (numbers[i], &(struct sigaction){ .sa_handler = say_where, .sa_flags = SA_ONSTACK | SA_NODEFER }, NULL);
}

static void *
allocate (hid_t type,
          hid_t space)
{
  const hssize_t n_elements = H5Sget_simple_extent_npoints (space);
  const size_t size = H5Tget_size (type);

  if (n_elements <= 0 || size == 0 || (size_t) n_elements > LARGEST / size)
    return NULL;
  return calloc ((size_t) n_elements, size);
}

static int
read_dataset (hid_t dataset)
{
  const hid_t space = H5Dget_space (dataset);
  const hid_t type = H5Dget_type (dataset);
  void *values = allocate (type, space);
  int status = space < 0 || type < 0;

  if (values != NULL)
    status |= H5Dread (dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
  free (values);
  H5Tclose (type);
  H5Sclose (space);
  return status;
}

static herr_t
read_attribute (hid_t             object,
                const char       *name,
                const H5A_info_t *info,
                void             *data)
{
  int *status = data;
  const hid_t attribute = H5Aopen (object, name, H5P_DEFAULT);
  const hid_t space = H5Aget_space (attribute);
  const hid_t type = H5Aget_type (attribute);
  void *values = allocate (type, space);

  (void) info;
  *status |= attribute < 0 || (values != NULL && H5Aread (attribute, type, values) < 0);
  free (values);
  H5Tclose (type);
  H5Sclose (space);
  H5Aclose (attribute);
  return 0;
}

static herr_t
read_object (hid_t             file,
             const char       *name,
             const H5O_info_t *info,
             void             *data)
{
  int *status = data;
  const hid_t object = H5Oopen (file, name, H5P_DEFAULT);

  *status |= object < 0 || H5Aiterate2 (object, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, read_attribute, status) < 0;
  if (info->type == H5O_TYPE_DATASET)
    *status |= read_dataset (object);
  H5Oclose (object);
  return 0;
}

static int
read_file (const char *path)
{
  const hid_t file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  int status = file < 0;

  if (file >= 0)
    status |= H5Ovisit (file, H5_INDEX_NAME, H5_ITER_NATIVE, read_object, &status) < 0;
  H5Fclose (file);
  return status;
}

typedef struct
{
  pid_t process;
  int where;
} Reader;

static Reader
start (const char *path,
       rlim_t      seconds)
{
  Reader reader;
  int ends[2];

  fflush (stdout);
  if (pipe (ends) != 0 || (reader.process = fork ()) < 0)
    {
      perror ("walk-hdf5");
      exit (2);
    }
  if (reader.process == 0)
    {
      where = ends[1];
      setrlimit (RLIMIT_CORE, &(struct rlimit){ 0, 0 });
      setrlimit (RLIMIT_CPU, &(struct rlimit){ seconds, seconds + 1 });
      setrlimit (RLIMIT_AS, &(struct rlimit){ MEMORY, MEMORY });
      catch_signals ();
      /* What the library tidies up at its end is part of it. */
      exit (read_file (path));
    }
  close (ends[1]);
  reader.where = ends[0];
  return reader;
}

static void
finish (const Reader *reader,
        const char   *path)
{
  char function[256];
  int status;

  waitpid (reader->process, &status, 0);
  const ssize_t length = read (reader->where, function, sizeof function);
  close (reader->where);
  if (WIFSIGNALED (status))
    printf ("%s\t%s in %.*s\n", path, WTERMSIG (status) == SIGXCPU ? "hung" : "crashed",
            (int) (length > 0 ? length : 0), function);
  else
    printf ("%s\t%s\n", path, WEXITSTATUS (status) == 0 ? "read" : "refused");
}

int
main (int    argc,
      char **argv)
{
  if (argc == 2 && strcmp (argv[1], "--version") == 0)
    {
      unsigned int major, minor, release;

      H5get_libversion (&major, &minor, &release);
      printf ("%u.%u.%u\n", major, minor, release);
      return 0;
    }
  if (argc < 3)
    {
      fputs ("usage: walk-hdf5 SECONDS FILE…\n", stderr);
      return 2;
    }
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);

  Reader *readers = calloc ((size_t) argc, sizeof *readers);

  for (int i = 2; i < argc; i++)
    readers[i] = start (argv[i], strtoul (argv[1], NULL, 10));
  for (int i = 2; i < argc; i++)
    finish (&readers[i], argv[i]);
  free (readers);
  return 0;
}

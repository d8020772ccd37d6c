/* SPDX-License-Identifier: MIT */
/* Runs the command line many times, each time in a process of its own, without loading it anew.
 *
 * Usage: run-many SECONDS
 *
 * Standard input has a run after the other: its arguments, each ended by a zero byte, and one more zero byte. For each there is a line
 * on standard output, “EXIT SIGNAL SECONDS KIB OUT ERR”: with what it ended, how much of the processor's time it took, the most
 * memory it had, and how many bytes it wrote; then the end of what it wrote to its standard error, ERR bytes. What takes more than SECONDS
 * of that time is ended by SIGXCPU, and what waits for a minute by SIGALRM.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGUMENTS 64
#define MAX_LENGTH (1 << 16)
#define MAX_TOLD (1 << 16)
#define PATIENCE 60

/* The main() of the command line, under another name. */
int run_command_line (int argc, char **argv);

static void
fail (const char *what)
{
  perror (what);
  exit (EXIT_FAILURE);
}

/* Reads the arguments of a run. Returns how many, 0 at the end. */
static int
read_arguments (char **argv)
{
  static char text[MAX_LENGTH];
  size_t used = 0;
  int n = 1, c;

  argv[0] = (char *) "headlight-cli";
  for (char *start = text; (c = getchar ()) != EOF && used + 1 < sizeof text;)
    {
      text[used++] = (char) c;
      if (c != '\0')
        continue;
      if (start == text + used - 1 || n + 1 == MAX_ARGUMENTS)
        break;
      argv[n++] = start;
      start = text + used;
    }
  argv[n] = NULL;
  return n > 1 ? n : 0;
}

static int
make_file (const char *name)
{
  const int fd = memfd_create (name, MFD_CLOEXEC);

  if (fd < 0)
    fail ("memfd_create");
  return fd;
}

static void
run (int    argc,
     char **argv,
     int    seconds)
{
  const int out = make_file ("out"), err = make_file ("err");
  struct rusage usage;
  struct stat out_info, err_info;
  int status;

  fflush (stdout);
  const pid_t child = fork ();
  if (child < 0)
    fail ("fork");
  if (child == 0)
    {
      const int null = open ("/dev/null", O_RDONLY);

      if (dup2 (null, 0) < 0 || dup2 (out, 1) < 0 || dup2 (err, 2) < 0)
        _exit (EXIT_FAILURE);
      close (null);
      setrlimit (RLIMIT_CPU, &(struct rlimit){ (rlim_t) seconds, (rlim_t) seconds + 1 });
      alarm (PATIENCE);
      exit (run_command_line (argc, argv));
    }
  while (wait4 (child, &status, 0, &usage) < 0)
    if (errno != EINTR)
      fail ("wait4");
  if (fstat (out, &out_info) != 0 || fstat (err, &err_info) != 0)
    fail ("fstat");

  const size_t size = (size_t) err_info.st_size, n_told = size < MAX_TOLD ? size : MAX_TOLD;
  char *told = malloc (n_told + 1);
  if (told == NULL || pread (err, told, n_told, (off_t) (size - n_told)) != (ssize_t) n_told)
    fail ("pread");
  printf ("%d %d %.3f %ld %lld %zu\n", WIFEXITED (status) ? WEXITSTATUS (status) : -1,
          WIFSIGNALED (status) ? WTERMSIG (status) : 0,
          (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
            (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
          usage.ru_maxrss, (long long) out_info.st_size, n_told);
  fwrite (told, 1, n_told, stdout);
  fflush (stdout);
  free (told);
  close (out);
  close (err);
}

int
main (int    argc,
      char **argv)
{
  const int seconds = argc == 2 ? atoi (argv[1]) : 0;
  char *arguments[MAX_ARGUMENTS];
  int n;

  if (seconds < 1)
    {
      fprintf (stderr, "Usage: run-many SECONDS\n");
      return EXIT_FAILURE;
    }
  while ((n = read_arguments (arguments)) > 0)
    run (n, arguments, seconds);
  return EXIT_SUCCESS;
}

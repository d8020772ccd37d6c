/* SPDX-License-Identifier: MIT */
/* Runs the command line as often as a test asks, each time in a process of its own, without loading it anew: its libraries take
 * longer to be found and bound than most of what is asked for takes to be done, and several times that under the sanitizers.
 *
 * Usage: serve-cli SOCKET
 *
 * SOCKET is the number of a Unix socket of packets. A packet is a run: the folder that it works in and its arguments, the name of the
 * program first, each ended by a zero byte, and with them two open files, its standard output and its standard error. The answers are
 * the number of the process, and with what it ended, as waitpid() says it. program.py is the other end.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#define MAX_ARGUMENTS 1024
/* As in program.py. */
#define MAX_LENGTH (1 << 16)

/* The main() of the command line, under another name. */
int run_command_line (int argc, char **argv);

static void
fail (const char *what)
{
  perror (what);
  _exit (EXIT_FAILURE);
}

/* Reads the arguments of a run, the folder before them. Returns how many, 0 at the end. */
static int
read_arguments (int    asks,
                char **argv,
                int    files[2])
{
  static char text[MAX_LENGTH];
  union
  {
    struct cmsghdr header;
    char bytes[CMSG_SPACE (2 * sizeof (int))];
  } control;
  struct iovec part = { text, sizeof text };
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  ssize_t size;
  int n = 0;

  while ((size = recvmsg (asks, &message, 0)) < 0)
    if (errno != EINTR)
      fail ("recvmsg");
  if (size == 0)
    return 0;
  if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 || message.msg_controllen != sizeof control ||
      text[size - 1] != '\0')
    {
      errno = EMSGSIZE;
      fail ("recvmsg");
    }
  memcpy (files, CMSG_DATA (&control.header), 2 * sizeof (int));
  for (char *word = text; word < text + size && n + 1 < MAX_ARGUMENTS; word += strlen (word) + 1)
    argv[n++] = word;
  argv[n] = NULL;
  return n;
}

/* What of the libraries leaks is known by its place in them, for which the sanitizer reads all that is written about them: the
 * memory that it keeps of that is handed down. */
static void
read_symbols (void)
{
#ifdef __SANITIZE_ADDRESS__
  char text[256];

  __sanitizer_symbolize_pc ((char *) (uintptr_t) malloc + 1, "%f %S", text, sizeof text);
#endif
}

static void
answer (int asks,
        int number)
{
  if (send (asks, &number, sizeof number, MSG_NOSIGNAL) != sizeof number)
    fail ("send");
}

int
main (int    argc,
      char **argv)
{
  const int asks = argc == 2 ? atoi (argv[1]) : 0;
  static char *words[MAX_ARGUMENTS];
  int n, files[2], status;

  if (asks < 3)
    {
      fprintf (stderr, "Usage: serve-cli SOCKET\n");
      return EXIT_FAILURE;
    }
  read_symbols ();
  while ((n = read_arguments (asks, words, files)) > 1)
    {
      const pid_t child = fork ();

      if (child < 0)
        fail ("fork");
      if (child == 0)
        {
          if (chdir (words[0]) != 0 || dup2 (files[0], STDOUT_FILENO) < 0 || dup2 (files[1], STDERR_FILENO) < 0)
            fail (words[0]);
          close (files[0]);
          close (files[1]);
          close (asks);
          exit (run_command_line (n - 1, words + 1));
        }
      close (files[0]);
      close (files[1]);
      answer (asks, child);
      while (waitpid (child, &status, 0) < 0)
        if (errno != EINTR)
          fail ("waitpid");
      answer (asks, status);
    }
  /* What is asked at the end of a process, the sanitizer of leaks does in each of the others. */
  _exit (EXIT_SUCCESS);
}

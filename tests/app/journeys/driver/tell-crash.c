/* SPDX-License-Identifier: MIT */
/*
 * Loaded before a program, writes where it crashed to its standard error, a line for each function, and lets it crash. Where a test
 * fails once in some hundred times, and on another computer, there is no debugger. Of functions that are not exported it tells where
 * they are in their file, as addr2line takes it.
 */
#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_DEPTH 64

/* Another stack: the program's own may be what is full. */
static char stack[1 << 16];

static void
tell (int number)
{
  static const char words[] = "ERROR: crashed in\n";
  void *places[MAX_DEPTH];

  (void) !write (STDERR_FILENO, words, sizeof words - 1);
  backtrace_symbols_fd (places, backtrace (places, MAX_DEPTH), STDERR_FILENO);
  /* The handler is gone: now it ends the program. */
  raise (number);
}

__attribute__ ((constructor)) static void
begin (void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT };
  const stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action = { .sa_handler = tell, .sa_flags = (int) (SA_ONSTACK | SA_RESETHAND) };
  void *place;

  /* The first time, it loads what it needs. */
  backtrace (&place, 1);
  sigaltstack (&other, NULL);
  sigemptyset (&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction (numbers[i], &action, NULL);
  /* Programs that this one starts are another matter. */
  unsetenv ("LD_PRELOAD");
}

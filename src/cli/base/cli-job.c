/* SPDX-License-Identifier: MIT */
/* Runs the work of a subcommand in a thread, while this one shows how far it is and waits for
 * Ctrl+C. */
#include "cli/base/cli-job.h"

#include "cli/base/cli-text.h"

#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* What is done sooner than this needs no progress. */
#define QUIET_MICROSECONDS 300000

typedef struct
{
  CliJob *job;
  GError *error;
  gboolean done; /* atomic */
  gint64 start;
  int signal;
} Run;

static gpointer
run_work (gpointer data)
{
  Run *run = data;

  run->job->work (run->job, &run->error);
  g_atomic_int_set (&run->done, TRUE);
  g_main_context_wakeup (NULL);
  return NULL;
}

/* The first ends the work, a second one the process. */
static gboolean
take_signal (Run *run,
             int  number)
{
  if (run->signal != 0)
    {
      signal (number, SIG_DFL);
      raise (number);
    }
  run->signal = number;
  g_cancellable_cancel (run->job->cancellable);
  return G_SOURCE_CONTINUE;
}

static gboolean
take_interrupt (gpointer data)
{
  return take_signal (data, SIGINT);
}

static gboolean
take_termination (gpointer data)
{
  return take_signal (data, SIGTERM);
}

static gboolean
take_hangup (gpointer data)
{
  return take_signal (data, SIGHUP);
}

/* Who was told to outlive the terminal, as by nohup, or an interrupt, as behind a script, does. */
static gboolean
is_ignored (int number)
{
  struct sigaction action;

  return sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void
show_progress (HlProgress *progress,
               GParamSpec *pspec,
               Run        *run)
{
  if (g_get_monotonic_time () - run->start < QUIET_MICROSECONDS)
    return;
  g_autofree char *message = hl_progress_dup_message (progress);
  g_autofree char *pace = hl_progress_dup_pace (progress);
  g_printerr ("\r%s %3.0f %%%s%s\033[K", message != NULL ? message : "", 100 * hl_progress_get_fraction (progress),
              pace != NULL ? " · " : "", pace != NULL ? pace : "");
}

/* Whether there was an error, and what the shell is told. After an interrupt, that it was one. */
static int
finish (Run *run)
{
  g_autoptr (GError) error = g_steal_pointer (&run->error);

  if (error == NULL)
    return 0;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      if (run->job->show_so_far != NULL)
        run->job->show_so_far (run->job);
      fflush (stdout);
      signal (run->signal, SIG_DFL);
      raise (run->signal);
    }
  cli_print_error (run->job->file, error->message);
  return 1;
}

/* Does the work. Progress is shown on standard error if that is a terminal; an error is said there in one line. An
 * interrupt cancels the work, which leaves no half-written file, has what is known so far printed, and then ends the process as
 * interrupts do; a second one ends it at once. */
int
cli_job_run (CliJob *job)
{
  g_autoptr (HlProgress) progress = hl_progress_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Run run = { .job = job, .start = g_get_monotonic_time () };
  const gboolean on_terminal = isatty (STDERR_FILENO);

  job->progress = progress;
  job->cancellable = cancellable;
  const guint interrupt = is_ignored (SIGINT) ? 0 : g_unix_signal_add (SIGINT, take_interrupt, &run);
  const guint termination = is_ignored (SIGTERM) ? 0 : g_unix_signal_add (SIGTERM, take_termination, &run);
  const guint hangup = is_ignored (SIGHUP) ? 0 : g_unix_signal_add (SIGHUP, take_hangup, &run);
  gulong shown = 0;
  if (on_terminal)
    shown = g_signal_connect (progress, "notify::fraction", G_CALLBACK (show_progress), &run);

  GThread *thread = g_thread_new ("work", run_work, &run);
  while (!g_atomic_int_get (&run.done))
    g_main_context_iteration (NULL, TRUE);
  g_thread_join (thread);

  if (interrupt != 0)
    g_source_remove (interrupt);
  if (termination != 0)
    g_source_remove (termination);
  if (hangup != 0)
    g_source_remove (hangup);
  if (on_terminal)
    {
      g_signal_handler_disconnect (progress, shown);
      if (g_get_monotonic_time () - run.start >= QUIET_MICROSECONDS)
        g_printerr ("\r\033[K");
    }
  g_clear_pointer (&job->stamp, g_free);
  return finish (&run);
}

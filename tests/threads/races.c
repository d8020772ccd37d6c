/* SPDX-License-Identifier: MIT */
/* Adds up in several threads, in order or not, so that it can be seen whether the thread sanitizer tells the one from the other. Usage: races KIND. */
#include <gio/gio.h>
#include <stdio.h>

#define N 64

static GMutex lock;
static int sum;

static void
add_in_region (void)
{
#pragma omp parallel num_threads(4)
  sum++;
}

static void
add_critical (void)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(4)
  for (int i = 0; i < N; i++)
    {
#pragma omp critical(add_up)
      sum += i;
    }
}

/* Each part is read by another thread than that which wrote it. */
static void
add_behind_barrier (void)
{
  int parts[N] = { 0 };

#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < N; i++)
      parts[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      parts[N - 1 - i] += 1;
  }
  for (int i = 0; i < N; i++)
    sum += parts[i] - 1;
}

static gpointer
add_locked (gpointer data)
{
  for (int i = 0; i < N; i++)
    {
      g_mutex_lock (&lock);
      sum += i;
      g_mutex_unlock (&lock);
    }
  return NULL;
}

static gpointer
add_unlocked (gpointer data)
{
  for (int i = 0; i < N; i++)
    sum += i;
  return NULL;
}

static void
add_in_threads (GThreadFunc function)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("adder", function, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

static void
add_in_task (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  add_unlocked (NULL);
  g_task_return_boolean (task, TRUE);
}

static void
on_added (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_task_propagate_boolean (G_TASK (result), NULL);
  sum++;
  *(gboolean *) data = TRUE;
}

static void
add_in_worker (void)
{
  gboolean done = FALSE;
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_added, &done);

  sum = 1;
  g_task_run_in_thread (task, add_in_task);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int    argc,
      char **argv)
{
  const char *kind = argc > 1 ? argv[1] : "";

  if (g_str_equal (kind, "region"))
    add_in_region ();
  else if (g_str_equal (kind, "critical"))
    add_critical ();
  else if (g_str_equal (kind, "barrier"))
    add_behind_barrier ();
  else if (g_str_equal (kind, "lock"))
    add_in_threads (add_locked);
  else if (g_str_equal (kind, "no-lock"))
    add_in_threads (add_unlocked);
  else if (g_str_equal (kind, "task"))
    add_in_worker ();
  else
    return 2;
  printf ("%d\n", sum);
  return 0;
}

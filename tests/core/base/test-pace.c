/* SPDX-License-Identifier: MIT */
/* How fast a run is, in words, and when it is told. */
#include "core/base/hl-pace.h"
#include "core/base/hl-progress.h"

#include <string.h>

/* Longer than what nobody asks about. */
#define LONG_US 600000

static void
test_words (void)
{
  static const struct
  {
    HlPace pace;
    const char *speed;
    const char *left;
  } cases[] = {
    { { 100, 0.5, 2, 2 }, "25 tokens/s", "2 s left" },        { { 100, 0.5, 20, 19.1 }, "2.5 tokens/s", "20 s left" },
    { { 512, 1, 4, 0 }, "128 tokens/s", "0 s left" },         { { 0, 0.5, 2, 89 }, NULL, "89 s left" },
    { { 1000, 0.1, 30, 270 }, "3.3 tokens/s", "5 min left" }, { { 10, 0.01, 90, 90 }, "0.0 tokens/s", "2 min left" },
    { { 0, 0.5, 2, 2 * 3600 - 1 }, NULL, "2 h left" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = hl_pace_describe (&cases[i].pace);
      g_auto (GStrv) parts = g_strsplit (text, " · ", -1);
      const guint n = g_strv_length (parts);

      g_assert_cmpuint (n, ==, (cases[i].speed != NULL) + (hl_pace_get_memory () > 0) + 1);
      if (cases[i].speed != NULL)
        g_assert_cmpstr (parts[0], ==, cases[i].speed);
      g_assert_cmpstr (parts[n - 1], ==, cases[i].left);
    }
}

/* What the program has for itself grows by what it fills, and not by what it only asks for. */
static void
test_memory (void)
{
  const gsize size = 64 << 20;
  const guint64 before = hl_pace_get_memory ();

  if (before == 0)
    {
      g_test_skip ("the system does not tell");
      return;
    }
  g_autofree char *room = g_malloc (size);
  memset (room, 1, size);
  g_assert_cmpuint (hl_pace_get_memory (), >=, before + size / 2);
}

static void
test_progress (void)
{
  g_autoptr (HlProgress) progress = hl_progress_new ();

  hl_progress_set (progress, 0.2, "Reading");
  g_assert_null (hl_progress_dup_pace (progress));
  hl_progress_begin (progress, 100);
  hl_progress_set (progress, 0.6, NULL);
  /* It did not take long yet. */
  g_assert_null (hl_progress_dup_pace (progress));
  g_usleep (LONG_US);
  hl_progress_set (progress, 0.6, NULL);
  g_autofree char *pace = hl_progress_dup_pace (progress);
  g_assert_nonnull (strstr (pace, " tokens/s · "));
  g_assert_true (g_str_has_suffix (pace, " s left"));
  /* Nothing is left, and what begins again is something else. */
  hl_progress_set (progress, 1, NULL);
  g_assert_null (hl_progress_dup_pace (progress));
  hl_progress_set (progress, 0.1, "Writing");
  g_usleep (LONG_US);
  hl_progress_set (progress, 0.5, NULL);
  g_assert_null (hl_progress_dup_pace (progress));
  hl_progress_begin (progress, 0);
  g_usleep (LONG_US);
  /* Nothing is done yet. */
  g_assert_null (hl_progress_dup_pace (progress));
  hl_progress_begin (NULL, 5);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pace/words", test_words);
  g_test_add_func ("/pace/memory", test_memory);
  g_test_add_func ("/pace/progress", test_progress);
  return g_test_run ();
}

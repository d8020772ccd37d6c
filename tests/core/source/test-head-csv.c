/* SPDX-License-Identifier: MIT */
/* The table of a head: its text to the byte, and whether any CSV reader gets the same numbers. */
#include "test-attentions.h"
#include "test-dumps.h"

#include "core/base/hl-error.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/save/hl-head-csv.h"

#include <string.h>

static const float weights[] = { 0.5f, 0.25f, 0.25f, 1, 0, 0, 0.1f, 1e-7f, 0.3f };

static void
test_text (void)
{
  const char *tokens[] = { "a,b", "say \"x\"", " lead", NULL };
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 3, 3, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const HlHeadCsv csv = { source, 0, 0, 0, 3, 0, 3, tokens, tokens };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = hl_head_csv_to_string (&csv, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (text, ==,
                   ",\"a,b\",\"say \"\"x\"\"\",\" lead\"\r\n"
                   "\"a,b\",0.5,0.25,0.25\r\n"
                   "\"say \"\"x\"\"\",1,0,0\r\n"
                   "\" lead\",0.1,1e-7,0.3\r\n");
}

/* What spreadsheets would run is text to them, whatever white space is before it. */
static void
test_formulas (void)
{
  static const char *const cases[][2] = {
    { "=1+1", "\"'=1+1\"" },
    { "=cmd|'/c calc'!A1", "\"'=cmd|'/c calc'!A1\"" },
    { "+SUM(1,2)", "\"'+SUM(1,2)\"" },
    { "-a", "\"'-a\"" },
    { "@SUM(A1)", "\"'@SUM(A1)\"" },
    { " =A1", "\"' =A1\"" },
    { "\t=A1", "\"'\t'=A1\"" },
    { "a\t=A1", "\"a\t'=A1\"" },
    { ";\t=A1", "\";\t'=A1\"" },
    { "a\t1", "\"a\t1\"" },
    { "b;c", "\"b;c\"" },
    { "b|c", "\"b|c\"" },
    { ";", "\";\"" },
    { "\u00a0=A1", "\"'\u00a0=A1\"" },
    { "\uff1dA1", "\"'\uff1dA1\"" },
    { "=\"\"", "\"'=\"\"\"\"\"" },
    { "-1+2", "\"'-1+2\"" },
    { "\ufeff=A1", "\"'\ufeff=A1\"" },
    { "\u200b \u2060-a", "\"'\u200b \u2060-a\"" },
    { "\"=A1", "\"'\"\"=A1\"" },
    { "'@A", "\"''@A\"" },
    { ";=A1", "\";'=A1\"" },
    { "|+a", "\"|'+a\"" },
    { "a;=A1;b", "\"a;'=A1;b\"" },
    { "a\n\"=A1", "\"a\n'\"\"=A1\"" },
    { ";-1", "\";-1\"" },
    { "it's -a", "it's -a" },
    { "'-", "'-" },
    { "=", "=" },
    { "-", "-" },
    { "@", "@" },
    { "-1.5e3", "-1.5e3" },
    { "+7", "+7" },
    { "a=b", "a=b" },
    { "##-a", "##-a" },
    { "", "" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) line = g_string_new (NULL);

      hl_head_csv_append_field (line, cases[i][0]);
      g_assert_cmpstr (line->str, ==, cases[i][1]);
    }
}

static void
test_region (void)
{
  const char *tokens[] = { "q0", "q1", "line\nbreak", NULL };
  const char *keys[] = { "k0", "", "例", NULL };
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 3, 3, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const HlHeadCsv csv = { source, 0, 0, 1, 2, 1, 2, tokens, keys };
  g_autofree char *text = hl_head_csv_to_string (&csv, NULL, NULL);

  g_assert_cmpstr (text, ==, ",,例\r\nq1,0,0\r\n\"line\nbreak\",1e-7,0.3\r\n");
}

/* More rows than are read at a time, of the second head, against the numbers
 * themselves. */
static void
test_file (void)
{
  enum
  {
    N_LAYERS = 1,
    N_HEADS = 2,
    N = 1100
  };
  g_autofree float *many = test_make_weights (3, N_LAYERS * N_HEADS, N, N);
  g_autoptr (HlAttention) attention = test_make_attention (N_LAYERS, N_HEADS, N, N, many);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const char *const *tokens = hl_attention_get_tokens (attention, HL_QUERIES);
  const HlHeadCsv csv = { source, 0, 1, 0, N, 0, N, tokens, tokens };
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "head.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlProgress) progress = hl_progress_new ();
  g_autofree char *text = NULL;

  g_assert_true (hl_head_csv_save (&csv, file, progress, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (hl_progress_get_fraction (progress), ==, 1);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_autofree char *copied = hl_head_csv_to_string (&csv, NULL, NULL);
  g_assert_true (g_str_equal (text, copied));

  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, N + 2);
  const float *head = many + (gsize) N * N;
  for (guint row = 0; row < N; row++)
    {
      g_assert_true (g_str_has_prefix (lines[row + 1], tokens[row]));
      const char *at = lines[row + 1] + strlen (tokens[row]);
      for (guint column = 0; column < N; column++)
        {
          char *end;
          g_assert_cmpint (*at, ==, ',');
          g_assert_true ((float) g_ascii_strtod (at + 1, &end) == head[row * N + column]);
          at = end;
        }
      g_assert_cmpint (*at, ==, '\0');
    }
  test_remove_folder (folder);
}

static void
test_cancelled (void)
{
  const char *tokens[] = { "a", "b", "c", NULL };
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 3, 3, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const HlHeadCsv csv = { source, 0, 0, 0, 3, 0, 3, tokens, tokens };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "head.csv", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_head_csv_save (&csv, file, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_assert_null (g_dir_read_name (dir));
  test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/head-csv/text", test_text);
  g_test_add_func ("/head-csv/formulas", test_formulas);
  g_test_add_func ("/head-csv/region", test_region);
  g_test_add_func ("/head-csv/file", test_file);
  g_test_add_func ("/head-csv/cancelled", test_cancelled);
  return g_test_run ();
}

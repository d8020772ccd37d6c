/* SPDX-License-Identifier: MIT */
/* The lines that tokenizers are compared on. tests/tokenizer/corpus.py makes the same ones. */
#include "test-tokenizer-corpus.h"

#include <string.h>

#define N_LINES 20000
#define PAIR_SHIFT 1000000
#define POINTS_PER_LINE 64
#define N_POINT_LINES (0x110000 / POINTS_PER_LINE)

static const char *const separators[] = { " ", " ", " ", " ", " ", "", "", "  ", "   ", "\t", "\n", ", " };

static const struct
{
  gunichar first;
  gunichar last;
} ranges[] = {
  { 0x01, 0x7f },     { 0xa0, 0x24f },      { 0x300, 0x36f },     { 0x370, 0x52f },   { 0x590, 0x6ff },
  { 0x900, 0xdff },   { 0xe00, 0xeff },     { 0x1100, 0x11ff },   { 0x1e00, 0x1fff }, { 0x2000, 0x206f },
  { 0x20a0, 0x2bff }, { 0x3000, 0x33ff },   { 0x4e00, 0x9fff },   { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff },
  { 0xfb00, 0xffff }, { 0x1f000, 0x1faff }, { 0x20000, 0x2a6df },
};

/**
 * test_corpus_init:
 * @self: uninitialised memory
 *
 * Reads the words.
 */
void
test_corpus_init (TestCorpus *self)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "tokenizer", "corpus.txt", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  self->words = g_ptr_array_new_with_free_func (g_free);
  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0')
      g_ptr_array_add (self->words, g_strcompress (*line));
}

/**
 * test_corpus_clear:
 * @self: a corpus
 */
void
test_corpus_clear (TestCorpus *self)
{
  g_ptr_array_unref (self->words);
}

/* A linear congruential generator (Knuth's MMIX). */
static guint
next_number (guint64 *state,
             guint    n)
{
  *state = *state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
  return (guint) ((*state >> 33) % n);
}

static char *
make_line (const TestCorpus *self,
           guint             index)
{
  GString *line = g_string_new (NULL);
  guint64 state = index;

  for (guint i = 0; i < 3; i++)
    next_number (&state, 1);
  const guint n = 1 + next_number (&state, 14);
  for (guint i = 0; i < n; i++)
    {
      const guint kind = next_number (&state, 8);
      if (kind < 6)
        {
          g_string_append (line, self->words->pdata[next_number (&state, self->words->len)]);
        }
      else if (kind < 7)
        {
          const guint range = next_number (&state, G_N_ELEMENTS (ranges));
          const guint n_points = 1 + next_number (&state, 4);
          for (guint j = 0; j < n_points; j++)
            g_string_append_unichar (line, ranges[range].first +
                                             next_number (&state, ranges[range].last - ranges[range].first + 1));
        }
      else
        {
          const char *word = self->words->pdata[next_number (&state, 12)];
          const guint times = 1 + next_number (&state, 3);
          for (guint j = 0; j < times; j++)
            g_string_append (line, word);
        }
      g_string_append (line, separators[next_number (&state, G_N_ELEMENTS (separators))]);
    }
  return g_string_free (line, FALSE);
}

static char *
make_point_line (guint index)
{
  GString *line = g_string_new (NULL);

  for (gunichar c = index * POINTS_PER_LINE; c < (index + 1) * POINTS_PER_LINE; c++)
    if (c != 0 && (c < 0xd800 || c >= 0xe000))
      {
        g_string_append_c (line, 'a');
        g_string_append_unichar (line, c);
        g_string_append (line, "b ");
      }
  return g_string_free (line, FALSE);
}

/**
 * test_corpus_get_n_cases:
 *
 * Returns: how many cases there are
 */
guint
test_corpus_get_n_cases (void)
{
  return N_LINES + N_POINT_LINES;
}

static gboolean
is_assigned (gunichar c)
{
  const GUnicodeType type = g_unichar_type (c);

  return type != G_UNICODE_UNASSIGNED && type != G_UNICODE_PRIVATE_USE;
}

/**
 * test_corpus_is_telling:
 * @first: the first of %TEST_CORPUS_BLOCK cases
 *
 * Most code points stand for nothing, and to a tokenizer one of them is as another: those at the end of each plane are enough.
 *
 * Returns: %FALSE if the cases are of nothing else
 */
gboolean
test_corpus_is_telling (guint first)
{
  const guint end = MIN (first + TEST_CORPUS_BLOCK, test_corpus_get_n_cases ());

  if (first < N_LINES)
    return TRUE;
  for (gunichar c = (first - N_LINES) * POINTS_PER_LINE; c < (end - N_LINES) * POINTS_PER_LINE; c++)
    if (is_assigned (c) || (c & 0xffff) == 0xffff)
      return TRUE;
  return FALSE;
}

/**
 * test_corpus_get_case:
 * @self: a corpus
 * @index: which case
 * @text: (out): a text
 * @pair: (out) (nullable): a second one
 * @max_length: (out): the most tokens, 0 for any number
 */
void
test_corpus_get_case (const TestCorpus *self,
                      guint             index,
                      char            **text,
                      char            **pair,
                      guint            *max_length)
{
  *pair = NULL;
  *max_length = 0;
  if (index >= N_LINES)
    {
      *text = make_point_line (index - N_LINES);
      return;
    }
  *text = make_line (self, index);
  if (index % 4 == 3)
    *pair = make_line (self, index + PAIR_SHIFT);
  if (index % 8 == 5 || index % 8 == 7)
    *max_length = 8 + index % 40;
}

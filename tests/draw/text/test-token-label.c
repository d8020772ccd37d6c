/* SPDX-License-Identifier: MIT */
/* What is shown of tokens, where it can be cut, how it is put into sentences, and that it is found. */
#include "draw/text/hl-token-label.h"

#include <string.h>

#include "draw/text/hl-text-cuts.h"
#include "draw/text/hl-token-index.h"
#include "view/pick/hl-pick.h"

/* U+200E U+2068 and U+2069. */
#define ISOLATE "\xE2\x80\x8E\xE2\x81\xA8"
#define END "\xE2\x81\xA9"

static void
test_show (void)
{
  static const char *const cases[][2] = {
    { "flies", "flies" },
    { "", "∅" },
    { " a\u00a0b", "␣a␣b" },
    { " a b  c d ", "␣a b␣␣c d␣" },
    { "\n", "↵" },
    { "\t", "⇥" },
    { "\r\n", "⟨000D⟩↵" },
    { "\x1b[0m", "⟨001B⟩[0m" },
    { "\u3000", "⟨3000⟩" },
    /* What turns text over, or cannot be seen, alone or inside. */
    { "\u202eabc", "⟨202E⟩abc" },
    { "a\u2066b", "a⟨2066⟩b" },
    { "\u200b", "⟨200B⟩" },
    { "co\u00adop", "co⟨00AD⟩op" },
    { "\ufeff", "⟨FEFF⟩" },
    { "\u3164", "⟨3164⟩" },
    { "\u115f", "⟨115F⟩" },
    { "\u2800", "⟨2800⟩" },
    { "a\u034f", "a⟨034F⟩" },
    { "\u061c", "⟨061C⟩" },
    /* Joiners between letters join; at an end, or beside each other, they would be lost. */
    { "نمی\u200cخواهم", "نمی\u200cخواهم" },
    { "می\u200c", "می⟨200C⟩" },
    { "\u200d", "⟨200D⟩" },
    { "a\u200d\u200db", "a⟨200D⟩⟨200D⟩b" },
    { "👩🏽\u200d💻", "👩🏽\u200d💻" },
    { "❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥" },
    { "\ufe0f", "⟨FE0F⟩" },
    { "1\ufe0f\u20e3", "1\ufe0f\u20e3" },
    { "🏴\U000e0067\U000e0062\U000e007f", "🏴\U000e0067\U000e0062\U000e007f" },
    { "🏴\U000e0067", "🏴⟨E0067⟩" },
    { "\U000e0067", "⟨E0067⟩" },
    /* Marks without a letter stand on a circle; where shaping puts one, there is no second. */
    { "\u0301", "◌\u0301" },
    { "e\u0301", "e\u0301" },
    { "##\u05b8", "##◌\u05b8" },
    { "\u064e", "\u061c◌\u064e" },
    { "ـ\u064e", "ـ\u064e" },
    { "\u0e35", "◌\u0e35" },
    { "\u0e33", "◌\u0e33" },
    { "น้ำ", "น้ำ" },
    { "\u093f", "\u093f" },
    { "##\u094d", "##\u094d" },
    { "\u20dd", "◌\u20dd" },
    { "\n\u0301", "↵◌\u0301" },
    { "か\u3099", "か\u3099" },
    { "a\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308b\u0301", "a\u0300\u0301\u0302\u0303\u0304\u0306b\u0301" },
    /* Signs of the category of formats that are seen. */
    { "\u0600\u0661", "\u0600\u0661" },
    { "\u06dd", "\u06dd" },
    { "\ufffd", "\ufffd" },
    { "\xef\xbf\xbe", "⟨FFFE⟩" },
    { "a\xef\xbf\xbf", "a⟨FFFF⟩" },
    { "\xef\xb7\x90", "⟨FDD0⟩" },
    { "\xf0\x9f\xbf\xbe", "⟨1FFFE⟩" },
    { "\xf4\x8f\xbf\xbf", "⟨10FFFF⟩" },
    { "\u115f\u1161", "⟨115F⟩\u1161" },
    { "한국어", "한국어" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shown = hl_token_text_show (cases[i][0]);

      g_autofree char *message = g_strescape (cases[i][0], NULL);
      g_test_message ("%s", message);
      g_assert_cmpstr (shown, ==, cases[i][1]);
    }
}

static void
test_cuts (void)
{
  static const struct
  {
    const char *text;
    gsize cuts[8];
    gsize n;
  } cases[] = {
    { "", { 0 }, 1 },
    { "abc", { 0, 1, 2 }, 3 },
    { "e\u0301e", { 0, 3 }, 2 },
    { "👩🏽\u200d💻x", { 0, 15 }, 2 },
    { "🇩🇪🇫🇷", { 0, 8 }, 2 },
    { "1\ufe0f\u20e3.", { 0, 7 }, 2 },
    { "क्षत्रि", { 0, 9 }, 2 },
    { "\r\na", { 0, 2 }, 2 },
    { "\u1112\u1161\u11ab.", { 0, 9 }, 2 },
    { "น้ำ", { 0 }, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize n;
      g_autofree gsize *cuts = hl_text_cuts_find (cases[i].text, &n);

      g_autofree char *message = g_strescape (cases[i].text, NULL);
      g_test_message ("%s", message);
      g_assert_cmpmem (cuts, n * sizeof *cuts, cases[i].cuts, cases[i].n * sizeof *cuts);
    }
}

/* Of a very long token whole characters are shown. */
static void
test_long (void)
{
  static const char *const units[] = { "x", "e\u0301", "👩🏽\u200d💻", "🇩🇪", "क्ष" };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autoptr (GString) token = g_string_new (NULL);

      for (guint j = 0; j < 1000; j++)
        g_string_append (token, units[i]);
      g_autofree char *shown = hl_token_text_show (token->str);
      const gsize length = strlen (shown) - strlen ("…");
      g_assert_cmpstr (shown + length, ==, "…");
      g_assert_cmpuint (length % strlen (units[i]), ==, 0);
      g_assert_cmpuint (length / strlen (units[i]), ==, 200 / g_utf8_strlen (units[i], -1));
      g_assert_true (g_str_has_prefix (token->str, (shown[length] = '\0', shown)));
    }
  /* Marks without end, on one letter. */
  g_autoptr (GString) pile = g_string_new ("Z");
  for (guint i = 0; i < 1000; i++)
    g_string_append (pile, "\u0301");
  g_autofree char *shown = hl_token_text_show (pile->str);
  g_assert_cmpstr (shown, ==, "Z\u0301\u0301\u0301\u0301\u0301\u0301…");
}

static void
test_isolate (void)
{
  static const char *const cases[][2] = {
    { "time", "time" },
    { "时间", "时间" },
    { "שלום", ISOLATE "שלום" END },
    { "C++ و", ISOLATE "C++ و" END },
    { "\u202eשלום", ISOLATE "⟨202E⟩שלום" END },
    { "(", "(" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *quoted = hl_token_text_quote (cases[i][0]);
      g_assert_cmpstr (quoted, ==, cases[i][1]);
    }
}

/* Beginning and end are seen; marks stay with their letter. */
static void
test_shorten (void)
{
  static const char *const cases[][2] = {
    { "banana", "banana" },
    { "bananabread", "banan…read" },
    { "", "∅" },
    { "aaaabc\u0301ddddeeeefffff", "aaaab…ffff" },
    { "aaaac\u0301ddddeeeefffff", "aaaac\u0301…ffff" },
    { "שלוםשלוםשלוםשלום", ISOLATE "שלוםש…שלום" END },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *shortened = hl_token_text_shorten (cases[i][0], 10);
      g_assert_cmpstr (shortened, ==, cases[i][1]);
    }
}

/* Marks are found as they are typed and as they are shown. */
static void
test_search (void)
{
  const char *const tokens[] = { "[CLS]", "שלום", "##\u05b8", "##ים", NULL };
  static const char *const needles[] = { "##\u05b8", "##◌\u05b8", "שלו\u05dd\u05b8" };
  static const gsize first[] = { 2, 2, 1 };
  HlTokenIndex *index = hl_token_index_new (tokens, 4);

  for (guint i = 0; i < G_N_ELEMENTS (needles); i++)
    {
      g_autoptr (GArray) hits = hl_token_index_find (index, needles[i]);

      g_assert_cmpuint (hits->len, ==, 1);
      g_assert_cmpuint (g_array_index (hits, HlRange, 0).first, ==, first[i]);
    }
  hl_token_index_free (index);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/token-label/show", test_show);
  g_test_add_func ("/token-label/cuts", test_cuts);
  g_test_add_func ("/token-label/long", test_long);
  g_test_add_func ("/token-label/isolate", test_isolate);
  g_test_add_func ("/token-label/shorten", test_shorten);
  g_test_add_func ("/token-label/search", test_search);
  return g_test_run ();
}

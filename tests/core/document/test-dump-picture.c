/* SPDX-License-Identifier: MIT */
/* Images in dumps: which tokens stand for which part of them, what is wrong with them, and that they are written as they were read. */
#include <string.h>

#include "core/analysis/number/hl-head-keys.h"
#include "core/analysis/number/hl-head-number.h"
#include "core/document/hl-document.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/save/hl-dump-writer.h"
#include "test-dumps.h"

/* 2 × 4 pixels. */
#define IMAGE "\"image\": [[[0,0,0],[1,2,3],[4,5,6],[7,8,9]],[[10,11,12],[13,14,15],[16,17,18],[255,254,253]]]"

/* CLS, patches 1,1 to 1,4, and a word: uniform weights over six keys. */
static char *
make_text (const char *members)
{
  g_autoptr (GString) text = g_string_new ("{\"attention\": [[[");

  for (guint i = 0; i < 6; i++)
    g_string_append (text, i > 0 ? ",[0.5,0.1,0.1,0.1,0.1,0.1]" : "[0.5,0.1,0.1,0.1,0.1,0.1]");
  g_string_append_printf (text, "]]], %s}", members);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static HlExample *
load (const char *folder,
      const char *text)
{
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  HlExample *example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  return example;
}

static gboolean
has_check (HlExample  *example,
           const char *words)
{
  GPtrArray *checks = hl_example_get_checks (example);

  for (guint i = 0; i < checks->len; i++)
    if (strstr (hl_check_get_message (checks->pdata[i]), words) != NULL)
      return TRUE;
  return FALSE;
}

static void
test_names (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *text =
    make_text ("\"tokens\": [\"CLS\",\"patch 1,1\",\"patch 1,2\",\"patch 2,1\",\"patch 2,2\",\"word\"], " IMAGE);
  g_autoptr (HlExample) example = load (folder, text);
  HlAttention *attention = hl_example_get_attention (example, 0);
  HlPicture *picture = hl_attention_get_picture (attention, HL_KEYS);
  HlPicturePatch patch;

  g_assert_nonnull (picture);
  g_assert_true (hl_picture_equal (picture, hl_attention_get_picture (attention, HL_QUERIES)));
  const HlImage *image = hl_picture_get_image (picture, 0);
  g_assert_cmpuint (image->height, ==, 2);
  g_assert_cmpuint (image->width, ==, 4);
  g_assert_cmpuint (image->pixels[1 * 12 + 3 * 3 + 2], ==, 253);
  g_assert_true (hl_attention_find_patch (attention, HL_KEYS, 3, &patch));
  g_assert_cmpuint (patch.row, ==, 1);
  g_assert_cmpuint (patch.column, ==, 0);
  g_assert_cmpfloat (patch.box.width, ==, 2);
  g_assert_false (hl_attention_find_patch (attention, HL_KEYS, 0, &patch));
  g_assert_cmpuint (hl_example_get_checks (example)->len, ==, 0);
}

/* As models of images and text spell them, and with one row of patches of the right half. */
static const char tokens[] = "\"tokens\": [\"a\",\"<image>\",\"<image>\",\"<image>\",\"<image>\",\"word\"], ";
static const char right[] = "\"image_tokens\": [[0,1,2,2,2, 2,0,2,2]], ";

static void
test_said (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *members = g_strconcat (tokens, right, IMAGE, NULL);
  g_autofree char *text = make_text (members);
  g_autoptr (HlExample) example = load (folder, text);
  HlAttention *attention = hl_example_get_attention (example, 0);
  HlPicturePatch patch;

  g_assert_cmpstr (hl_attention_get_tokens (attention, HL_KEYS)[2], ==, "<image>");
  g_assert_cmpstr (hl_attention_get_texts (attention, HL_KEYS)[2], ==, "patch 1,2");
  g_assert_cmpstr (hl_attention_get_texts (attention, HL_KEYS)[5], ==, "word");
  g_assert_true (hl_attention_find_patch (attention, HL_QUERIES, 4, &patch));
  g_assert_cmpfloat (patch.box.x, ==, 3);
  g_assert_cmpfloat (patch.box.y, ==, 1);

  /* What is hidden before a patch does not move it, and its name stays. */
  HlLens lens = { .hide_first = TRUE };
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) source = NULL;
  g_autoptr (HlAttention) shown = NULL;
  hl_lens_apply (&lens, attention, weights, &shown, &source);
  g_assert_cmpuint (hl_attention_get_n (shown, HL_KEYS), ==, 5);
  g_assert_cmpstr (hl_attention_get_texts (shown, HL_KEYS)[1], ==, "patch 1,2");
  g_assert_true (hl_attention_find_patch (shown, HL_KEYS, 1, &patch));
  g_assert_cmpuint (patch.column, ==, 1);
  g_assert_false (hl_attention_find_patch (shown, HL_KEYS, 4, &patch));

  /* “<image>” is spelled as special tokens are, and is none. */
  HlLens special = { .hide_special = TRUE };
  g_autoptr (HlAttentionSource) all_source = NULL;
  g_autoptr (HlAttention) all = NULL;
  hl_lens_apply (&special, attention, weights, &all, &all_source);
  g_assert_cmpuint (hl_attention_get_n (all, HL_KEYS), ==, 6);
}

/* What stands before the patches is special, though nothing but its place and its name tells. */
static void
test_before (void)
{
  static const char names[] = "\"tokens\": [\"CLS\",\"register 1\",\"patch 1,1\",\"patch 1,2\",\"CLS\",\"register a\"]";
  static const char words[] = "\"tokens\": [\"CLS\",\"register 1\",\"a\",\"b\",\"CLS\",\"register a\"]";
  g_autoptr (TestFolder) folder = test_make_folder ();
  HlLens lens = { .hide_special = TRUE };

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = make_text (i == 0 ? names : words);
      g_autoptr (HlExample) example = load (folder, text);
      HlAttention *attention = hl_example_get_attention (example, 0);
      g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
      g_autoptr (HlAttentionSource) source = NULL;
      g_autoptr (HlAttention) shown = NULL;

      hl_lens_apply (&lens, attention, weights, &shown, &source);
      g_assert_cmpuint (hl_attention_get_n (shown, HL_KEYS), ==, i == 0 ? 4 : 6);
      g_autofree guint8 *traits = hl_head_keys_list_traits (attention);
      g_assert_cmpuint (traits[0], ==, i == 0 ? HL_HEAD_KEY_SPECIAL | HL_HEAD_KEY_CLS : 0);
      g_assert_cmpuint (traits[1], ==, i == 0 ? HL_HEAD_KEY_SPECIAL : 0);
      g_assert_cmpuint (traits[4], ==, 0);
    }
}

/* Places without pixels. */
static void
test_plain (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *members = g_strconcat (tokens, "\"image_tokens\": [[0,1,2,2,2, 0,0,20,10]]", NULL);
  g_autofree char *text = make_text (members);
  g_autoptr (HlExample) example = load (folder, text);
  HlPicture *picture = hl_attention_get_picture (hl_example_get_attention (example, 0), HL_KEYS);
  double width, height;

  g_assert_nonnull (picture);
  g_assert_null (hl_picture_get_image (picture, 0));
  hl_picture_get_size (picture, 0, &width, &height);
  g_assert_cmpfloat (width, ==, 20);
  g_assert_cmpfloat (height, ==, 10);
}

static void
test_wrong (void)
{
  static const struct
  {
    const char *members;
    const char *words;
  } cases[] = {
    { "\"image\": [[[0,0,0.5]]]", "“image” holds 0.5; whole numbers" },
    { "\"image\": [[[0,0,256]]]", "“image” holds 256" },
    { "\"image\": [[[0,0,-1]]]", "“image” holds -1" },
    { "\"image\": [[[0,0,0,0]]]", "“image” is 1 × 1 × 4; height × width × 3" },
    { "\"image\": [[0,0,0]]", "“image” is 1 × 3; height × width × 3" },
    { "\"images\": {\"a\": [[[1,2,3]]]}", "“images” has no image 0, but 1 members" },
    { "\"image\": [[[0,0,0]]], \"image_tokens\": [[0,1,2]]", "“image_tokens” is 1 × 3; rows of 9 numbers" },
    { "\"image\": [[[0,0,0]]], \"image_tokens\": [[0,1,2,2,2,0,0,1,-1]]", "“image_tokens” holds -1 in row 0" },
    { "\"image\": [[[0,0,0]]], \"image_tokens\": [[0,1,2.5,2,2,0,0,1,1]]", "“image_tokens” holds 2.5 in row 0" },
    { "\"image\": [[[0,0,0]]], \"image_tokens\": [[0,1,3,2,2,0,0,1,1]]", "but there are 6 tokens; it is left out" },
    { "\"image\": [[[0,0,0]]], \"image_tokens\": [[1,1,2,2,2,0,0,1,1]]", "grid 0 is of image 1, but there are 1" },
    { "\"image\": [[[0,0,0]]], \"image_tokens\": [[0,1,2,2,2,0,0,1,2]]", "covers more than its image of 1 × 1" },
    { "\"image_tokens\": [[2000,1,2,2,2,0,0,1,2]]", "“images” holds 2001 images" },
    { "\"image\": [[[0,0,0]]]", "there is an image, but neither" },
    { "\"images\": [[[[0,0,0]]],[[[0,0,0]]]]", "there are images, but no “image_tokens”" },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *members = g_strconcat (tokens, cases[i].members, NULL);
      g_autofree char *text = make_text (members);
      g_autoptr (HlExample) example = load (folder, text);
      if (!has_check (example, cases[i].words))
        {
          GPtrArray *checks = hl_example_get_checks (example);
          for (guint k = 0; k < checks->len; k++)
            g_printerr ("  %s\n", hl_check_get_message (checks->pdata[k]));
          g_error ("“%s” is not said", cases[i].words);
        }
      g_assert_null (hl_attention_get_picture (hl_example_get_attention (example, 0), HL_KEYS));
    }
}

/* Written in each container and read again, pictures are the same. */
static void
test_written (void)
{
  static const char *const names[] = { "b.h5", "b.json", "b.npz" };
  static const char *const members[] = {
    IMAGE,
    "\"images\": [[[[1,2,3]],[[4,5,6]]],[[[9,8,7],[6,5,4]]]], "
    "\"image_tokens\": [[1,1,1,2,2, 0,0,2,1],[0,3,2,1,1, 0.25,0,0.5,2]]",
    "\"image_tokens\": [[0,1,2,2,2, 2,0,2,2]]",
  };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  for (gsize i = 0; i < G_N_ELEMENTS (members); i++)
    for (gsize k = 0; k < G_N_ELEMENTS (names); k++)
      {
        g_autofree char *all = g_strconcat (tokens, i == 0 ? right : "", members[i], NULL);
        g_autofree char *text = make_text (all);
        g_autoptr (HlExample) example = load (folder, text);
        g_autofree char *target_path = g_build_filename (folder, names[k], NULL);
        g_autoptr (GFile) target = g_file_new_for_path (target_path);
        g_autoptr (GError) error = NULL;
        HlPicture *picture = hl_attention_get_picture (hl_example_get_attention (example, 0), HL_KEYS);

        g_assert_nonnull (picture);
        g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
        g_assert_no_error (error);
        hl_dump_writer_save (document, HL_DUMP_STORE_ATTENTION, NULL, NULL, target, NULL, NULL, &error);
        g_assert_no_error (error);
        g_autoptr (HlDocument) again = hl_document_load (target, NULL, NULL, &error);
        g_assert_no_error (error);
        g_autoptr (HlExample) read = hl_document_get_example (again, 0, NULL, &error);
        g_assert_no_error (error);
        for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
          g_assert_true (
            hl_picture_equal (picture, hl_attention_get_picture (hl_example_get_attention (read, 0), side)));
      }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dump-picture/names", test_names);
  g_test_add_func ("/dump-picture/said", test_said);
  g_test_add_func ("/dump-picture/before", test_before);
  g_test_add_func ("/dump-picture/plain", test_plain);
  g_test_add_func ("/dump-picture/wrong", test_wrong);
  g_test_add_func ("/dump-picture/written", test_written);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT */
/* JSON as an archive: what becomes of each kind of value, where errors are said to be, and what
 * reading may cost. */
#include "core/archive/format/hl-format.h"
#include "core/archive/json/hl-json-archive.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

typedef struct
{
  char *folder;
  GFile *file;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("headlight-json-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (fixture->folder, "test.json", NULL);
  fixture->file = g_file_new_for_path (path);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_file_delete (fixture->file, NULL, NULL);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
  g_object_unref (fixture->file);
}

static HlArchive *
try_open (Fixture    *fixture,
          const char *text,
          gssize      size,
          GError    **error)
{
  g_autoptr (GError) write_error = NULL;

  g_file_replace_contents (fixture->file, text, size < 0 ? strlen (text) : (gsize) size, NULL, FALSE,
                           G_FILE_CREATE_NONE, NULL, NULL, &write_error);
  g_assert_no_error (write_error);
  return hl_archive_open (fixture->file, NULL, NULL, error);
}

static HlArchive *
open_text (Fixture    *fixture,
           const char *text)
{
  g_autoptr (GError) error = NULL;
  HlArchive *archive = try_open (fixture, text, -1, &error);

  g_assert_no_error (error);
  g_assert_nonnull (archive);
  return archive;
}

static void
assert_fails (Fixture    *fixture,
              const char *text,
              HlError     code,
              const char *contains)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = try_open (fixture, text, -1, &error);

  g_assert_null (archive);
  g_assert_error (error, HL_ERROR, (int) code);
  if (strstr (error->message, contains) == NULL)
    g_error ("“%s” does not say “%s”", error->message, contains);
}

static void
assert_tensor (HlArchive   *archive,
               const char  *name,
               const char  *sizes,
               const float *numbers,
               gsize        n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, &error);
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autofree float *found = g_new (float, n);

  g_assert_no_error (error);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  g_autofree char *found_sizes = hl_shape_to_string (shape);
  g_assert_cmpstr (found_sizes, ==, sizes);
  g_assert_cmpint (hl_tensor_get_dtype (tensor), ==, HL_DTYPE_F32);
  g_assert_true (hl_tensor_read_f32 (tensor, start, shape->dims, found, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (found, n * sizeof (float), numbers, n * sizeof (float));
}

static void
assert_problem (HlArchive  *archive,
                const char *name,
                HlError     code,
                const char *contains)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_archive_open_tensor (archive, name, &error));
  g_assert_error (error, HL_ERROR, (int) code);
  if (strstr (error->message, contains) == NULL)
    g_error ("“%s” does not say “%s”", error->message, contains);
}

static void
assert_attribute (HlArchive  *archive,
                  const char *group,
                  const char *name,
                  const char *printed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) value = hl_archive_get_attribute (archive, group, name, &error);

  g_assert_no_error (error);
  g_assert_nonnull (value);
  g_autofree char *text = g_variant_print (value, TRUE);
  g_assert_cmpstr (text, ==, printed);
}

static void
test_tensors (Fixture      *fixture,
              gconstpointer data)
{
  g_autoptr (HlArchive)
    archive = open_text (fixture, "{\"a\":[[[1,2],[3,4],[5,6]]], \"line\" : [ -0.5e1 ,NaN, -Infinity ],\"none\":[]}");
  const float a[] = { 1, 2, 3, 4, 5, 6 };

  g_assert_cmpstr (hl_archive_get_container (archive), ==, "JSON");
  assert_tensor (archive, "a", "1 × 3 × 2", a, 6);
  assert_tensor (archive, "none", "0", NULL, 0);

  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "line", NULL);
  const guint64 start[] = { 1 }, count[] = { 2 };
  float line[2];
  g_assert_true (hl_tensor_read_f32 (tensor, start, count, line, NULL, NULL));
  g_assert_true (isnan (line[0]));
  g_assert_true (isinf (line[1]) && line[1] < 0);

  g_auto (GStrv) empty = hl_archive_read_strings (archive, "none", NULL);
  g_assert_cmpuint (g_strv_length (empty), ==, 0);
}

static void
test_members (Fixture      *fixture,
              gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = open_text (fixture, "{\"n10\":[1],\"n9\":[1],\"group\":{\"inner\":{\"deep\":[2]},"
                                                      "\"x\":1},\"words\":[\"a\",\"\",\"c\"],"
                                                      "\"i\":-7,\"d\":0.25,\"big\":9223372036854775808,\"t\":true,"
                                                      "\"f\":false,\"s\":\"text\",\"nothing\":null,"
                                                      "\"list\":[{\"a\":[1]}],\"with/slash\":{\"y\":[3]},\"\":[1]}");
  const float two = 2, three = 3;

  g_auto (GStrv) names = hl_archive_list (archive, "", &error);
  g_assert_no_error (error);
  g_autofree char *joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, "big d f group i list n9 n10 s t with/slash words ∅");

  g_assert_cmpint (hl_archive_get_kind (archive, ""), ==, HL_MEMBER_GROUP);
  g_assert_cmpint (hl_archive_get_kind (archive, "group/inner"), ==, HL_MEMBER_GROUP);
  g_assert_cmpint (hl_archive_get_kind (archive, "group/inner/deep"), ==, HL_MEMBER_TENSOR);
  g_assert_cmpint (hl_archive_get_kind (archive, "words"), ==, HL_MEMBER_STRINGS);
  g_assert_cmpint (hl_archive_get_kind (archive, "list"), ==, HL_MEMBER_GROUP);
  g_assert_cmpint (hl_archive_get_kind (archive, "list/0/a"), ==, HL_MEMBER_TENSOR);
  g_assert_cmpint (hl_archive_get_kind (archive, "i"), ==, HL_MEMBER_OTHER);
  g_assert_cmpint (hl_archive_get_kind (archive, "nothing"), ==, HL_MEMBER_NONE);
  g_assert_cmpint (hl_archive_get_kind (archive, "∅"), ==, HL_MEMBER_TENSOR);
  g_assert_cmpint (hl_archive_get_kind (archive, "group/inner/nope"), ==, HL_MEMBER_NONE);
  g_assert_cmpint (hl_archive_get_kind (archive, "n9/x"), ==, HL_MEMBER_NONE);
  assert_tensor (archive, "group/inner/deep", "1", &two, 1);
  assert_tensor (archive, "with/slash/y", "1", &three, 1);

  assert_attribute (archive, "", "i", "int64 -7");
  assert_attribute (archive, "", "d", "0.25");
  assert_attribute (archive, "", "big", "9.2233720368547758e+18");
  assert_attribute (archive, "", "t", "int64 1");
  assert_attribute (archive, "", "f", "int64 0");
  assert_attribute (archive, "", "s", "'text'");
  assert_attribute (archive, "group", "x", "int64 1");
  g_assert_null (hl_archive_get_attribute (archive, "", "nothing", &error));
  g_assert_no_error (error);
  g_assert_null (hl_archive_get_attribute (archive, "", "words", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_DTYPE);

  g_auto (GStrv) words = hl_archive_read_strings (archive, "words", NULL);
  g_assert_cmpuint (g_strv_length (words), ==, 3);
  g_assert_cmpstr (words[1], ==, "");
  g_assert_cmpstr (words[2], ==, "c");
}

static void
test_strings (Fixture      *fixture,
              gconstpointer data)
{
  g_autoptr (HlArchive)
    archive = open_text (fixture, "{\"\\u0077ords\":[\"\\\"\\\\\\/"
                                  "\\b\\f\\n\\r\\t\",\"\\u00e9\\u4F8B\",\"\\ud83d\\ude42\",\"x\\ud83dy\","
                                  "\"\\ude42\",\"\\ud83d\\ud83d\\ude42\",\"a\\u0000b\",\"é例🙂\"]}");
  g_auto (GStrv) words = hl_archive_read_strings (archive, "words", NULL);

  g_assert_cmpuint (g_strv_length (words), ==, 8);
  g_assert_cmpstr (words[0], ==, "\"\\/\b\f\n\r\t");
  g_assert_cmpstr (words[1], ==, "é例");
  g_assert_cmpstr (words[2], ==, "🙂");
  g_assert_cmpstr (words[3], ==, "x�y");
  g_assert_cmpstr (words[4], ==, "�");
  g_assert_cmpstr (words[5], ==, "�🙂");
  g_assert_cmpstr (words[6], ==, "a<0x00>b");
  g_assert_cmpstr (words[7], ==, "é例🙂");
}

static void
test_layers (Fixture      *fixture,
             gconstpointer data)
{
  g_autoptr (HlArchive) archive = open_text (fixture, "{\"a\":[[[[1,2]],[[3,4]]],[[[5,6]]],[[[7,8]],[[9,10]]]],"
                                                      "\"batch\":[[[[[1]]]],[[[[2]],[[3]]]]],"
                                                      "\"same\":[[[[1]]],[[[2]]]]}");
  const float first[] = { 1, 2, 3, 4 }, second[] = { 5, 6 }, third[] = { 7, 8, 9, 10 }, batch[] = { 2, 3 };

  g_assert_cmpint (hl_archive_get_kind (archive, "a"), ==, HL_MEMBER_GROUP);
  g_auto (GStrv) names = hl_archive_list (archive, "a", NULL);
  g_autofree char *joined = g_strjoinv (" ", names);
  g_assert_cmpstr (joined, ==, "0 1 2");
  assert_tensor (archive, "a/0", "2 × 1 × 2", first, 4);
  assert_tensor (archive, "a/1", "1 × 1 × 2", second, 2);
  assert_tensor (archive, "a/2", "2 × 1 × 2", third, 4);
  assert_tensor (archive, "batch/1", "1 × 2 × 1 × 1", batch, 2);
  g_assert_cmpint (hl_archive_get_kind (archive, "same"), ==, HL_MEMBER_TENSOR);
}

/* Elements that differ in queries and keys are on their own, as the steps of a generation are; rows of which each is
 * longer by one than the row before are those below a diagonal. */
static void
test_sizes (Fixture      *fixture,
            gconstpointer data)
{
  g_autoptr (HlArchive) archive = open_text (fixture, "{\"maps\":[[[1,2],[3,4]],[[5,6,7]],[[8,9,1,2]]],"
                                                      "\"heads\":[[[[1,2],[3,4]],[[5,6],[7,8]]],[[[1,2,3]],[[4,5,6]]]],"
                                                      "\"fewer\":[[[[1],[2]]],[[[3]]]],"
                                                      "\"below\":[[[1],[2,3],[4,5,6]],[[7],[8,9],[1,2,3]]],"
                                                      "\"later\":[[1,2],[3,4,5]]}");
  const float first[] = { 1, 2, 3, 4 }, third[] = { 8, 9, 1, 2 }, heads[] = { 1, 2, 3, 4, 5, 6 }, fewer = 3,
              below[] = { 1, 0, 0, 2, 3, 0, 4, 5, 6, 7, 0, 0, 8, 9, 0, 1, 2, 3 }, later[] = { 1, 2, 0, 3, 4, 5 };

  g_assert_cmpint (hl_archive_get_kind (archive, "maps"), ==, HL_MEMBER_GROUP);
  assert_tensor (archive, "maps/0", "2 × 2", first, 4);
  assert_tensor (archive, "maps/2", "1 × 4", third, 4);
  assert_tensor (archive, "heads/1", "2 × 1 × 3", heads, 6);
  assert_tensor (archive, "fewer/1", "1 × 1 × 1", &fewer, 1);
  assert_tensor (archive, "below", "2 × 3 × 3", below, 18);
  assert_tensor (archive, "later", "2 × 3", later, 6);
}

/* Lists that cannot be used are no reason to refuse the rest of the file. */
static void
test_problems (Fixture      *fixture,
               gconstpointer data)
{
  static const struct
  {
    const char *list;
    HlError code;
    const char *contains;
  } cases[] = {
    { "[[1,2],\n[3]]", HL_ERROR_SHAPE,
      "x[1], which ends at line 2, column 3, has 1 elements on axis 1, the ones before it have 2" },
    { "[[[1],[2]],[[3]]]", HL_ERROR_SHAPE, "x[1], which ends at line 1, column 21, has 1 elements on axis 1" },
    { "[[1],[2,3],[4,5]]", HL_ERROR_SHAPE,
      "x[2], which ends at line 1, column 21, has 2 elements on axis 1, the ones before it have 3" },
    { "[[[1],[2,3]],[[4],[5]]]", HL_ERROR_SHAPE, "x[1][1]" },
    { "[[[1],[2,3]],[[4]]]", HL_ERROR_SHAPE, "x[1], which ends" },
    { "[[[1],[2,3]],[[4],[5,6],[7,8,9]]]", HL_ERROR_SHAPE, "x[1], which ends" },
    { "[[[1,2],[3,4]],[[5,6,7],[8,9]]]", HL_ERROR_SHAPE, "x[1][1]" },
    { "[[[[1,2]]],[[[3,4]],[[5]]]]", HL_ERROR_SHAPE, "x[1][1][0]" },
    { "[[1,2],3]", HL_ERROR_SHAPE, "x[1], at line 1, column 13, is a number" },
    { "[1,[2]]", HL_ERROR_SHAPE, "x[1], at line 1, column 9, is a list" },
    { "[[],[1]]", HL_ERROR_SHAPE, "x[1]" },
    { "[1,\"é\",2]", HL_ERROR_DTYPE, "a string among its numbers, at line 1, column 9" },
    { "[1,null]", HL_ERROR_DTYPE, "null among its numbers" },
    { "[1,{\"a\":[]}]", HL_ERROR_DTYPE, "an object among its numbers" },
    { "[\"a\",1]", HL_ERROR_DTYPE, "a number among its strings" },
    { "[\"a\",[\"b\"]]", HL_ERROR_DTYPE, "a list among its strings" },
    { "[[\"a\"]]", HL_ERROR_DTYPE, "“x” is not a list of numbers" },
    { "[true]", HL_ERROR_DTYPE, "true" },
    { "[1e39]", HL_ERROR_VALUE, "column 7" },
    { "[1e999]", HL_ERROR_VALUE, "too large for float32" },
    { "[[[[[[[[[1]]]]]]]]]", HL_ERROR_RANK, "9 axes" },
    { "[[[[[[[[[]]]]]]]]]", HL_ERROR_RANK, "9 axes" },
    { "{}", HL_ERROR_DTYPE, "not a list of numbers" },
    { "5", HL_ERROR_DTYPE, "not a list of numbers" },
  };
  const float good[] = { 1, 2 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"x\":%s,\"good\":[1,2]}", cases[i].list);
      g_autoptr (HlArchive) archive = open_text (fixture, text);
      assert_problem (archive, "x", cases[i].code, cases[i].contains);
      assert_tensor (archive, "good", "2", good, 2);
    }
}

static void
test_duplicates (Fixture      *fixture,
                 gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = open_text (fixture, "{\"a\":[1],\"s\":1,\"g\":{\"x\":[1]},\"a\":{\"b\":{}},\"s\":2,"
                                                      "\"s\":3,\"g\":{\"x\":[2]},\"ok\":4}");

  assert_problem (archive, "a", HL_ERROR_CORRUPT, "“a” is there more than once");
  g_assert_null (hl_archive_get_attribute (archive, "", "s", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
  g_clear_error (&error);
  g_assert_null (hl_archive_list (archive, "g", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
  assert_attribute (archive, "", "ok", "int64 4");
}

/* A list is all there is in its file; lists of objects, and of lists of strings, are groups. */
static void
test_lists (Fixture      *fixture,
            gconstpointer data)
{
  const float numbers[] = { 1, 2 };
  g_autoptr (HlArchive) plain = open_text (fixture, "[[1,2]]");
  g_autoptr (HlArchive) objects = open_text (fixture, "[{\"a\":[1,2]}, null, {\"b\":[[{\"c\":[1,2]}]]}]");
  g_autoptr (HlArchive) strings = open_text (fixture, "{\"t\":[[\"a\",\"b\"],[\"c\"]]}");

  assert_tensor (plain, "array", "1 × 2", numbers, 2);
  assert_tensor (objects, "0/a", "2", numbers, 2);
  g_assert_cmpint (hl_archive_get_kind (objects, "1"), ==, HL_MEMBER_NONE);
  assert_tensor (objects, "2/b/0/0/c", "2", numbers, 2);
  g_auto (GStrv) second = hl_archive_read_strings (strings, "t/1", NULL);
  g_assert_cmpstr (second[0], ==, "c");
}

static void
test_syntax (Fixture      *fixture,
             gconstpointer data)
{
  assert_fails (fixture, "{\"a\":[1,2}", HL_ERROR_CORRUPT, "line 1, column 10: “}” where “,” or “]” should be");
  assert_fails (fixture, "{\n  \"é\": [1 2]}", HL_ERROR_CORRUPT, "line 2, column 11: “2”");
  assert_fails (fixture, "{\"a\":[1,]}", HL_ERROR_CORRUPT, "“]” where a value should be");
  assert_fails (fixture, "{\"a\":1,}", HL_ERROR_CORRUPT, "“}” where the name of a member should be");
  assert_fails (fixture, "{\"a\" 1}", HL_ERROR_CORRUPT, "where “:” should be");
  assert_fails (fixture, "{\"a\":[01]}", HL_ERROR_CORRUPT, "column 8");
  assert_fails (fixture, "{\"a\":\"\x01\"}", HL_ERROR_CORRUPT, "the byte 0x01");
  assert_fails (fixture, "{\"a\":\"\xe9t\xe9\"}", HL_ERROR_ENCODING, "column 7 is not UTF-8: it has the byte 0xE9");
  assert_fails (fixture, "{\"a\":1}{}", HL_ERROR_CORRUPT, "where the end of the file should be");
  assert_fails (fixture, "{\"a\":[1,2", HL_ERROR_TRUNCATED, "line 1, column 10");
  assert_fails (fixture, "{\"a\":\"text", HL_ERROR_TRUNCATED, "the end of the string");
  assert_fails (fixture, "{\"a\":[[{\"b\":nul", HL_ERROR_TRUNCATED, "“null”");
  assert_fails (fixture, " \n\t ", HL_ERROR_TRUNCATED, "white space");
  assert_fails (fixture, "[[1,2]]]", HL_ERROR_CORRUPT, "where the end of the file should be");
  assert_fails (fixture, "\xef\xbb\xbf{\"a\":!}", HL_ERROR_CORRUPT, "column 6");

  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = try_open (fixture, "{\0\"\0a\0", 6, &error);
  g_assert_null (archive);
  g_assert_error (error, HL_ERROR, HL_ERROR_ENCODING);
}

static char *
repeat (const char *before,
        const char *what,
        gsize       n,
        const char *after)
{
  GString *text = g_string_new (before);

  for (gsize i = 0; i < n; i++)
    g_string_append (text, what);
  g_string_append (text, after);
  return g_string_free (text, FALSE);
}

static void
test_depth (Fixture      *fixture,
            gconstpointer data)
{
  g_autofree char *lists = repeat ("{\"a\":", "[", 1000000, "");
  g_autofree char *objects = repeat ("", "{\"a\":", 100000, "");
  g_autofree char *mixed = repeat ("{\"a\":[\"x\",", "[{\"b\":", 1000, "");
  g_autofree char *open = repeat ("", "{\"a\":", 63, "[]");
  g_autofree char *deepest = repeat (open, "}", 63, "");
  g_autoptr (HlArchive) archive = open_text (fixture, deepest);

  g_assert_nonnull (archive);
  assert_fails (fixture, lists, HL_ERROR_CORRUPT, "line 1, column 69");
  assert_fails (fixture, objects, HL_ERROR_CORRUPT, "more than 64 objects");
  assert_fails (fixture, mixed, HL_ERROR_CORRUPT, "“a” has more than 64");
}

/* Many members of one name, of names that differ little, and of names that are long, in one file
 * each. */
static void
test_many_members (Fixture      *fixture,
                   gconstpointer data)
{
  g_autofree char *same = repeat ("{\"b\":1", ",\"a\":[1,\"x\"]", 100000, "}");
  g_autoptr (HlArchive) archive = open_text (fixture, same);
  assert_problem (archive, "a", HL_ERROR_CORRUPT, "more than once");

  GString *text = g_string_new ("{");
  for (guint i = 0; i < HL_LIMIT_MEMBERS + 1; i++)
    g_string_append_printf (text, "\"%s%u\":[1,\"x\"],", "0000000000000000", i);
  g_string_append (text, "\"last\":[1]}");
  g_autofree char *many = g_string_free (text, FALSE);
  g_autoptr (HlArchive) large = open_text (fixture, many);
  g_autoptr (GError) error = NULL;
  g_assert_null (hl_archive_list (large, "", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  const float one = 1;
  assert_tensor (large, "last", "1", &one, 1);
  assert_problem (large, "0000000000000000100000", HL_ERROR_DTYPE, "a string among its numbers");
}

static void
test_budget (Fixture      *fixture,
             gconstpointer data)
{
  /* More than a million empty objects would take more than 128 MiB. */
  GString *text = g_string_new ("{");
  for (guint i = 0; i < 1100000; i++)
    g_string_append_printf (text, "\"%u\":{},", i);
  g_string_append (text, "\"z\":1}");
  g_autofree char *members = g_string_free (text, FALSE);
  assert_fails (fixture, members, HL_ERROR_TOO_LARGE, "128 MiB");

  /* One string more than are read from a list. */
  g_autofree char *strings = repeat ("{\"tokens\":[\"\"", ",\"\"", HL_LIMIT_STRINGS, "],\"a\":[1]}");
  g_autoptr (HlArchive) archive = open_text (fixture, strings);
  g_autoptr (GError) error = NULL;
  g_assert_null (hl_archive_read_strings (archive, "tokens", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
}

/* Lines are counted on from where a reader goes back to. */
static void
test_go_back (Fixture      *fixture,
              gconstpointer data)
{
  static const char text[] = "a\n\303\274 {\n!";
  HlJsonReader reader;
  guint64 line, column;

  hl_json_reader_init (&reader, text, strlen (text), NULL, NULL);
  reader.at = strchr (text, '{');
  const HlJsonReader before = reader;
  for (guint i = 0; i < 2; i++)
    {
      reader.at = text + strlen (text);
      hl_json_reader_locate (&reader, strchr (text, '!'), &line, &column);
      g_assert_cmpuint (line, ==, 3);
      g_assert_cmpuint (column, ==, 1);
      hl_json_reader_go_back (&reader, &before);
      g_assert_true (reader.at == before.at && reader.mark == before.at);
      g_assert_cmpuint (reader.line, ==, 2);
      g_assert_cmpuint (reader.column, ==, 3);
    }
}

static HlArchive *
parse (const char   *text,
       HlJsonBudget *budget,
       GError      **error)
{
  HlJsonReader reader;

  hl_json_reader_init (&reader, text, strlen (text), NULL, NULL);
  HlArchiveNode *root = hl_json_parse_value (&reader, budget, "list", error);
  return root != NULL ? hl_tree_archive_new_for_node ("JSON", root) : NULL;
}

/* What does not fit into memory is in a file: the same numbers, whatever becomes of them there. */
static void
test_much (Fixture      *fixture,
           gconstpointer data)
{
  const char *text =
    "{\"first\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17],\"triangle\":[[[1],[2,3],[4,5,6]],[[7],[8,9],[10,11,12]]],"
    "\"wrong\":[1,2,3,4,5,6,\"a\"],\"parts\":[[[[1]]],[[[2],[3]]],[[[4]]]],\"none\":[],\"last\":[0,0,18]}";
  const float triangle[] = { 1, 0, 0, 2, 3, 0, 4, 5, 6, 7, 0, 0, 8, 9, 0, 10, 11, 12 };
  const float part[] = { 2, 3 }, last[] = { 0, 0, 18 };
  float first[17];

  for (guint i = 0; i < G_N_ELEMENTS (first); i++)
    first[i] = (float) i + 1;
  for (gsize memory = 0; memory <= 512; memory += 32)
    {
      g_autoptr (GError) error = NULL;
      g_auto (HlJsonBudget) budget = HL_JSON_BUDGET;
      budget.memory_bytes = memory;
      g_autoptr (HlArchive) archive = parse (text, &budget, &error);
      g_assert_no_error (error);
      g_assert_true (memory > 0 || budget.file != NULL);
      g_assert_true (memory < 512 || budget.file == NULL);
      hl_json_budget_clear (&budget);
      assert_tensor (archive, "first", "17", first, G_N_ELEMENTS (first));
      assert_tensor (archive, "triangle", "2 × 3 × 3", triangle, G_N_ELEMENTS (triangle));
      assert_problem (archive, "wrong", HL_ERROR_DTYPE, "a string among its numbers");
      assert_tensor (archive, "parts/1", "1 × 2 × 1", part, G_N_ELEMENTS (part));
      assert_tensor (archive, "last", "3", last, G_N_ELEMENTS (last));
    }
}

/* Rows of a map that are longer than what is moved at a time; and no more of them than may be spent, in memory or not. */
static void
test_much_of_one (Fixture      *fixture,
                  gconstpointer data)
{
  const gsize n = 100000;
  g_autofree char *first = repeat ("{\"a\":[[[1", ",0.5", n - 1, "");
  g_autofree char *second = repeat ("],[2", ",0.25", n, "");
  g_autofree char *third = repeat ("],[3", ",0.125", n + 1, "]]]}");
  g_autofree char *text = g_strconcat (first, second, third, NULL);
  g_autofree float *numbers = g_new0 (float, 3 * (n + 2));

  for (gsize i = 0; i < 3; i++)
    for (gsize j = 0; j < n + i; j++)
      numbers[i * (n + 2) + j] = j == 0 ? (float) i + 1 : 0.5f / (float) (1 << i);
  for (guint turn = 0; turn < 2; turn++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (HlJsonBudget) budget = HL_JSON_BUDGET;
      budget.memory_bytes = turn == 0 ? 1 << 16 : budget.memory_bytes;
      g_autoptr (HlArchive) archive = parse (text, &budget, &error);
      g_assert_no_error (error);
      assert_tensor (archive, "a", "1 × 3 × 100002", numbers, 3 * (n + 2));

      g_auto (HlJsonBudget) little = HL_JSON_BUDGET;
      little.memory_bytes = turn == 0 ? 1 << 16 : little.memory_bytes;
      little.number_bytes = 3 * (n + 2) * sizeof (float) - 4;
      g_assert_null (parse (text, &little, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
    }
}

static void
test_cancel (Fixture      *fixture,
             gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (HlArchive) archive = open_text (fixture, "{\"a\":[1]}");

  g_cancellable_cancel (cancellable);
  g_assert_null (hl_json_archive_open (fixture->file, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_progress (Fixture      *fixture,
               gconstpointer data)
{
  g_autofree char *text = repeat ("{\"a\":[0", ",0.25", 1000000, "]}");
  g_autoptr (HlArchive) small = open_text (fixture, text);
  g_autoptr (HlProgress) progress = hl_progress_new ();
  g_autoptr (HlArchive) archive = hl_json_archive_open (fixture->file, progress, NULL, NULL);

  g_assert_cmpfloat (hl_progress_get_fraction (progress), >, 0.7);
  g_object_add_weak_pointer (G_OBJECT (archive), (gpointer *) &archive);
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "a", NULL);
  g_object_unref (archive);
  g_assert_null (archive);
  const guint64 start[] = { 1000000 }, count[] = { 1 };
  float last = 0;
  g_assert_true (hl_tensor_read_f32 (tensor, start, count, &last, NULL, NULL));
  g_assert_cmpfloat (last, ==, 0.25f);
}

#define ADD(name, function) g_test_add ("/json/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("go-back", test_go_back);
  ADD ("tensors", test_tensors);
  ADD ("members", test_members);
  ADD ("strings", test_strings);
  ADD ("layers", test_layers);
  ADD ("sizes", test_sizes);
  ADD ("problems", test_problems);
  ADD ("duplicates", test_duplicates);
  ADD ("lists", test_lists);
  ADD ("syntax", test_syntax);
  ADD ("depth", test_depth);
  ADD ("many-members", test_many_members);
  ADD ("budget", test_budget);
  ADD ("much", test_much);
  ADD ("much-of-one", test_much_of_one);
  ADD ("cancel", test_cancel);
  ADD ("progress", test_progress);
  return g_test_run ();
}

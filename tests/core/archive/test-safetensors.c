/* SPDX-License-Identifier: MIT */
/* safetensors: what is read, and that every lie of a header gets its own sentence. */
#include "core/archive/format/hl-format.h"
#include "core/archive/hl-archive.h"
#include "core/base/hl-error.h"

#include "test-dumps.h"

#include <glib/gstdio.h>
#include <string.h>

/* Writes a file of a header and so many bytes of data: 0, 1, 2 … */
static GFile *
write_file (const char *folder,
            guint64     length,
            const char *header,
            gsize       n_data)
{
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  const guint64 stored = GUINT64_TO_LE (length);

  g_byte_array_append (bytes, (const guint8 *) &stored, sizeof stored);
  g_byte_array_append (bytes, (const guint8 *) header, strlen (header));
  for (gsize i = 0; i < n_data; i++)
    g_byte_array_append (bytes, &(guint8){ (guint8) i }, 1);
  g_file_set_contents (path, (const char *) bytes->data, bytes->len, &error);
  g_assert_no_error (error);
  return g_file_new_for_path (path);
}

static const struct
{
  const char *name;
  const char *header;
  gsize n_data;
  int code;
  const char *contains;
} bad[] = {
  { "past-end", "{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 7, HL_ERROR_TRUNCATED, "“w”" },
  { "overlap",
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
    "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[3,7]}}",
    7, HL_ERROR_CORRUPT, "“a” and “b” overlap" },
  { "gap", "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[2,6]}}", 6, HL_ERROR_CORRUPT, "“a”" },
  { "rest", "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}", 6, HL_ERROR_CORRUPT,
    "2 bytes at the end" },
  { "shape", "{\"a\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[0,4]}}", 4, HL_ERROR_SHAPE,
    "“a” has 4 bytes" },
  { "overflow", "{\"a\":{\"dtype\":\"F16\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,0]}}", 0,
    HL_ERROR_TOO_LARGE, "“a”" },
  { "backwards", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[2,1]}}", 2, HL_ERROR_CORRUPT, "“a”" },
  { "negative", "{\"a\":{\"dtype\":\"U8\",\"shape\":[-1],\"data_offsets\":[0,1]}}", 1, HL_ERROR_VALUE,
    "“shape” of tensor “a”" },
  { "fraction", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1.5],\"data_offsets\":[0,1]}}", 1, HL_ERROR_VALUE, "“a”" },
  { "rank", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,1],\"data_offsets\":[0,1]}}", 1, HL_ERROR_RANK,
    "“a”" },
  { "type", "{\"a\":{\"dtype\":\"F13\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1, HL_ERROR_DTYPE, "F13" },
  /* Cut between characters, not in one. */
  { "long-type",
    "{\"a\":{\"dtype\":\"Fääääääääääääääääääääääääääääääääääääääääääää\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
    HL_ERROR_DTYPE, "ää…”" },
  { "no-type", "{\"a\":{\"shape\":[1],\"data_offsets\":[0,1]}}", 1, HL_ERROR_MISSING, "“a” has no “dtype”" },
  { "no-offsets", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1, HL_ERROR_MISSING, "data_offsets" },
  { "one-offset", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0]}}", 1, HL_ERROR_CORRUPT, "“a”" },
  { "twice",
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
    "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
    2, HL_ERROR_CORRUPT, "two tensors “a”" },
  { "member-twice", "{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", 1,
    HL_ERROR_CORRUPT, "“dtype” twice" },
  { "stranger", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"x\":1}}", 1, HL_ERROR_CORRUPT, "“x”" },
  { "long-stranger",
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"xääääääääääääääääääääääääääääääääääääääääääää\":1}"
    "}",
    1, HL_ERROR_CORRUPT, "ää…”" },
  { "metadata-number", "{\"__metadata__\":{\"a\":1}}", 0, HL_ERROR_CORRUPT, "a string" },
  { "broken", "{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]", 0, HL_ERROR_TRUNCATED, "breaks off" },
  { "nested", "{\"a\":[[[[[[", 0, HL_ERROR_CORRUPT, "description of a tensor" },
  { "trailing", "{} {}", 0, HL_ERROR_CORRUPT, "end of the header" },
};

static void
test_bad (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GFile) file = write_file (folder, strlen (bad[i].header), bad[i].header, bad[i].n_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = hl_archive_open (file, NULL, NULL, &error);

  g_assert_error (error, HL_ERROR, bad[i].code);
  g_assert_null (archive);
  test_assert_sentence (error);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, bad[i].contains));
  test_remove_folder (folder);
}

/* Lengths that cannot be true are still told as what they are. */
static void
test_lengths (void)
{
  static const struct
  {
    guint64 length;
    int code;
  } lengths[] = {
    { G_GUINT64_CONSTANT (10000000000), HL_ERROR_TOO_LARGE },
    { G_MAXUINT64, HL_ERROR_TOO_LARGE },
    { 5000, HL_ERROR_TRUNCATED },
    { 1, HL_ERROR_TRUNCATED },
  };
  g_autofree char *folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (GFile) file = write_file (folder, lengths[i].length, "{\"a\":{}}", 0);
      g_autoptr (GError) error = NULL;
      g_assert_null (hl_archive_open (file, NULL, NULL, &error));
      g_assert_error (error, HL_ERROR, lengths[i].code);
      test_assert_sentence (error);
    }
  test_remove_folder (folder);
}

static void
test_good (void)
{
  /* 123 bytes long, so that the file begins with “{” and a zero as UTF-16 would. */
  static const char members[] = "{\"__metadata__\":{\"model\":\"tiny\"},"
                                "\"g/b\":{\"dtype\":\"U8\",\"shape\":[2,2],\"data_offsets\":[0,4]},"
                                "\"f\":{\"dtype\":\"F8_E5M2\",\"shape\":[],\"data_offsets\":[4,5]},"
                                "\"g/a\":{\"dtype\":\"I16\",\"shape\":[1],\"data_offsets\":[5,7]}}";
  g_autofree char *header = g_strdup_printf ("%-379s", members);
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GFile) file = write_file (folder, strlen (header), header, 7);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = hl_archive_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (strlen (header) & 0xff, ==, '{');
  g_assert_cmpstr (hl_archive_get_container (archive), ==, "safetensors");
  g_autoptr (GVariant) model = hl_archive_get_attribute (archive, "", "model", &error);
  g_assert_cmpstr (g_variant_get_string (model, NULL), ==, "tiny");
  g_assert_null (hl_archive_get_attribute (archive, "g", "model", &error));

  g_auto (GStrv) root = hl_archive_list (archive, "", &error);
  g_assert_true (g_strv_equal ((const char *const *) root, (const char *const[]){ "f", "g", NULL }));
  g_auto (GStrv) inside = hl_archive_list (archive, "g", &error);
  g_assert_true (g_strv_equal ((const char *const *) inside, (const char *const[]){ "a", "b", NULL }));
  g_assert_cmpint (hl_archive_get_kind (archive, "f"), ==, HL_MEMBER_OTHER);
  g_assert_cmpint (hl_archive_get_kind (archive, "g"), ==, HL_MEMBER_GROUP);
  g_assert_cmpint (hl_archive_get_kind (archive, "g/a"), ==, HL_MEMBER_TENSOR);
  g_assert_cmpint (hl_archive_get_kind (archive, "h"), ==, HL_MEMBER_NONE);
  g_assert_no_error (error);

  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "g/b", &error);
  float numbers[4];
  g_assert_true (
    hl_tensor_read_f32 (tensor, (const guint64[]){ 0, 0 }, (const guint64[]){ 2, 2 }, numbers, NULL, &error));
  for (int i = 0; i < 4; i++)
    g_assert_cmpfloat (numbers[i], ==, i);
  g_assert_cmpuint (((const guint8 *) hl_tensor_get_data (tensor))[3], ==, 3);
  /* At an odd place, which is allowed. */
  g_autoptr (HlTensor) odd = hl_archive_open_tensor (archive, "g/a", &error);
  g_assert_true (hl_tensor_read_f32 (odd, (const guint64[]){ 0 }, (const guint64[]){ 1 }, numbers, NULL, &error));
  g_assert_cmpfloat (numbers[0], ==, 5 + 6 * 256);

  g_assert_null (hl_archive_open_tensor (archive, "f", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
  test_remove_folder (folder);
}

/* Attention in such a file is a dump like any other. */
static void
test_dump (void)
{
  static const char header[] = "{\"attention\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1],\"data_offsets\":[0,1]}}";
  static const char floats[] = "{\"attention\":{\"dtype\":\"F32\",\"shape\":[1,2,1,1],\"data_offsets\":[0,8]}}";
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GFile) file = write_file (folder, strlen (floats), floats, 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (hl_document_get_n_examples (document), ==, 1);
  g_autoptr (GFile) integers = write_file (folder, strlen (header), header, 1);
  g_assert_null (hl_document_load (integers, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_DTYPE);
  test_remove_folder (folder);
}

/* Names that are made to lie in one place of a table are as soon read as others. */
static void
test_alike_names (void)
{
  const guint n = 80000;
  g_autoptr (GString) header = g_string_new ("{\"__metadata__\":{\"a\":\"b\"");
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = test_make_alike_name (i);
      g_string_append_printf (header, ",\"%s\":\"\"", name);
    }
  g_string_append_c (header, '}');
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = test_make_alike_name (i);
      g_string_append_printf (header, ",\"%s\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}", name);
    }
  g_string_append_c (header, '}');
  g_autoptr (GFile) file = write_file (folder, header->len, header->str, 0);
  g_autoptr (HlArchive) archive = hl_archive_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) names = hl_archive_list (archive, "", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, n);
  g_assert_cmpint (hl_archive_get_kind (archive, names[n - 1]), ==, HL_MEMBER_TENSOR);
  test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strdup_printf ("/safetensors/bad/%s", bad[i].name);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_bad);
    }
  g_test_add_func ("/safetensors/lengths", test_lengths);
  g_test_add_func ("/safetensors/good", test_good);
  g_test_add_func ("/safetensors/dump", test_dump);
  g_test_add_func ("/safetensors/alike-names", test_alike_names);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT */
/* Pickles in which one value is at many places: what is made of all of them has a bound, however small the file is. And the
 * older files of PyTorch, whose tensors may be of a type that is not read. */
#include "core/archive/hl-archive.h"
#include "core/archive/pydata/hl-torch-archive.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "test-dumps.h"

#define FULL "the pickle holds more than 4000000 values"
#define LONG "the text in the pickle is too long"

/* An array of strings of no width, as many as one may have, with its type: text of protocol 0 but for its bytes. */
#define EMPTY_STRINGS                                                                                                  \
  "cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\n(I0\ntU\1btR(I1\n(I1048576\ntcnumpy\ndtype\n(U\2U0I0\n"     \
  "I1\ntR(I3\nU\1<NNNI-1\nI-1\nI0\ntbI00\nU"

static void
add_repeated (GString    *text,
              const char *part,
              guint       n)
{
  for (guint i = 0; i < n; i++)
    g_string_append (text, part);
}

static void
add_text (GString *text,
          guint    size)
{
  const guint32 number = GUINT32_TO_LE (size);

  g_string_append_c (text, 'X');
  g_string_append_len (text, (const char *) &number, sizeof number);
  add_repeated (text, "a", size);
}

/* A dictionary of @n_places members, called "0" and so on: each is made as @place says of the value @one, whose number is 1. */
static HlArchive *
open_repeated (const GString *one,
               const char    *place,
               guint          n_places,
               GError       **error)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.pkl", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GString) text = g_string_new ("\x80\x02");

  g_string_append_len (text, one->str, (gssize) one->len);
  g_string_append (text, "q\1"
                         "0}(");
  for (guint i = 0; i < n_places; i++)
    g_string_append_printf (text, "I%u\n%s", i, place);
  g_string_append (text, "u.");
  g_assert_true (g_file_set_contents (path, text->str, (gssize) text->len, NULL));
  return hl_torch_archive_open (file, NULL, NULL, error);
}

static void
assert_opens (const GString *one,
              const char    *place,
              guint          n_places)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = open_repeated (one, place, n_places, &error);

  g_assert_no_error (error);
}

static void
assert_refused (const GString *one,
                const char    *place,
                guint          n_places,
                const char    *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = open_repeated (one, place, n_places, &error);

  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_null (archive);
  g_assert_cmpstr (error->message, ==, words);
}

/* Numbers are made once, wherever their list is; a list that it is in twice has numbers of its own. */
static void
test_numbers (void)
{
  g_autoptr (GString) list = g_string_new ("](");
  g_autoptr (GError) error = NULL;
  const guint n = 100000, n_most = HL_LIMIT_PICKLE_VALUES / (2 * n);

  add_repeated (list, "K\2", n);
  g_string_append (list, "e");
  g_autoptr (HlArchive) archive = open_repeated (list, "h\1", 1000, &error);
  g_assert_no_error (error);
  g_autoptr (HlTensor) first = hl_archive_open_tensor (archive, "0", &error);
  g_autoptr (HlTensor) last = hl_archive_open_tensor (archive, "999", &error);
  g_assert_no_error (error);
  g_assert_true (first == last);
  g_assert_cmpuint (hl_tensor_get_shape (first)->dims[0], ==, n);

  assert_opens (list, "h\1h\1\x86", n_most);
  assert_refused (list, "h\1h\1\x86", n_most + 1, FULL);
}

/* No numbers come of the one and nothing of the other, but they are looked at. */
static void
test_looks (void)
{
  g_autoptr (GString) ragged = g_string_new ("](](");
  g_autoptr (GString) nothing = g_string_new ("}(");
  const guint n = 1000, n_most = HL_LIMIT_RANK * HL_LIMIT_PICKLE_VALUES / (100 * n);

  add_repeated (ragged, "K\2", n);
  g_string_append (ragged, "eq\2");
  add_repeated (ragged, "h\2", 99);
  g_string_append (ragged, "]e");
  assert_opens (ragged, "h\1", n_most / 2);
  assert_refused (ragged, "h\1", n_most, FULL);

  add_repeated (nothing, "NN", 50 * n);
  g_string_append (nothing, "u");
  assert_opens (nothing, "h\1", n_most / 2);
  assert_refused (nothing, "h\1", n_most, FULL);
}

/* A text, a name and a list of strings. */
static void
test_text (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) list = g_string_new ("](");
  const guint size = 1 << 20, n_most = HL_LIMIT_PICKLE_TEXT / size;

  add_text (text, size);
  assert_opens (text, "h\1", n_most - 1);
  assert_refused (text, "h\1", n_most, LONG);
  assert_refused (text, "}h\1K\1s", n_most, LONG);

  add_text (list, size / 16);
  g_string_append (list, "q\2");
  add_repeated (list, "h\2", 15);
  g_string_append (list, "e");
  assert_opens (list, "h\1", n_most - 1);
  assert_refused (list, "h\1", n_most, LONG);
}

/* Each string takes something, and what of the others cannot be read says so. */
static void
test_arrays (void)
{
  g_autoptr (GString) array = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_string_append_len (array, EMPTY_STRINGS "\0tb", sizeof EMPTY_STRINGS "\0tb" - 1);
  g_autoptr (HlArchive) archive = open_repeated (array, "h\1", 10, &error);
  g_assert_no_error (error);
  g_assert_cmpint (hl_archive_get_kind (archive, "0"), ==, HL_MEMBER_STRINGS);
  g_assert_null (hl_archive_read_strings (archive, "9", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_cmpstr (error->message, ==, "“9” cannot be read: " LONG);
}

/* The older file, from a machine that has the other byte order: a float32 tensor “a”, and “b” of a type. */
static HlArchive *
open_legacy (const char *type,
             GError    **error)
{
  static const char head[] = "\x80\2\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\2M\xe9\3.\x80\2}"
                             "X\x0d\0\0\0little_endian\x89s.\x80\2}("
                             "X\1\0\0\0actorch._utils\n_rebuild_tensor_v2\n((X\7\0\0\0storagectorch\nFloatStorage\n"
                             "X\1\0\0\0000X\3\0\0\0cpuK\4tQK\0K\2K\2\x86K\2K\1\x86\x89NtR"
                             "X\1\0\0\0bctorch._utils\n_rebuild_tensor_v3\n((X\7\0\0\0storagectorch.storage\n"
                             "UntypedStorage\nX\1\0\0\0001X\3\0\0\0cpuK\4tQK\0K\4\x85K\1\x85\x89Nctorch\n";
  static const char tail[] = "\ntRu.\x80\2](X\1\0\0\0000X\1\0\0\0001e."
                             "\4\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40"
                             "\4\0\0\0\0\0\0\0\1\2\3\4";
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "old.pt", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GString) bytes = g_string_new_len (head, sizeof head - 1);

  g_string_append (bytes, type);
  g_string_append_len (bytes, tail, sizeof tail - 1);
  g_assert_true (g_file_set_contents (path, bytes->str, (gssize) bytes->len, NULL));
  return hl_torch_archive_open (file, NULL, NULL, error);
}

/* Numbers of the older files are little-endian, whatever they say of the machine. */
static void
test_other_order (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = open_legacy ("uint8", &error);
  g_assert_no_error (error);
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "a", &error);
  g_assert_no_error (error);
  g_autoptr (HlTensor) small = hl_archive_open_tensor (archive, "b", &error);
  g_assert_no_error (error);
  const guint64 start[] = { 0, 0 };
  float numbers[4];

  g_assert_true (hl_tensor_read_f32 (tensor, start, hl_tensor_get_shape (tensor)->dims, numbers, NULL, &error));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_assert_cmpfloat (numbers[i], ==, i + 1);
  g_assert_true (hl_tensor_read_f32 (small, start, hl_tensor_get_shape (small)->dims, numbers, NULL, &error));
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_assert_cmpfloat (numbers[i], ==, i + 1);
}

/* A type that is not read is no code: the other tensors are. */
static void
test_unread_types (void)
{
  static const char *const types[] = {
    "complex32",       "complex64",       "float8_e4m3fn",  "float8_e5m2",
    "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2",
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlArchive) archive = open_legacy (types[i], &error);
      g_assert_no_error (error);
      g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "a", &error);
      g_assert_no_error (error);

      g_assert_null (hl_archive_open_tensor (archive, "b", &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, types[i]));
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pickle/numbers", test_numbers);
  g_test_add_func ("/pickle/looks", test_looks);
  g_test_add_func ("/pickle/text", test_text);
  g_test_add_func ("/pickle/arrays", test_arrays);
  g_test_add_func ("/pickle/other-order", test_other_order);
  g_test_add_func ("/pickle/unread-types", test_unread_types);
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT */
/* GGUF: what is read of both versions and both byte orders, and that every lie of a header gets its own sentence. */
#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/base/hl-error.h"

#include "test-dumps.h"

#include <string.h>

/* A file as it is written. */
typedef struct
{
  GByteArray *bytes;
  gboolean big;
} Writer;

static void
put (Writer *self,
     guint64 number,
     guint   n_bytes)
{
  for (guint i = 0; i < n_bytes; i++)
    g_byte_array_append (self->bytes, &(guint8){ (guint8) (number >> 8 * (self->big ? n_bytes - 1 - i : i)) }, 1);
}

static void
put_bytes (Writer     *self,
           const char *bytes,
           gsize       n)
{
  g_byte_array_append (self->bytes, (const guint8 *) bytes, (guint) n);
}

static void
put_string (Writer     *self,
            const char *string)
{
  put (self, strlen (string), 8);
  put_bytes (self, string, strlen (string));
}

static Writer *
begin (gboolean big,
       guint32  version,
       guint64  n_tensors,
       guint64  n_keys)
{
  Writer *self = g_new (Writer, 1);

  *self = (Writer){ g_byte_array_new (), big };
  put_bytes (self, "GGUF", 4);
  put (self, version, 4);
  put (self, n_tensors, 8);
  put (self, n_keys, 8);
  return self;
}

static void
put_key (Writer     *self,
         const char *key,
         HlGgufType  type)
{
  put_string (self, key);
  put (self, type, 4);
}

static void
put_u32 (Writer     *self,
         const char *key,
         guint32     number)
{
  put_key (self, key, HL_GGUF_U32);
  put (self, number, 4);
}

/* What a file says of a matrix, the innermost size first. */
static void
put_tensor (Writer     *self,
            const char *name,
            guint64     width,
            guint64     height,
            guint32     type,
            guint64     offset)
{
  put_string (self, name);
  put (self, 2, 4);
  put (self, width, 8);
  put (self, height, 8);
  put (self, type, 4);
  put (self, offset, 8);
}

/* Data, at a multiple of the alignment. */
static void
put_data (Writer *self,
          guint   n)
{
  while (self->bytes->len % 32 != 0)
    put (self, 0, 1);
  for (guint i = 0; i < n; i++)
    put (self, i, 1);
}

/* Writes the file, opens it, and forgets the writer. */
static HlArchive *
finish (Writer     *self,
        const char *folder,
        GError    **error)
{
  g_autofree char *path = g_build_filename (folder, "file.gguf", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, (const char *) self->bytes->data, (gssize) self->bytes->len, NULL));
  g_assert_true (hl_gguf_archive_is_such (file));
  g_byte_array_unref (self->bytes);
  g_free (self);
  return hl_gguf_archive_open (file, NULL, NULL, error);
}

static Writer *
lie_version_1 (void)
{
  return begin (FALSE, 1, 0, 0);
}

static Writer *
lie_version_4 (void)
{
  return begin (TRUE, 4, 0, 0);
}

static Writer *
lie_no_counts (void)
{
  Writer *self = begin (FALSE, 3, 0, 0);

  g_byte_array_set_size (self->bytes, 12);
  return self;
}

static Writer *
lie_many_tensors (void)
{
  return begin (FALSE, 3, G_MAXUINT64, 0);
}

static Writer *
lie_many_keys (void)
{
  return begin (FALSE, 3, 0, 1000001);
}

static Writer *
lie_more_keys (void)
{
  Writer *self = begin (FALSE, 3, 0, 2);

  put_u32 (self, "a", 1);
  return self;
}

static Writer *
lie_more_tensors (void)
{
  Writer *self = begin (FALSE, 3, 2, 0);

  put_tensor (self, "a", 1, 1, 0, 0);
  return self;
}

static Writer *
lie_key_length (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put (self, G_MAXUINT64, 8);
  return self;
}

static Writer *
lie_key_past_end (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put (self, 100, 8);
  put_bytes (self, "abc", 3);
  return self;
}

static Writer *
lie_key_encoding (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_u32 (self, "a\xff", 1);
  return self;
}

static Writer *
lie_key_zero (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put (self, 3, 8);
  put_bytes (self, "a\0b", 3);
  return self;
}

static Writer *
lie_key_lines (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_u32 (self, "a\nb", 1);
  return self;
}

static Writer *
lie_long_key (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);
  g_autofree char *key = g_strnfill (60000, 'k');

  put_key (self, key, 13);
  return self;
}

static Writer *
lie_key_twice (void)
{
  Writer *self = begin (FALSE, 3, 0, 2);

  put_u32 (self, "a", 1);
  put_u32 (self, "a", 2);
  return self;
}

static Writer *
lie_value_type (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_key (self, "a", 13);
  put (self, 0, 8);
  return self;
}

static Writer *
lie_value_end (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_key (self, "a", HL_GGUF_F64);
  put (self, 0, 7);
  return self;
}

static Writer *
lie_string_length (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_key (self, "a", HL_GGUF_STRING);
  put (self, G_MAXUINT64 - 4, 8);
  return self;
}

static Writer *
lie_array_of_arrays (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_key (self, "a", HL_GGUF_ARRAY);
  put (self, HL_GGUF_ARRAY, 4);
  put (self, 1, 8);
  return self;
}

static Writer *
lie_array_length (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_key (self, "a", HL_GGUF_ARRAY);
  put (self, HL_GGUF_F64, 4);
  put (self, G_GUINT64_CONSTANT (1) << 61, 8); /* times 8 it is 0 */
  return self;
}

static Writer *
lie_strings_length (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_key (self, "a", HL_GGUF_ARRAY);
  put (self, HL_GGUF_STRING, 4);
  put (self, G_MAXUINT64, 8);
  put_string (self, "one");
  return self;
}

static Writer *
lie_alignment (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_u32 (self, "general.alignment", 24);
  return self;
}

static Writer *
lie_alignment_zero (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_u32 (self, "general.alignment", 0);
  return self;
}

static Writer *
lie_alignment_text (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_key (self, "general.alignment", HL_GGUF_STRING);
  put_string (self, "32");
  return self;
}

static Writer *
lie_alignment_huge (void)
{
  Writer *self = begin (FALSE, 3, 0, 1);

  put_u32 (self, "general.alignment", 1u << 31);
  return self;
}

static Writer *
lie_name_length (void)
{
  Writer *self = begin (FALSE, 3, 1, 0);

  put (self, 5000, 8);
  return self;
}

static Writer *
lie_name_encoding (void)
{
  Writer *self = begin (FALSE, 3, 1, 0);

  put_tensor (self, "\xc3(", 1, 1, 0, 0);
  return self;
}

static Writer *
lie_name_twice (void)
{
  Writer *self = begin (FALSE, 3, 2, 0);

  put_tensor (self, "w", 1, 1, 0, 0);
  put_tensor (self, "w", 1, 1, 0, 32);
  put_data (self, 64);
  return self;
}

static Writer *
lie_rank (guint32 rank)
{
  Writer *self = begin (FALSE, 3, 1, 0);

  put_string (self, "w");
  put (self, rank, 4);
  for (guint i = 0; i < 5; i++)
    put (self, 1, 8);
  put_data (self, 64);
  return self;
}

static Writer *
lie_rank_0 (void)
{
  return lie_rank (0);
}

static Writer *
lie_rank_5 (void)
{
  return lie_rank (5);
}

static Writer *
lie_rank_huge (void)
{
  return lie_rank (G_MAXUINT32);
}

/* One matrix and 64 bytes of data. */
static Writer *
lie_matrix (guint64 width,
            guint64 height,
            guint32 type,
            guint64 offset)
{
  Writer *self = begin (FALSE, 3, 1, 0);

  put_tensor (self, "w", width, height, type, offset);
  put_data (self, 64);
  return self;
}

static Writer *
lie_sizes_overflow (void)
{
  return lie_matrix (G_GUINT64_CONSTANT (1) << 33, G_GUINT64_CONSTANT (1) << 33, 0, 0);
}

static Writer *
lie_bytes_overflow (void)
{
  return lie_matrix (G_GUINT64_CONSTANT (1) << 31, G_GUINT64_CONSTANT (1) << 31, 0, 0);
}

static Writer *
lie_part_of_block (void)
{
  return lie_matrix (48, 2, 2, 0);
}

static Writer *
lie_past_end (void)
{
  return lie_matrix (4, 5, 0, 0);
}

static Writer *
lie_begins_past_end (void)
{
  return lie_matrix (1, 1, 0, 96);
}

static Writer *
lie_begins_far (void)
{
  return lie_matrix (4, 4, 0, G_MAXUINT64 - 31);
}

static Writer *
lie_unaligned (void)
{
  return lie_matrix (1, 1, 0, 4);
}

static Writer *
lie_overlap (void)
{
  Writer *self = begin (FALSE, 3, 2, 0);

  put_tensor (self, "b", 1, 1, 0, 32);
  put_tensor (self, "a", 4, 3, 0, 0);
  put_data (self, 64);
  return self;
}

static const struct
{
  const char *name;
  Writer *(*make) (void);
  int code;
  const char *contains;
} lies[] = {
  { "version-1", lie_version_1, HL_ERROR_UNSUPPORTED, "GGUF version 1;" },
  { "version-4", lie_version_4, HL_ERROR_UNSUPPORTED, "GGUF version 4;" },
  { "no-counts", lie_no_counts, HL_ERROR_TRUNCATED, "8 bytes from byte 8" },
  { "many-tensors", lie_many_tensors, HL_ERROR_TOO_LARGE, "18446744073709551615 tensors" },
  { "many-keys", lie_many_keys, HL_ERROR_TOO_LARGE, "1000001 keys" },
  { "more-keys", lie_more_keys, HL_ERROR_TRUNCATED, "key 2 of 2" },
  { "more-tensors", lie_more_tensors, HL_ERROR_TRUNCATED, "name 2 of 2 tensors" },
  { "key-length", lie_key_length, HL_ERROR_TOO_LARGE, "key 1 of 1 is said to have 18446744073709551615 bytes" },
  { "key-past-end", lie_key_past_end, HL_ERROR_TRUNCATED, "key 1 of 1 takes 100 bytes" },
  { "key-encoding", lie_key_encoding, HL_ERROR_ENCODING, "key 1 of 1" },
  { "key-zero", lie_key_zero, HL_ERROR_ENCODING, "key 1 of 1" },
  { "key-lines", lie_key_lines, HL_ERROR_ENCODING, "key 1 of 1 holds control characters" },
  { "long-key", lie_long_key, HL_ERROR_UNSUPPORTED, "kkk…” is of type 13" },
  { "key-twice", lie_key_twice, HL_ERROR_CORRUPT, "“a” is there twice" },
  { "value-type", lie_value_type, HL_ERROR_UNSUPPORTED, "“a” is of type 13" },
  { "value-end", lie_value_end, HL_ERROR_TRUNCATED, "“a” takes 8 bytes" },
  { "string-length", lie_string_length, HL_ERROR_TRUNCATED, "“a” takes 18446744073709551611 bytes" },
  { "array-of-arrays", lie_array_of_arrays, HL_ERROR_UNSUPPORTED, "“a” is of type 9" },
  { "array-length", lie_array_length, HL_ERROR_TRUNCATED, "“a” takes" },
  { "strings-length", lie_strings_length, HL_ERROR_TRUNCATED, "“a” takes 8 bytes" },
  { "alignment", lie_alignment, HL_ERROR_VALUE, "“general.alignment” is no power of two" },
  { "alignment-zero", lie_alignment_zero, HL_ERROR_VALUE, "“general.alignment”" },
  { "alignment-text", lie_alignment_text, HL_ERROR_VALUE, "“general.alignment”" },
  { "alignment-huge", lie_alignment_huge, HL_ERROR_VALUE, "“general.alignment”" },
  { "name-length", lie_name_length, HL_ERROR_TOO_LARGE, "name 1 of 1 tensors is said to have 5000 bytes" },
  { "name-encoding", lie_name_encoding, HL_ERROR_ENCODING, "name 1 of 1 tensors" },
  { "name-twice", lie_name_twice, HL_ERROR_CORRUPT, "tensor “w” is there twice" },
  { "rank-0", lie_rank_0, HL_ERROR_SHAPE, "“w” is said to have 0 axes" },
  { "rank-5", lie_rank_5, HL_ERROR_SHAPE, "“w” is said to have 5 axes" },
  { "rank-huge", lie_rank_huge, HL_ERROR_SHAPE, "4294967295 axes" },
  { "sizes-overflow", lie_sizes_overflow, HL_ERROR_SHAPE, "“w” of 8589934592 × 8589934592 elements" },
  { "bytes-overflow", lie_bytes_overflow, HL_ERROR_SHAPE, "“w” of 2147483648 × 2147483648 elements" },
  { "part-of-block", lie_part_of_block, HL_ERROR_SHAPE, "“w” of 2 × 48 elements cannot be of type Q4_0" },
  { "past-end", lie_past_end, HL_ERROR_TRUNCATED,
    "“w” takes 80 bytes from byte 0 of the data on, but the file has only 64" },
  { "begins-past-end", lie_begins_past_end, HL_ERROR_TRUNCATED, "“w” takes 4 bytes from byte 96" },
  { "begins-far", lie_begins_far, HL_ERROR_TRUNCATED, "“w” takes 64 bytes from byte 18446744073709551584" },
  { "unaligned", lie_unaligned, HL_ERROR_CORRUPT, "“w” begins at byte 4" },
  { "overlap", lie_overlap, HL_ERROR_CORRUPT, "“a” and “b” overlap" },
};

static void
test_lie (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = finish (lies[i].make (), folder, &error);

  g_assert_null (archive);
  test_assert_sentence (error);
  g_test_message ("%s", error->message);
  g_assert_error (error, HL_ERROR, lies[i].code);
  g_assert_nonnull (strstr (error->message, lies[i].contains));
  test_remove_folder (folder);
}

/* Every byte of a file that is good at its end is missed. */
static void
test_cut (void)
{
  g_autofree char *folder = test_make_folder ();
  gsize size = 0;

  for (gsize end = 0; end == 0 || end < size; end++)
    {
      Writer *self = begin (FALSE, 3, 1, 2);
      g_autoptr (GError) error = NULL;

      put_key (self, "general.architecture", HL_GGUF_STRING);
      put_string (self, "llama");
      put_key (self, "list", HL_GGUF_ARRAY);
      put (self, HL_GGUF_STRING, 4);
      put (self, 2, 8);
      put_string (self, "a");
      put_string (self, "");
      put_tensor (self, "w", 2, 2, 0, 0);
      put_data (self, 16);
      size = self->bytes->len;
      if (end >= 4)
        g_byte_array_set_size (self->bytes, (guint) end);
      else
        end = 3;
      g_autoptr (HlArchive) archive = finish (self, folder, &error);
      if (end == 3)
        {
          g_assert_no_error (error);
          continue;
        }
      g_assert_null (archive);
      g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
      test_assert_sentence (error);
    }
  g_assert_cmpuint (size, >, 100);
  test_remove_folder (folder);
}

static void
check_attribute (HlArchive  *archive,
                 const char *name,
                 const char *expected)
{
  g_autoptr (GVariant) value = hl_archive_get_attribute (archive, "", name, NULL);
  g_autofree char *text = value != NULL ? g_variant_print (value, FALSE) : NULL;

  g_assert_cmpstr (text, ==, expected);
}

static void
check_tensor (HlArchive *archive)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "w", &error);
  const guint64 start[2] = { 0, 1 }, count[2] = { 2, 2 };
  float numbers[4];

  g_assert_no_error (error);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  g_assert_cmpuint (shape->rank, ==, 2);
  g_assert_cmpuint (shape->dims[0], ==, 2);
  g_assert_cmpuint (shape->dims[1], ==, 3);
  g_assert_true (hl_tensor_read_f32 (tensor, start, count, numbers, NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (numbers[i], ==, (float) (i / 2 * 3 + i % 2 + 1));
}

/* Versions and byte orders: bit 0 is whether it is big-endian, bit 1 whether it is version 3. */
static void
test_good (gconstpointer data)
{
  const guint kind = GPOINTER_TO_UINT (data);
  Writer *self = begin (kind & 1, kind & 2 ? 3 : 2, 3, 11);
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GError) error = NULL;
  HlGgufStrings strings;
  gsize length;

  put_key (self, "u8", HL_GGUF_U8), put (self, 200, 1);
  put_key (self, "i8", HL_GGUF_I8), put (self, (guint64) -3, 1);
  put_key (self, "u16", HL_GGUF_U16), put (self, 60000, 2);
  put_key (self, "i16", HL_GGUF_I16), put (self, (guint64) -300, 2);
  put_key (self, "i32", HL_GGUF_I32), put (self, (guint64) -70000, 4);
  put_key (self, "f32", HL_GGUF_F32), put (self, 0x3fc00000, 4);
  put_key (self, "f64", HL_GGUF_F64), put (self, G_GUINT64_CONSTANT (0xc004000000000000), 8);
  put_key (self, "bool", HL_GGUF_BOOL), put (self, 1, 1);
  put_key (self, "huge", HL_GGUF_U64), put (self, G_MAXUINT64, 8);
  put_key (self, "text", HL_GGUF_STRING), put_string (self, "für\xff");
  put_key (self, "list", HL_GGUF_ARRAY), put (self, HL_GGUF_STRING, 4), put (self, 3, 8);
  put_string (self, "a"), put_string (self, ""), put_string (self, "bc");
  put_tensor (self, "stranger", 1, 1, 77, 32);
  put_tensor (self, "w", 3, 2, 0, 0);
  put_tensor (self, "i", 1, 1, 25, 32);
  put_data (self, 0);
  for (guint i = 0; i < 6; i++)
    {
      const float number = (float) i;
      guint32 bits;
      memcpy (&bits, &number, sizeof bits);
      put (self, bits, 4);
    }
  put (self, 0, 8);
  put (self, (guint64) -5, 2);
  g_autoptr (HlArchive) archive = finish (self, folder, &error);
  g_assert_no_error (error);

  g_assert_cmpstr (hl_archive_get_container (archive), ==, "GGUF");
  check_attribute (archive, "u8", "200");
  check_attribute (archive, "i8", "-3");
  check_attribute (archive, "u16", "60000");
  check_attribute (archive, "i16", "-300");
  check_attribute (archive, "i32", "-70000");
  check_attribute (archive, "f32", "1.5");
  check_attribute (archive, "f64", "-2.5");
  check_attribute (archive, "bool", "1");
  check_attribute (archive, "huge", NULL);
  check_attribute (archive, "text", "'für\357\277\275'");
  check_attribute (archive, "list", NULL);
  check_attribute (archive, "nothing", NULL);

  hl_gguf_strings_init (&strings, hl_gguf_archive_get_value (HL_GGUF_ARCHIVE (archive), "list"));
  static const char *const expected[] = { "a", "", "bc" };
  for (guint i = 0; i < 3; i++)
    {
      const char *string = hl_gguf_strings_next (&strings, &length);
      g_assert_cmpmem (string, length, expected[i], strlen (expected[i]));
    }
  g_assert_null (hl_gguf_strings_next (&strings, &length));

  check_tensor (archive);
  g_assert_cmpint (hl_archive_get_kind (archive, "stranger"), ==, HL_MEMBER_OTHER);
  g_assert_null (hl_archive_open_tensor (archive, "stranger", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "“stranger” is of type 77"));
  test_remove_folder (folder);
}

/* Numbers of 4 bits as Ollama's own files have them, two neighbours a byte, against the same in the order of others. */
static void
test_pairs (void)
{
  Writer *self = begin (FALSE, 3, 2, 0);
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GError) error = NULL;
  const guint64 start[2] = { 0, 0 }, count[2] = { 2, 64 }, part[2] = { 1, 33 }, some[2] = { 1, 5 };
  float theirs[128], own[128], few[5];

  put_tensor (self, "own", 64, 2, 4, 0);
  put_tensor (self, "theirs", 64, 2, 39, 96);
  put_data (self, 0);
  for (guint kind = 0; kind < 2; kind++)
    {
      for (guint block = 0; block < 4; block++)
        {
          put (self, block == 0 ? 0 : 120 + 5 * block, 1);
          for (guint i = 0; i < 16; i++)
            {
              const guint low = kind == 0 ? 2 * i : i, high = kind == 0 ? 2 * i + 1 : i + 16;
              put (self, (low * 7 + block) % 16 | (high * 7 + block) % 16 << 4, 1);
            }
        }
      for (guint i = 68; kind == 0 && i < 96; i++)
        put (self, 0, 1);
    }
  g_autoptr (HlArchive) archive = finish (self, folder, &error);
  g_assert_no_error (error);
  g_autoptr (HlTensor) first = hl_archive_open_tensor (archive, "own", &error);
  g_autoptr (HlTensor) second = hl_archive_open_tensor (archive, "theirs", &error);
  g_assert_no_error (error);
  g_assert_true (hl_tensor_read_f32 (first, start, count, own, NULL, &error));
  g_assert_true (hl_tensor_read_f32 (second, start, count, theirs, NULL, &error));
  g_assert_true (hl_tensor_read_f32 (first, part, some, few, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (own[33], !=, own[34]);
  for (guint i = 0; i < 128; i++)
    g_assert_cmpfloat (own[i], ==, theirs[i]);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpfloat (few[i], ==, theirs[64 + 33 + i]);
  test_remove_folder (folder);
}

/* Names that are made to lie in one place of a table are as soon read as others. */
static void
test_alike_names (void)
{
  const guint n = 80000;
  Writer *self = begin (FALSE, 3, n, n);
  g_autofree char *folder = test_make_folder ();
  g_autofree char *last = test_make_alike_name (n - 1);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = test_make_alike_name (i);
      put_key (self, name, HL_GGUF_U8);
      put (self, i & 0xff, 1);
    }
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = test_make_alike_name (i);
      put_tensor (self, name, 0, 0, 24, 0);
    }
  put_data (self, 1);
  g_autoptr (HlArchive) archive = finish (self, folder, &error);
  g_assert_no_error (error);
  g_assert_cmpint (hl_archive_get_kind (archive, last), ==, HL_MEMBER_TENSOR);
  check_attribute (archive, last, "127");
  test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      g_autofree char *name = g_strdup_printf ("/gguf/lie/%s", lies[i].name);
      g_test_add_data_func (name, GSIZE_TO_POINTER (i), test_lie);
    }
  g_test_add_func ("/gguf/cut", test_cut);
  g_test_add_func ("/gguf/pairs", test_pairs);
  g_test_add_func ("/gguf/alike-names", test_alike_names);
  for (guint kind = 0; kind < 4; kind++)
    {
      g_autofree char *name =
        g_strdup_printf ("/gguf/good/version-%d-%s", kind & 2 ? 3 : 2, kind & 1 ? "big" : "little");
      g_test_add_data_func (name, GUINT_TO_POINTER (kind), test_good);
    }
  return g_test_run ();
}

/* SPDX-License-Identifier: MIT */
/* Any files as the folder of a model, or of an adapter: they stand one after the other, each behind a line “@@ NAME”. What is there is
 * loaded, and a small model is run on a text. Of safetensors there is the header as JSON; all numbers are zero. */
#include "fuzz.h"

#include "core/model/hl-model.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define MARK "@@ "
#define MAX_FILES 12

/* More weights than what is run below can have. */
#define MAX_NUMBERS (16u << 20)
#define OFFSETS "\"data_offsets\":["

/* A folder costs little up to here. */
#define MAX_WIDTH 128
#define MAX_LAYERS 4

static char *folder;

static void
remove_folder (void)
{
  g_rmdir (folder);
}

static void
make_folder (void)
{
  const char *root = g_access ("/dev/shm", W_OK) == 0 ? "/dev/shm" : g_get_tmp_dir ();
  folder = g_build_filename (root, "headlight-fuzz-XXXXXX", NULL);
  g_assert (g_mkdtemp (folder) != NULL);
  atexit (remove_folder);
}

static gboolean
is_name (const char *name)
{
  return *name != '\0' && strlen (name) < 64 && strchr (name, '/') == NULL && !g_str_equal (name, ".") &&
         !g_str_equal (name, "..");
}

static void
put (int         fd,
     const void *bytes,
     gsize       size)
{
  g_assert (size == 0 || write (fd, bytes, size) == (gssize) size);
}

/* Where the last of the tensors ends, as there is to be nothing behind it. */
static guint64
find_end (const char *header,
          gsize       size)
{
  g_autofree char *text = g_strndup (header, size);
  guint64 end = 0;

  for (const char *at = strstr (text, OFFSETS); at != NULL; at = strstr (at, OFFSETS))
    {
      at += strlen (OFFSETS);
      at += strspn (at, "0123456789");
      end = MAX (end, *at == ',' ? g_ascii_strtoull (at + 1, NULL, 10) : 0);
    }
  return MIN (end, MAX_NUMBERS);
}

static char *
write_file (const char *name,
            const char *text,
            gsize       size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  const int fd = g_open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  if (fd < 0)
    return NULL;
  if (g_str_has_suffix (name, ".safetensors") && size > 0 && *text == '{')
    {
      const guint64 length = GUINT64_TO_LE (size);

      put (fd, &length, sizeof length);
      put (fd, text, size);
      g_assert (ftruncate (fd, (off_t) (sizeof length + size + find_end (text, size))) == 0);
    }
  else
    put (fd, text, size);
  fuzz_make_old (fd);
  close (fd);
  return g_steal_pointer (&path);
}

static GPtrArray *
write_files (const char *text,
             gsize       size)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  const char *end = text + size;

  while (paths->len < MAX_FILES && (gsize) (end - text) > strlen (MARK) && memcmp (text, MARK, strlen (MARK)) == 0)
    {
      const char *name = text + strlen (MARK);
      const char *line_end = memchr (name, '\n', (gsize) (end - name));

      if (line_end == NULL)
        break;
      const char *next = memmem (line_end, (gsize) (end - line_end), "\n" MARK, strlen (MARK) + 1);
      g_autofree char *own = g_strndup (name, (gsize) (line_end - name));
      const char *stop = next != NULL ? next : end, *start = MIN (line_end + 1, stop);
      char *path = is_name (own) ? write_file (own, start, (gsize) (stop - start)) : NULL;
      if (path != NULL)
        g_ptr_array_add (paths, path);
      if (next == NULL)
        break;
      text = next + 1;
    }
  return paths;
}

static void
check (gboolean      failed,
       const GError *error)
{
  g_assert (failed == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
}

static void
look_at_layer (const HlLayerProjections *layer,
               gpointer                  data)
{
  float sum = 0;

  for (gsize i = 0; i < layer->n_heads * layer->n_queries * layer->head_size; i++)
    sum += layer->queries[i];
  *(float *) data += sum;
}

static void
run (HlModel *model)
{
  static const guint32 ids[] = { 1, 2, 0 };
  const HlModelInput input = {
    .ids = ids,
    .n_ids = G_N_ELEMENTS (ids),
    .decoder_ids = ids,
    .n_decoder_ids = hl_model_has_decoder (model) ? 2 : 0,
  };
  const HlAttentionKind first = hl_model_get_n_layers (model, HL_ATTENTION_SELF) > 0 ? HL_ATTENTION_SELF
                                                                                     : HL_ATTENTION_ENCODER;
  g_autoptr (GError) error = NULL;
  float sum = 0;

  if (hl_model_takes_pixels (model) || hl_model_get_n_layers (model, first) > MAX_LAYERS ||
      hl_model_get_width (model, first) > MAX_WIDTH ||
      (hl_model_has_decoder (model) && hl_model_get_n_layers (model, HL_ATTENTION_DECODER) > MAX_LAYERS) ||
      !hl_model_check_input (model, &input, NULL))
    return;
  const gboolean failed = !hl_model_forward (model, &input, look_at_layer, &sum, NULL, NULL, &error);
  check (failed, error);
}

static void
load (GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlModel) model = hl_model_load (file, &error);

  check (model == NULL, error);
  if (model == NULL)
    return;
  g_autoptr (GError) local = NULL;
  HlTokenizer *tokenizer = hl_model_require_tokenizer (model, &local);
  check (tokenizer == NULL, local);
  if (tokenizer != NULL)
    {
      g_autoptr (GError) unencoded = NULL;
      g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, "a cat", NULL, 20, &unencoded);
      check (encoding == NULL, unencoded);
    }
  if (hl_model_has_vision (model))
    hl_model_require_vision (model, NULL);
  run (model);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  if (folder == NULL)
    make_folder ();
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  g_autoptr (GPtrArray) paths = write_files ((const char *) bytes, size);

  load (file);
  for (guint i = 0; i < paths->len; i++)
    g_unlink (paths->pdata[i]);
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* Any bytes as a GGUF file: its tokenizer, and what that makes of two texts. */
#include "fuzz.h"

#include "core/tokenizer/gguf/hl-gguf-tokenizer.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char text[] = "Hello  ab aab 123\n\n<mask></s> über ▁\342\200\203汉A\314\201";

static void
check (const GError *error)
{
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  const int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert (fd >= 0);
  g_assert (write (fd, bytes, size) == (gssize) size);
  fuzz_make_old (fd);
  g_autoptr (HlArchive) archive = hl_gguf_archive_open (file, NULL, NULL, &error);
  g_autoptr (HlTokenizer) tokenizer = archive != NULL ? hl_tokenizer_new_from_gguf (HL_GGUF_ARCHIVE (archive), &error)
                                                      : NULL;
  g_assert ((tokenizer == NULL) == (error != NULL));
  check (error);
  if (tokenizer != NULL)
    {
      g_autoptr (GError) local = NULL;
      g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, text + 7, 40, &local);
      g_assert ((encoding == NULL) == (local != NULL));
      check (local);
      for (guint i = 0; encoding != NULL && i < encoding->n_tokens; i++)
        g_assert (encoding->ids[i] < hl_tokenizer_get_n_tokens (tokenizer));
    }
  g_clear_object (&archive);
  close (fd);
  return 0;
}

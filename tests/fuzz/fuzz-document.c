/* SPDX-License-Identifier: MIT */
/* Any bytes as a file: opened as whatever it seems to be, and every head of every example read. */
#include "fuzz.h"

#include "fuzz-example.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Enough to reach every kind of reading; a file that announces more is only looked at in part. */
#define MAX_EXAMPLES 4

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
  {
    g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
    g_assert ((document == NULL) == (error != NULL));
    if (error != NULL)
      g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
    for (guint i = 0; document != NULL && i < MIN (hl_document_get_n_examples (document), MAX_EXAMPLES); i++)
      {
        g_autoptr (HlExample) example = hl_document_get_example (document, i, NULL, NULL);
        if (example != NULL)
          fuzz_read_example (example);
      }
  }
  close (fd);
  return 0;
}

/* SPDX-License-Identifier: MIT */
/* Any bytes as a file: opened as whatever it seems to be, and every head of every example read. */
#include "fuzz.h"

#include "core/document/hl-document.h"
#include "core/source/hl-attention-source.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Enough to reach every kind of reading; a file that announces more is only looked at in part. */
#define MAX_EXAMPLES 4
#define MAX_LAYERS 4
#define MAX_HEADS 4
#define MAX_NUMBERS 65536

static void
read_block (HlBlock *block)
{
  g_autoptr (HlAttentionSource) source = hl_attention_source_new_for_block (block);
  const gsize n_keys = MIN (hl_block_get_n_keys (block), MAX_NUMBERS);
  const gsize n_queries = MIN (hl_block_get_n_queries (block), MAX_NUMBERS / n_keys);

  for (guint layer = 0; layer < MIN (hl_block_get_n_layers (block), MAX_LAYERS); layer++)
    for (guint head = 0; head < MIN (hl_block_get_n_heads (block, layer), MAX_HEADS); head++)
      {
        const HlAttentionRequest request = {
          .layer = layer,
          .head = head,
          .n_queries = n_queries,
          .n_keys = n_keys,
          .n_rows = n_queries,
          .n_columns = n_keys,
        };
        g_autofree float *weights = g_new (float, n_queries *n_keys);
        g_autoptr (GError) error = NULL;
        const gboolean read = hl_attention_source_read (source, &request, weights, NULL, &error);
        g_assert (read == (error == NULL));
        if (error != NULL)
          g_assert (g_utf8_validate (error->message, -1, NULL));
      }
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
  {
    g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
    g_assert ((document == NULL) == (error != NULL));
    if (error != NULL)
      g_assert (g_utf8_validate (error->message, -1, NULL) &&
                strchr (error->message, '\n') == NULL);
    for (guint i = 0;
         document != NULL && i < MIN (hl_document_get_n_examples (document), MAX_EXAMPLES); i++)
      {
        g_autoptr (HlExample) example = hl_document_get_example (document, i, NULL, NULL);
        for (guint k = 0; example != NULL && k < hl_example_get_n_blocks (example); k++)
          read_block (hl_example_get_block (example, k));
      }
  }
  close (fd);
  return 0;
}

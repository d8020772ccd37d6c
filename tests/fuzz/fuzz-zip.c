/* SPDX-License-Identifier: MIT */
/* Any bytes as a zip file: its directory checked, and every member opened. */
#include "fuzz.h"

#include "core/archive/pydata/hl-zip-reader.h"

#include <string.h>

/* Members of the size that a reader asks for at once. */
#define MAX_MEMBERS 16
#define MAX_WANTED 65536

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GBytes) file = g_bytes_new_static (bytes, size);
  g_autoptr (HlSpan) span = hl_span_new_for_bytes (file);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlZipReader) zip = hl_zip_reader_new (span, NULL, &error);

  g_assert ((zip == NULL) == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL));
  for (guint i = 0; zip != NULL && i < MIN (zip->members->len, MAX_MEMBERS); i++)
    {
      const HlZipMember *member = zip->members->pdata[i];
      g_autoptr (GError) problem = NULL;
      g_autoptr (HlSpan) content = hl_zip_reader_open (zip, member, MAX_WANTED, NULL, &problem);

      g_assert ((content == NULL) == (problem != NULL));
      g_assert (g_tree_lookup (zip->index, member->name) == member);
      if (content == NULL)
        continue;
      const gsize n = (gsize) hl_span_get_size (content);
      g_autofree guint8 *copy = g_malloc (MAX (n, 1));
      g_assert (hl_span_read (content, 0, copy, n, NULL));
    }
  return 0;
}

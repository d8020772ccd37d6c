/* SPDX-License-Identifier: MIT */
/* Any bytes as what people keep beside attention: a list of tokens, and axes, and pairs of tokens to find heads by. */
#include "fuzz.h"

#include "core/analysis/hl-token-pairs.h"
#include "core/document/guess/hl-layout-axes.h"
#include "core/document/hl-document.h"
#include "core/tokenizer/hl-token-file.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char dump[] = "{\"attention\": [[[[0.5, 0.5], [0.5, 0.5]]]], \"tokens\": [\"The\", \"ca\\nt\"]}";

static void
check (gboolean      failed,
       const GError *error)
{
  g_assert (failed == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
}

static HlAttention *
make_attention (void)
{
  const int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert (fd >= 0 && write (fd, dump, strlen (dump)) == (gssize) strlen (dump));
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, NULL);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  close (fd);
  return g_object_ref (hl_example_get_attention (example, 0));
}

static void
read_tokens (const guint8 *bytes,
             gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) tokens = hl_token_file_parse ((const char *) bytes, size, &error);

  check (tokens == NULL, error);
  for (char **token = tokens; token != NULL && *token != NULL; token++)
    g_assert (g_utf8_validate (*token, -1, NULL));
}

static void
read_axes (const char *text)
{
  g_autoptr (GError) error = NULL;
  HlLayoutAxes axes;

  const gboolean failed = !hl_layout_axes_parse (&axes, text, &error);
  check (failed, error);
}

static void
read_pairs (const char *text)
{
  static HlAttention *attention;
  g_autoptr (GError) error = NULL;

  if (attention == NULL)
    attention = make_attention ();
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (attention, text, &error);
  check (pairs == NULL, error);
  if (pairs == NULL)
    return;
  g_autofree char *told = hl_token_pairs_describe (pairs);
  g_assert (g_utf8_validate (told, -1, NULL));
  for (guint i = 0; i < hl_token_pairs_get_n (pairs); i++)
    {
      const HlTokenPair *pair = hl_token_pairs_get (pairs, i);
      g_assert (pair->queries.n > 0 && pair->queries.first + pair->queries.n <= 2);
      g_assert (pair->keys.n > 0 && pair->keys.first + pair->keys.n <= 2);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autofree char *text = g_strndup ((const char *) bytes, size);

  read_tokens (bytes, size);
  if (g_utf8_validate (text, -1, NULL))
    {
      read_axes (text);
      read_pairs (text);
    }
  return 0;
}

/* SPDX-License-Identifier: MIT */
#include "test-dumps.h"

#include <ftw.h>
#include <string.h>

#include <glib/gstdio.h>

#include "core/analysis/hl-examine.h"
#include "core/base/hl-error.h"
#include "core/source/hl-attention-source.h"
#include "core/source/make/hl-source-factory.h"

/* Maps larger than this are looked into rather than read whole. */
#define LARGEST_MAP ((gsize) 1 << 20)
#define BAND 64

/* Of more examples than this, the first are looked into. */
#define MOST_EXAMPLES 50

/* @folder is beside tests/core. */
GFile *
test_get_file (const char *folder,
               const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", folder, name, NULL);

  return g_file_new_for_path (path);
}

char *
test_make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *path = g_dir_make_tmp ("headlight-test-XXXXXX", &error);

  g_assert_no_error (error);
  return path;
}

static int
remove_one (const char        *path,
            const struct stat *info,
            int                kind,
            struct FTW        *place)
{
  return g_remove (path);
}

/* With all that is in it; links are not followed. */
void
test_remove_folder (const char *path)
{
  nftw (path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* For g_autoptr (TestFolder). */
void
test_folder_free (TestFolder *path)
{
  test_remove_folder (path);
  g_free (path);
}

static gboolean
read_head (HlAttentionSource *source,
           guint              layer,
           guint              head,
           GError           **error)
{
  const gsize n_queries = hl_attention_source_get_n (source, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (source, HL_KEYS);

  if (n_queries * n_keys <= LARGEST_MAP)
    {
      g_autofree float *map = hl_attention_source_read_head (source, layer, head, NULL, error);
      return map != NULL;
    }

  const gsize n_rows = MIN (n_queries, BAND);
  const gsize n_columns = MIN (n_keys, BAND);
  const HlAttentionRequest request = {
    .layer = layer,
    .head = head,
    .first_query = n_queries - n_rows,
    .n_queries = n_rows,
    .first_key = n_keys - n_columns,
    .n_keys = n_columns,
    .n_rows = n_rows,
    .n_columns = n_columns,
  };
  g_autofree float *band = g_new (float, n_rows *n_columns);
  return hl_attention_source_read (source, &request, band, NULL, error);
}

static gboolean
read_attention (HlAttention *attention,
                guint       *n_warnings,
                GError     **error)
{
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++)
      if (!read_head (source, layer, head, error))
        return FALSE;

  g_autoptr (GPtrArray) checks = hl_examine_attention (attention, source, NULL, error);
  if (checks == NULL)
    return FALSE;
  for (guint i = 0; i < checks->len; i++)
    *n_warnings += hl_check_get_severity (g_ptr_array_index (checks, i)) == HL_SEVERITY_WARNING;
  return TRUE;
}

/* Every head of every attention of the examples, and how many warnings there are about them. */
gboolean
test_read_everything (HlDocument *document,
                      guint      *n_warnings,
                      GError    **error)
{
  *n_warnings = 0;
  for (guint i = 0; i < MIN (hl_document_get_n_examples (document), MOST_EXAMPLES); i++)
    {
      g_autoptr (HlExample) example = hl_document_get_example (document, i, NULL, error);

      if (example == NULL)
        return FALSE;
      GPtrArray *checks = hl_example_get_checks (example);
      for (guint j = 0; j < checks->len; j++)
        *n_warnings += hl_check_get_severity (g_ptr_array_index (checks, j)) == HL_SEVERITY_WARNING;
      for (guint j = 0; j < hl_example_get_n_attentions (example); j++)
        if (!read_attention (hl_example_get_attention (example, j), n_warnings, error))
          return FALSE;
    }
  return TRUE;
}

/* What holds for every error: of our domain, one line of text of a readable length. */
void
test_assert_sentence (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_cmpstr (g_quark_to_string (error->domain), ==, g_quark_to_string (HL_ERROR));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (strlen (error->message), >, 10);
  g_assert_cmpuint (strlen (error->message), <, 600);
  g_assert_null (strpbrk (error->message, "\n\r\t"));
  g_assert_false (g_str_has_suffix (error->message, "."));
  g_assert_null (strstr (error->message, "(null)"));
}

/* Names that all have the same g_str_hash(), as “Ez” and “FY” have: a table of them that goes by it takes minutes to fill. */
char *
test_make_alike_name (guint number)
{
  GString *name = g_string_new (NULL);

  for (guint bit = 0; bit < 17; bit++)
    g_string_append (name, (number >> bit & 1) != 0 ? "Ez" : "FY");
  return g_string_free (name, FALSE);
}

/* A Python with h5py, or NULL. */
char *
test_find_python (void)
{
  static const char *const candidates[] = { "python3", "/usr/bin/python3" };

  for (guint i = 0; i < G_N_ELEMENTS (candidates); i++)
    {
      const char *const arguments[] = { candidates[i], "-c", "import h5py", NULL };
      int status;

      if (g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                        NULL, NULL, &status, NULL) &&
          status == 0)
        return g_strdup (candidates[i]);
    }
  return NULL;
}

/* SPDX-License-Identifier: MIT */
/* Any bytes as a web page, or, when they begin with a brace, as a notebook: all that is found is looked at. */
#include "core/base/hl-limits.h"
#include "fuzz.h"

#include "core/archive/web/hl-notebook-archive.h"
#include "core/archive/web/hl-page-archive.h"

#include <string.h>

/* A tensor or a group can be announced by each byte; looking at all of them again is no use. */
#define MAX_DEPTH 4

/* Outputs of a notebook may be longer. */
#define MAX_OUTPUT 1500

static void
look_at_tensor (HlArchive  *archive,
                const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, path, &error);
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  guint64 n;

  g_assert ((tensor == NULL) == (error != NULL));
  if (tensor == NULL)
    return;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  g_assert (hl_shape_get_n_elements (shape, &n));
  g_autofree float *numbers = g_new (float, n);
  g_assert (hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, NULL));
}

static void
look_at_group (HlArchive  *archive,
               const char *group,
               guint       depth)
{
  g_auto (GStrv) names = hl_archive_list (archive, group, NULL);

  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autofree char *path = *group != '\0' ? g_strconcat (group, "/", *name, NULL) : g_strdup (*name);

      g_assert (g_utf8_validate (*name, -1, NULL));
      if (hl_archive_get_kind (archive, path) == HL_MEMBER_GROUP && depth < MAX_DEPTH)
        look_at_group (archive, path, depth + 1);
      else if (hl_archive_get_kind (archive, path) == HL_MEMBER_TENSOR)
        look_at_tensor (archive, path);
      else if (hl_archive_get_kind (archive, path) == HL_MEMBER_STRINGS)
        {
          g_auto (GStrv) strings = hl_archive_read_strings (archive, path, NULL);
          for (char **string = strings; string != NULL && *string != NULL; string++)
            g_assert (g_utf8_validate (*string, -1, NULL));
        }
    }
}

static HlArchive *
open_page (const guint8 *bytes,
           gsize         size,
           GError      **error)
{
  g_auto (HlPageReader) reader = { 0 };
  HlJsonReader text;

  hl_page_reader_init (&reader);
  hl_json_reader_init (&text, (const char *) bytes, size, NULL, NULL);
  return hl_page_reader_read (&reader, &text, error) ? hl_page_reader_finish (&reader, NULL, error) : NULL;
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = NULL;

  if (size > 0 && bytes[0] == '{')
    {
      g_autofree char *text = g_memdup2 (bytes, size);
      archive = hl_notebook_archive_read (text, size, FALSE, MAX_OUTPUT, NULL, NULL, &error);
    }
  else
    {
      archive = open_page (bytes, size, &error);
    }
  g_assert ((archive == NULL) == (error != NULL));
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL));
  if (archive != NULL)
    look_at_group (archive, "", 0);
  return 0;
}

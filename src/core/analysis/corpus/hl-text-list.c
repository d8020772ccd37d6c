/* SPDX-License-Identifier: MIT */
/* A list of texts, a line each. All lines are looked at once, for what is wrong with any of them should be said before an hour has been
 * spent on those before it; then only where they begin is kept. */
#include "core/analysis/corpus/hl-text-list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-mapped-file.h"

typedef struct
{
  gsize start;
  guint size;
  guint line; /* from 1 */
} Line;

struct _HlTextList
{
  gatomicrefcount n_refs;
  HlMappedFile *file; /* nullable */
  char *copy;         /* nullable */
  const char *bytes;
  GArray *lines; /* of Line */
  guint n_empty;
};

static gboolean
fail (GError    **error,
      HlError     code,
      guint       line,
      const char *problem)
{
  g_set_error (error, HL_ERROR, code, _ ("line %u %s"), line, problem);
  return FALSE;
}

static gboolean
check_line (const char *text,
            gsize       size,
            guint       line,
            GError    **error)
{
  const char *tab = memchr (text, '\t', size);

  if (size > HL_TEXT_LIST_MAX_LINE)
    return fail (error, HL_ERROR_TOO_LARGE, line, _ ("is longer than 1 MiB"));
  if (memchr (text, '\0', size) != NULL || !g_utf8_validate_len (text, size, NULL))
    return fail (error, HL_ERROR_ENCODING, line, _ ("is not text in UTF-8"));
  if (tab != NULL && memchr (tab + 1, '\t', (gsize) (text + size - tab - 1)) != NULL)
    return fail (error, HL_ERROR_VALUE, line, _ ("has more than one tab; it is a text, or two separated by a tab"));
  return TRUE;
}

static gboolean
is_blank (const char *text,
          gsize       size)
{
  for (gsize i = 0; i < size; i++)
    if (!g_ascii_isspace (text[i]))
      return FALSE;
  return TRUE;
}

static gboolean
find_lines (HlTextList *self,
            gsize       size,
            GError    **error)
{
  const char *end = self->bytes + size;
  guint number = 0;

  for (const char *at = self->bytes; at < end;)
    {
      const char *feed = memchr (at, '\n', (gsize) (end - at));
      const char *stop = feed != NULL ? feed : end;
      gsize length = (gsize) (stop - at);

      number++;
      if (length > 0 && at[length - 1] == '\r')
        length--;
      if (is_blank (at, length))
        self->n_empty++;
      else if (!check_line (at, length, number, error))
        return FALSE;
      else if (self->lines->len == HL_TEXT_LIST_MAX_TEXTS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %u texts"), HL_TEXT_LIST_MAX_TEXTS);
          return FALSE;
        }
      else
        {
          const Line line = { (gsize) (at - self->bytes), (guint) length, number };
          g_array_append_val (self->lines, line);
        }
      if (feed == NULL)
        break;
      at = feed + 1;
    }
  if (self->lines->len > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no text in it"));
  return FALSE;
}

static HlTextList *
create (HlMappedFile *file,
        char         *copy,
        const char   *bytes,
        gsize         size,
        GError      **error)
{
  g_autoptr (HlTextList) self = g_new0 (HlTextList, 1);
  const gsize mark = size >= 3 && memcmp (bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  g_atomic_ref_count_init (&self->n_refs);
  self->file = file;
  self->copy = copy;
  self->bytes = bytes + mark;
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  if (!find_lines (self, size - mark, error) || (file != NULL && !hl_mapped_file_check (file, error)))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * hl_text_list_load:
 * @file: a local file of lines
 * @error: %HL_ERROR_ENCODING, %HL_ERROR_VALUE or %HL_ERROR_TOO_LARGE, which name the line; that there is no text, or that it cannot be read
 *
 * Lines without a text are left out and counted.
 *
 * Returns: (transfer full) (nullable): its texts, at least one
 */
HlTextList *
hl_text_list_load (GFile   *file,
                   GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  HlMappedFile *mapped = hl_mapped_file_open (file, error);
  if (mapped == NULL)
    return NULL;
  return create (mapped, NULL, hl_mapped_file_get_size (mapped) > 0 ? hl_mapped_file_get_data (mapped) : "",
                 hl_mapped_file_get_size (mapped), error);
}

/**
 * hl_text_list_parse:
 * @text: (array length=size): lines
 * @size: bytes of them
 * @error: as hl_text_list_load()
 *
 * Returns: (transfer full) (nullable): their texts, at least one
 */
HlTextList *
hl_text_list_parse (const char *text,
                    gsize       size,
                    GError    **error)
{
  g_return_val_if_fail (text != NULL, NULL);

  char *copy = g_memdup2 (text, MAX (size, 1));
  return create (NULL, copy, copy, size, error);
}

/**
 * hl_text_list_ref:
 * @self: a list
 *
 * Returns: (transfer full): the same
 */
HlTextList *
hl_text_list_ref (HlTextList *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/**
 * hl_text_list_unref:
 * @self: (transfer full): a list
 */
void
hl_text_list_unref (HlTextList *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  g_clear_pointer (&self->file, hl_mapped_file_unref);
  g_free (self->copy);
  g_array_unref (self->lines);
  g_free (self);
}

/**
 * hl_text_list_get_n:
 * @self: a list
 *
 * Returns: how many lines with a text there are
 */
guint
hl_text_list_get_n (const HlTextList *self)
{
  return self->lines->len;
}

/**
 * hl_text_list_get_n_empty:
 * @self: a list
 *
 * Returns: how many lines without a text were left out
 */
guint
hl_text_list_get_n_empty (const HlTextList *self)
{
  return self->n_empty;
}

/**
 * hl_text_list_get_line:
 * @self: a list
 * @index: which of the texts
 *
 * Returns: the number of its line, from 1
 */
guint
hl_text_list_get_line (const HlTextList *self,
                       guint             index)
{
  g_return_val_if_fail (index < self->lines->len, 0);

  return g_array_index (self->lines, Line, index).line;
}

/**
 * hl_text_list_get_size:
 * @self: a list
 * @index: which of the texts
 *
 * Returns: how many bytes its line has
 */
gsize
hl_text_list_get_size (const HlTextList *self,
                       guint             index)
{
  g_return_val_if_fail (index < self->lines->len, 0);

  return g_array_index (self->lines, Line, index).size;
}

/**
 * hl_text_list_dup:
 * @self: a list
 * @index: which of the texts
 * @text: (out) (transfer full): the text, or the first of two
 * @second: (out) (transfer full) (nullable): what stands behind the tab; %NULL without one
 * @error: that the file has been changed meanwhile
 *
 * Returns: whether @text was set
 */
gboolean
hl_text_list_dup (const HlTextList *self,
                  guint             index,
                  char            **text,
                  char            **second,
                  GError          **error)
{
  g_return_val_if_fail (index < self->lines->len, FALSE);

  const Line *line = &g_array_index (self->lines, Line, index);
  g_autofree char *copy = g_strndup (self->bytes + line->start, line->size);
  if (self->file != NULL && !hl_mapped_file_check (self->file, error))
    return FALSE;
  /* What another program wrote over it need not be text any more. */
  if (!g_utf8_validate (copy, -1, NULL))
    return fail (error, HL_ERROR_ENCODING, line->line, _ ("is not text in UTF-8"));
  char *tab = strchr (copy, '\t');
  *second = tab != NULL ? g_strdup (tab + 1) : NULL;
  if (tab != NULL)
    *tab = '\0';
  *text = g_steal_pointer (&copy);
  return TRUE;
}

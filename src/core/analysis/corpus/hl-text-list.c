/* SPDX-License-Identifier: MIT */
/* A list of texts, a line each. All lines are looked at once, for what is wrong with any of them should be said before an hour has been
 * spent on those before it; then only where they begin is kept. */
#include "core/analysis/corpus/hl-text-list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/text/hl-lines.h"

typedef struct
{
  gsize start;
  guint size;
  guint line; /* from 1 */
} Text;

struct _HlTextList
{
  gatomicrefcount n_refs;
  HlLines lines;
  GArray *texts; /* of Text */
};

/* A text, or two. */
static gboolean
check_tabs (const HlLine *line,
            GError      **error)
{
  const char *end = line->text + line->size, *tab = memchr (line->text, '\t', line->size);

  if (tab == NULL || memchr (tab + 1, '\t', (gsize) (end - tab - 1)) == NULL)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
               _ ("line %u has more than one tab; it is a text, or two separated by a tab"), line->number);
  return FALSE;
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
find_texts (HlTextList   *self,
            GCancellable *cancellable,
            GError      **error)
{
  g_autoptr (GError) refusal = NULL;

  for (HlLine line = hl_line_before (self->lines.bytes, self->lines.size, 1);
       hl_line_next_checked (&line, cancellable, &refusal);)
    {
      const Text text = { (gsize) (line.text - self->lines.bytes), (guint) line.size, line.number };

      if (is_blank (line.text, line.size))
        continue;
      if (!check_tabs (&line, error))
        return FALSE;
      if (self->texts->len == HL_LIMIT_TEXTS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %u texts"), HL_LIMIT_TEXTS);
          return FALSE;
        }
      g_array_append_val (self->texts, text);
    }
  if (refusal != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&refusal));
      return FALSE;
    }
  if (self->texts->len > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no text in it"));
  return FALSE;
}

/* Takes @lines. */
static HlTextList *
create (HlLines      *lines,
        GCancellable *cancellable,
        GError      **error)
{
  g_autoptr (HlTextList) self = g_new0 (HlTextList, 1);

  g_atomic_ref_count_init (&self->n_refs);
  self->lines = *lines;
  self->texts = g_array_new (FALSE, FALSE, sizeof (Text));
  if (!find_texts (self, cancellable, error) || !hl_lines_check (&self->lines, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * hl_text_list_load:
 * @file: a local file or a pipe of lines
 * @cancellable: (nullable): ends it, and the wait for a pipe
 * @error: %HL_ERROR_ENCODING, %HL_ERROR_VALUE or %HL_ERROR_TOO_LARGE, which name the line; that there is no text, or that it cannot be read
 *
 * Lines without a text are left out.
 *
 * Returns: (transfer full) (nullable): its texts, at least one
 */
HlTextList *
hl_text_list_load (GFile        *file,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  HlLines lines;
  return hl_lines_init_file (&lines, file, cancellable, error) ? create (&lines, cancellable, error) : NULL;
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

  HlLines lines;
  hl_lines_init_copy (&lines, text, size);
  return create (&lines, NULL, error);
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
  hl_lines_clear (&self->lines);
  g_array_unref (self->texts);
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
  return self->texts->len;
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
  g_return_val_if_fail (index < self->texts->len, 0);

  return g_array_index (self->texts, Text, index).line;
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
  g_return_val_if_fail (index < self->texts->len, 0);

  return g_array_index (self->texts, Text, index).size;
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
  g_return_val_if_fail (index < self->texts->len, FALSE);

  const Text *known = &g_array_index (self->texts, Text, index);
  g_autofree char *copy = g_strndup (self->lines.bytes + known->start, known->size);
  const HlLine line = { .text = copy, .size = known->size, .number = known->line };
  /* What another program wrote over it need not be text any more. */
  if (!hl_lines_check (&self->lines, error) || !hl_line_check (&line, error))
    return FALSE;
  char *tab = strchr (copy, '\t');
  *second = tab != NULL ? g_strdup (tab + 1) : NULL;
  if (tab != NULL)
    *tab = '\0';
  *text = g_steal_pointer (&copy);
  return TRUE;
}

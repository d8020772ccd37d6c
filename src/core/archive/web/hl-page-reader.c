/* SPDX-License-Identifier: MIT */
/* From the text of a page, or of a script, to examples: objects are looked for, read as JSON where they stand, and
 * understood as their tool's. */
#include "core/archive/web/hl-page-reader.h"

#include "core/archive/hl-tree-archive.h"
#include "core/archive/json/hl-json-parser.h"
#include "core/archive/web/hl-page-bertviz.h"
#include "core/archive/web/hl-page-circuitsvis.h"
#include "core/archive/web/hl-page-example.h"
#include "core/archive/web/hl-page-inspectus.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* How much of a comment is stepped over at a time. */
#define SKIP_STEP ((gsize) 1 << 20)

/**
 * hl_page_reader_init: (skip)
 * @self: a reader
 *
 * Begins with a file.
 */
void
hl_page_reader_init (HlPageReader *self)
{
  *self = (HlPageReader){ .budget = HL_JSON_BUDGET };
  self->examples = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_page_example_free);
}

/**
 * hl_page_reader_clear: (skip)
 * @self: a reader
 *
 * Frees what has been found.
 */
void
hl_page_reader_clear (HlPageReader *self)
{
  g_clear_pointer (&self->examples, g_ptr_array_unref);
  g_clear_error (&self->problem);
}

/* Notes which view examples belong to: that of its place, or of its number there. */
static void
note_view (HlPageReader *self,
           guint         first,
           guint         n_before)
{
  for (guint i = first; i < self->examples->len; i++)
    {
      HlPageExample *example = g_ptr_array_index (self->examples, i);

      if (self->place == NULL)
        example->view = g_strdup_printf ("view %u", n_before + 1);
      else if (n_before > 0)
        example->view = g_strdup_printf ("%s, view %u", self->place, n_before + 1);
      else
        example->view = g_strdup (self->place);
    }
}

static gboolean
understand (HlPageReader        *self,
            HlPageTool           tool,
            const HlArchiveNode *object,
            GError             **error)
{
  switch (tool)
    {
    case HL_PAGE_TOOL_BERTVIZ:
      return hl_page_read_bertviz (object, self->examples, error);
    case HL_PAGE_TOOL_INSPECTUS:
      return hl_page_read_inspectus (object, &self->budget, self->examples, error);
    default:
      return hl_page_read_circuitsvis (object, self->examples, error);
    }
}

/* Whether reading cannot go on after that. */
static gboolean
is_final (const GError *error)
{
  return error->domain != HL_ERROR || error->code == HL_ERROR_TOO_LARGE;
}

/* The first of those that matter, or else the first. An object of JSON begins with a name in quotes, one of a script
 * seldom does. */
static void
keep_problem (HlPageReader *self,
              const char   *brace,
              const char   *end,
              GError       *problem)
{
  const char *at = brace + 1;

  while (at < end && g_ascii_isspace (*at))
    at++;
  const gboolean matters = at < end && *at == '"';
  if (self->problem != NULL && (self->problem_matters || !matters))
    {
      g_error_free (problem);
      return;
    }
  g_clear_error (&self->problem);
  self->problem = problem;
  self->problem_matters = matters;
}

/* Reads the object that the lexer stands at. What looked like attention and is none does not keep the others from being
 * read. */
static gboolean
read_object (HlPageReader *self,
             HlPageTool    tool,
             HlJsonLexer  *lexer,
             GError      **error)
{
  g_autoptr (GError) local_error = NULL;
  const char *brace = lexer->at;
  const guint n_before = self->examples->len;
  g_autoptr (HlArchiveNode) object = hl_json_parse_value (lexer, &self->budget, "", &local_error);

  if (object == NULL)
    lexer->at = brace + 1;
  if (object != NULL && understand (self, tool, object, &local_error))
    {
      if (self->examples->len > n_before)
        {
          self->several |= n_before > 0 && self->tool != tool;
          self->tool = tool;
        }
      return TRUE;
    }

  if (self->place != NULL && local_error->domain == HL_ERROR)
    g_prefix_error (&local_error, "%s: ", self->place);
  if (is_final (local_error))
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  g_ptr_array_set_size (self->examples, (int) n_before);
  keep_problem (self, brace, lexer->end, g_steal_pointer (&local_error));
  return TRUE;
}

/* BertViz writes the object once more into a comment behind it, which is as long and need not be looked at. */
static gboolean
skip_comment (HlJsonLexer *lexer,
              GError     **error)
{
  const char *at = lexer->at;

  while (at < lexer->end && (*at == ' ' || *at == ';'))
    at++;
  if (lexer->end - at < 2 || at[0] != '/' || at[1] != '/')
    return TRUE;
  const char *line_end = NULL;
  while (line_end == NULL && lexer->at < lexer->end)
    {
      const gsize step = MIN ((gsize) (lexer->end - lexer->at), SKIP_STEP);

      line_end = memchr (lexer->at, '\n', step);
      lexer->at = line_end != NULL ? line_end : lexer->at + step;
      if (!hl_json_lexer_check (lexer, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * hl_page_reader_read: (skip)
 * @self: a reader
 * @lexer: stands where the page, or the script, begins
 * @error: %HL_ERROR_TOO_LARGE or %G_IO_ERROR_CANCELLED
 *
 * Adds all that the text holds.
 *
 * Returns: whether reading can go on
 */
gboolean
hl_page_reader_read (HlPageReader *self,
                     HlJsonLexer  *lexer,
                     GError      **error)
{
  guint n_before = 0;

  for (;;)
    {
      const HlPageTool tool = hl_page_scan (lexer->start, &lexer->at, lexer->end);
      const guint first = self->examples->len;

      if (tool == HL_PAGE_TOOL_NONE)
        return TRUE;
      if (!read_object (self, tool, lexer, error) || !skip_comment (lexer, error))
        return FALSE;
      note_view (self, first, n_before);
      n_before += self->examples->len > first;
      self->n_views += self->examples->len > first;
    }
}

static const char *
get_container (const HlPageReader *self)
{
  if (self->several)
    return "HTML";
  switch (self->tool)
    {
    case HL_PAGE_TOOL_BERTVIZ:
      return "HTML (BertViz)";
    case HL_PAGE_TOOL_INSPECTUS:
      return "HTML (inspectus)";
    default:
      return "HTML (CircuitsVis)";
    }
}

/* By its view and what it is called there, with a number behind it if that is taken. */
static void
add_example (HlPageReader  *self,
             HlArchiveNode *examples,
             HlPageExample *example)
{
  const gboolean has_name = example->name != NULL && *example->name != '\0';
  g_autofree char *full = has_name ? g_strdup_printf ("%s: %s", example->view, example->name)
                                   : g_strdup (example->view);
  g_autofree char *name = g_strdup (has_name && self->n_views == 1 ? example->name : full);
  const gsize length = strlen (name);

  for (guint i = 2; hl_archive_node_get (examples, name) != NULL; i++)
    {
      g_autofree char *start = g_strndup (name, length);
      g_free (name);
      name = g_strdup_printf ("%s (%u)", start, i);
    }
  hl_archive_node_add (examples, name, g_steal_pointer (&example->group));
}

/**
 * hl_page_reader_finish: (skip)
 * @self: a reader that has read everything
 * @container: (nullable): what kind of file it is; %NULL for a web page
 * @error: what was wrong with what looked like attention, or %HL_ERROR_MISSING
 *
 * Puts together what has been found: one example, or several by name. Why others were left out is the attribute
 * `unreadable` of the root.
 *
 * Returns: (transfer full) (nullable): an archive with the names of a dump
 */
HlArchive *
hl_page_reader_finish (HlPageReader *self,
                       const char   *container,
                       GError      **error)
{
  const char *found = container != NULL ? container : get_container (self);

  if (self->examples->len == 0)
    {
      if (self->problem != NULL)
        g_propagate_error (error, g_steal_pointer (&self->problem));
      else if (container != NULL)
        g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                     _ ("none of the outputs of this notebook is attention as BertViz, inspectus "
                        "or CircuitsVis show it"));
      else
        g_set_error (
          error, HL_ERROR, HL_ERROR_MISSING,
          _ ("this web page holds no attention as BertViz, inspectus or CircuitsVis write it"));
      return NULL;
    }
  g_autoptr (HlPageExample) root = hl_page_example_new (NULL);
  if (self->examples->len == 1)
    {
      HlPageExample *only = g_ptr_array_index (self->examples, 0);
      HlArchiveNode *empty = root->group;
      root->group = only->group;
      only->group = empty;
    }
  else
    {
      HlArchiveNode *examples = hl_archive_node_new (HL_MEMBER_GROUP);
      for (guint i = 0; i < self->examples->len; i++)
        add_example (self, examples, g_ptr_array_index (self->examples, i));
      hl_archive_node_add (root->group, "examples", examples);
    }
  if (self->problem_matters)
    hl_page_example_add_attribute (root, "unreadable",
                                   g_variant_new_string (self->problem->message));
  return hl_tree_archive_new (found, g_steal_pointer (&root->group));
}

/* SPDX-License-Identifier: MIT */
/* A saved web page as an archive: what Headlight, BertViz, inspectus and CircuitsVis wrote into it, under the names of a dump. The
 * page is mapped and read once; no script is run. An object is found by what stands before its opening brace, read as
 * JSON where it stands, and understood as its tool's. */
#include "core/archive/web/hl-page-archive.h"

#include "core/archive/json/hl-json-archive.h"
#include "core/archive/web/hl-page-example.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-mapped-file.h"
#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Identifiers and the ids of elements are shorter. */
#define MAX_LOOK_BACK 512

static const char *
skip_space_before (const char *start,
                   const char *at)
{
  while (at > start && g_ascii_isspace (at[-1]))
    at--;
  return at;
}

/* Steps back over white space and that character. */
static gboolean
take_before (const char  *start,
             const char **at,
             char         c)
{
  const char *before = skip_space_before (start, *at);

  if (before == start || before[-1] != c)
    return FALSE;
  *at = before - 1;
  return TRUE;
}

/* Steps back over an identifier with its dots; where it ends is stored in @end. */
static gboolean
take_name_before (const char  *start,
                  const char **at,
                  const char **end)
{
  *end = skip_space_before (start, *at);
  *at = *end;
  while (*at > start && (g_ascii_isalnum ((*at)[-1]) || strchr ("_$.", (*at)[-1]) != NULL) && (*at)[-1] != '\0')
    (*at)--;
  return *at < *end;
}

static gboolean
take_string_before (const char  *start,
                    const char **at)
{
  const char *before = skip_space_before (start, *at);

  if (before == start || (before[-1] != '"' && before[-1] != '\''))
    return FALSE;
  const char quote = before[-1];
  before--;
  while (before > start && before[-1] != quote && before[-1] != '\n')
    before--;
  if (before == start || before[-1] != quote)
    return FALSE;
  *at = before - 1;
  return TRUE;
}

/* Whether a name is that word, or ends in it after a dot. */
static gboolean
is_name (const char *name,
         const char *end,
         const char *word)
{
  const gsize length = strlen (word);
  const gsize size = (gsize) (end - name);

  return size >= length && memcmp (end - length, word, length) == 0 &&
         (size == length || end[-(gssize) length - 1] == '.');
}

/* The last part of a name. */
static gboolean
has_prefix (const char *name,
            const char *end,
            const char *prefix)
{
  const char *dot = g_strrstr_len (name, end - name, ".");
  const char *last = dot != NULL ? dot + 1 : name;

  return (gsize) (end - last) >= strlen (prefix) && memcmp (last, prefix, strlen (prefix)) == 0;
}

/* `const params =`, `window.params =`, `window.bertviz_params =` or, in the first versions, `window.attention =`. */
static gboolean
is_after_assignment (const char *start,
                     const char *at)
{
  const char *end;

  return take_before (start, &at, '=') && take_name_before (start, &at, &end) &&
         (is_name (at, end, "params") || is_name (at, end, "bertviz_params") || is_name (at, end, "window.attention"));
}

/* `window.chartsEmbed('id',` */
static gboolean
is_after_embed (const char *start,
                const char *at)
{
  const char *end;

  return take_before (start, &at, ',') && take_string_before (start, &at) && take_before (start, &at, '(') &&
         take_name_before (start, &at, &end) && is_name (at, end, "chartsEmbed");
}

/* `render("id", AttentionHeads,` */
static gboolean
is_after_render (const char *start,
                 const char *at)
{
  const char *end;

  if (!take_before (start, &at, ',') || !take_name_before (start, &at, &end) || !has_prefix (at, end, "Attention"))
    return FALSE;
  return take_before (start, &at, ',') && take_string_before (start, &at) && take_before (start, &at, '(') &&
         take_name_before (start, &at, &end) && is_name (at, end, "render");
}

/* `<script type="application/json" class="headlight-attention">` */
static gboolean
is_after_tag (const char *start,
              const char *at)
{
  static const char name[] = "headlight-attention";
  const gsize length = strlen (name);

  if (!take_before (start, &at, '>'))
    return FALSE;
  at = skip_space_before (start, at);
  return (gsize) (at - start) > length + 1 && (at[-1] == '"' || at[-1] == '\'') &&
         memcmp (at - 1 - length, name, length) == 0;
}

/* Looks for the next object in which a tool may have put attention. */
static HlPageTool
scan (const char  *start,
      const char **at,
      const char  *end)
{
  for (;; (*at)++)
    {
      *at = *at < end ? memchr (*at, '{', (gsize) (end - *at)) : NULL;
      if (*at == NULL)
        {
          *at = end;
          return HL_PAGE_TOOL_NONE;
        }
      const char *limit = *at - start > MAX_LOOK_BACK ? *at - MAX_LOOK_BACK : start;
      if (is_after_assignment (limit, *at))
        return HL_PAGE_TOOL_BERTVIZ;
      if (is_after_embed (limit, *at))
        return HL_PAGE_TOOL_INSPECTUS;
      if (is_after_render (limit, *at))
        return HL_PAGE_TOOL_CIRCUITSVIS;
      if (is_after_tag (limit, *at))
        return HL_PAGE_TOOL_HEADLIGHT;
    }
}

/* How much of a comment is stepped over at a time. */
#define SKIP_STEP ((gsize) 1 << 20)

/* Begins with a file. */
void
hl_page_reader_init (HlPageReader *self)
{
  *self = (HlPageReader){ .budget = HL_JSON_BUDGET };
  self->examples = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_page_example_free);
}

/* Frees what has been found. */
void
hl_page_reader_clear (HlPageReader *self)
{
  g_clear_pointer (&self->examples, g_ptr_array_unref);
  g_clear_error (&self->problem);
  hl_json_budget_clear (&self->budget);
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
      return hl_page_read_bertviz (object, &self->budget, self->examples, error);
    case HL_PAGE_TOOL_INSPECTUS:
      return hl_page_read_inspectus (object, &self->budget, self->examples, error);
    case HL_PAGE_TOOL_HEADLIGHT:
      return hl_page_read_headlight (object, &self->budget, self->examples, error);
    default:
      return hl_page_read_circuitsvis (object, &self->budget, self->examples, error);
    }
}

/* Whether reading cannot go on after that. */
static gboolean
is_final (const GError *error)
{
  return error->domain != HL_ERROR || error->code == HL_ERROR_TOO_LARGE;
}

/* Keeps the first of those that matter, or else the first. */
void
hl_page_reader_take_problem (HlPageReader *self,
                             gboolean      matters,
                             GError       *problem)
{
  if (self->problem != NULL && (self->problem_matters || !matters))
    {
      g_error_free (problem);
      return;
    }
  g_clear_error (&self->problem);
  self->problem = problem;
  self->problem_matters = matters;
}

/* An object of JSON begins with a name in quotes, one of a script seldom does. */
static gboolean
looks_like_json (const char *brace,
                 const char *end)
{
  const char *at = brace + 1;

  while (at < end && g_ascii_isspace (*at))
    at++;
  return at < end && *at == '"';
}

/* Reads the object that is next. What looked like attention and is none does not keep the others from being
 * read. */
static gboolean
read_object (HlPageReader *self,
             HlPageTool    tool,
             HlJsonReader *text,
             GError      **error)
{
  g_autoptr (GError) local_error = NULL;
  const HlJsonReader before = *text;
  const guint n_before = self->examples->len;
  g_autoptr (HlArchiveNode) object = hl_json_parse_value (text, &self->budget, "", &local_error);

  if (object == NULL)
    {
      hl_json_reader_go_back (text, &before);
      text->at++;
    }
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
  hl_page_reader_take_problem (self, looks_like_json (before.at, text->end), g_steal_pointer (&local_error));
  return TRUE;
}

/* BertViz writes the object once more into a comment behind it, which is as long and need not be looked at. */
static gboolean
skip_comment (HlJsonReader *text,
              GError      **error)
{
  const char *at = text->at;

  while (at < text->end && (*at == ' ' || *at == ';'))
    at++;
  if (text->end - at < 2 || at[0] != '/' || at[1] != '/')
    return TRUE;
  const char *line_end = NULL;
  while (line_end == NULL && text->at < text->end)
    {
      const gsize step = MIN ((gsize) (text->end - text->at), SKIP_STEP);

      line_end = memchr (text->at, '\n', step);
      text->at = line_end != NULL ? line_end : text->at + step;
      if (!hl_json_reader_check (text, error))
        return FALSE;
    }
  return TRUE;
}

/* Adds all that the text holds. */
gboolean
hl_page_reader_read (HlPageReader *self,
                     HlJsonReader *text,
                     GError      **error)
{
  guint n_before = 0;

  for (;;)
    {
      const HlPageTool tool = scan (text->start, &text->at, text->end);
      const guint first = self->examples->len;

      if (tool == HL_PAGE_TOOL_NONE)
        return TRUE;
      if (!read_object (self, tool, text, error) || !skip_comment (text, error))
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
    case HL_PAGE_TOOL_HEADLIGHT:
      return "HTML (Headlight)";
    default:
      return "HTML (CircuitsVis)";
    }
}

/* By its view and what it is called there, with a number behind it if that is taken; @last has that which was given last by what stands
 * before it. */
static void
add_example (HlPageReader  *self,
             HlArchiveNode *examples,
             GHashTable    *last,
             HlPageExample *example)
{
  const gboolean has_name = example->name != NULL && *example->name != '\0';
  g_autofree char *full = has_name ? g_strdup_printf ("%s: %s", example->view, example->name)
                                   : g_strdup (example->view);
  g_autofree char *name = g_strdup (has_name && self->n_views == 1 ? example->name : full);
  g_autofree char *start = g_strdup (name);
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (last, start));

  for (; hl_archive_node_get (examples, name) != NULL; n++)
    {
      g_free (name);
      name = g_strdup_printf ("%s (%u)", start, n + 2);
    }
  hl_archive_node_add (examples, name, g_steal_pointer (&example->group));
  g_hash_table_insert (last, g_steal_pointer (&start), GUINT_TO_POINTER (n));
}

/* Puts together what has been found: one example, or several by name. Why others were left out is the attribute
 * `unreadable` of the root. */
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
                     _ ("none of the outputs of this notebook is attention as Headlight, BertViz, "
                        "inspectus or CircuitsVis show it"));
      else
        g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                     _ ("this web page holds no attention as Headlight, BertViz, inspectus or CircuitsVis write it"));
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
      g_autoptr (GHashTable) last = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
      for (guint i = 0; i < self->examples->len; i++)
        add_example (self, examples, last, g_ptr_array_index (self->examples, i));
      hl_archive_node_add (root->group, "examples", examples);
    }
  if (self->problem_matters)
    hl_page_example_add_attribute (root, "unreadable", g_variant_new_string (self->problem->message));
  return hl_tree_archive_new (found, g_steal_pointer (&root->group));
}

/* Returns whether it begins with a tag, as web pages do. */
gboolean
hl_page_archive_recognise (GFile        *file,
                           const guint8 *head,
                           gsize         size)
{
  gsize i = hl_utf8_measure_mark (head, size);

  while (i < size && g_ascii_isspace (head[i]))
    i++;
  return i + 1 < size && head[i] == '<' && (g_ascii_isalpha (head[i + 1]) || head[i + 1] == '!' || head[i + 1] == '?');
}

/* Reads the attention of a web page. Numbers take 4 bytes each, at most 1 GiB; names and strings at most 128 MiB. */
HlArchive *
hl_page_archive_open (GFile        *file,
                      HlProgress   *progress,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_auto (HlPageReader) reader = { 0 };
  HlJsonReader text;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlMappedFile) mapped = hl_mapped_file_open (file, error);
  if (mapped == NULL)
    return NULL;
  hl_page_reader_init (&reader);
  hl_json_reader_init (&text, hl_mapped_file_get_data (mapped), hl_mapped_file_get_size (mapped), progress,
                       cancellable);
  hl_json_reader_set_mapped (&text);
  g_autoptr (HlArchive)
    archive = hl_page_reader_read (&reader, &text, error) ? hl_page_reader_finish (&reader, NULL, error) : NULL;
  return hl_mapped_file_check (mapped, error) ? g_steal_pointer (&archive) : NULL;
}

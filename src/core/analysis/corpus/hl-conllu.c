/* SPDX-License-Identifier: MIT */
/*
 * Sentences in CoNLL-U (universaldependencies.org/format.html), mentions in its column MISC as in CorefUD 1.0. A word with a range, 1-2, is
 * written as it stands there if its words together are spelled so; else its words are written out. Nodes that are no words, 1.1, hold mentions up,
 * and are left out. All sentences are read once, so that what is wrong with any is said first, and again when they are asked for.
 */
#include "core/analysis/corpus/hl-conllu.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/text/hl-lines.h"
#include "core/base/hl-utf8.h"

/* What a file that does not say has: eid-etype-head-… */
#define DEFAULT_HEAD_FIELD 2

enum
{
  COLUMN_ID,
  COLUMN_FORM,
  COLUMN_HEAD = 6,
  COLUMN_RELATION,
  COLUMN_MISC = 9,
  N_COLUMNS,
};

typedef struct
{
  gsize start;
  gsize size;
  guint line; /* of its first line, from 1 */
  gboolean begins_document;
  guint head_field;
} Sentence;

struct _HlConllu
{
  gatomicrefcount n_refs;
  HlLines lines;
  GArray *sentences; /* of Sentence */
  GTree *entities;   /* name → number; a tree, because names can be made to collide in a table */
  gboolean has_dependencies;
  gboolean has_mentions;
};

/* A part of a line. */
typedef struct
{
  const char *text;
  gsize size;
} Field;

/* A mention whose end is still to come. */
typedef struct
{
  guint entity;
  guint first;     /* word */
  guint head;      /* of its words, from 1; 0 when it is not known */
  gboolean counts; /* not the second part of a discontinuous one */
} Open;

/* A sentence being read. */
typedef struct
{
  HlConllu *owner; /* where new names of entities go; NULL when all are known */
  const HlConllu *self;
  guint line;
  guint head_field;
  HlAnnotation *annotation;
  GArray *forms;  /* of Field */
  GArray *heads;  /* of int */
  GArray *spaces; /* of gboolean */
  GPtrArray *relations;
  GArray *head_lines;            /* of guint */
  GArray *open;                  /* of Open */
  GArray *mentions;              /* of HlMention, heads not found yet: those have n_words there */
  guint range_first, range_last; /* words of the word that is being read in parts, from 1; 0 for none */
  Field range_form;
  gboolean range_space;
} Reading;

static gboolean G_GNUC_PRINTF (3, 4) fail (GError **error, guint line, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *problem = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("line %u: %s"), line, problem);
  return FALSE;
}

static gboolean
field_is (Field       field,
          const char *text)
{
  return field.size == strlen (text) && memcmp (field.text, text, field.size) == 0;
}

static char *
quote (Field field)
{
  return hl_utf8_quote (field.text, field.size, 50);
}

/* A number without a sign. */
static gboolean
parse_number (const char *text,
              gsize       size,
              guint      *number)
{
  guint64 value = 0;

  if (size == 0 || size > 9)
    return FALSE;
  for (gsize i = 0; i < size; i++)
    {
      if (!g_ascii_isdigit (text[i]))
        return FALSE;
      value = value * 10 + (guint) (text[i] - '0');
    }
  *number = (guint) value;
  return TRUE;
}

/* What a column of `A=x|B=y` has for a name. */
static gboolean
find_value (Field       list,
            const char *name,
            Field      *value)
{
  const gsize length = strlen (name);
  const char *end = list.text + list.size;

  for (const char *at = list.text; at < end;)
    {
      const char *bar = memchr (at, '|', (gsize) (end - at));
      const char *stop = bar != NULL ? bar : end;

      if ((gsize) (stop - at) > length && memcmp (at, name, length) == 0 && at[length] == '=')
        {
          *value = (Field){ at + length + 1, (gsize) (stop - at) - length - 1 };
          return TRUE;
        }
      at = stop + 1;
    }
  return FALSE;
}

/* Which of the fields of an entity is its head: `eid-etype-head-other`. */
static guint
find_head_field (Field names)
{
  guint n = 0;
  const char *end = names.text + names.size;

  for (const char *at = names.text; at <= end; n++)
    {
      const char *dash = at < end ? memchr (at, '-', (gsize) (end - at)) : NULL;
      const char *stop = dash != NULL ? dash : end;
      if (field_is ((Field){ at, (gsize) (stop - at) }, "head"))
        return n;
      at = stop + 1;
    }
  return G_MAXUINT;
}

static void
reading_init (Reading        *self,
              HlConllu       *owner,
              const HlConllu *conllu)
{
  *self = (Reading){ .owner = owner, .self = conllu };
  self->annotation = hl_annotation_new ();
  self->forms = g_array_new (FALSE, FALSE, sizeof (Field));
  self->heads = g_array_new (FALSE, FALSE, sizeof (int));
  self->spaces = g_array_new (FALSE, FALSE, sizeof (gboolean));
  self->relations = g_ptr_array_new_with_free_func (g_free);
  self->head_lines = g_array_new (FALSE, FALSE, sizeof (guint));
  self->open = g_array_new (FALSE, FALSE, sizeof (Open));
  self->mentions = g_array_new (FALSE, FALSE, sizeof (HlMention));
}

static void
reading_clear (Reading *self)
{
  hl_annotation_unref (self->annotation);
  g_array_unref (self->forms);
  g_array_unref (self->heads);
  g_array_unref (self->spaces);
  g_ptr_array_unref (self->relations);
  g_array_unref (self->head_lines);
  g_array_unref (self->open);
  g_array_unref (self->mentions);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static gboolean
find_entity (Reading *self,
             Field    name,
             guint   *entity,
             GError **error)
{
  g_autofree char *key = g_strndup (name.text, name.size);
  gpointer value;

  if (g_tree_lookup_extended (self->self->entities, key, NULL, &value))
    {
      *entity = GPOINTER_TO_UINT (value);
      return TRUE;
    }
  if (self->owner == NULL || g_tree_nnodes (self->self->entities) >= (int) HL_LIMIT_ENTITIES)
    return fail (error, self->line, _ ("there are more than %u entities"), HL_LIMIT_ENTITIES);
  *entity = (guint) g_tree_nnodes (self->owner->entities);
  g_tree_insert (self->owner->entities, g_steal_pointer (&key), GUINT_TO_POINTER (*entity));
  return TRUE;
}

/* Takes the part of a discontinuous mention off a name, e1[1/2]. Returns which part it is, 1 for the whole. */
static guint
take_part (Field *name)
{
  const char *bracket = memchr (name->text, '[', name->size);
  guint part = 1;

  if (bracket == NULL)
    return 1;
  const gsize rest = name->size - (gsize) (bracket - name->text) - 1;
  const char *slash = memchr (bracket + 1, '/', rest);
  if (slash == NULL || !parse_number (bracket + 1, (gsize) (slash - bracket) - 1, &part))
    part = 1;
  name->size = (gsize) (bracket - name->text);
  return MAX (part, 1);
}

/* A mention that begins: e1-person-1-… */
static gboolean
open_mention (Reading *self,
              Field    fields,
              guint    first,
              GError **error)
{
  const char *end = fields.text + fields.size;
  Field name = { fields.text, fields.size };
  Open open = { .first = first };
  guint n = 0;

  for (const char *at = fields.text; at <= end; n++)
    {
      const char *dash = at < end ? memchr (at, '-', (gsize) (end - at)) : NULL;
      const char *stop = dash != NULL ? dash : end;
      if (n == 0)
        name.size = (gsize) (stop - at);
      if (n == self->head_field && n > 0)
        parse_number (at, (gsize) (stop - at), &open.head);
      at = stop + 1;
    }
  if (self->open->len >= HL_LIMIT_OPEN_MENTIONS)
    return fail (error, self->line, _ ("more than %u mentions are open"), HL_LIMIT_OPEN_MENTIONS);
  open.counts = take_part (&name) == 1;
  if (name.size == 0)
    return fail (error, self->line, _ ("a mention has no name"));
  if (!find_entity (self, name, &open.entity, error))
    return FALSE;
  g_array_append_val (self->open, open);
  return TRUE;
}

/* The last mention of an entity that is open ends before word @end. */
static gboolean
close_mention (Reading *self,
               Field    name,
               guint    end,
               GError **error)
{
  guint entity = 0, i = self->open->len;

  take_part (&name);
  if (!find_entity (self, name, &entity, error))
    return FALSE;
  while (i > 0 && g_array_index (self->open, Open, i - 1).entity != entity)
    i--;
  if (i == 0)
    {
      g_autofree char *quoted = quote (name);
      return fail (error, self->line, _ ("the mention “%s” ends and has not begun"), quoted);
    }
  const Open open = g_array_index (self->open, Open, i - 1);
  g_array_remove_index (self->open, i - 1);
  /* One of nodes only that are no words is none. */
  if (open.counts && end > open.first)
    {
      const guint n = end - open.first;
      const HlMention mention = { entity, open.first, n,
                                  open.head > 0 && open.head <= n ? open.first + open.head - 1 : G_MAXUINT };
      g_array_append_val (self->mentions, mention);
    }
  return TRUE;
}

/* `(e1-person-2-…`, `(e2-place-1)`, `e1)`, one after another: those of the word @first, the next is @end. */
static gboolean
read_entities (Reading *self,
               Field    value,
               guint    first,
               guint    end,
               GError **error)
{
  const char *stop = value.text + value.size;

  for (const char *at = value.text; at < stop;)
    {
      const gboolean opens = *at == '(';
      const char *begin = opens ? at + 1 : at;

      for (at = begin; at < stop && *at != '(' && *at != ')';)
        at++;
      const gboolean closes = at < stop && *at == ')';
      const Field fields = { begin, (gsize) (at - begin) };
      if (!opens && !closes)
        return fail (error, self->line, _ ("“Entity” neither opens nor closes a mention"));
      if (opens && !open_mention (self, fields, first, error))
        return FALSE;
      if (closes)
        {
          const char *dash = opens ? memchr (begin, '-', fields.size) : NULL;
          if (!close_mention (self, dash != NULL ? (Field){ begin, (gsize) (dash - begin) } : fields, end, error))
            return FALSE;
          at++;
        }
    }
  return TRUE;
}

/* 1-2 don't: what follows are its words. */
static gboolean
read_range (Reading    *self,
            const Field columns[N_COLUMNS],
            const char *dash,
            GError    **error)
{
  const Field id = columns[COLUMN_ID];
  const gsize size = (gsize) (dash - id.text);
  Field space;

  if (!parse_number (id.text, size, &self->range_first) ||
      !parse_number (dash + 1, id.size - size - 1, &self->range_last) || self->range_first != self->forms->len + 1 ||
      self->range_last < self->range_first)
    {
      g_autofree char *quoted = quote (id);
      return fail (error, self->line, _ ("“%s” is not the range of the next words"), quoted);
    }
  self->range_form = columns[COLUMN_FORM];
  self->range_space = !find_value (columns[COLUMN_MISC], "SpaceAfter", &space) || !field_is (space, "No");
  return TRUE;
}

/* Whether the words of a range are spelled as the range is, one after another. */
static gboolean
range_is_spelled (const Reading *self)
{
  const char *at = self->range_form.text, *end = at + self->range_form.size;

  for (guint i = self->range_first - 1; i < self->range_last; i++)
    {
      const Field form = g_array_index (self->forms, Field, i);
      if ((gsize) (end - at) < form.size || memcmp (at, form.text, form.size) != 0)
        return FALSE;
      at += form.size;
    }
  return at == end;
}

static gboolean
read_word (Reading    *self,
           const Field columns[N_COLUMNS],
           GError    **error)
{
  const Field id = columns[COLUMN_ID], form = columns[COLUMN_FORM], head = columns[COLUMN_HEAD];
  const guint n = self->forms->len + 1;
  guint number;
  int written = HL_WORD_NONE;
  Field value;

  if (!parse_number (id.text, id.size, &number) || number != n)
    {
      g_autofree char *quoted = quote (id);
      return fail (error, self->line, _ ("the word is numbered “%s”; it is word %u"), quoted, n);
    }
  if (n > HL_LIMIT_ANNOTATION_WORDS)
    return fail (error, self->line, _ ("the sentence has more than %u words"), HL_LIMIT_ANNOTATION_WORDS);
  if (form.size == 0)
    return fail (error, self->line, _ ("the word is empty"));
  if (!field_is (head, "_"))
    {
      if (!parse_number (head.text, head.size, &number))
        {
          g_autofree char *quoted = quote (head);
          return fail (error, self->line, _ ("“%s” is no head; it is the number of a word, 0 or _"), quoted);
        }
      if (number == n)
        return fail (error, self->line, _ ("word %u is its own head"), n);
      written = number > 0 ? (int) number - 1 : HL_WORD_ROOT;
    }
  const Field relation = columns[COLUMN_RELATION];
  gboolean space = !find_value (columns[COLUMN_MISC], "SpaceAfter", &value) || !field_is (value, "No");
  g_array_append_val (self->forms, form);
  g_array_append_val (self->heads, written);
  g_array_append_val (self->spaces, space);
  g_array_append_val (self->head_lines, self->line);
  g_ptr_array_add (self->relations,
                   field_is (relation, "_") || relation.size == 0 ? NULL : g_strndup (relation.text, relation.size));
  if (self->range_last == n)
    {
      const gboolean spelled = range_is_spelled (self);
      for (guint i = self->range_first - 1; i < n; i++)
        g_array_index (self->spaces, gboolean, i) = i + 1 < n ? !spelled : self->range_space;
      self->range_first = self->range_last = 0;
    }
  return !find_value (columns[COLUMN_MISC], "Entity", &value) || read_entities (self, value, n - 1, n, error);
}

static gboolean
read_line (Reading    *self,
           const char *text,
           gsize       size,
           GError    **error)
{
  Field columns[N_COLUMNS], value;
  guint n = 0;

  for (const char *at = text, *end = text + size; at <= end; n++)
    {
      const char *tab = at < end ? memchr (at, '\t', (gsize) (end - at)) : NULL;
      const char *stop = tab != NULL ? tab : end;
      if (n < N_COLUMNS)
        columns[n] = (Field){ at, (gsize) (stop - at) };
      at = stop + 1;
    }
  if (n != N_COLUMNS)
    return fail (error, self->line,
                 g_dngettext (GETTEXT_PACKAGE, "there is %u column; CoNLL-U has %u",
                              "there are %u columns; CoNLL-U has %u", n),
                 n, (guint) N_COLUMNS);
  const Field id = columns[COLUMN_ID];
  const char *dash = memchr (id.text, '-', id.size);
  if (dash != NULL)
    return read_range (self, columns, dash, error);
  if (memchr (id.text, '.', id.size) != NULL)
    return !find_value (columns[COLUMN_MISC], "Entity", &value) ||
           read_entities (self, value, self->forms->len, self->forms->len, error);
  return read_word (self, columns, error);
}

/* The first of its words that depends on none of them. */
static guint
find_head (const Reading   *self,
           const HlMention *mention)
{
  for (guint i = mention->first; i < mention->first + mention->n; i++)
    {
      const int head = g_array_index (self->heads, int, i);
      if (head != HL_WORD_NONE && (head < (int) mention->first || head >= (int) (mention->first + mention->n)))
        return i;
    }
  return mention->first + mention->n - 1;
}

static gboolean
finish (Reading *self,
        GError **error)
{
  const guint n = self->forms->len;

  if (self->range_last > 0)
    return fail (error, self->line, _ ("the words of the range %u-%u are not all there"), self->range_first,
                 self->range_last);
  if (self->open->len > 0)
    return fail (error, self->line, _ ("a mention that began in the sentence does not end in it"));
  for (guint i = 0; i < n; i++)
    {
      const Field form = g_array_index (self->forms, Field, i);
      const int head = g_array_index (self->heads, int, i);

      if (head >= (int) n)
        return fail (error, g_array_index (self->head_lines, guint, i),
                     _ ("the head of word %u is word %d, and the sentence has %u"), i + 1, head + 1, n);
      g_autofree char *copy = g_strndup (form.text, form.size);
      hl_annotation_add_word (self->annotation, copy, head, self->relations->pdata[i],
                              g_array_index (self->spaces, gboolean, i));
    }
  for (guint i = 0; i < self->mentions->len; i++)
    {
      HlMention *mention = &g_array_index (self->mentions, HlMention, i);
      if (mention->head == G_MAXUINT)
        mention->head = find_head (self, mention);
      hl_annotation_add_mention (self->annotation, mention);
    }
  return TRUE;
}

/* A sentence whose bytes are known. */
static HlAnnotation *
read_sentence (HlConllu       *owner,
               const HlConllu *self,
               const Sentence *sentence,
               GError        **error)
{
  g_auto (Reading) reading = { 0 };
  HlLine line = hl_line_before (self->lines.bytes + sentence->start, sentence->size, sentence->line);

  reading_init (&reading, owner, self);
  reading.head_field = sentence->head_field;
  while (hl_line_next (&line))
    {
      reading.line = line.number;
      if (line.size > 0 && *line.text != '#' && !read_line (&reading, line.text, line.size, error))
        return NULL;
    }
  if (!finish (&reading, error))
    return NULL;
  return hl_annotation_ref (reading.annotation);
}

/* A comment that says something of what follows: `# newdoc`, `# global.Entity = eid-etype-head-other`. */
static void
read_comment (const char *text,
              gsize       size,
              gboolean   *begins_document,
              guint      *head_field)
{
  static const char name[] = "global.Entity";
  const gsize length = sizeof name - 1;

  for (; size > 0 && (*text == '#' || *text == ' '); text++)
    size--;
  if (size >= 6 && memcmp (text, "newdoc", 6) == 0 && (size == 6 || text[6] == ' '))
    *begins_document = TRUE;
  if (size <= length || memcmp (text, name, length) != 0)
    return;
  text += length;
  for (size -= length; size > 0 && (*text == '=' || *text == ' '); text++)
    size--;
  *head_field = find_head_field ((Field){ text, size });
}

/* Ends a sentence, which is read to see what is wrong with it. */
static gboolean
add_sentence (HlConllu       *self,
              const Sentence *sentence,
              GError        **error)
{
  if (self->sentences->len == HL_LIMIT_SENTENCES)
    return fail (error, sentence->line, _ ("there are more than %u sentences"), HL_LIMIT_SENTENCES);
  g_autoptr (HlAnnotation) annotation = read_sentence (self, self, sentence, error);
  if (annotation == NULL)
    return FALSE;
  if (hl_annotation_get_n (annotation) == 0)
    return TRUE;
  for (guint i = 0; !self->has_dependencies && i < hl_annotation_get_n (annotation); i++)
    self->has_dependencies = hl_annotation_get_word (annotation, i)->head >= 0;
  self->has_mentions |= hl_annotation_get_n_mentions (annotation) > 0;
  g_array_append_vals (self->sentences, sentence, 1);
  return TRUE;
}

static gboolean
find_sentences (HlConllu     *self,
                GCancellable *cancellable,
                GError      **error)
{
  g_autoptr (GError) refusal = NULL;
  Sentence sentence = { .begins_document = TRUE, .head_field = DEFAULT_HEAD_FIELD };
  const char *bytes = self->lines.bytes;
  gboolean has_words = FALSE;

  for (HlLine line = hl_line_before (bytes, self->lines.size, 1); hl_line_next_checked (&line, cancellable, &refusal);)
    {
      if (line.size > 0 && *line.text == '#')
        read_comment (line.text, line.size, &sentence.begins_document, &sentence.head_field);
      else if (line.size > 0 && !has_words)
        {
          sentence.start = (gsize) (line.text - bytes);
          sentence.line = line.number;
          has_words = TRUE;
        }
      if (has_words && line.size > 0)
        sentence.size = (gsize) (line.text + line.size - bytes) - sentence.start;
      if (!has_words || (line.size > 0 && line.next < line.end))
        continue;
      if (!add_sentence (self, &sentence, error))
        return FALSE;
      has_words = sentence.begins_document = FALSE;
    }
  if (refusal != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&refusal));
      return FALSE;
    }
  if (self->sentences->len > 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no sentence in it"));
  return FALSE;
}

/* Takes @lines. */
static HlConllu *
create (HlLines      *lines,
        GCancellable *cancellable,
        GError      **error)
{
  g_autoptr (HlConllu) self = g_new0 (HlConllu, 1);

  g_atomic_ref_count_init (&self->n_refs);
  self->lines = *lines;
  self->sentences = g_array_new (FALSE, FALSE, sizeof (Sentence));
  self->entities = g_tree_new_full ((GCompareDataFunc) (void (*) (void)) strcmp, NULL, g_free, NULL);
  if (!find_sentences (self, cancellable, error) || !hl_lines_check (&self->lines, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * hl_conllu_load:
 * @file: a local file or a pipe
 * @cancellable: (nullable): ends it, and the wait for a pipe
 * @error: %HL_ERROR_VALUE, %HL_ERROR_ENCODING or %HL_ERROR_TOO_LARGE, which name the line; that there is no sentence, or that it cannot be read
 *
 * Returns: (transfer full) (nullable): its sentences, at least one
 */
HlConllu *
hl_conllu_load (GFile        *file,
                GCancellable *cancellable,
                GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  HlLines lines;
  return hl_lines_init_file (&lines, file, cancellable, error) ? create (&lines, cancellable, error) : NULL;
}

/**
 * hl_conllu_parse:
 * @text: (array length=size): what such a file has
 * @size: bytes of it
 * @error: as hl_conllu_load()
 *
 * Returns: (transfer full) (nullable): its sentences, at least one
 */
HlConllu *
hl_conllu_parse (const char *text,
                 gsize       size,
                 GError    **error)
{
  g_return_val_if_fail (text != NULL, NULL);

  HlLines lines;
  hl_lines_init_copy (&lines, text, size);
  return create (&lines, NULL, error);
}

/**
 * hl_conllu_ref:
 * @self: sentences
 *
 * Returns: (transfer full): the same
 */
HlConllu *
hl_conllu_ref (HlConllu *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/**
 * hl_conllu_unref:
 * @self: (transfer full): sentences
 */
void
hl_conllu_unref (HlConllu *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  hl_lines_clear (&self->lines);
  g_array_unref (self->sentences);
  g_tree_unref (self->entities);
  g_free (self);
}

/**
 * hl_conllu_get_n:
 * @self: sentences
 *
 * Returns: how many there are
 */
guint
hl_conllu_get_n (const HlConllu *self)
{
  return self->sentences->len;
}

/**
 * hl_conllu_get_line:
 * @self: sentences
 * @sentence: one of them
 *
 * Returns: the line of its first word, from 1
 */
guint
hl_conllu_get_line (const HlConllu *self,
                    guint           sentence)
{
  g_return_val_if_fail (sentence < self->sentences->len, 0);

  return g_array_index (self->sentences, Sentence, sentence).line;
}

/**
 * hl_conllu_get_size:
 * @self: sentences
 * @sentence: one of them
 *
 * Returns: how many bytes its lines have
 */
gsize
hl_conllu_get_size (const HlConllu *self,
                    guint           sentence)
{
  g_return_val_if_fail (sentence < self->sentences->len, 0);

  return g_array_index (self->sentences, Sentence, sentence).size;
}

/**
 * hl_conllu_begins_document:
 * @self: sentences
 * @sentence: one of them
 *
 * Returns: whether it is the first of a document: of the file, or behind `# newdoc`
 */
gboolean
hl_conllu_begins_document (const HlConllu *self,
                           guint           sentence)
{
  g_return_val_if_fail (sentence < self->sentences->len, FALSE);

  return g_array_index (self->sentences, Sentence, sentence).begins_document;
}

/**
 * hl_conllu_has_dependencies:
 * @self: sentences
 *
 * Returns: whether any word has a head
 */
gboolean
hl_conllu_has_dependencies (const HlConllu *self)
{
  return self->has_dependencies;
}

/**
 * hl_conllu_has_mentions:
 * @self: sentences
 *
 * Returns: whether any word is mentioned to be an entity
 */
gboolean
hl_conllu_has_mentions (const HlConllu *self)
{
  return self->has_mentions;
}

/**
 * hl_conllu_read:
 * @self: sentences
 * @sentence: one of them
 * @error: that the file has been changed meanwhile
 *
 * Returns: (transfer full) (nullable): its words
 */
HlAnnotation *
hl_conllu_read (const HlConllu *self,
                guint           sentence,
                GError        **error)
{
  g_return_val_if_fail (sentence < self->sentences->len, NULL);

  const Sentence *known = &g_array_index (self->sentences, Sentence, sentence);
  g_autoptr (HlAnnotation) annotation = read_sentence (NULL, self, known, error);
  if (annotation == NULL || !hl_lines_check (&self->lines, error))
    return NULL;
  /* Words are copied out of what another program may be writing over. */
  for (guint i = 0; i < hl_annotation_get_n (annotation); i++)
    {
      const HlAnnotatedWord *word = hl_annotation_get_word (annotation, i);
      const char *const copies[] = { word->form, word->relation };

      for (guint j = 0; j < G_N_ELEMENTS (copies); j++)
        {
          const char *copy = copies[j] != NULL ? copies[j] : "";
          const HlLine line = { .text = copy, .size = strlen (copy), .number = known->line };
          if (!hl_line_check (&line, error))
            return NULL;
        }
    }
  return g_steal_pointer (&annotation);
}

/* SPDX-License-Identifier: MIT */
/* One array of JSON, read in a single pass without recursion into what it is: a tensor, a tensor for each layer, a list
 * of strings, or something that is only stepped over. What makes it unusable is kept as its problem and is no error
 * until somebody wants the array. */
#include "core/archive/json/hl-json-array.h"

#include "core/archive/json/hl-json-numbers.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* What a string costs besides its bytes: the block of the allocator and the pointer to it. */
#define STRING_COST 32

typedef enum
{
  MODE_UNKNOWN,
  MODE_NUMBERS,
  MODE_STRINGS,
} Mode;

typedef struct
{
  HlJsonArray *array;
  HlJsonReader *reader;
  HlJsonBudget *budget;
  const char *path;
  Mode mode;
  guint depth;           /* open lists of the array, itself included */
  const guint64 *counts; /* by depth, elements that are complete */
  HlJsonNumbers numbers;
  GString *string;
  gsize n_text; /* bytes of the strings so far */
} Parser;

void
hl_json_array_clear (HlJsonArray *self)
{
  g_clear_object (&self->numbers);
  hl_json_sizes_clear (&self->sizes);
  g_clear_pointer (&self->strings, g_ptr_array_unref);
  g_clear_error (&self->problem);
}

/* From here on the array is only stepped over. */
static void
give_up (Parser      *self,
         HlMemberKind kind,
         GError      *problem)
{
  hl_json_array_clear (self->array);
  hl_json_numbers_clear (&self->numbers);
  self->array->problem = problem;
  self->array->kind = kind;
}

static void
give_up_mixed (Parser     *self,
               const char *at,
               const char *what)
{
  guint64 line, column;
  GError *problem;

  hl_json_reader_locate (self->reader, at, &line, &column);
  if (self->mode == MODE_UNKNOWN)
    problem =
      g_error_new (HL_ERROR, HL_ERROR_DTYPE,
                   _ ("“%s” is not a list of numbers or strings: it has %s at line %" PRIu64 ", column %" PRIu64),
                   self->path, what, line, column);
  else
    problem = g_error_new (HL_ERROR, HL_ERROR_DTYPE,
                           self->mode == MODE_NUMBERS
                             ? _ ("“%s” has %s among its numbers, at line %" PRIu64 ", column %" PRIu64)
                             : _ ("“%s” has %s among its strings, at line %" PRIu64 ", column %" PRIu64),
                           self->path, what, line, column);
  give_up (self, HL_MEMBER_OTHER, problem);
}

/* There are more lists inside one another than a tensor has axes. */
static void
give_up_deep (Parser *self)
{
  give_up (self, HL_MEMBER_TENSOR,
           g_error_new (HL_ERROR, HL_ERROR_RANK, _ ("“%s” has %u axes; at most %d can be read"), self->path,
                        self->depth, HL_LIMIT_RANK));
}

static void
give_up_large (Parser     *self,
               const char *at)
{
  guint64 line, column;

  hl_json_reader_locate (self->reader, at, &line, &column);
  give_up (self, HL_MEMBER_TENSOR,
           g_error_new (HL_ERROR, HL_ERROR_VALUE,
                        _ ("“%s” has a number at line %" PRIu64 ", column %" PRIu64 " that is too large for float32"),
                        self->path, line, column));
}

/* The path of the element that is being read, or of the list that is being closed: `attention[0][3]`. */
static char *
dup_element (Parser *self,
             guint   depth)
{
  GString *text = g_string_new (self->path);

  for (guint i = 1; i <= depth; i++)
    g_string_append_printf (text, "[%" PRIu64 "]", self->counts[i]);
  return g_string_free (text, FALSE);
}

static void
give_up_ragged_kind (Parser     *self,
                     const char *at,
                     gboolean    list_found)
{
  g_autofree char *element = dup_element (self, self->depth);
  guint64 line, column;

  hl_json_reader_locate (self->reader, at, &line, &column);
  give_up (self, HL_MEMBER_TENSOR,
           g_error_new (HL_ERROR, HL_ERROR_SHAPE,
                        list_found ? _ ("“%s” is ragged: %s, at line %" PRIu64 ", column %" PRIu64
                                        ", is a list, but on axis %u there are numbers before it")
                                   : _ ("“%s” is ragged: %s, at line %" PRIu64 ", column %" PRIu64
                                        ", is a number, but on axis %u there are lists before it"),
                        self->path, element, line, column, self->depth - 1));
}

static void
give_up_ragged_size (Parser *self,
                     guint64 expected)
{
  const guint axis = self->depth - 1;
  g_autofree char *element = dup_element (self, axis);
  guint64 line, column;

  hl_json_reader_locate (self->reader, self->reader->at - 1, &line, &column);
  give_up (self, HL_MEMBER_TENSOR,
           g_error_new (HL_ERROR, HL_ERROR_SHAPE,
                        _ ("“%s” is ragged: %s, which ends at line %" PRIu64 ", column %" PRIu64 ", has %" PRIu64
                           " elements on axis %u, the ones before it have %" PRIu64),
                        self->path, element, line, column, self->counts[self->depth], axis, expected));
}

/* A list has been closed: does it have the size of those before it? */
static gboolean
close_list (Parser  *self,
            GError **error)
{
  HlJsonSizes *sizes = &self->array->sizes;
  guint64 expected;

  if (self->mode == MODE_UNKNOWN && self->depth > HL_LIMIT_RANK)
    give_up_deep (self);
  else if (self->mode != MODE_STRINGS && !hl_json_sizes_close (sizes, self->depth, self->counts, &expected))
    give_up_ragged_size (self, expected);
  else if (self->mode != MODE_STRINGS && hl_json_sizes_ends_map (sizes, self->depth) &&
           !hl_json_numbers_pad_map (&self->numbers, sizes, error))
    return FALSE;
  self->depth--;
  return TRUE;
}

static gboolean
add_number (Parser             *self,
            const HlJsonNumber *number,
            GError            **error)
{
  const float value = hl_json_number_to_float (number);
  if (G_UNLIKELY (!number->special && value - value != 0))
    {
      give_up_large (self, number->text);
      return TRUE;
    }
  return hl_json_numbers_add (&self->numbers, value, error);
}

static gboolean
read_number (Parser  *self,
             GError **error)
{
  HlJsonNumber number;

  if (!hl_json_reader_read_number (self->reader, &number, error))
    return FALSE;
  if (self->mode == MODE_STRINGS)
    {
      give_up_mixed (self, number.text, _ ("a number"));
      return TRUE;
    }

  self->mode = MODE_NUMBERS;
  if (self->array->sizes.rank == 0)
    {
      if (self->depth > HL_LIMIT_RANK)
        {
          give_up_deep (self);
          return TRUE;
        }
      self->array->sizes.rank = self->depth;
    }
  if (self->depth != self->array->sizes.rank)
    {
      give_up_ragged_kind (self, number.text, FALSE);
      return TRUE;
    }
  return add_number (self, &number, error);
}

static gboolean
read_string (Parser  *self,
             GError **error)
{
  if (self->mode == MODE_UNKNOWN && self->depth == 1 && self->counts[1] == 0)
    {
      self->mode = MODE_STRINGS;
      self->array->strings = g_ptr_array_new_with_free_func (g_free);
    }
  if (self->mode != MODE_STRINGS)
    {
      give_up_mixed (self, self->reader->at, _ ("a string"));
      return hl_json_reader_skip (self->reader, error);
    }

  const char *start = self->reader->at;
  g_autoptr (GError) problem = NULL;

  g_string_truncate (self->string, 0);
  if (!hl_json_reader_read_string (self->reader, self->string, HL_LIMIT_STRINGS_TEXT - self->n_text, &problem))
    {
      if (!g_error_matches (problem, HL_ERROR, HL_ERROR_TOO_LARGE))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
      give_up (self, HL_MEMBER_STRINGS,
               g_error_new (HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the strings of “%s” are more than %d MiB"), self->path,
                            (int) (HL_LIMIT_STRINGS_TEXT >> 20)));
      self->reader->at = start;
      return hl_json_reader_skip (self->reader, error);
    }
  self->n_text = MIN (self->n_text + self->string->len, HL_LIMIT_STRINGS_TEXT); /* an escape may be one too long */
  if (!hl_json_budget_spend (self->budget, self->string->len + STRING_COST, error))
    return FALSE;
  if (self->array->strings->len >= HL_LIMIT_STRINGS)
    give_up (self, HL_MEMBER_STRINGS,
             g_error_new (HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has more than %d strings"), self->path,
                          HL_LIMIT_STRINGS));
  else
    g_ptr_array_add (self->array->strings, g_strndup (self->string->str, self->string->len));
  return TRUE;
}

static gboolean
read_list (Parser  *self,
           GError **error)
{
  if (self->mode == MODE_STRINGS)
    give_up_mixed (self, self->reader->at, _ ("a list"));
  else if (self->array->sizes.rank != 0 && self->depth >= self->array->sizes.rank)
    give_up_ragged_kind (self, self->reader->at, TRUE);
  if (self->array->problem != NULL)
    return hl_json_reader_skip (self->reader, error);
  self->depth++;
  return hl_json_reader_begin (self->reader, '[', NULL, error);
}

/* A number, a string, or what makes the array useless; a list is opened. */
static gboolean
read_element (Parser  *self,
              GError **error)
{
  const int first = hl_json_reader_peek (self->reader);
  const char *at = self->reader->at;
  const char *word;

  switch (first)
    {
    case '[':
      return read_list (self, error);
    case '{':
      give_up_mixed (self, at, _ ("an object"));
      return hl_json_reader_skip (self->reader, error);
    case '"':
      return read_string (self, error);
    case 't':
    case 'f':
    case 'n':
      word = hl_json_reader_read_word (self->reader, error);
      if (word != NULL)
        give_up_mixed (self, at, word);
      return word != NULL;
    default:
      return read_number (self, error);
    }
}

static gboolean
read_elements (Parser  *self,
               GError **error)
{
  const guint outside = self->reader->depth;
  gboolean more;

  if (!read_list (self, error))
    return FALSE;
  while (self->depth > 0)
    {
      if (!hl_json_reader_next (self->reader, &more, error) ||
          !(more ? read_element (self, error) : close_list (self, error)))
        return FALSE;
      if (G_UNLIKELY (self->array->problem != NULL))
        return hl_json_reader_leave (self->reader, outside, error);
    }
  return TRUE;
}

/* What the array is, now that all of it has been seen. */
static gboolean
finish (Parser  *self,
        GError **error)
{
  HlJsonArray *array = self->array;

  if (array->problem != NULL)
    return TRUE;
  if (self->mode == MODE_STRINGS)
    {
      array->kind = HL_MEMBER_STRINGS;
      g_ptr_array_add (array->strings, NULL);
      return TRUE;
    }
  array->kind = array->sizes.layer_heads != NULL || array->sizes.parts != NULL ? HL_MEMBER_GROUP : HL_MEMBER_TENSOR;
  array->shape.rank = array->sizes.rank;
  for (guint i = 0; i < array->shape.rank; i++)
    array->shape.dims[i] = array->sizes.dims[i];
  array->numbers = hl_json_numbers_end (&self->numbers, error);
  return array->numbers != NULL;
}

/* Reads an array of any content, which the reader stands at. Only what makes the whole text unreadable is an error;
 * what makes this array useless becomes its problem. */
gboolean
hl_json_array_read (HlJsonArray  *self,
                    HlJsonReader *reader,
                    HlJsonBudget *budget,
                    const char   *path,
                    GError      **error)
{
  g_autoptr (GString) string = g_string_new (NULL);
  Parser parser = {
    .array = self,
    .reader = reader,
    .budget = budget,
    .path = path,
    .counts = reader->counts + reader->depth,
    .numbers = { .budget = budget },
    .string = string,
  };

  *self = (HlJsonArray){ .kind = HL_MEMBER_OTHER };
  reader->label = path;
  const gboolean read = read_elements (&parser, error) && finish (&parser, error);
  reader->label = NULL;
  hl_json_numbers_clear (&parser.numbers);
  if (!read)
    hl_json_array_clear (self);
  return read;
}

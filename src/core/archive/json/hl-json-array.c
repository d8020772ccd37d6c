/* SPDX-License-Identifier: MIT */
/* One array of JSON, read in a single pass without recursion into what it is: a tensor, a tensor
 * for each layer, a list of strings, or something that is only stepped over. What makes it unusable
 * is kept as its problem and is no error until somebody wants the array. */
#include "core/archive/json/hl-json-array-private.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* What a string costs besides its bytes: the block of the allocator and the pointer to it. */
#define STRING_COST 32

/**
 * hl_json_array_clear:
 * @self: an array
 *
 * Frees what is in it.
 */
void
hl_json_array_clear (HlJsonArray *self)
{
  g_clear_pointer (&self->numbers, g_free);
  hl_json_sizes_clear (&self->sizes);
  g_clear_pointer (&self->strings, g_ptr_array_unref);
  g_clear_error (&self->problem);
}

/* Makes room for more numbers. */
static gboolean
reserve (HlJsonArrayReader *self,
         gsize              n_more,
         GError           **error)
{
  HlJsonArray *array = self->array;

  if (G_LIKELY (n_more <= self->n_allocated - array->n_numbers))
    return TRUE;
  const gsize grown =
    MAX (MAX (16, self->n_allocated + self->n_allocated / 2), array->n_numbers + n_more);
  const gsize bytes = (grown - self->n_allocated) * sizeof (float);
  float *numbers = bytes <= self->budget->number_bytes
                     ? g_try_realloc_n (array->numbers, grown, sizeof (float))
                     : NULL;
  if (numbers == NULL)
    {
      g_set_error (
        error, HL_ERROR, HL_ERROR_TOO_LARGE,
        _ ("its numbers need more than the 1 GiB of memory that Headlight spends on JSON; "
           "an HDF5 file has no such limit"));
      return FALSE;
    }
  self->budget->number_bytes -= bytes;
  array->numbers = numbers;
  self->n_allocated = grown;
  return TRUE;
}

/* The rows of a map are complete, each longer than the one before. */
static gboolean
pad_map (HlJsonArrayReader *self,
         GError           **error)
{
  HlJsonSizes *sizes = &self->array->sizes;
  const guint64 n_rows = sizes->dims[sizes->rank - 2];
  const guint64 n_missing = n_rows * (n_rows - 1) / 2;
  const guint64 n_dense = n_rows * sizes->first_row + n_missing;

  if (!reserve (self, n_missing, error))
    return FALSE;
  hl_json_sizes_pad_map (sizes, self->array->numbers + self->array->n_numbers - n_dense);
  self->array->n_numbers += n_missing;
  return TRUE;
}

/* A list of numbers, or of lists of them, is complete: does it have the size of those before it? */
static gboolean
close_list (HlJsonArrayReader *self,
            GError           **error)
{
  HlJsonSizes *sizes = &self->array->sizes;
  guint64 expected;

  if (!hl_json_sizes_close (sizes, self->depth, self->counts, &expected))
    {
      hl_json_array_give_up_ragged_size (self, self->depth - 1, self->counts[self->depth], expected);
      return TRUE;
    }
  return !hl_json_sizes_ends_map (sizes, self->depth) || pad_map (self, error);
}

static gboolean
add_number (HlJsonArrayReader  *self,
            const HlJsonNumber *number,
            GError            **error)
{
  HlJsonArray *array = self->array;

  if (!reserve (self, 1, error))
    return FALSE;
  const float value = hl_json_number_to_float (number);
  if (G_UNLIKELY (!number->special && value - value != 0))
    {
      hl_json_array_give_up_large (self, number->text);
      return TRUE;
    }
  array->numbers[array->n_numbers++] = value;
  return TRUE;
}

static gboolean
read_number (HlJsonArrayReader *self,
             GError           **error)
{
  HlJsonNumber number;

  if (!hl_json_lexer_read_number (self->lexer, &number, error))
    return FALSE;
  if (self->mode == HL_JSON_ARRAY_SKIP)
    return TRUE;
  if (self->mode == HL_JSON_ARRAY_STRINGS)
    {
      hl_json_array_give_up_mixed (self, number.text, _ ("a number"));
      return TRUE;
    }

  self->mode = HL_JSON_ARRAY_NUMBERS;
  if (self->array->sizes.rank == 0)
    {
      if (self->depth > HL_MAX_RANK)
        {
          hl_json_array_give_up_deep (self);
          return TRUE;
        }
      self->array->sizes.rank = self->depth;
    }
  if (self->depth != self->array->sizes.rank)
    {
      hl_json_array_give_up_ragged_kind (self, number.text, FALSE);
      return TRUE;
    }
  return add_number (self, &number, error);
}

static gboolean
read_string (HlJsonArrayReader *self,
             GError           **error)
{
  const char *at = self->lexer->at;

  if (self->mode == HL_JSON_ARRAY_UNKNOWN && self->depth == 1 && self->counts[1] == 0)
    {
      self->mode = HL_JSON_ARRAY_STRINGS;
      self->array->strings = g_ptr_array_new_with_free_func (g_free);
    }
  if (self->mode != HL_JSON_ARRAY_STRINGS)
    {
      if (self->mode != HL_JSON_ARRAY_SKIP)
        hl_json_array_give_up_mixed (self, at, _ ("a string"));
      return hl_json_lexer_read_string (self->lexer, NULL, 0, error);
    }

  if (!hl_json_lexer_read_string (self->lexer, self->string, self->budget->other_bytes, error) ||
      !hl_json_budget_spend (self->budget, self->string->len + STRING_COST, error))
    return FALSE;
  if (self->array->strings->len >= HL_MAX_STRINGS)
    {
      hl_json_array_give_up (self, HL_MEMBER_STRINGS,
                             g_error_new (HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has more than %d strings"),
                                          self->path, HL_MAX_STRINGS));
      return TRUE;
    }
  g_ptr_array_add (self->array->strings, g_strndup (self->string->str, self->string->len));
  return TRUE;
}

static gboolean
open_container (HlJsonArrayReader *self,
                char               opener,
                GError           **error)
{
  if (self->mode != HL_JSON_ARRAY_SKIP)
    {
      if (opener == '{')
        hl_json_array_give_up_mixed (self, self->lexer->at, _ ("an object"));
      else if (self->mode == HL_JSON_ARRAY_STRINGS)
        hl_json_array_give_up_mixed (self, self->lexer->at, _ ("a list"));
      else if (self->array->sizes.rank != 0 && self->depth >= self->array->sizes.rank)
        hl_json_array_give_up_ragged_kind (self, self->lexer->at, TRUE);
    }
  if (self->base + self->depth >= HL_JSON_MAX_DEPTH)
    {
      guint64 line, column;
      hl_json_lexer_locate (self->lexer, self->lexer->at, &line, &column);
      g_set_error (
        error, HL_ERROR, HL_ERROR_CORRUPT,
        _ ("“%s” has more than %d lists and objects inside one another, at line %" PRIu64
           ", column %" PRIu64),
        self->path, HL_JSON_MAX_DEPTH, line, column);
      return FALSE;
    }
  self->lexer->at++;
  self->depth++;
  self->closers[self->depth] = opener == '{' ? '}' : ']';
  self->counts[self->depth] = 0;
  return TRUE;
}

static gboolean
close_container (HlJsonArrayReader *self,
                 GError           **error)
{
  if (self->mode == HL_JSON_ARRAY_UNKNOWN && self->depth > HL_MAX_RANK)
    hl_json_array_give_up_deep (self);
  if ((self->mode == HL_JSON_ARRAY_UNKNOWN || self->mode == HL_JSON_ARRAY_NUMBERS) && !close_list (self, error))
    return FALSE;
  self->lexer->at++;
  self->depth--;
  self->counts[self->depth]++;
  return TRUE;
}

static gboolean
read_scalar (HlJsonArrayReader *self,
             int                first,
             GError           **error)
{
  const char *at = self->lexer->at;
  const char *literal = NULL;

  switch (first)
    {
    case '"':
      return read_string (self, error);
    case 't':
      literal = "true";
      break;
    case 'f':
      literal = "false";
      break;
    case 'n':
      literal = "null";
      break;
    default:
      return read_number (self, error);
    }
  if (!hl_json_lexer_read_literal (self->lexer, literal, error))
    return FALSE;
  if (self->mode != HL_JSON_ARRAY_SKIP)
    hl_json_array_give_up_mixed (self, at, literal);
  return TRUE;
}

/* A member's name and its colon, in an object that is stepped over. */
static gboolean
skip_name (HlJsonArrayReader *self,
           GError           **error)
{
  if (hl_json_lexer_peek (self->lexer) != '"')
    return hl_json_lexer_fail (self->lexer, _ ("the name of a member"), error);
  if (!hl_json_lexer_read_string (self->lexer, NULL, 0, error))
    return FALSE;
  if (hl_json_lexer_peek (self->lexer) != ':')
    return hl_json_lexer_fail (self->lexer, "“:”", error);
  self->lexer->at++;
  return TRUE;
}

/* After a value: closes what ends here, and steps over the comma before the next value. */
static gboolean
read_separators (HlJsonArrayReader *self,
                 GError           **error)
{
  while (self->depth > 0)
    {
      const char closer = self->closers[self->depth];
      const int next = hl_json_lexer_peek (self->lexer);

      if (G_LIKELY (next == ','))
        {
          self->lexer->at++;
          return closer == ']' || skip_name (self, error);
        }
      if (next != closer)
        return hl_json_lexer_fail (self->lexer, closer == ']' ? _ ("“,” or “]”") : _ ("“,” or “}”"),
                                   error);
      if (!close_container (self, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_elements (HlJsonArrayReader *self,
               GError           **error)
{
  if (!open_container (self, '[', error))
    return FALSE;
  gboolean just_opened = TRUE;

  while (self->depth > 0)
    {
      const int next = hl_json_lexer_peek (self->lexer);
      if (!hl_json_lexer_check (self->lexer, error))
        return FALSE;

      if (just_opened && next == self->closers[self->depth])
        {
          if (!close_container (self, error))
            return FALSE;
        }
      else
        {
          if (just_opened && self->closers[self->depth] == '}')
            {
              if (!skip_name (self, error))
                return FALSE;
              just_opened = FALSE;
              continue;
            }
          just_opened = next == '[' || next == '{';
          if (just_opened)
            {
              if (!open_container (self, (char) next, error))
                return FALSE;
              continue;
            }
          if (!read_scalar (self, next, error))
            return FALSE;
          self->counts[self->depth]++;
        }
      just_opened = FALSE;
      if (!read_separators (self, error))
        return FALSE;
    }
  return TRUE;
}

/* What the array is, now that all of it has been seen. */
static void
finish (HlJsonArrayReader *self)
{
  HlJsonArray *array = self->array;

  if (self->mode == HL_JSON_ARRAY_STRINGS)
    {
      array->kind = HL_MEMBER_STRINGS;
      g_ptr_array_add (array->strings, NULL);
    }
  else if (self->mode != HL_JSON_ARRAY_SKIP)
    {
      array->kind = array->sizes.layer_heads != NULL || array->sizes.parts != NULL ? HL_MEMBER_GROUP
                                                                                   : HL_MEMBER_TENSOR;
      array->shape.rank = array->sizes.rank;
      for (guint i = 0; i < array->shape.rank; i++)
        array->shape.dims[i] = array->sizes.dims[i];
    }
  /* What was allocated ahead goes back. */
  if (array->n_numbers > 0)
    array->numbers = g_realloc_n (array->numbers, array->n_numbers, sizeof (float));
  self->budget->number_bytes += (self->n_allocated - array->n_numbers) * sizeof (float);
}

/**
 * hl_json_array_read:
 * @self: (out caller-allocates): what the array is
 * @lexer: stands at its opening bracket
 * @budget: what it may cost
 * @path: the path of the member, for sentences
 * @depth: how many objects are around it
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_TOO_LARGE, %HL_ERROR_ENCODING or
 *   %G_IO_ERROR_CANCELLED
 *
 * Reads an array of any content. Only what makes the whole text unreadable is an error; what makes
 * this array useless becomes its problem.
 *
 * Returns: whether the text can be read on
 */
gboolean
hl_json_array_read (HlJsonArray  *self,
                    HlJsonLexer  *lexer,
                    HlJsonBudget *budget,
                    const char   *path,
                    guint         depth,
                    GError      **error)
{
  g_autoptr (GString) string = g_string_new (NULL);
  HlJsonArrayReader reader = {
    .array = self,
    .lexer = lexer,
    .budget = budget,
    .path = path,
    .base = depth,
    .string = string,
  };

  *self = (HlJsonArray){ .kind = HL_MEMBER_OTHER };
  if (!read_elements (&reader, error))
    {
      hl_json_array_clear (self);
      return FALSE;
    }
  finish (&reader);
  return TRUE;
}

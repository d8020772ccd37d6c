/* SPDX-License-Identifier: MIT */
/* What makes an array of JSON useless, in a sentence that has the member's path, line and column in it. */
#include "core/archive/json/hl-json-array-private.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* From here on the array is only stepped over. */
void
hl_json_array_give_up (HlJsonArrayReader *self,
                       HlMemberKind       kind,
                       GError            *problem)
{
  g_assert (self->array->problem == NULL);

  hl_json_array_clear (self->array);
  self->array->n_numbers = 0;
  self->array->problem = problem;
  self->array->kind = kind;
  self->mode = HL_JSON_ARRAY_SKIP;
}

void
hl_json_array_give_up_mixed (HlJsonArrayReader *self,
                             const char        *at,
                             const char        *what)
{
  guint64 line, column;
  GError *problem;

  hl_json_lexer_locate (self->lexer, at, &line, &column);
  if (self->mode == HL_JSON_ARRAY_UNKNOWN)
    problem = g_error_new (
      HL_ERROR, HL_ERROR_DTYPE,
      _ ("“%s” is not a list of numbers or strings: it has %s at line %" PRIu64
         ", column %" PRIu64),
      self->path, what, line, column);
  else
    problem = g_error_new (HL_ERROR, HL_ERROR_DTYPE,
                           self->mode == HL_JSON_ARRAY_NUMBERS
                             ? _ ("“%s” has %s among its numbers, at line %" PRIu64
                                  ", column %" PRIu64)
                             : _ ("“%s” has %s among its strings, at line %" PRIu64
                                  ", column %" PRIu64),
                           self->path, what, line, column);
  hl_json_array_give_up (self, HL_MEMBER_OTHER, problem);
}

/* There are more lists inside one another than a tensor has axes. */
void
hl_json_array_give_up_deep (HlJsonArrayReader *self)
{
  hl_json_array_give_up (self, HL_MEMBER_TENSOR,
                         g_error_new (HL_ERROR, HL_ERROR_RANK, _ ("“%s” has %u axes; at most %d can be read"),
                                      self->path, self->depth, HL_MAX_RANK));
}

void
hl_json_array_give_up_large (HlJsonArrayReader *self,
                             const char        *at)
{
  guint64 line, column;

  hl_json_lexer_locate (self->lexer, at, &line, &column);
  hl_json_array_give_up (self, HL_MEMBER_TENSOR,
                         g_error_new (HL_ERROR, HL_ERROR_VALUE,
                                      _ ("“%s” has a number at line %" PRIu64
                                         ", column %" PRIu64 " that is too large for float32"),
                                      self->path, line, column));
}

/* The path of the element that is being read, or of the list that is being closed:
 * `attention[0][3]`. */
static char *
dup_element (HlJsonArrayReader *self,
             guint              depth)
{
  GString *text = g_string_new (self->path);

  for (guint i = 1; i <= depth; i++)
    g_string_append_printf (text, "[%" PRIu64 "]", self->counts[i]);
  return g_string_free (text, FALSE);
}

void
hl_json_array_give_up_ragged_kind (HlJsonArrayReader *self,
                                   const char        *at,
                                   gboolean           list_found)
{
  guint64 line, column;
  g_autofree char *element = dup_element (self, self->depth);

  hl_json_lexer_locate (self->lexer, at, &line, &column);
  hl_json_array_give_up (self, HL_MEMBER_TENSOR,
                         g_error_new (HL_ERROR, HL_ERROR_SHAPE,
                                      list_found ? _ ("“%s” is ragged: %s, at line %" PRIu64
                                                      ", column %" PRIu64
                                                      ", is a list, but on axis %u there are numbers before it")
                                                 : _ ("“%s” is ragged: %s, at line %" PRIu64
                                                      ", column %" PRIu64
                                                      ", is a number, but on axis %u there are lists before it"),
                                      self->path, element, line, column, self->depth - 1));
}

void
hl_json_array_give_up_ragged_size (HlJsonArrayReader *self,
                                   guint              axis,
                                   guint64            size,
                                   guint64            expected)
{
  guint64 line, column;
  g_autofree char *element = dup_element (self, axis);

  hl_json_lexer_locate (self->lexer, self->lexer->at, &line, &column);
  hl_json_array_give_up (self, HL_MEMBER_TENSOR,
                         g_error_new (HL_ERROR, HL_ERROR_SHAPE,
                                      _ ("“%s” is ragged: %s, which ends at line %" PRIu64
                                         ", column %" PRIu64 ", has %" PRIu64
                                         " elements on axis %u, the ones before it have %" PRIu64),
                                      self->path, element, line, column, size, axis, expected));
}

/* SPDX-License-Identifier: MIT */
/* Files of SentencePiece: a message of Protocol Buffers, whose fields are numbers with a kind, of which the few that matter are read and
 * the others stepped over. Nothing is taken on trust. */
#include "core/tokenizer/pieces/hl-piece-file.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/tokenizer/model/hl-vocabulary.h"

/* How a field is stored. */
typedef enum
{
  WIRE_NUMBER = 0,
  WIRE_64_BITS = 1,
  WIRE_BYTES = 2,
  WIRE_32_BITS = 5,
} Wire;

/* The numbers of fields (sentencepiece_model.proto). */
enum
{
  MODEL_PIECES = 1,
  MODEL_TRAINER = 2,
  MODEL_NORMALIZER = 3,

  PIECE_TEXT = 1,
  PIECE_SCORE = 2,
  PIECE_TYPE = 3,

  TRAINER_MODEL = 3,
  TRAINER_SPLITS_SPACES = 22,
  TRAINER_SPACES_BEHIND = 24,
  TRAINER_BYTE_FALLBACK = 35,

  NORMALIZER_CHARSMAP = 2,
  NORMALIZER_DUMMY_PREFIX = 3,
  NORMALIZER_FEWER_SPACES = 4,
  NORMALIZER_ESCAPES_SPACES = 5,
};

typedef struct
{
  const guint8 *at;
  const guint8 *end;
} Message;

typedef struct
{
  guint64 field;
  Wire wire;
  guint64 number;
  Message bytes;
} Field;

static gboolean
fail (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the file is no model of SentencePiece, or is damaged"));
  return FALSE;
}

/* Seven bits a byte, the lowest first. */
static gboolean
read_number (Message *self,
             guint64 *number)
{
  *number = 0;
  for (guint shift = 0; self->at < self->end && shift < 64; shift += 7)
    {
      const guint8 byte = *self->at++;

      *number |= (guint64) (byte & 0x7f) << shift;
      if ((byte & 0x80) == 0)
        return TRUE;
    }
  return FALSE;
}

/* Reads the next field; FALSE without an error at the end. */
static gboolean
next_field (Message *self,
            Field   *field,
            GError **error)
{
  guint64 key, size = 0;

  if (self->at == self->end)
    return FALSE;
  if (!read_number (self, &key))
    return fail (error);
  *field = (Field){ .field = key >> 3, .wire = (Wire) (key & 7) };
  switch (field->wire)
    {
    case WIRE_NUMBER:
      return read_number (self, &field->number) || fail (error);
    case WIRE_64_BITS:
      size = 8;
      break;
    case WIRE_32_BITS:
      size = 4;
      break;
    case WIRE_BYTES:
      if (!read_number (self, &size))
        return fail (error);
      break;
    default:
      return fail (error);
    }
  if (size > (guint64) (self->end - self->at))
    return fail (error);
  field->bytes = (Message){ self->at, self->at + size };
  self->at += size;
  return TRUE;
}

static gboolean
is_number (const Field *field,
           guint64      number)
{
  return field->field == number && field->wire == WIRE_NUMBER;
}

static gboolean
read_piece (HlPieceFile *self,
            Message      message,
            GError     **error)
{
  HlPieceEntry piece = { .text = "", .type = HL_PIECE_NORMAL };
  GError *local_error = NULL;
  Field field;

  while (next_field (&message, &field, &local_error))
    if (field.field == PIECE_TEXT && field.wire == WIRE_BYTES)
      {
        piece.text = (const char *) field.bytes.at;
        piece.length = (gsize) (field.bytes.end - field.bytes.at);
      }
    else if (field.field == PIECE_SCORE && field.wire == WIRE_32_BITS)
      {
        guint32 bits;
        memcpy (&bits, field.bytes.at, sizeof bits);
        bits = GUINT32_FROM_LE (bits);
        memcpy (&piece.score, &bits, sizeof bits);
      }
    else if (is_number (&field, PIECE_TYPE))
      piece.type = (HlPieceType) MIN (field.number, G_MAXINT);
  if (local_error != NULL)
    {
      g_propagate_error (error, local_error);
      return FALSE;
    }
  const guint number = self->pieces->len;
  if (piece.type < HL_PIECE_NORMAL || piece.type > HL_PIECE_BYTE || !isfinite (piece.score) || piece.length == 0 ||
      !g_utf8_validate (piece.text, (gssize) piece.length, NULL))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("entry %u of the vocabulary is damaged"), number);
      return FALSE;
    }
  if (number > HL_LIMIT_TOKEN_ID)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the vocabulary has more than %u entries"),
                   HL_LIMIT_TOKEN_ID);
      return FALSE;
    }
  g_array_append_val (self->pieces, piece);
  return TRUE;
}

static gboolean
read_trainer (HlPieceFile *self,
              Message      message,
              GError     **error)
{
  GError *local_error = NULL;
  guint64 model = self->model;
  gboolean behind = FALSE;
  Field field;

  while (next_field (&message, &field, &local_error))
    if (is_number (&field, TRAINER_MODEL))
      model = field.number;
    else if (is_number (&field, TRAINER_SPLITS_SPACES))
      self->splits_spaces = field.number != 0;
    else if (is_number (&field, TRAINER_SPACES_BEHIND))
      behind = field.number != 0;
    else if (is_number (&field, TRAINER_BYTE_FALLBACK))
      self->byte_fallback = field.number != 0;
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  else if (behind || (model != HL_PIECE_MODEL_UNIGRAM && model != HL_PIECE_MODEL_BPE))
    g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                 _ ("of the models of SentencePiece, only unigram and BPE with spaces before words are supported"));
  else
    {
      self->model = (HlPieceModel) model;
      return TRUE;
    }
  return FALSE;
}

static gboolean
read_normalizer (HlPieceFile *self,
                 Message      message,
                 GError     **error)
{
  GError *local_error = NULL;
  gboolean escapes = TRUE;
  Field field;

  while (next_field (&message, &field, &local_error))
    if (field.field == NORMALIZER_CHARSMAP && field.wire == WIRE_BYTES)
      {
        self->charsmap = field.bytes.at;
        self->charsmap_size = (gsize) (field.bytes.end - field.bytes.at);
      }
    else if (is_number (&field, NORMALIZER_DUMMY_PREFIX))
      self->dummy_prefix = field.number != 0;
    else if (is_number (&field, NORMALIZER_FEWER_SPACES))
      self->fewer_spaces = field.number != 0;
    else if (is_number (&field, NORMALIZER_ESCAPES_SPACES))
      escapes = field.number != 0;
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  else if (!escapes)
    g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                 _ ("models of SentencePiece that leave spaces as they are, are not supported"));
  return local_error == NULL && escapes;
}

static gboolean
read_model (HlPieceFile *self,
            Message      message,
            GError     **error)
{
  GError *local_error = NULL;
  gboolean done = TRUE;
  Field field;

  while (done && next_field (&message, &field, &local_error))
    if (field.wire != WIRE_BYTES)
      continue;
    else if (field.field == MODEL_PIECES)
      done = read_piece (self, field.bytes, error);
    else if (field.field == MODEL_TRAINER)
      done = read_trainer (self, field.bytes, error);
    else if (field.field == MODEL_NORMALIZER)
      done = read_normalizer (self, field.bytes, error);
  if (local_error != NULL)
    g_propagate_error (error, local_error);
  else if (done && self->pieces->len == 0)
    return fail (error);
  return done && local_error == NULL;
}

/**
 * hl_piece_file_parse:
 * @bytes: (transfer full) (array length=size): the contents of a file
 * @size: bytes of it
 * @error: %HL_ERROR_CORRUPT or %HL_ERROR_VALUE when it is damaged, %HL_ERROR_UNSUPPORTED for other kinds of models
 *
 * Returns: (transfer full): what is in it
 */
HlPieceFile *
hl_piece_file_parse (char    *bytes,
                     gsize    size,
                     GError **error)
{
  const Message message = { (const guint8 *) bytes, (const guint8 *) bytes + size };
  g_autoptr (HlPieceFile) self = g_new0 (HlPieceFile, 1);

  self->bytes = bytes;
  self->pieces = g_array_new (FALSE, FALSE, sizeof (HlPieceEntry));
  self->model = HL_PIECE_MODEL_UNIGRAM;
  self->splits_spaces = self->dummy_prefix = self->fewer_spaces = TRUE;
  return read_model (self, message, error) ? g_steal_pointer (&self) : NULL;
}

/**
 * hl_piece_file_load:
 * @file: a file
 * @error: as hl_piece_file_parse() and hl_file_load_regular()
 *
 * Returns: (transfer full): what is in it
 */
HlPieceFile *
hl_piece_file_load (GFile   *file,
                    GError **error)
{
  gsize size;
  char *bytes = hl_file_load_regular (file, &size, HL_LIMIT_PIECE_FILE, error);

  return bytes != NULL ? hl_piece_file_parse (bytes, size, error) : NULL;
}

void
hl_piece_file_free (HlPieceFile *self)
{
  g_array_unref (self->pieces);
  g_free (self->bytes);
  g_free (self);
}

/* SPDX-License-Identifier: MIT */
/* Heads of other layers that are shown beside those of one. */
#include "view/hl-guests.h"

#include <string.h>

/**
 * hl_guests_find:
 * @self: guests
 * @layer: a layer
 * @head: a head of it
 * @index: (out): where it stands among them
 *
 * Returns: whether it is among them
 */
gboolean
hl_guests_find (const HlGuests *self,
                guint           layer,
                guint           head,
                guint          *index)
{
  for (*index = 0; *index < self->n; (*index)++)
    if (self->heads[*index].layer == layer && self->heads[*index].head == head)
      return TRUE;
  return FALSE;
}

/**
 * hl_guests_contain:
 * @self: guests
 * @layer: a layer
 * @head: a head of it
 *
 * Returns: whether it is among them
 */
gboolean
hl_guests_contain (const HlGuests *self,
                   guint           layer,
                   guint           head)
{
  guint index;

  return hl_guests_find (self, layer, head, &index);
}

/**
 * hl_guests_add:
 * @self: guests
 * @layer: a layer
 * @head: a head of it
 *
 * Adds a head at the end, unless it is there.
 *
 * Returns: whether it is there now; %FALSE when there is no room for it
 */
gboolean
hl_guests_add (HlGuests *self,
               guint     layer,
               guint     head)
{
  if (hl_guests_contain (self, layer, head))
    return TRUE;
  if (self->n == HL_MAX_GUESTS)
    return FALSE;
  self->heads[self->n++] = (HlGuest){ layer, head };
  return TRUE;
}

/**
 * hl_guests_remove:
 * @self: guests
 * @layer: a layer
 * @head: a head of it
 *
 * Takes a head away if it is there.
 */
void
hl_guests_remove (HlGuests *self,
                  guint     layer,
                  guint     head)
{
  guint index;

  if (!hl_guests_find (self, layer, head, &index))
    return;
  self->n--;
  memmove (self->heads + index, self->heads + index + 1, (self->n - index) * sizeof *self->heads);
}

/**
 * hl_guests_equal:
 * @a: guests
 * @b: others
 *
 * Returns: whether they are the same, in the same order
 */
gboolean
hl_guests_equal (const HlGuests *a,
                 const HlGuests *b)
{
  return a->n == b->n && memcmp (a->heads, b->heads, a->n * sizeof *a->heads) == 0;
}

/**
 * hl_guests_parse:
 * @self: guests, to which one is added
 * @text: "7.3" for head 3 of layer 7
 *
 * Returns: whether it is so spelt, and had room
 */
gboolean
hl_guests_parse (HlGuests   *self,
                 const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ".", 2);
  guint64 layer, head;

  return parts[0] != NULL && parts[1] != NULL &&
         g_ascii_string_to_unsigned (g_strstrip (parts[0]), 10, 0, HL_MAX_LAYERS - 1, &layer, NULL) &&
         g_ascii_string_to_unsigned (g_strstrip (parts[1]), 10, 0, HL_MAX_HEADS - 1, &head, NULL) &&
         hl_guests_add (self, (guint) layer, (guint) head);
}

/**
 * hl_guests_format:
 * @self: guests
 *
 * Returns: (transfer full): "7.3,9.11", as hl_guests_parse() reads each; empty without any
 */
char *
hl_guests_format (const HlGuests *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->n; i++)
    g_string_append_printf (text, "%s%u.%u", i > 0 ? "," : "", self->heads[i].layer, self->heads[i].head);
  return g_string_free (text, FALSE);
}

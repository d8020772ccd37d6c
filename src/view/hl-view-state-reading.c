/* SPDX-License-Identifier: MIT */
/* HlViewState: which way tokens run, and from which side the text is read. */
#include "view/hl-view-state-private.h"

#include "core/base/hl-bidi.h"
#include "core/document/tokens/hl-token-text.h"

/**
 * hl_view_state_get_orientation:
 * @self: a view state
 *
 * Returns: which way tokens run where lines join them
 */
HlOrientation
hl_view_state_get_orientation (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_ORIENTATION_VERTICAL);

  return self->orientation;
}

/**
 * hl_view_state_set_orientation:
 * @self: a view state
 * @orientation: which way tokens run where lines join them
 */
void
hl_view_state_set_orientation (HlViewState   *self,
                               HlOrientation  orientation)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (self->orientation == orientation)
    return;
  self->orientation = orientation;
  hl_view_state_notify (self, PROP_ORIENTATION);
}

/**
 * hl_view_state_get_reading:
 * @self: a view state
 *
 * Returns: from which side the text is read, as it was chosen
 */
HlReading
hl_view_state_get_reading (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_READING_AUTO);

  return self->reading;
}

/**
 * hl_view_state_set_reading:
 * @self: a view state
 * @reading: from which side the text is read
 */
void
hl_view_state_set_reading (HlViewState *self,
                           HlReading    reading)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (self->reading == reading)
    return;
  self->reading = reading;
  hl_view_state_notify (self, PROP_READING);
}

/* How many more letters run from right to left than the other way, of texts as people read them. */
static gssize
weigh (const char *const *texts,
       gsize              n)
{
  gssize weight = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (hl_special_token_is (texts[i]))
        continue;
      for (const char *p = texts[i]; *p != '\0'; p = g_utf8_next_char (p))
        {
          const gunichar c = g_utf8_get_char (p);

          if (c < 0x80)
            weight -= g_ascii_isalpha (c);
          else if (g_unichar_isalpha (c))
            weight += hl_bidi_is_right_to_left (c) ? 1 : -1;
        }
    }
  return weight;
}

/**
 * hl_view_state_reads_right_to_left:
 * @self: a view state
 *
 * Returns: whether the text runs from right to left: as it was chosen, or because most letters of the tokens do
 */
gboolean
hl_view_state_reads_right_to_left (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  if (self->reading != HL_READING_AUTO)
    return self->reading == HL_READING_RIGHT_TO_LEFT;
  if (self->weighed_attention != self->shown_attention)
    {
      HlAttention *attention = self->shown_attention;
      const char *const *queries = hl_attention_get_query_texts (attention), *const *keys =
                                                                               hl_attention_get_key_texts (attention);

      g_set_object (&self->weighed_attention, attention);
      self->is_right_to_left = weigh (queries, hl_attention_get_n_queries (attention)) +
                                 (keys != queries ? weigh (keys, hl_attention_get_n_keys (attention)) : 0) >
                               0;
    }
  return self->is_right_to_left;
}

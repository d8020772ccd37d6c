/* SPDX-License-Identifier: MIT */
/* HlViewState: which way tokens run, and from which side the text is read. */
#include "view/hl-view-state-private.h"

#include "core/base/hl-bidi.h"
#include "core/document/tokens/hl-token-text.h"

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

  if (self->options.reading != HL_READING_AUTO)
    return self->options.reading == HL_READING_RIGHT_TO_LEFT;
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

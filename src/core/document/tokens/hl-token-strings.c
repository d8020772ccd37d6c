/* SPDX-License-Identifier: MIT */
/* The strings of a text's tokens, shared by all who show it: a copy of 32,768 of them takes milliseconds. */
#include "core/document/tokens/hl-token-strings.h"

struct _HlTokenStrings
{
  char **strings;
  /* Whose the strings are, if they are others'; the list is its own. */
  HlTokenStrings *owners[2];
};

HlTokenStrings *
hl_token_strings_new (char **strings)
{
  HlTokenStrings *self;

  g_return_val_if_fail (strings != NULL, NULL);

  self = g_atomic_rc_box_new0 (HlTokenStrings);
  self->strings = strings;
  return self;
}

/* Puts strings of others in another order, without a copy of any. */
HlTokenStrings *
hl_token_strings_new_of (const char    **strings,
                         HlTokenStrings *first,
                         HlTokenStrings *second)
{
  HlTokenStrings *self;

  g_return_val_if_fail (strings != NULL && first != NULL && second != NULL, NULL);

  self = hl_token_strings_new ((char **) strings);
  self->owners[0] = hl_token_strings_ref (first);
  self->owners[1] = hl_token_strings_ref (second);
  return self;
}

HlTokenStrings *
hl_token_strings_ref (HlTokenStrings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  HlTokenStrings *self = data;

  if (self->owners[0] == NULL)
    {
      g_strfreev (self->strings);
      return;
    }
  g_free (self->strings);
  hl_token_strings_unref (self->owners[0]);
  hl_token_strings_unref (self->owners[1]);
}

void
hl_token_strings_unref (HlTokenStrings *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/* Returns a string for each token; they stay as long as @self. */
const char *const *
hl_token_strings_get (const HlTokenStrings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return (const char *const *) self->strings;
}

/* Returns whether they are as many, and each the same. */
gboolean
hl_token_strings_equal (const HlTokenStrings *a,
                        const HlTokenStrings *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a == b || g_strv_equal (hl_token_strings_get (a), hl_token_strings_get (b));
}

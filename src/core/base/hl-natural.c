/* SPDX-License-Identifier: MIT */
/* The order of names in which layer 10 comes after layer 9. */
#include "core/base/hl-natural.h"

#include <string.h>

/**
 * hl_natural_compare:
 * @a: a name
 * @b: a name
 *
 * Compares names byte by byte, but runs of digits by the number they spell. Names are equal only if
 * their bytes are.
 *
 * Returns: less than, equal to or greater than 0
 */
int
hl_natural_compare (const char *a,
                    const char *b)
{
  const char *p = a;
  const char *q = b;

  while (*p != '\0' && *q != '\0')
    {
      if (!g_ascii_isdigit (*p) || !g_ascii_isdigit (*q))
        {
          if (*p != *q)
            return (guchar) *p < (guchar) *q ? -1 : 1;
          p++;
          q++;
          continue;
        }

      while (*p == '0')
        p++;
      while (*q == '0')
        q++;
      gsize n_p = 0, n_q = 0;
      while (g_ascii_isdigit (p[n_p]))
        n_p++;
      while (g_ascii_isdigit (q[n_q]))
        n_q++;
      if (n_p != n_q)
        return n_p < n_q ? -1 : 1;
      const int order = memcmp (p, q, n_p);
      if (order != 0)
        return order;
      p += n_p;
      q += n_q;
    }
  if (*p != *q)
    return *p == '\0' ? -1 : 1;
  /* They differ in leading zeros, or not at all. */
  return strcmp (a, b);
}

/* SPDX-License-Identifier: MIT */
/*
 * Strong lines, one by one, with the coverage that area sampling gives: in a column of pixels a
 * line is a box (its height at one abscissa) blurred by a box (its rise within the column) and by
 * another (the pixel).
 */
#include "draw/lines/hl-line-strong.h"

#include <math.h>

#include "core/base/hl-kernel.h"

/* Less never shows through: numbers that get still smaller take the machine a hundred times as
 * long. */
#define NEARLY_NOTHING 1e-20f

/*
 * The integral of a ramp that begins at 0 over the pixel around x, less x / 2 + 1/8, which the four of a profile
 * cancel: what is left is the same on both sides of 0, and costs half as much.
 */
G_ALWAYS_INLINE static inline float
ramp (float x)
{
  const float distance = fabsf (x);
  const float bent = distance < 0.5f ? distance : 0.5f;

  return bent * (distance - 0.5f * bent);
}

/* Multiplies HL_LINE_STRONG_STEP pixels by what shows through a line; x is the distance of the
 * first from it, strength its opacity by its rise. Always inline, as only so it is cloned with its
 * caller for wider vectors. */
G_ALWAYS_INLINE static inline void
multiply (float *through,
          float  x,
          float  outer,
          float  inner,
          float  strength)
{
#pragma omp simd
  for (guint k = 0; k < HL_LINE_STRONG_STEP; k++)
    {
      const float z = x + (float) k;
      const float hidden = (ramp (z + outer) - ramp (z + inner) - ramp (z - inner) + ramp (z - outer)) * strength;
      /* What is rounded must not let more through than there is, nor less than nothing. */
      const float left = through[k] - through[k] * (hidden > 0.0f ? hidden : 0.0f);

      through[k] = left > NEARLY_NOTHING ? left : NEARLY_NOTHING;
    }
}

/*
 * Multiplies what shows through a column of pixels by what shows through each of some lines. HL_LINE_STRONG_STEP
 * more on either side of through may be written. t is how far from the queries to the keys the column is, part how
 * much of its width lies between them.
 */
HL_KERNEL void
hl_line_strong_multiply (const HlStrongLine *lines,
                         guint               n_lines,
                         const HlLineBand   *band,
                         double              t,
                         float               part,
                         float              *through)
{
  float height = (float) band->height;

  for (guint i = 0; i < n_lines; i++)
    {
      const HlStrongLine *line = &lines[i];
      float y = (float) (line->y_query + t * (line->y_key - line->y_query) - band->y);
      float outer = 0.5f * (line->height + line->rise);
      float inner = 0.5f * (line->height - line->rise);
      float first = y - outer;
      float end = y + outer;

      if (!(end > 0.0f && first < height))
        continue;
      first = first > 0.0f ? first : 0.0f;
      end = end < height ? end : height;
      for (gint32 k = (gint32) first; (float) k < end; k += HL_LINE_STRONG_STEP)
        multiply (through + k, (float) k + 0.5f - y, outer, inner, line->strength * part);
    }
}

/* SPDX-License-Identifier: MIT */
/* The innermost loops of products, for every instruction set that is worth it. They are not clones of one source, as other kernels are,
 * because how many rows a tile has depends on how many registers there are. */
#include "core/compute/hl-tile.h"

#include <string.h>

#if defined(__x86_64__)

#define TILE(name) avx512_##name
#define TILE_TARGET __attribute__ ((target ("avx512f")))
#define TILE_LANES 16
#define TILE_ROWS 12
#define TILE_STAGES 4
#define TILE_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define TILE_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#include "core/compute/hl-tile-kernel.h"
#undef TILE
#undef TILE_TARGET
#undef TILE_LANES
#undef TILE_ROWS
#undef TILE_STAGES
#undef TILE_LOW
#undef TILE_HIGH

#define TILE(name) avx2_##name
#define TILE_TARGET __attribute__ ((target ("avx2,fma")))
#define TILE_LANES 8
#define TILE_ROWS 6
#define TILE_STAGES 3
#define TILE_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define TILE_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#include "core/compute/hl-tile-kernel.h"
#undef TILE
#undef TILE_TARGET
#undef TILE_LANES
#undef TILE_ROWS
#undef TILE_STAGES
#undef TILE_LOW
#undef TILE_HIGH

#endif

#define TILE(name) plain_##name
#define TILE_TARGET
#define TILE_LANES 4
#define TILE_ROWS 6
#define TILE_STAGES 2
#define TILE_LOW 0, 4, 1, 5
#define TILE_HIGH 2, 6, 3, 7
#include "core/compute/hl-tile-kernel.h"

/* Returns it, or %NULL when there are no more. */
const HlTile *
hl_tile_get (guint rank)
{
#if defined(__x86_64__)
  static const HlTile avx512 = { "AVX-512", 12, avx512_multiply, avx512_pack };
  static const HlTile avx2 = { "AVX2", 6, avx2_multiply, avx2_pack };

  if (__builtin_cpu_supports ("avx512f") && rank-- == 0)
    return &avx512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") && rank-- == 0)
    return &avx2;
#endif
  static const HlTile plain = { "plain", 6, plain_multiply, plain_pack };
  return rank == 0 ? &plain : NULL;
}

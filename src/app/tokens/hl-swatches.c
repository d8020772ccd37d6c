/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tokens/hl-swatches.h"

#include "app/base/hl-texture.h"
#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-patch-swatch.h"

/* Kept of each side: those of a grid of 64 × 64 patches. At two pixels a logical one they take 16 MiB. */
#define MAX_KEPT 4096

void
hl_swatches_clear (HlSwatches *self)
{
  g_return_if_fail (self != NULL);

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    g_clear_pointer (&self->textures[side], g_hash_table_unref);
  g_clear_object (&self->attention);
}

/* A square of so many logical pixels, which have scale device pixels a side; NULL where the token has none. It stays the store's. */
GdkTexture *
hl_swatches_lookup (HlSwatches  *self,
                    HlAttention *attention,
                    HlSide       side,
                    gsize        token,
                    double       size,
                    int          scale)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  if (self->attention != attention || self->size != size || self->scale != scale)
    {
      hl_swatches_clear (self);
      self->attention = g_object_ref (attention);
      self->size = size;
      self->scale = scale;
    }
  if (self->textures[side] == NULL)
    self->textures[side] = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  GdkTexture *texture = g_hash_table_lookup (self->textures[side], GSIZE_TO_POINTER (token));
  if (texture != NULL)
    return texture;

  g_autoptr (cairo_surface_t) surface = hl_patch_swatch_create (attention, side, token, size, scale);
  if (surface == NULL)
    return NULL;
  if (g_hash_table_size (self->textures[side]) >= MAX_KEPT)
    g_hash_table_remove_all (self->textures[side]);
  /* Opaque: the fourth byte of its pixels is 255. */
  texture = hl_texture_new_for_surface (surface);
  g_hash_table_insert (self->textures[side], GSIZE_TO_POINTER (token), texture);
  return texture;
}

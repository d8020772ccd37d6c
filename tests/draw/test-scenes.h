/* SPDX-License-Identifier: MIT */
/* What tests of scenes share: documents in memory, pictures of parts, and their comparison. */
#pragma once

#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

HlViewState     *test_make_state        (guint               n_layers,
                                         guint               n_heads,
                                         gsize               n_queries,
                                         gsize               n_keys,
                                         const float        *weights,
                                         const char *const  *tokens,
                                         gsize               sentence_b_start,
                                         HlMask              mask);
HlViewState     *test_make_random_state (guint               n_layers,
                                         guint               n_heads,
                                         gsize               n);
HlViewState     *test_make_picture_state (guint              n_layers,
                                         guint               n_heads,
                                         gsize               n_rows,
                                         gsize               n_columns);
HlScene         *test_make_scene        (HlViewKind          kind,
                                         HlViewState        *state,
                                         double              width,
                                         double              height,
                                         double              scale);
void             test_prepare           (HlScene            *scene);
cairo_surface_t *test_make_surface      (HlScene            *scene);
cairo_surface_t *test_draw_part         (HlScene            *scene,
                                         HlScenePart         part);
cairo_surface_t *test_draw_all          (HlScene            *scene);
guint32          test_get_pixel         (cairo_surface_t    *surface,
                                         double              x,
                                         double              y);
gboolean         test_is_blank          (cairo_surface_t    *surface);
void             test_assert_similar    (const char         *name,
                                         cairo_surface_t    *picture,
                                         cairo_surface_t    *reference,
                                         guint               max_difference,
                                         double              mean_difference);

G_END_DECLS

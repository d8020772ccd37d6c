/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"
#include "core/document/guess/hl-layout-axes.h"

G_BEGIN_DECLS

/**
 * HlLayoutAttention:
 * @kind: which attention it is
 * @paths: a tensor, or one for each layer; with @n_steps and without @outer, as many for each step, those of a step
 *   together; with @n_heads, as many for each layer
 * @axes: what the axes of each tensor are; with @n_heads, of those of a layer together
 * @ambiguous: whether they were guessed and could as well be others
 * @n_steps: how many steps of a generation, or examples, @paths are of; 0 if they are not
 * @is_generation: whether they are steps, each with the queries that follow those of the step before
 * @outer: the axis of each tensor that has an index for each step, plus 1; 0 if steps have tensors of their own
 * @n_heads: how many tensors of queries and keys each layer has, one of each head; 0 where they are not apart
 * @series: (nullable): of a series of members, what #HlOpenOptions calls it
 * @beams: (nullable): the path of numbers [sequence, step]: which item of a step's batch belongs to a sequence, or -1
 *   after its end
 * @places: (not nullable): set once, by who opens steps first: where the queries of each stand, so that not each of them that is opened
 *   counts all anew
 *
 * Where one kind of attention lies in a file.
 */
typedef struct
{
  HlAttentionKind kind;
  char        **paths;
  HlLayoutAxes  axes;
  gboolean      ambiguous;
  guint         n_steps;
  gboolean      is_generation;
  guint         outer;
  guint         n_heads;
  char         *series;
  char         *beams;
  GBytes      **places;
} HlLayoutAttention;

/**
 * HlLayout:
 * @attentions: (element-type HlLayoutAttention): what there is; at least one
 * @names: (element-type utf8 utf8): where the lists of tokens are, by what data/dump-format.md calls them
 * @are_unnamed: whether the strings in @names say nothing of themselves, so that they are tokens only if they are as many as positions
 * @notes: (element-type HlCheck): how it was read, and what it could be as well
 * @element: which element of a list it was found in that has a generation or a series for each example; -1 if in none
 *
 * How to read an example that is not as data/dump-format.md says. Immutable, but for what is kept of reading it.
 */
typedef struct
{
  GPtrArray  *attentions;
  GHashTable *names;
  gboolean    are_unnamed;
  GPtrArray  *notes;
  gint64      element;
} HlLayout;

HlLayout                *hl_layout_new                    (void);
guint                    hl_layout_get_n_steps            (const HlLayout          *self);
gboolean                 hl_layout_is_generation          (const HlLayout          *self);
HlLayout                *hl_layout_ref                    (HlLayout                *self);
void                     hl_layout_unref                  (HlLayout                *self);
const HlLayoutAttention *hl_layout_find_attention         (const HlLayout          *self,
                                                           HlAttentionKind          kind);
void                     hl_layout_attention_set_outer    (HlLayoutAttention       *self,
                                                           const HlShape           *shape);
char                    *hl_layout_attention_get_dataset  (const HlLayoutAttention *self);
guint                    hl_layout_attention_get_per_step (const HlLayoutAttention *self);
HlLayoutAttention        hl_layout_attention_get_step     (const HlLayoutAttention *self,
                                                           guint                    step);
char                    *hl_layout_get_path               (const HlLayout          *self,
                                                           const char              *name,
                                                           gint64                   step,
                                                           guint64                  batch,
                                                           HlArchive               *archive);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLayout, hl_layout_unref)

G_END_DECLS

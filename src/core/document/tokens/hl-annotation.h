/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_WORD_NONE:
 *
 * The head of a word of which none is known.
 */
#define HL_WORD_NONE -1

/**
 * HL_WORD_ROOT:
 *
 * The head of a word that depends on no other.
 */
#define HL_WORD_ROOT -2

/**
 * HlMention:
 * @entity: what it speaks of: mentions of the same entity have the same number
 * @first: its first word
 * @n: how many words, at least 1
 * @head: that of its words which stands for it
 *
 * Words that name something.
 */
typedef struct
{
  guint entity;
  guint first;
  guint n;
  guint head;
} HlMention;

/**
 * HlAnnotatedWord:
 * @form: as it is written
 * @head: the word it depends on, %HL_WORD_ROOT or %HL_WORD_NONE
 * @relation: (nullable): what it is to its head: "nsubj"
 * @space_after: whether a space follows
 *
 * A word of an annotated text.
 */
typedef struct
{
  char    *form;
  int      head;
  char    *relation;
  gboolean space_after;
} HlAnnotatedWord;

/**
 * HlAnnotation:
 *
 * The words of a text with what linguists say of them: dependencies and mentions. Immutable once it is filled, counted references.
 */
typedef struct _HlAnnotation HlAnnotation;

HlAnnotation          *hl_annotation_new            (void);
HlAnnotation          *hl_annotation_ref            (HlAnnotation       *self);
void                   hl_annotation_unref          (HlAnnotation       *self);
void                   hl_annotation_add_word       (HlAnnotation       *self,
                                                     const char         *form,
                                                     int                 head,
                                                     const char         *relation,
                                                     gboolean            space_after);
void                   hl_annotation_add_mention    (HlAnnotation       *self,
                                                     const HlMention    *mention);
void                   hl_annotation_append         (HlAnnotation       *self,
                                                     const HlAnnotation *other);
HlAnnotation          *hl_annotation_new_of_lists   (const char *const  *words,
                                                     const float        *heads,
                                                     const char *const  *relations,
                                                     gsize               n,
                                                     GError            **error);
guint                  hl_annotation_get_n          (const HlAnnotation *self);
const HlAnnotatedWord *hl_annotation_get_word       (const HlAnnotation *self,
                                                     guint               index);
guint                  hl_annotation_get_n_mentions (const HlAnnotation *self);
const HlMention       *hl_annotation_get_mention    (const HlAnnotation *self,
                                                     guint               index);
char                  *hl_annotation_make_text      (const HlAnnotation *self,
                                                     gsize              *starts);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlAnnotation, hl_annotation_unref)

G_END_DECLS

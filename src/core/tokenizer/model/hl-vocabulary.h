/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/json/hl-json-tree.h"

G_BEGIN_DECLS

/**
 * HlVocabulary:
 *
 * Strings and their ids. Ids need not be without gaps.
 */
typedef struct _HlVocabulary HlVocabulary;

HlVocabulary *hl_vocabulary_new          (void);
void          hl_vocabulary_free         (HlVocabulary        *self);
void          hl_vocabulary_reserve      (HlVocabulary        *self,
                                          guint32              n_tokens);
gboolean      hl_vocabulary_check        (const HlVocabulary  *self,
                                          const char          *token,
                                          gsize                length,
                                          GError             **error);
gboolean      hl_vocabulary_add          (HlVocabulary        *self,
                                          const char          *token,
                                          gsize                length,
                                          guint32              id,
                                          GError             **error);
gboolean      hl_vocabulary_add_once     (HlVocabulary        *self,
                                          const char          *token,
                                          gsize                length,
                                          guint32             *id);
gboolean      hl_vocabulary_add_object   (HlVocabulary        *self,
                                          HlJsonValue          object,
                                          GError             **error);
gboolean      hl_vocabulary_find         (const HlVocabulary  *self,
                                          const char          *token,
                                          gsize                length,
                                          guint32             *id);
void          hl_vocabulary_find_bytes   (const HlVocabulary  *self,
                                          guint32              ids[256]);
gboolean      hl_vocabulary_load_unknown (const HlVocabulary  *self,
                                          HlJsonValue          config,
                                          gboolean            *has_unknown,
                                          guint32             *unknown,
                                          GError             **error);
const char   *hl_vocabulary_get_token    (const HlVocabulary  *self,
                                          guint32              id);
guint32       hl_vocabulary_get_n_ids    (const HlVocabulary  *self);
guint32       hl_vocabulary_get_n_tokens (const HlVocabulary  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlVocabulary, hl_vocabulary_free)

G_END_DECLS

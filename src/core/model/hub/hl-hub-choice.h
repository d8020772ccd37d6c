/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hub/hl-hub-tree.h"

G_BEGIN_DECLS

/**
 * HlHubChoice:
 * @label: (nullable): of a GGUF file, its quantisation, or its path where that says nothing; %NULL of a folder
 * @file: (nullable): the path of the GGUF file, or of the first of several that belong together; %NULL of a folder
 * @index: (nullable): of @files, the one that names those with the weights, which hl_hub_choice_add_indexed() adds
 * @files: (element-type HlHubFile): all files that the model needs, those of the tree
 * @size: bytes of them together
 * @missing: of these, bytes that are not on this computer
 *
 * A model that can be had of a repository: the folder with its weights and its tokenizer, or a GGUF file.
 */
typedef struct
{
  char      *label;
  char      *file;
  HlHubFile *index;
  GPtrArray *files;
  guint64    size;
  guint64    missing;
} HlHubChoice;

GPtrArray *hl_hub_choices_new         (GPtrArray   *files,
                                       const char  *part,
                                       GError     **error);
gboolean   hl_hub_choice_add_indexed  (HlHubChoice *self,
                                       GPtrArray   *files,
                                       const char  *text,
                                       gsize        size,
                                       GError     **error);
guint      hl_hub_choices_get_default (GPtrArray   *choices);

G_END_DECLS

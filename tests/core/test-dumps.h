/* SPDX-License-Identifier: MIT */
/* Dumps in files, for tests: finding them, reading all of them, and what an error must look like. */
#pragma once

#include "core/document/hl-document.h"

G_BEGIN_DECLS

/* The path of a folder that goes with the variable. */
typedef char TestFolder;

GFile    *test_get_file         (const char   *folder,
                                 const char   *name);
char     *test_make_folder      (void);
void      test_remove_folder    (const char   *path);
void      test_folder_free      (TestFolder   *path);
gboolean  test_read_everything  (HlDocument   *document,
                                 guint        *n_warnings,
                                 GError      **error);
void      test_assert_sentence  (const GError *error);
char     *test_make_alike_name  (guint         number);
char     *test_find_python      (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, test_folder_free)

G_END_DECLS

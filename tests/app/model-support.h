/* SPDX-License-Identifier: MIT */
/* What the tests of models share: folders of models that read texts like “w3 w15”. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile *model_folder_new      (const char *checkpoint);
void   model_folder_remove   (GFile      *folder);

GFile *adapter_folder_new    (GFile      *base);
void   adapter_folder_remove (GFile      *folder);
void   adapter_write         (const char *folder,
                              GFile      *base);
void   adapter_remove        (GFile      *folder);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_worker_give_way (void);

/**
 * HlSharedError:
 *
 * What went wrong first in any of several threads. Begins as `{ NULL }`.
 */
typedef struct
{
  /*< private >*/
  GError *error;
} HlSharedError;

gboolean hl_shared_error_is_set    (HlSharedError  *self);
void     hl_shared_error_take      (HlSharedError  *self,
                                    GError         *error);
gboolean hl_shared_error_propagate (HlSharedError  *self,
                                    GError        **error);

G_END_DECLS

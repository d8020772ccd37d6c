/* SPDX-License-Identifier: MIT */
/* The kernels' cases: what test-kernels compares with double precision is what bench-kernels times. */
#pragma once

#include "core/base/tensor/hl-dtype.h"
#include "core/compute/hl-activation.h"

/* What is computed; the comments say what the sizes of a case are. */
typedef enum {
  KERNEL_TILE,     /* m, k */
  KERNEL_MATMUL,   /* m, n, k */
  KERNEL_PANELS,   /* m, n, k: with panels that were made beforehand */
  KERNEL_ATTEND,   /* queries, keys, features */
  KERNEL_SOFTMAX,  /* rows, keys */
  KERNEL_NORM,     /* rows, width */
  KERNEL_NORM_ADD, /* rows, width */
  KERNEL_ACTIVATE, /* rows, width */
  KERNEL_GATE,     /* rows, width */
  KERNEL_ROTARY,   /* positions, pairs, features that stay */
} KernelKind;

typedef struct
{
  KernelKind kind;
  gsize sizes[3];
  /* Products */
  HlDType dtype;
  gboolean plain_order; /* b is [k, n] */
  /* Attention */
  guint n_heads;
  guint n_key_heads; /* 0 for as many */
  gboolean causal;
  guint64 window;
  float softcap;
  gboolean has_bias; /* of attention by distance, of norms and activations by feature */
  /* Norms */
  gboolean centre;
  /* Activations */
  HlActivation activation;
} KernelCase;

/* A case with its numbers. */
typedef struct _KernelRun KernelRun;

extern const KernelCase kernel_cases[];
extern const guint n_kernel_cases;

char      *kernel_case_dup_name      (const KernelCase *self);
guint      kernel_case_get_key_heads (const KernelCase *self);
double     kernel_case_count         (const KernelCase *self);
KernelRun *kernel_run_new            (const KernelCase *kernel);
void       kernel_run_start          (KernelRun        *self);
double     kernel_run_get_error      (KernelRun        *self);
void       kernel_run_free           (KernelRun        *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KernelRun, kernel_run_free)

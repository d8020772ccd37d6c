/* SPDX-License-Identifier: MIT */
#pragma once

/**
 * HL_KERNEL:
 *
 * Put before a function with a hot loop: the compiler makes versions of it for wider vector units, and the
 * dynamic linker picks the best that the machine has. Plain C otherwise.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
  !defined(__SANITIZE_THREAD__)
#define HL_KERNEL __attribute__ ((target_clones ("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HL_KERNEL
#endif

/* SPDX-License-Identifier: MIT */
/* What is preloaded stands before functions of libraries, calls the next of that name, and tells the thread sanitizer what they order. */
#pragma once

#include <dlfcn.h>
#include <stddef.h>

/* Those of the sanitizer's run time; none in the other programs that a test starts. */
extern void __tsan_acquire (void *address) __attribute__ ((weak));
extern void __tsan_release (void *address) __attribute__ ((weak));

/* Another thread has done with what belongs to the address. */
static inline void
acquire (const volatile void *address)
{
  if (__tsan_acquire != NULL && address != NULL)
    __tsan_acquire ((void *) address);
}

/* This one has. */
static inline void
release (const volatile void *address)
{
  if (__tsan_release != NULL && address != NULL)
    __tsan_release ((void *) address);
}

/* The library's function of that name. Found more than once, it is the same. */
#define FIND(name)                                                                                                     \
  static __typeof__ (&name) next;                                                                                      \
  if (next == NULL)                                                                                                    \
  next = (__typeof__ (&name)) dlsym (RTLD_NEXT, #name)

/* SPDX-License-Identifier: MIT */
/* The subcommands. One is a file with a CliCommand in it, and a row here. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In the order of --help. */
#define CLI_COMMANDS(row) \
  row (info)              \
  row (families)          \
  row (models)            \
  row (download)          \
  row (tokens)            \
  row (recompute)         \
  row (predict)           \
  row (generate)          \
  row (render)            \
  row (stats)             \
  row (find_heads)        \
  row (probe)             \
  row (ablate)            \
  row (attribute)         \
  row (compare)           \
  row (convert)

/* @run takes the arguments, the command's own name first, and returns the exit status. */
typedef struct
{
  const char *name;
  const char *synopsis;
  const char *description;
  int (*run) (char **arguments);
} CliCommand;

#define CLI_DECLARE_COMMAND(name) extern const CliCommand cli_##name;
CLI_COMMANDS (CLI_DECLARE_COMMAND)

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/*
 * What can be done in a window, and in its pictures by keys: one table of all commands, with what each needs, its keys,
 * and what the window of shortcuts says about it. A new command is a row and a function.
 */
#pragma once

#include "app/commands/hl-command-subject.h"

G_BEGIN_DECLS

/* Where a command stands in the window of shortcuts. */
typedef enum
{
  HL_COMMANDS_HEADS,
  HL_COMMANDS_VIEW,
  HL_COMMANDS_COMPARISON,
  HL_COMMANDS_PICTURE,
  HL_COMMANDS_FILES,
  HL_COMMANDS_TEXT,
  HL_COMMANDS_RESULTS,
  HL_COMMANDS_GENERAL,
  HL_N_COMMAND_GROUPS,
} HlCommandGroup;

typedef struct
{
  const char *name; /* as a GAction of the window; none for keys of widgets, which are only listed */
  gboolean (*needs) (const HlCommandSubject *on);
  void (*activate) (const HlCommandSubject *on);       /* none for what others do, as app.quit */
  GVariant *(*get_state) (const HlCommandSubject *on); /* what it stands at */
  const char *parameter;                               /* its type */
  HlChanges follows; /* what decides over what it needs and where it stands, if not whatever changes more rarely */
  gboolean of_views; /* whether each view is a choice of it, with Ctrl and its number */
  const char *keys[4];
  const char *late_keys[3]; /* those that mean something else where text is edited or a list is walked, which see them
                             * first */
  HlCommandGroup group;
  const char *title; /* in the window of shortcuts, if it is there */
  const char *shown; /* the keys that are shown there, if not the first */
} HlCommand;

const HlCommand *hl_commands_get (guint *n);

G_END_DECLS

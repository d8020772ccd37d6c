/* SPDX-License-Identifier: MIT */
/* The examples of a document, as lists to choose from call them. */
#include "config.h"

#include "app/session/hl-example-names.h"

#include "core/base/hl-utf8.h"

/* More of a name is not seen. */
#define MAX_LETTERS 200

/* Those without a name are called by their numbers. */
GtkStringList *
hl_example_names_new (HlDocument *document)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (document), NULL);

  GtkStringList *names = gtk_string_list_new (NULL);

  for (guint i = 0; i < hl_document_get_n_examples (document); i++)
    {
      const char *name = hl_document_get_example_name (document, i);
      char *shown = name != NULL ? hl_utf8_shorten (name, MAX_LETTERS) : g_strdup_printf ("%u", i);
      hl_utf8_flatten (shown);
      gtk_string_list_take (names, shown);
    }
  return names;
}

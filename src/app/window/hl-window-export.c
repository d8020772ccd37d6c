/* SPDX-License-Identifier: MIT */
/* How figures leave a window. */
#include "config.h"

#include "app/window/hl-window-private.h"

#include "app/canvas/hl-figure.h"
#include "app/page/hl-export-dialog.h"
#include "app/session/hl-session-name.h"
#include "core/base/hl-file-name.h"

#include <glib/gi18n.h>
#include <string.h>

#define CLIPBOARD_SCALE 2

static HlScene *
create_scene (HlWindow *self)
{
  return hl_compare_view_create_scene (hl_document_page_get_compare_view (self->page));
}

static void
on_exported (HlWindow *self,
             GFile    *file,
             guint     n_left_out)
{
  g_autofree char *name = hl_file_dup_display_name (file);
  g_autofree char *title = NULL;

  if (n_left_out > 0)
    title =
      g_strdup_printf (ngettext ("Saved “%s”; %u line too faint to see is not in it",
                                 "Saved “%s”; %u lines too faint to see are not in it", n_left_out),
                       name, n_left_out);
  else
    title = g_strdup_printf (_ ("Saved “%s”"), name);
  hl_window_say (self, title, file, HL_SENTENCE_SECONDS);
}

static void
export_figure (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  HlWindow *self = data;
  g_autofree char *name = hl_session_dup_figure_name (self->session);
  g_autoptr (HlScene) scene = create_scene (self);
  GtkWidget *dialog = hl_export_dialog_new (scene, hl_document_page_get_file (self->page), name);

  g_signal_connect_object (dialog, "exported", G_CALLBACK (on_exported), self, G_CONNECT_SWAPPED);
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (self));
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Both kinds of a figure go onto the clipboard: whoever pastes takes what it can use. Made one after the other. */
static const struct
{
  HlExportFormat format;
  const char *type;
} copies[] = { { HL_EXPORT_PNG, "image/png" }, { HL_EXPORT_SVG, "image/svg+xml" } };

typedef struct
{
  HlWindow *window;
  HlFigure *figure;
  GdkContentProvider *providers[G_N_ELEMENTS (copies)];
  guint n_made;
} Copy;

static void
copy_free (Copy *copy)
{
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++)
    g_clear_object (&copy->providers[i]);
  g_object_unref (copy->figure);
  g_object_unref (copy->window);
  g_free (copy);
}

static void
finish_copy (Copy *copy)
{
  g_autoptr (GdkContentProvider) all = NULL;

  /* The union takes the providers over. */
  all = gdk_content_provider_new_union (copy->providers, G_N_ELEMENTS (copies));
  memset (copy->providers, 0, sizeof copy->providers);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (copy->window)), all);
  hl_window_say (copy->window, _ ("Figure copied"), NULL, HL_WORD_SECONDS);
}

static void make_copy (Copy *copy);

static void
on_copy_made (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  Copy *copy = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hl_figure_make_finish (copy->figure, result, NULL, &error);

  if (bytes == NULL)
    {
      hl_window_say (copy->window, error->message, NULL, HL_SENTENCE_SECONDS);
      copy_free (copy);
      return;
    }
  copy->providers[copy->n_made] =
    gdk_content_provider_new_for_bytes (copies[copy->n_made].type, bytes);
  if (++copy->n_made < G_N_ELEMENTS (copies))
    {
      make_copy (copy);
      return;
    }
  finish_copy (copy);
  copy_free (copy);
}

static void
make_copy (Copy *copy)
{
  const HlExportOptions options = { .format = copies[copy->n_made].format,
                                    .scale = CLIPBOARD_SCALE };

  hl_figure_make_async (copy->figure, &options, NULL, NULL, on_copy_made, copy);
}

static void
copy_figure (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  g_autoptr (HlScene) scene = create_scene (data);
  double width, height;

  hl_scene_get_viewport (scene, &width, &height, NULL);
  if (width <= 0 || height <= 0)
    return;
  Copy *copy = g_new0 (Copy, 1);
  copy->window = g_object_ref (data);
  copy->figure =
    hl_figure_new (scene, width, height, hl_view_state_get_options (hl_scene_get_state (scene))->dark);
  make_copy (copy);
}

static const GActionEntry entries[] = {
  { "export", export_figure },
  { "copy-figure", copy_figure },
};

void
hl_window_install_export_actions (HlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}

void
hl_window_update_export_actions (HlWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    hl_window_enable_action (self, entries[i].name, self->session != NULL);
}

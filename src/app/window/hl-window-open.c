/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/window/hl-window-open.h"

#include "app/base/hl-sample.h"
#include "app/live/hl-image-file.h"
#include "app/page/hl-arrival.h"
#include "app/session/hl-session-open.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n.h>

/* Where a file is open; NULL if it is in no window. */
static HlDocumentPage *
find_page_anywhere (GtkApplication *application,
                    GFile          *file,
                    HlWindow      **window)
{
  for (GList *item = gtk_application_get_windows (application); item != NULL; item = item->next)
    {
      HlDocumentPage *page = HL_IS_WINDOW (item->data) ? hl_window_find_page (item->data, file) : NULL;
      if (page == NULL)
        continue;
      *window = item->data;
      return page;
    }
  return NULL;
}

/* Of files that come together so many are read at once; of hundreds each would be read, and get its widgets, before anybody sees one. */
#define MOST_AT_ONCE 16

/* One of the files that come together, and of a model the image that came with it, and whether it is without its adapter. */
typedef struct
{
  GFile *file;
  GFile *image;
  gboolean is_bare;
} Incoming;

static void
prepare (HlDocumentPage *page,
         const Incoming *incoming)
{
  if (incoming->is_bare)
    hl_document_page_leave_adapter (page);
  if (incoming->image != NULL)
    hl_document_page_set_pixels (page, incoming->image);
}

/* Returns whether the file is read now. */
static gboolean
open_file (GtkApplication *application,
           HlWindow       *self,
           const Incoming *incoming,
           gboolean        is_late,
           HlArrival      *arrival)
{
  HlWindow *window;
  HlDocumentPage *open = find_page_anywhere (application, incoming->file, &window);

  if (open != NULL)
    {
      prepare (open, incoming);
      hl_arrival_add (arrival, open);
      if (!hl_arrival_settle (open))
        return FALSE;
      hl_window_show_page (window, open);
      gtk_window_present (GTK_WINDOW (window));
      return FALSE;
    }

  if (self == NULL)
    self = hl_window_get_active (application);
  HlDocumentPage *page = hl_window_add_page (self, incoming->file);
  prepare (page, incoming);
  hl_arrival_add (arrival, page);
  if (is_late)
    hl_document_page_put_off (page);
  else
    hl_window_load_page (self, page);
  gtk_window_present (GTK_WINDOW (self));
  return !is_late;
}

/* An image that comes alone is for the model that is looked at. */
static gboolean
show_image (GtkApplication *application,
            HlWindow       *self,
            GFile          *image)
{
  GtkWindow *window = self != NULL ? GTK_WINDOW (self) : gtk_application_get_active_window (application);
  HlDocumentPage *page = HL_IS_WINDOW (window) ? hl_window_get_page (HL_WINDOW (window)) : NULL;

  if (page == NULL || !hl_document_page_takes_pixels (page) || !hl_image_file_is_image (image))
    return FALSE;
  hl_document_page_set_pixels (page, image);
  gtk_window_present (window);
  return TRUE;
}

static void
say_left_out (HlWindow *window,
              guint     n)
{
  g_autofree char *text = g_strdup_printf (
    /* Translators: the second number is the most that can be opened together */
    ngettext ("%u more file is not opened: at most %u can be opened at once",
              "%u more files are not opened: at most %u can be opened at once", n),
    n, HL_LIMIT_FILES_AT_ONCE);

  hl_window_say (window, text);
}

/* Opens files that come together, or the folders of models, each in a tab in their order; the first that can be read is on top, and where
 * they are many, the last are read when somebody looks at them, and what is more than %HL_LIMIT_FILES_AT_ONCE is left out. One that is open
 * already is shown where it is. An image goes to the model that came with it, one to each. Without a window, that which was used last takes
 * them. */
void
hl_window_open_files (GtkApplication *application,
                      HlWindow       *self,
                      GFile         **files,
                      guint           n_files)
{
  g_autoptr (HlArrival) arrival = hl_arrival_new ();

  g_return_if_fail (GTK_IS_APPLICATION (application));
  g_return_if_fail (self == NULL || HL_IS_WINDOW (self));

  if (n_files == 1 && show_image (application, self, files[0]))
    return;
  const guint n_left_out = n_files - MIN (n_files, HL_LIMIT_FILES_AT_ONCE);
  n_files -= n_left_out;
  g_autoptr (GPtrArray) resolved = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree Incoming *incoming = g_new0 (Incoming, n_files);
  g_autofree gboolean *is_given = g_new0 (gboolean, n_files);
  for (guint i = 0; i < n_files; i++)
    {
      incoming[i].file = hl_session_resolve_file (files[i], &incoming[i].is_bare);
      g_ptr_array_add (resolved, incoming[i].file);
    }
  g_autofree int *models = hl_image_file_find_models ((GFile *const *) resolved->pdata, n_files);
  for (guint i = 0; i < n_files; i++)
    {
      if (models[i] < 0 || incoming[models[i]].image != NULL)
        continue;
      incoming[models[i]].image = files[i];
      is_given[i] = TRUE;
    }
  guint n_read = 0;
  for (guint i = 0; i < n_files; i++)
    if (!is_given[i] && open_file (application, self, &incoming[i], n_read >= MOST_AT_ONCE, arrival))
      n_read++;
  if (n_left_out > 0)
    say_left_out (self != NULL ? self : hl_window_get_active (application), n_left_out);
}

/* Opens a model with a text, or two; one that is open already gets them where it is. */
void
hl_window_open_text (GtkApplication *application,
                     HlWindow       *self,
                     GFile          *model,
                     const char     *text,
                     const char     *second_text)
{
  g_return_if_fail (GTK_IS_APPLICATION (application));
  g_return_if_fail (self == NULL || HL_IS_WINDOW (self));
  g_return_if_fail (G_IS_FILE (model));
  g_return_if_fail (text != NULL);

  HlWindow *window;
  HlDocumentPage *open = find_page_anywhere (application, model, &window);

  if (open == NULL)
    {
      g_autoptr (HlArrival) arrival = hl_arrival_new ();
      window = self != NULL ? self : hl_window_get_active (application);
      HlDocumentPage *page = hl_window_add_page (window, model);
      hl_document_page_set_texts (page, text, second_text);
      hl_arrival_add (arrival, page);
      hl_window_load_page (window, page);
    }
  else
    {
      hl_document_page_set_texts (open, text, second_text);
      if (hl_document_page_get_loading (open))
        hl_document_page_load (open);
      hl_window_show_page (window, open);
    }
  gtk_window_present (GTK_WINDOW (window));
}

/* Opens once more what was open in a window, in its order, each in a tab of its own. Only that which was on top is read at once, each of the
 * others when somebody looks at it: there may be many, or large ones. */
void
hl_window_open_saved (HlWindow            *self,
                      const HlSavedWindow *saved)
{
  g_autoptr (HlArrival) arrival = hl_arrival_new ();
  g_autoptr (GPtrArray) pages = g_ptr_array_new ();

  g_return_if_fail (HL_IS_WINDOW (self) && saved != NULL);

  for (guint i = 0; i < saved->tabs->len; i++)
    {
      const HlSavedTab *tab = saved->tabs->pdata[i];
      HlDocumentPage *page =
        hl_window_add_page (self, tab->session_file != NULL ? tab->session_file : tab->session->file);
      hl_document_page_set_saved (page, tab->session);
      g_ptr_array_add (pages, page);
    }
  /* That which was on top comes first. */
  if (pages->len > 0)
    hl_arrival_add (arrival, pages->pdata[saved->selected]);
  for (guint i = 0; i < pages->len; i++)
    if (i != saved->selected)
      hl_arrival_add (arrival, pages->pdata[i]);
  if (pages->len > 0)
    hl_window_load_page (self, pages->pdata[saved->selected]);
}

/* The model that comes along, on the text of the welcome page; without the model, what it computed before. */
void
hl_window_open_sample (GtkApplication *application,
                       HlWindow       *self)
{
  guint n_texts;
  const HlSampleText *first = hl_sample_get_texts (&n_texts);
  g_autoptr (GFile) model = hl_sample_find_model ();
  g_autoptr (GFile) dump = hl_sample_get_dump (first);

  if (model != NULL)
    hl_window_open_text (application, self, model, first->text, first->second_text);
  else
    hl_window_open_files (application, self, &dump, 1);
}

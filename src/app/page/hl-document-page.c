/* SPDX-License-Identifier: MIT */
/*
 * A tab. It opens its file or model in a worker and puts the panels around the scene. Opened again, it replaces the
 * session only when it could be read, and is looked at as before.
 */
#include "app/page/hl-document-page-private.h"

#include "app/base/hl-settings.h"
#include "app/canvas/hl-minimap.h"
#include "app/panels/hl-colour-panel.h"
#include "app/panels/hl-filter-panel.h"
#include "app/panels/hl-hiding-panel.h"
#include "app/panels/hl-order-panel.h"
#include "app/panels/hl-quantity-panel.h"
#include "app/panels/hl-score-panel.h"
#include "core/base/hl-file-name.h"

enum
{
  PROP_SESSION = 1,
  PROP_LOADING,
  PROP_SIDEBAR_VISIBLE,
  PROP_PANEL_VISIBLE,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlDocumentPage, hl_document_page, ADW_TYPE_BIN)

static void
hl_document_page_dispose (GObject *object)
{
  HlDocumentPage *self = HL_DOCUMENT_PAGE (object);

  if (self->file != NULL)
    hl_document_page_close (self);
  g_clear_object (&self->file);
  g_clear_object (&self->session_file);
  g_clear_object (&self->located);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (hl_document_page_parent_class)->dispose (object);
}

static void
hl_document_page_finalize (GObject *object)
{
  g_free (HL_DOCUMENT_PAGE (object)->name);
  G_OBJECT_CLASS (hl_document_page_parent_class)->finalize (object);
}

static void
hl_document_page_get_property (GObject    *object,
                               guint       id,
                               GValue     *value,
                               GParamSpec *pspec)
{
  HlDocumentPage *self = HL_DOCUMENT_PAGE (object);

  switch (id)
    {
    case PROP_SESSION:
      g_value_set_object (value, self->session);
      break;
    case PROP_LOADING:
      g_value_set_boolean (value, hl_document_page_get_loading (self));
      break;
    case PROP_SIDEBAR_VISIBLE:
      g_value_set_boolean (value, adw_flap_get_reveal_flap (self->sidebar_flap));
      break;
    case PROP_PANEL_VISIBLE:
      g_value_set_boolean (value, adw_flap_get_reveal_flap (self->panel_flap));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_document_page_set_property (GObject      *object,
                               guint         id,
                               const GValue *value,
                               GParamSpec   *pspec)
{
  HlDocumentPage *self = HL_DOCUMENT_PAGE (object);

  switch (id)
    {
    case PROP_SIDEBAR_VISIBLE:
      adw_flap_set_reveal_flap (self->sidebar_flap, g_value_get_boolean (value));
      break;
    case PROP_PANEL_VISIBLE:
      adw_flap_set_reveal_flap (self->panel_flap, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
on_sidebar_revealed (HlDocumentPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SIDEBAR_VISIBLE]);
}

static void
on_panel_revealed (HlDocumentPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PANEL_VISIBLE]);
}

static void
hl_document_page_class_init (HlDocumentPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags writable = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = hl_document_page_dispose;
  object_class->finalize = hl_document_page_finalize;
  object_class->get_property = hl_document_page_get_property;
  object_class->set_property = hl_document_page_set_property;

  properties[PROP_SESSION] = g_param_spec_object ("session", NULL, NULL, HL_TYPE_SESSION, readable);
  properties[PROP_LOADING] = g_param_spec_boolean ("loading", NULL, NULL, FALSE, readable);
  properties[PROP_SIDEBAR_VISIBLE] =
    g_param_spec_boolean ("sidebar-visible", NULL, NULL, TRUE, writable);
  properties[PROP_PANEL_VISIBLE] = g_param_spec_boolean ("panel-visible", NULL, NULL, TRUE, writable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /**
   * HlDocumentPage::ready:
   * @self: a page
   *
   * The file was opened, or opened again: there is a new session.
   */
  g_signal_new ("ready", HL_TYPE_DOCUMENT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /**
   * HlDocumentPage::failed:
   * @self: a page
   * @error: what went wrong, a sentence without the file's name
   *
   * The file, or an example in it, could not be read. A session that was there stays.
   */
  g_signal_new ("failed", HL_TYPE_DOCUMENT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  /**
   * HlDocumentPage::cancelled:
   * @self: a page
   *
   * Somebody did not want to wait for the file.
   */
  g_signal_new ("cancelled", HL_TYPE_DOCUMENT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (HL_TYPE_BANNER);
  g_type_ensure (HL_TYPE_COLOUR_PANEL);
  g_type_ensure (HL_TYPE_COMPARE_VIEW);
  g_type_ensure (HL_TYPE_EXAMPLE_PANEL);
  g_type_ensure (HL_TYPE_FILTER_PANEL);
  g_type_ensure (HL_TYPE_HEAD_PICKER);
  g_type_ensure (HL_TYPE_HIDING_PANEL);
  g_type_ensure (HL_TYPE_LATE_SPINNER);
  g_type_ensure (HL_TYPE_LOADING_PAGE);
  g_type_ensure (HL_TYPE_QUANTITY_PANEL);
  g_type_ensure (HL_TYPE_MINIMAP);
  g_type_ensure (HL_TYPE_SCENE_VIEW);
  g_type_ensure (HL_TYPE_ORDER_PANEL);
  g_type_ensure (HL_TYPE_SCORE_PANEL);
  g_type_ensure (HL_TYPE_SIDE_PANEL);
  g_type_ensure (HL_TYPE_TEXT_BAR);
  g_type_ensure (HL_TYPE_TOKEN_SEARCH);
  g_type_ensure (HL_TYPE_WAIT_NOTE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/headlight/Headlight/ui/document-page.ui");
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, stack);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, loading_page);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, sidebar_flap);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, panel_flap);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, head_picker);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, example_panel);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, side_panel);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, banner);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, token_search);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, scene_view);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, compare_view);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, spinner);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, wait_note);
  gtk_widget_class_bind_template_child (widget_class, HlDocumentPage, text_bar);
  gtk_widget_class_bind_template_callback (widget_class, hl_document_page_cancel);
  gtk_widget_class_bind_template_callback (widget_class, hl_document_page_session_failed);
  gtk_widget_class_bind_template_callback (widget_class, hl_document_page_scene_finished);
  gtk_widget_class_bind_template_callback (widget_class, hl_document_page_focus_scene);
  gtk_widget_class_bind_template_callback (widget_class, on_sidebar_revealed);
  gtk_widget_class_bind_template_callback (widget_class, on_panel_revealed);
  gtk_widget_class_bind_template_callback (widget_class, hl_document_page_update_banner);
  gtk_widget_class_bind_template_callback (widget_class, hl_document_page_update_spinner);
}

static void
hl_document_page_init (HlDocumentPage *self)
{
  self->settings = hl_settings_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * hl_document_page_new:
 * @file: a file
 *
 * Returns: (transfer floating): a page that does nothing before hl_document_page_load()
 */
GtkWidget *
hl_document_page_new (GFile *file)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  HlDocumentPage *self = g_object_new (HL_TYPE_DOCUMENT_PAGE, NULL);
  self->file = g_object_ref (file);
  self->name = hl_file_dup_display_name (file);
  return GTK_WIDGET (self);
}

/**
 * hl_document_page_get_file:
 * @self: a page
 *
 * Returns: (transfer none): the file
 */
GFile *
hl_document_page_get_file (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->file;
}

/**
 * hl_document_page_get_session_file:
 * @self: a page
 *
 * Returns: (transfer none) (nullable): the session file that it was opened from
 */
GFile *
hl_document_page_get_session_file (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->session_file;
}

/**
 * hl_document_page_set_located:
 * @self: a page of a session file, not loaded yet
 * @located: where the file is that the session shows
 */
void
hl_document_page_set_located (HlDocumentPage *self,
                              GFile          *located)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));
  g_set_object (&self->located, located);
}

/**
 * hl_document_page_get_name:
 * @self: a page
 *
 * Returns: the file's name, for people
 */
const char *
hl_document_page_get_name (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->name;
}

/**
 * hl_document_page_get_session:
 * @self: a page
 *
 * Returns: (transfer none) (nullable): the open document; %NULL before the file is read
 */
HlSession *
hl_document_page_get_session (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->session;
}

/**
 * hl_document_page_get_scene_view:
 * @self: a page
 *
 * Returns: (transfer none): the widget that shows the scene
 */
HlSceneView *
hl_document_page_get_scene_view (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->scene_view;
}

/**
 * hl_document_page_get_side_panel:
 * @self: a page
 *
 * Returns: (transfer none): the panel beside the scene
 */
HlSidePanel *
hl_document_page_get_side_panel (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->side_panel;
}

/**
 * hl_document_page_get_token_search:
 * @self: a page
 *
 * Returns: (transfer none): what finds tokens of the scene
 */
HlTokenSearch *
hl_document_page_get_token_search (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->token_search;
}

/**
 * hl_document_page_get_compare_view:
 * @self: a page
 *
 * Returns: (transfer none): the widget around the scene that compares it with another
 */
HlCompareView *
hl_document_page_get_compare_view (HlDocumentPage *self)
{
  g_return_val_if_fail (HL_IS_DOCUMENT_PAGE (self), NULL);
  return self->compare_view;
}

/**
 * hl_document_page_focus:
 * @self: a page with a session
 *
 * Lets the keyboard go where one begins: to the text, where there is one to type, otherwise to the scene.
 */
void
hl_document_page_focus (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  if (self->session != NULL && hl_session_get_live (self->session) != NULL)
    hl_text_bar_focus (self->text_bar);
  else
    hl_document_page_focus_scene (self);
}

/**
 * hl_document_page_focus_scene:
 * @self: a page
 *
 * Lets the keyboard go to the picture, where there is one.
 */
void
hl_document_page_focus_scene (HlDocumentPage *self)
{
  g_return_if_fail (HL_IS_DOCUMENT_PAGE (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->scene_view));
}

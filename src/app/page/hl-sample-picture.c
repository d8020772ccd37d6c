/* SPDX-License-Identifier: MIT */
/*
 * A head of the sample in the scene that documents are shown in, with a line of what it does. It is read from its file
 * when it is first seen, and costs the start nothing where a file is opened.
 */
#include "config.h"

#include "app/page/hl-sample-picture.h"

#include "app/base/hl-sample.h"
#include "app/widgets/hl-wrap-box.h"
#include "app/canvas/hl-scene-view.h"
#include "app/session/hl-session-open.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

/* It looks at the same word of the other sentence, and at [CLS] and [SEP] where there is none. */
#define LAYER 2
#define HEAD 9

struct _HlSamplePicture
{
  AdwBin parent_instance;

  HlSceneView *scene_view;
  GtkLabel *caption;

  HlSession *session;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (HlSamplePicture, hl_sample_picture, ADW_TYPE_BIN)

static void
show_session (HlSamplePicture *self)
{
  HlViewState *state = hl_session_get_view_state (self->session);
  HlViewOptions options = *hl_view_state_get_options (state);

  options.view = HL_VIEW_HEAD_VIEW;
  options.hide_special = TRUE;
  hl_view_state_set_options (state, &options);
  hl_view_state_go_to (state, LAYER, HEAD);
  g_object_bind_property (adw_style_manager_get_default (), "dark", state, "dark", G_BINDING_SYNC_CREATE);
  hl_scene_view_set_view_state (self->scene_view, state);
}

static void
on_opened (GObject      *source,
           GAsyncResult *result,
           gpointer      data)
{
  g_autoptr (HlSamplePicture) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSession) session = hl_session_open_finish (result, &error);

  g_clear_object (&self->cancellable);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (session == NULL)
    {
      g_autofree char *sentence = hl_sentence_of_error (error);
      gtk_label_set_label (self->caption, sentence);
      gtk_widget_set_visible (GTK_WIDGET (self->scene_view), FALSE);
      return;
    }
  self->session = g_steal_pointer (&session);
  show_session (self);
}

static void
open_sample (HlSamplePicture *self)
{
  guint n_texts;
  g_autoptr (GFile) file = hl_sample_get_dump (hl_sample_get_texts (&n_texts));
  g_autoptr (HlOpenRequest) request = hl_open_request_new (file);
  g_autoptr (HlProgress) progress = hl_progress_new ();

  self->cancellable = g_cancellable_new ();
  hl_session_open_async (request, NULL, progress, self->cancellable, on_opened, g_object_ref (self));
}

static void
hl_sample_picture_map (GtkWidget *widget)
{
  HlSamplePicture *self = HL_SAMPLE_PICTURE (widget);

  GTK_WIDGET_CLASS (hl_sample_picture_parent_class)->map (widget);
  if (self->session == NULL && self->cancellable == NULL)
    open_sample (self);
}

static void
hl_sample_picture_dispose (GObject *object)
{
  HlSamplePicture *self = HL_SAMPLE_PICTURE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->session != NULL)
    hl_session_close (self->session);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (hl_sample_picture_parent_class)->dispose (object);
}

static void
hl_sample_picture_class_init (HlSamplePictureClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hl_sample_picture_dispose;
  widget_class->map = hl_sample_picture_map;

  g_type_ensure (HL_TYPE_SCENE_VIEW);
  g_type_ensure (HL_TYPE_WRAP_BOX);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/sample-picture.ui");
  gtk_widget_class_bind_template_child (widget_class, HlSamplePicture, scene_view);
  gtk_widget_class_bind_template_child (widget_class, HlSamplePicture, caption);
}

static void
hl_sample_picture_init (HlSamplePicture *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* There is no panel here that would show them. */
  gtk_widget_action_set_enabled (GTK_WIDGET (self->scene_view), "scene.find-heads", FALSE);
}

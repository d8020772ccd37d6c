/* SPDX-License-Identifier: MIT */
/* It follows what the view is of: as soon as something light is looked at, it makes way. What was allowed is not asked again. */
#include "config.h"

#include "app/canvas/hl-reading-note.h"

#include "app/base/hl-accessible.h"
#include "view/hl-sentence.h"

struct _HlReadingNote
{
  AdwBin parent_instance;

  GtkLabel *label;
  GtkWidget *button;
  HlSceneView *scene_view;
  HlViewState *state;
};

enum
{
  PROP_SCENE_VIEW = 1,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlReadingNote, hl_reading_note, ADW_TYPE_BIN)

/* The keyboard goes to the button before the view gives it away, and back before the button is gone. */
static void
update (HlReadingNote *self)
{
  g_autoptr (GError) refusal = NULL;

  if (self->state != NULL && !hl_view_state_check_picture (self->state, &refusal))
    {
      g_autofree char *sentence = hl_sentence_of_error (refusal);
      gtk_label_set_label (self->label, sentence);
      gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
      hl_scene_view_set_stand_in (self->scene_view, self->button);
      return;
    }
  if (self->scene_view != NULL)
    hl_scene_view_set_stand_in (self->scene_view, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
on_state_changed (HlReadingNote *self,
                  HlChanges      changes)
{
  if (changes & ~(HlChanges) (HL_CHANGED_HOVER | HL_CHANGED_PIN | HL_CHANGED_GATHERED))
    update (self);
}

static void
set_state (HlReadingNote *self,
           HlViewState   *state)
{
  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  if (g_set_object (&self->state, state) && state != NULL)
    g_signal_connect_swapped (state, "changed", G_CALLBACK (on_state_changed), self);
  update (self);
}

static void
follow (HlReadingNote *self)
{
  set_state (self, hl_scene_view_get_view_state (self->scene_view));
}

static void
allow (GtkWidget  *widget,
       const char *action,
       GVariant   *parameter)
{
  HlViewState *state = HL_READING_NOTE (widget)->state;

  if (state != NULL)
    hl_view_state_allow_expansion (state, hl_view_state_reads_both (state));
}

static void
hl_reading_note_dispose (GObject *object)
{
  HlReadingNote *self = HL_READING_NOTE (object);

  if (self->scene_view != NULL)
    g_signal_handlers_disconnect_by_data (self->scene_view, self);
  if (self->label != NULL)
    set_state (self, NULL);
  g_clear_object (&self->scene_view);
  gtk_widget_dispose_template (GTK_WIDGET (self), HL_TYPE_READING_NOTE);
  G_OBJECT_CLASS (hl_reading_note_parent_class)->dispose (object);
}

static void
hl_reading_note_set_property (GObject      *object,
                              guint         id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  HlReadingNote *self = HL_READING_NOTE (object);

  switch (id)
    {
    case PROP_SCENE_VIEW:
      g_return_if_fail (self->scene_view == NULL);
      self->scene_view = g_value_dup_object (value);
      g_signal_connect_swapped (self->scene_view, "notify::view-state", G_CALLBACK (follow), self);
      follow (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_reading_note_class_init (HlReadingNoteClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hl_reading_note_dispose;
  object_class->set_property = hl_reading_note_set_property;

  /* In whose place it stands; set once. */
  properties[PROP_SCENE_VIEW] =
    g_param_spec_object ("scene-view", NULL, NULL, HL_TYPE_SCENE_VIEW, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gtk_widget_class_install_action (widget_class, "reading.allow", NULL, allow);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/reading-note.ui");
  gtk_widget_class_bind_template_child (widget_class, HlReadingNote, label);
  gtk_widget_class_bind_template_child (widget_class, HlReadingNote, button);
}

static void
hl_reading_note_init (HlReadingNote *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

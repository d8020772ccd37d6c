/* SPDX-License-Identifier: MIT */
/* A line over a document that says what is odd about it, with what to do about it: the first that matters. What was
 * dismissed is not said again. */
#include "config.h"

#include "app/session/hl-banner.h"

#include "app/base/hl-accessible.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

/* How serious it is. */
typedef enum
{
  INFO,
  WARNING,
  ERROR,
} Kind;

struct _HlBanner
{
  AdwBin parent_instance;

  GtkWidget *bar;
  GtkImage *icon;
  GtkLabel *label;
  GtkButton *action_button;
  GHashTable *dismissed;
  char *key; /* under which what is said will be dismissed */
};

enum
{
  DISMISSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlBanner, hl_banner, ADW_TYPE_BIN)

static void
hide (HlBanner *self)
{
  gtk_widget_set_visible (self->bar, FALSE);
}

static void
on_dismiss (HlBanner *self)
{
  g_hash_table_add (self->dismissed, g_strdup (self->key));
  hide (self);
  g_signal_emit (self, signals[DISMISSED], 0);
}

static void
hl_banner_finalize (GObject *object)
{
  g_hash_table_unref (HL_BANNER (object)->dismissed);
  g_free (HL_BANNER (object)->key);
  G_OBJECT_CLASS (hl_banner_parent_class)->finalize (object);
}

static void
hl_banner_class_init (HlBannerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->finalize = hl_banner_finalize;

  /* There may be something else to say. */
  signals[DISMISSED] =
    g_signal_new ("dismissed", HL_TYPE_BANNER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/headlight/Headlight/ui/banner.ui");
  gtk_widget_class_bind_template_child (widget_class, HlBanner, bar);
  gtk_widget_class_bind_template_child (widget_class, HlBanner, icon);
  gtk_widget_class_bind_template_child (widget_class, HlBanner, label);
  gtk_widget_class_bind_template_child (widget_class, HlBanner, action_button);
  gtk_widget_class_bind_template_callback (widget_class, on_dismiss);
}

static void
hl_banner_init (HlBanner *self)
{
  self->dismissed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  hl_accessible_name_buttons (GTK_WIDGET (self));
}

/* Unless what has that key was dismissed before. The label has a mnemonic. */
static gboolean
show_once (HlBanner   *self,
           Kind        kind,
           const char *key,
           const char *text,
           const char *label,
           const char *action)
{
  static const char *const icons[] = { "dialog-information-symbolic", "dialog-warning-symbolic",
                                       "dialog-error-symbolic" };
  static const char *const classes[] = { "info", NULL, "error" };

  if (g_hash_table_contains (self->dismissed, key))
    return FALSE;
  g_free (self->key);
  self->key = g_strdup (key);
  gtk_label_set_label (self->label, text);
  gtk_image_set_from_icon_name (self->icon, icons[kind]);
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (classes[i] != NULL && i == kind)
      gtk_widget_add_css_class (self->bar, classes[i]);
    else if (classes[i] != NULL)
      gtk_widget_remove_css_class (self->bar, classes[i]);
  gtk_widget_set_visible (GTK_WIDGET (self->action_button), label != NULL);
  if (label != NULL)
    {
      gtk_button_set_label (self->action_button, label);
      gtk_actionable_set_action_name (GTK_ACTIONABLE (self->action_button), action);
      hl_accessible_name_buttons (GTK_WIDGET (self->action_button));
    }
  gtk_widget_set_visible (self->bar, TRUE);
  return TRUE;
}

static gboolean
show (HlBanner   *self,
      Kind        kind,
      const char *text,
      const char *label,
      const char *action)
{
  return show_once (self, kind, text, text, label, action);
}

static HlFileState
get_file_state (HlSession *session)
{
  HlFileWatch *watch = session != NULL ? hl_session_get_watch (session) : NULL;

  return watch != NULL ? hl_file_watch_get_state (watch) : HL_FILE_AS_READ;
}

/* Once for each change: what is seen is of what was read, as a whole, until somebody has it read again. Of what is compared, the first
 * side is spoken of first. */
static gboolean
show_change (HlBanner  *self,
             HlSession *session,
             HlSession *other)
{
  const gboolean is_other = get_file_state (session) == HL_FILE_AS_READ;
  HlSession *changed = is_other ? other : session;
  const HlFileState state = get_file_state (changed);

  if (state == HL_FILE_AS_READ)
    return FALSE;
  const gboolean is_model = hl_session_get_live (changed) != NULL;
  if (state == HL_FILE_GONE)
    return show (self, WARNING,
                 is_other   ? _ ("What it is compared with is no longer where it was; what was read of it stays")
                 : is_model ? _ ("The model is no longer where it was; what was read of it stays")
                            : _ ("The file is no longer where it was; what was read of it stays"),
                 NULL, NULL);
  return show_once (self, WARNING, hl_file_watch_get_said (hl_session_get_watch (changed)),
                    is_other   ? _ ("What it is compared with was changed after it was read")
                    : is_model ? _ ("The model was changed after it was read")
                               : _ ("The file was changed after it was read"),
                    _ ("_Read Again"), "win.reload");
}

/* Whether some check is about something that can be done. */
static gboolean
has_topic (GListModel  *checks,
           HlCheckTopic topic)
{
  for (guint i = 0; i < g_list_model_get_n_items (checks); i++)
    {
      g_autoptr (HlCheck) check = g_list_model_get_item (checks, i);
      if (hl_check_get_topic (check) == topic)
        return TRUE;
    }
  return FALSE;
}

static gboolean
show_scores (HlBanner  *self,
             HlSession *session)
{
  return has_topic (hl_session_get_checks (session), HL_CHECK_TOPIC_SCORES) &&
         show (self, WARNING, _ ("These look like scores before the softmax"), _ ("Show Softmax"), "win.softmax");
}

static gboolean
show_unknown (HlBanner  *self,
              HlSession *session)
{
  return has_topic (hl_session_get_checks (session), HL_CHECK_TOPIC_UNKNOWN) &&
         show (self, WARNING, _ ("Most of the text is unknown to the model, but its letters by themselves are known"),
               _ ("Use Single Lette_rs"), "win.space-letters");
}

static gboolean
show_guess (HlBanner  *self,
            HlSession *session)
{
  HlLayoutAxes axes;

  if (hl_session_get_live (session) != NULL || !has_topic (hl_session_get_checks (session), HL_CHECK_TOPIC_AXES))
    return FALSE;
  hl_document_get_axes (hl_session_get_document (session), hl_session_get_example_index (session), &axes);
  g_autofree char *meaning = hl_layout_axes_describe (&axes);
  /* Translators: %s is as “layer × head × query × key” */
  g_autofree char *text = g_strdup_printf (_ ("The axes were guessed: %s"), meaning);
  return show (self, INFO, text, _ ("Axes…"), "win.axes");
}

/* All else that is odd: the first, and how many there are. */
static gboolean
show_warnings (HlBanner  *self,
               HlSession *session)
{
  GListModel *checks = hl_session_get_checks (session);
  g_autofree char *first = NULL;
  guint n_warnings = 0;

  for (guint i = 0; i < g_list_model_get_n_items (checks); i++)
    {
      g_autoptr (HlCheck) check = g_list_model_get_item (checks, i);
      if (hl_check_get_severity (check) != HL_SEVERITY_WARNING || hl_check_get_topic (check) == HL_CHECK_TOPIC_SCORES ||
          hl_check_get_topic (check) == HL_CHECK_TOPIC_UNKNOWN)
        continue;
      if (n_warnings++ == 0)
        first = hl_sentence_new (hl_check_get_message (check));
    }
  if (n_warnings == 0)
    return FALSE;
  if (n_warnings == 1)
    return show (self, WARNING, first, NULL, NULL);
  /* Translators: the first thing that looks odd about a file, then how many more there are */
  g_autofree char *text =
    g_strdup_printf (ngettext ("%s (and %u more)", "%s (and %u more)", n_warnings - 1), first, n_warnings - 1);
  return show (self, WARNING, text, NULL, NULL);
}

/* @other is what the session is compared with, or NULL. */
void
hl_banner_update (HlBanner   *self,
                  HlSession  *session,
                  HlSession  *other,
                  const char *error)
{
  g_return_if_fail (HL_IS_BANNER (self));
  g_return_if_fail (session == NULL || HL_IS_SESSION (session));

  if (session == NULL)
    {
      hide (self);
      return;
    }
  g_autofree char *sentence = error != NULL ? hl_sentence_new (error) : NULL;
  if (!show_change (self, session, other) && (sentence == NULL || !show (self, ERROR, sentence, NULL, NULL)) &&
      !show_scores (self, session) && !show_unknown (self, session) && !show_guess (self, session) &&
      !show_warnings (self, session))
    hide (self);
}

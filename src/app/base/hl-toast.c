/* SPDX-License-Identifier: MIT */
/*
 * A window says one thing at a time, and what is new takes the place of what stood there: who exports ten figures need
 * not wait for ten messages to go, and AdwToastOverlay (1.2) does not outlive two that go at once.
 */
#include "config.h"

#include "app/base/hl-toast.h"

#include "app/base/hl-motion.h"
#include "core/base/file/hl-file-name.h"
#include "core/base/hl-utf8.h"
#include "view/hl-sentence.h"

#include <glib/gi18n.h>

#define KEY "hl-toast"
#define BEFORE_KEY "hl-toast-before"

/* What an overlay says at the moment. */
typedef struct
{
  AdwToast *toast;
  guint timeout;
  GObject *subject; /* with whose signal it goes */
  gulong subject_id;
} Said;

static void
leave_subject (Said *said)
{
  if (said->subject != NULL)
    g_clear_signal_handler (&said->subject_id, said->subject);
  g_clear_object (&said->subject);
}

static void
said_free (gpointer data)
{
  Said *said = data;

  g_clear_handle_id (&said->timeout, g_source_remove);
  leave_subject (said);
  g_object_unref (said->toast);
  g_free (said);
}

static GtkWidget *
find_focus (AdwToastOverlay *overlay)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (overlay));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

static void
weak_ref_free (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

/* Who is at a button of a toast that goes is back where they were. Else the window would look for another place with the next
 * frame, and GTK 4.8 writes a critical message where that is a text that can be selected: it asks where the focus came from. */
static void
give_focus_back (AdwToast        *toast,
                 AdwToastOverlay *overlay)
{
  g_autoptr (GtkWidget) before = g_weak_ref_get (g_object_get_data (G_OBJECT (toast), BEFORE_KEY));
  GtkWidget *focus = find_focus (overlay), *child = adw_toast_overlay_get_child (overlay);

  if (focus == NULL || child == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (overlay)) || focus == child ||
      gtk_widget_is_ancestor (focus, child))
    return;
  if (before == NULL || !gtk_widget_get_mapped (before) ||
      gtk_widget_get_root (before) != gtk_widget_get_root (GTK_WIDGET (overlay)) || !gtk_widget_grab_focus (before))
    gtk_widget_child_focus (child, GTK_DIR_TAB_FORWARD);
}

static void
keep_focus (AdwToastOverlay *overlay,
            AdwToast        *toast)
{
  GWeakRef *before = g_new0 (GWeakRef, 1);

  g_weak_ref_init (before, find_focus (overlay));
  g_object_set_data_full (G_OBJECT (toast), BEFORE_KEY, before, weak_ref_free);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (give_focus_back), overlay, 0);
}

/* A toast comes at once, and only goes slowly: one of libadwaita 1.2 that is dismissed while it comes is freed when it
 * has gone, and written to when it has come. Whichever is last in a frame that took long ends the program. */
static void
show (AdwToastOverlay *overlay,
      AdwToast        *toast)
{
  keep_focus (overlay, toast);
  hl_motion_hold (GTK_WIDGET (overlay));
  adw_toast_overlay_add_toast (overlay, g_object_ref (toast));
  hl_motion_resume (GTK_WIDGET (overlay));
}

static gboolean
on_timeout (gpointer data)
{
  Said *said = data;

  said->timeout = 0;
  adw_toast_dismiss (said->toast);
  return G_SOURCE_REMOVE;
}

static void
on_dismissed (AdwToastOverlay *overlay)
{
  g_object_set_data (G_OBJECT (overlay), KEY, NULL);
}

static GtkWidget *
create_title (const char *text)
{
  GtkWidget *title = gtk_label_new (text);

  /* A sentence must be readable to its end, which a toast's own title is not. */
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (title), PANGO_WRAP_WORD_CHAR);
  /* By itself a label that may break within a word asks for so little room that it does. */
  gtk_label_set_natural_wrap_mode (GTK_LABEL (title), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 70);
  return title;
}

/* Says something that nobody has to answer, but may: by an action whose parameter is a string. */
void
hl_toast_offer (AdwToastOverlay *overlay,
                const char      *text,
                const char      *label,
                const char      *action,
                const char      *target,
                guint            seconds)
{
  Said *said = g_object_get_data (G_OBJECT (overlay), KEY);
  const gboolean is_new = said == NULL;

  if (is_new)
    {
      said = g_new0 (Said, 1);
      said->toast = adw_toast_new ("");
      g_object_set_data_full (G_OBJECT (overlay), KEY, said, said_free);
      adw_toast_set_timeout (said->toast, 0);
      g_signal_connect_object (said->toast, "dismissed", G_CALLBACK (on_dismissed), overlay, G_CONNECT_SWAPPED);
    }
  g_autofree char *bounded = hl_utf8_bound (text);
  adw_toast_set_custom_title (said->toast, create_title (bounded));
  adw_toast_set_button_label (said->toast, label);
  /* A button that is seen complains of an action without the parameter that it needs, and of one that it does not take. */
  adw_toast_set_action_name (said->toast, NULL);
  if (target != NULL)
    adw_toast_set_action_target (said->toast, "s", target);
  else
    adw_toast_set_action_target_value (said->toast, NULL);
  adw_toast_set_action_name (said->toast, action);
  leave_subject (said);
  g_clear_handle_id (&said->timeout, g_source_remove);
  said->timeout = g_timeout_add_seconds (seconds, on_timeout, said);
  if (is_new)
    show (overlay, said->toast);
}

/* Says something that nobody has to answer, and of a file, offers to open its folder. */
void
hl_toast_say (AdwToastOverlay *overlay,
              const char      *text,
              GFile           *file,
              guint            seconds)
{
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;
  g_autofree char *uri = folder != NULL ? g_file_get_uri (folder) : NULL;

  hl_toast_offer (overlay, text, uri != NULL ? _ ("Open _Folder") : NULL, uri != NULL ? "win.open-folder" : NULL, uri,
                  seconds);
}

/* What went wrong, where what it is about need not be named. */
void
hl_toast_say_error (AdwToastOverlay *overlay,
                    const GError    *error)
{
  g_autofree char *sentence = hl_sentence_of_error (error);

  hl_toast_say (overlay, sentence, NULL, HL_TOAST_SENTENCE_SECONDS);
}

void
hl_toast_say_saved (AdwToastOverlay *overlay,
                    GFile           *target,
                    const GError    *error)
{
  g_autofree char *name = hl_file_dup_display_name (target);
  g_autofree char *text = error == NULL ? g_strdup_printf (_ ("Saved “%s”"), name)
                                        : g_strdup_printf ("%s: %s", name, error->message);

  hl_toast_say (overlay, text, error == NULL ? target : NULL, HL_TOAST_SENTENCE_SECONDS);
}

/* Whether that is what it says at the moment. */
gboolean
hl_toast_says (AdwToastOverlay *overlay,
               const char      *text)
{
  const Said *said = g_object_get_data (G_OBJECT (overlay), KEY);
  GtkWidget *title = said != NULL ? adw_toast_get_custom_title (said->toast) : NULL;
  g_autofree char *bounded = hl_utf8_bound (text);

  return title != NULL && g_str_equal (gtk_label_get_label (GTK_LABEL (title)), bounded);
}

/* Takes away what is said, whatever it is. */
void
hl_toast_dismiss (AdwToastOverlay *overlay)
{
  const Said *said = g_object_get_data (G_OBJECT (overlay), KEY);
  g_autoptr (AdwToast) toast = said != NULL ? g_object_ref (said->toast) : NULL;

  if (toast != NULL)
    adw_toast_dismiss (toast);
}

static gboolean
on_key (AdwToastOverlay *overlay,
        guint            key,
        guint            code,
        GdkModifierType  modifiers)
{
  if (key == GDK_KEY_Escape && (modifiers & gtk_accelerator_get_default_mod_mask ()) == 0)
    hl_toast_dismiss (overlay);
  return GDK_EVENT_PROPAGATE;
}

/* By itself an overlay keeps the Escape that takes away what it says. Who presses it means what is below as well. To be
 * called once. */
void
hl_toast_share_escape (AdwToastOverlay *overlay)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), overlay);
  gtk_widget_add_controller (GTK_WIDGET (overlay), keys);
}

static void
on_subject (Said *said)
{
  g_clear_handle_id (&said->timeout, g_source_remove);
  said->timeout = g_idle_add (on_timeout, said);
}

/* What is said now goes once an object emits a signal: what it offers would be about something else then. Not within the signal,
 * which the button of the toast itself may have brought about. */
void
hl_toast_end_with (AdwToastOverlay *overlay,
                   gpointer         object,
                   const char      *signal)
{
  Said *said = g_object_get_data (G_OBJECT (overlay), KEY);

  g_return_if_fail (said != NULL);

  leave_subject (said);
  said->subject = g_object_ref (object);
  said->subject_id = g_signal_connect_swapped (object, signal, G_CALLBACK (on_subject), said);
}

/* What is said in one place is said in another from now on. */
void
hl_toast_move (AdwToastOverlay *overlay,
               AdwToastOverlay *target)
{
  const Said *said = g_object_get_data (G_OBJECT (overlay), KEY);

  g_return_if_fail (said != NULL && overlay != target);

  const char *text = gtk_label_get_label (GTK_LABEL (adw_toast_get_custom_title (said->toast)));
  GVariant *parameter = adw_toast_get_action_target_value (said->toast);
  hl_toast_offer (target, text, adw_toast_get_button_label (said->toast), adw_toast_get_action_name (said->toast),
                  parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL, HL_TOAST_SENTENCE_SECONDS);
  hl_toast_dismiss (overlay);
}

/* To be called once its window goes. */
void
hl_toast_clear (AdwToastOverlay *overlay)
{
  const Said *said = g_object_get_data (G_OBJECT (overlay), KEY);

  if (said == NULL)
    return;
  g_signal_handlers_disconnect_by_func (said->toast, on_dismissed, overlay);
  on_dismissed (overlay);
}

/* SPDX-License-Identifier: MIT */
/* Asks the hub, by libsoup. Redirections are followed here, since the token is for the hub alone: not for the host that it leads to for the
 * bytes of a file, nor for the same host by another protocol or port. */
#include "config.h"

#include "core/model/hub/hl-hub-client.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/hub/hl-hub-place.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

/* Who says nothing for so long has gone. */
#define TIMEOUT_SECONDS 30

/* The list of the files of the largest repositories is a megabyte a page. */
#define READ_BYTES 65536

/* Until it is given up: waits of a quarter of a second, a half, one and two. */
#define MAX_FAILURES 5
#define FIRST_WAIT_MICROSECONDS 250000
#define MAX_WAIT_SECONDS 120

struct _HlHubClient
{
  SoupSession *session;
  GUri *endpoint;
  char *address; /* of the endpoint */
  char *token;   /* nullable */
  HlProgress *progress;
  gboolean has_told_proxy; /* the password in its address */
};

/* A proxy is told at once what stands in its address. Where it has to ask for it, libsoup 3.2 wants a tunnel to the proxy itself, or tells a
 * wrong password again and again. Within a tunnel it would be the hub that reads it. */
static void
tell_proxy (HlHubClient *self,
            SoupMessage *message)
{
  g_autofree char *address = g_uri_to_string (soup_message_get_uri (message));
  const gboolean is_open = g_str_has_prefix (address, "http:");

  if (!is_open && !g_str_equal (soup_message_get_method (message), SOUP_METHOD_CONNECT))
    return;
  g_auto (GStrv) proxies = g_proxy_resolver_lookup (g_proxy_resolver_get_default (), address, NULL, NULL);
  g_autoptr (GUri) proxy = proxies != NULL && *proxies != NULL ? g_uri_parse (*proxies, G_URI_FLAGS_HAS_PASSWORD, NULL)
                                                               : NULL;
  if (proxy == NULL || !g_str_has_prefix (g_uri_get_scheme (proxy), "http") || g_uri_get_user (proxy) == NULL)
    return;
  const char *password = g_uri_get_password (proxy);
  g_autofree char *both = g_strdup_printf ("%s:%s", g_uri_get_user (proxy), password != NULL ? password : "");
  g_autofree char *encoded = g_base64_encode ((const guchar *) both, strlen (both));
  g_autofree char *text = g_strconcat ("Basic ", encoded, NULL);
  soup_message_headers_replace (soup_message_get_request_headers (message), "Proxy-Authorization", text);
  self->has_told_proxy = TRUE;
}

/**
 * hl_hub_client_new:
 * @progress: (nullable): is told what is waited for
 * @error: %HL_ERROR_UNSUPPORTED when the hub is not to be asked, or cannot be; %HL_ERROR_VALUE when its address or the token is none
 *
 * Returns: (transfer full): a client
 */
HlHubClient *
hl_hub_client_new (HlProgress *progress,
                   GError    **error)
{
  g_autoptr (HlHubClient) self = g_new0 (HlHubClient, 1);
  const char *variable;

  if (hl_hub_place_is_offline (&variable))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("nothing is downloaded, since %s is set"), variable);
      return NULL;
    }
  self->address = hl_hub_place_get_endpoint ();
  self->endpoint = g_uri_parse (self->address, SOUP_HTTP_URI_FLAGS, NULL);
  if (self->endpoint == NULL || g_uri_get_host (self->endpoint) == NULL ||
      (g_strcmp0 (g_uri_get_scheme (self->endpoint), "https") != 0 &&
       g_strcmp0 (g_uri_get_scheme (self->endpoint), "http") != 0))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("HF_ENDPOINT is not the address of a hub: %s"), self->address);
      return NULL;
    }
  if (!hl_hub_place_load_token (&self->token, error))
    return NULL;
  self->progress = progress;
  self->session =
    soup_session_new_with_options ("timeout", TIMEOUT_SECONDS, "user-agent", "headlight/" HL_VERSION, NULL);
  /* Nobody is asked for a password, and nothing is unpacked that may be larger than it says. */
  soup_session_remove_feature_by_type (self->session, SOUP_TYPE_AUTH_MANAGER);
  soup_session_remove_feature_by_type (self->session, SOUP_TYPE_CONTENT_DECODER);
  g_signal_connect_swapped (self->session, "request-queued", G_CALLBACK (tell_proxy), self);
  return g_steal_pointer (&self);
}

void
hl_hub_client_free (HlHubClient *self)
{
  g_clear_object (&self->session);
  g_clear_pointer (&self->endpoint, g_uri_unref);
  g_free (self->address);
  g_free (self->token);
  g_free (self);
}

/* Ports that are not written are those of the protocol. */
static int
get_port (GUri *uri)
{
  return g_uri_get_port (uri) != -1 ? g_uri_get_port (uri) : g_str_equal (g_uri_get_scheme (uri), "https") ? 443 : 80;
}

/* Whether an address is of the hub itself, which alone may see the token. */
static gboolean
is_hub (HlHubClient *self,
        GUri        *uri)
{
  return g_str_equal (g_uri_get_scheme (uri), g_uri_get_scheme (self->endpoint)) &&
         g_ascii_strcasecmp (g_uri_get_host (uri), g_uri_get_host (self->endpoint)) == 0 &&
         get_port (uri) == get_port (self->endpoint);
}

/* Waits, unless it is cancelled, which is then the error in place of the one that is there. */
static gboolean
wait_for (HlHubClient  *self,
          gint64        microseconds,
          const char   *why,
          GCancellable *cancellable,
          GError      **error)
{
  GPollFD poll;

  hl_progress_set (self->progress, self->progress != NULL ? hl_progress_get_fraction (self->progress) : 0, why);
  if (cancellable != NULL && g_cancellable_make_pollfd (cancellable, &poll))
    {
      g_poll (&poll, 1, (gint) (microseconds / 1000));
      g_cancellable_release_fd (cancellable);
    }
  else
    g_usleep ((gulong) microseconds);
  g_clear_error (error);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/**
 * hl_hub_client_wait:
 * @self: a client
 * @n_failures: how often it was tried, from 1
 * @cancellable: (nullable): to stop it
 * @error: (inout): why it has to be tried again; %NULL afterwards, if it is to be
 *
 * Waits before it is tried again, longer each time.
 *
 * Returns: whether to try again: not when it was tried often enough, nor when it is cancelled
 */
gboolean
hl_hub_client_wait (HlHubClient  *self,
                    guint         n_failures,
                    GCancellable *cancellable,
                    GError      **error)
{
  return n_failures < MAX_FAILURES && wait_for (self, (gint64) FIRST_WAIT_MICROSECONDS << (n_failures - 1),
                                                _ ("The connection was lost; trying again"), cancellable, error);
}

/* A server that has too much to do says when to come back, in seconds. */
static gboolean
wait_as_told (HlHubClient  *self,
              SoupMessage  *message,
              guint         n_failures,
              GCancellable *cancellable,
              GError      **error)
{
  const char *told = soup_message_headers_get_one (soup_message_get_response_headers (message), "Retry-After");
  guint64 seconds = 0;

  if (told == NULL || !g_ascii_string_to_unsigned (told, 10, 0, G_MAXUINT32, &seconds, NULL))
    return hl_hub_client_wait (self, n_failures, cancellable, error);
  g_autofree char *text = g_strdup_printf (_ ("The hub says to wait for %u s"), (guint) seconds);
  if (seconds <= MAX_WAIT_SECONDS && n_failures < MAX_FAILURES)
    return wait_for (self, (gint64) seconds * G_USEC_PER_SEC, text, cancellable, error);
  g_clear_error (error);
  g_set_error (error, HL_ERROR, HL_ERROR_IO,
               g_dngettext (GETTEXT_PACKAGE, "the hub is asked too much: it says to come back in %u second",
                            "the hub is asked too much: it says to come back in %u seconds", (gulong) seconds),
               (guint) seconds);
  return FALSE;
}

/* A sentence for what the hub refuses. What it says itself is in English, and for programs. */
static void
set_refused (HlHubClient *self,
             SoupMessage *message,
             GError     **error)
{
  const guint status = soup_message_get_status (message);
  const char *code = soup_message_headers_get_one (soup_message_get_response_headers (message), "X-Error-Code");
  const char *host = g_uri_get_host (self->endpoint);
  g_autofree char *place = hl_hub_place_describe_token ();

  if (g_strcmp0 (code, "GatedRepo") == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                 self->token != NULL
                   ? _ ("its authors want their terms to be agreed to first, on its page on %s")
                   : _ ("its authors want their terms to be agreed to first, on its page on %s, and then "
                        "a token of who has agreed, in %s"),
                 host, place);
  else if (g_strcmp0 (code, "RevisionNotFound") == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no such revision of it on %s"), host);
  else if (status == SOUP_STATUS_UNAUTHORIZED || status == SOUP_STATUS_NOT_FOUND ||
           g_strcmp0 (code, "RepoNotFound") == 0)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
                 self->token != NULL
                   ? _ ("there is no such model or file on %s, or the token does not allow it")
                   : _ ("there is no such model or file on %s, or it is private and needs a token, in %s"),
                 host, place);
  else if (status == SOUP_STATUS_FORBIDDEN)
    g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("%s does not allow it"), host);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("%s answers with status %u"),
                 g_uri_get_host (soup_message_get_uri (message)), status);
}

static gboolean
is_redirection (guint status)
{
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* What may be otherwise in a moment. */
static gboolean
is_passing (guint status)
{
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 || status == 504;
}

/* Where it leads. Not from a protected protocol to an open one. */
static GUri *
follow (SoupMessage *message,
        GError     **error)
{
  const char *location = soup_message_headers_get_one (soup_message_get_response_headers (message), "Location");
  GUri *from = soup_message_get_uri (message);
  g_autoptr (GUri) uri = location != NULL && strlen (location) <= HL_LIMIT_HUB_ADDRESS
                           ? g_uri_parse_relative (from, location, SOUP_HTTP_URI_FLAGS, NULL)
                           : NULL;
  const gboolean is_open = uri != NULL && g_strcmp0 (g_uri_get_scheme (uri), "http") == 0;

  if (uri != NULL && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0' &&
      (g_strcmp0 (g_uri_get_scheme (uri), "https") == 0 || (is_open && g_str_equal (g_uri_get_scheme (from), "http"))))
    return g_steal_pointer (&uri);
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s leads to an address that is none, or is not protected"),
               g_uri_get_host (from));
  return NULL;
}

/* What the hub itself says of a file stands before it leads to where its bytes are. */
static void
read_note (HlHubClient *self,
           SoupMessage *message,
           HlHubAnswer *answer)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  const char *size = soup_message_headers_get_one (headers, "X-Linked-Size");
  const char *hash = soup_message_headers_get_one (headers, "X-Linked-Etag");

  if (!is_hub (self, soup_message_get_uri (message)))
    return;
  if (size != NULL && g_ascii_string_to_unsigned (size, 10, 0, G_MAXUINT64, &answer->size, NULL))
    answer->has_size = TRUE;
  if (hash == NULL && soup_message_get_status (message) < 300)
    hash = soup_message_headers_get_one (headers, "ETag");
  if (hash == NULL)
    return;
  if (g_str_has_prefix (hash, "W/"))
    hash += 2;
  const gsize n = strlen (hash);
  g_free (answer->hash);
  answer->hash = n >= 2 && *hash == '"' && hash[n - 1] == '"' ? g_strndup (hash + 1, n - 2) : g_strdup (hash);
}

/* Which bytes follow, and how many there are in all. */
static gboolean
read_range (SoupMessage *message,
            guint64      from,
            HlHubAnswer *answer,
            GError     **error)
{
  SoupMessageHeaders *headers = soup_message_get_response_headers (message);
  goffset start = 0, end, total = -1;

  if (soup_message_get_status (message) == SOUP_STATUS_PARTIAL_CONTENT &&
      (!soup_message_headers_get_content_range (headers, &start, &end, &total) || start < 0 || (guint64) start != from))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s sends other bytes than it was asked for"),
                   g_uri_get_host (soup_message_get_uri (message)));
      return FALSE;
    }
  answer->from = (guint64) start;
  if (soup_message_get_status (message) == SOUP_STATUS_OK &&
      soup_message_headers_get_encoding (headers) == SOUP_ENCODING_CONTENT_LENGTH)
    total = soup_message_headers_get_content_length (headers);
  if (total < 0)
    return TRUE;
  if (answer->has_size && answer->size != (guint64) total)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s has a file of another size than the hub says"),
                   g_uri_get_host (soup_message_get_uri (message)));
      return FALSE;
    }
  answer->has_size = TRUE;
  answer->size = (guint64) total;
  return TRUE;
}

static SoupMessage *
make_message (HlHubClient *self,
              GUri        *uri,
              guint64      from)
{
  SoupMessage *message = soup_message_new_from_uri ("GET", uri);
  SoupMessageHeaders *headers = soup_message_get_request_headers (message);

  soup_message_add_flags (message, SOUP_MESSAGE_NO_REDIRECT);
  soup_message_headers_replace (headers, "Accept-Encoding", "identity");
  if (from > 0)
    soup_message_headers_set_range (headers, (goffset) from, -1);
  if (self->token != NULL && is_hub (self, uri))
    {
      g_autofree char *text = g_strconcat ("Bearer ", self->token, NULL);
      soup_message_headers_replace (headers, "Authorization", text);
    }
  return message;
}

/* Whether it is an answer of who it was sent to, and not of a proxy that does not let it through: that may say anything. */
static gboolean
check_sender (HlHubClient *self,
              SoupMessage *message,
              GError     **error)
{
  GUri *uri = soup_message_get_uri (message);
  const guint status = soup_message_get_status (message);
  const gboolean is_refused = status == SOUP_STATUS_PROXY_UNAUTHORIZED;

  if (g_str_equal (g_uri_get_scheme (uri), "https") ? soup_message_get_tls_peer_certificate (message) != NULL
                                                    : !is_refused)
    return TRUE;
  if (is_refused && self->has_told_proxy)
    g_set_error (error, HL_ERROR, HL_ERROR_IO,
                 _ ("the proxy does not take the name and password that are given for it"));
  else
    /* What may be otherwise in a moment is as a connection that was lost. */
    g_set_error (error, is_passing (status) ? G_IO_ERROR : HL_ERROR,
                 is_passing (status) ? (int) G_IO_ERROR_PROXY_FAILED : (int) HL_ERROR_IO,
                 _ ("the proxy does not let through to %s: status %u"), g_uri_get_host (uri), status);
  return FALSE;
}

/* Sends it once, to where it leads in the end. Without an error, what is returned has the status of the last answer. */
static SoupMessage *
send_once (HlHubClient   *self,
           GUri          *first,
           guint64        from,
           GInputStream **stream,
           HlHubAnswer   *answer,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (GUri) uri = g_uri_ref (first);

  for (guint i = 0; i <= HL_LIMIT_HUB_REDIRECTIONS; i++)
    {
      g_autoptr (SoupMessage) message = make_message (self, uri, from);
      g_autoptr (GInputStream) body = soup_session_send (self->session, message, cancellable, error);
      if (body == NULL || !check_sender (self, message, error))
        return NULL;
      read_note (self, message, answer);
      if (!is_redirection (soup_message_get_status (message)))
        {
          *stream = g_steal_pointer (&body);
          return g_steal_pointer (&message);
        }
      GUri *next = follow (message, error);
      if (next == NULL)
        return NULL;
      g_uri_unref (uri);
      uri = next;
    }
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s leads from one address to the next without end"),
               g_uri_get_host (first));
  return NULL;
}

/* Whether it may help to try again: not when nobody listens to who cancels, nor when the other one is not who it should be. */
static gboolean
is_lost (const GError *error)
{
  return !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) && error->domain != G_TLS_ERROR &&
         error->domain != HL_ERROR && !g_error_matches (error, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND);
}

/* Sends it until there is an answer that stays. */
static GInputStream *
send (HlHubClient  *self,
      const char   *address,
      guint64       from,
      HlHubAnswer  *answer,
      SoupMessage **last,
      GCancellable *cancellable,
      GError      **error)
{
  g_autofree char *full = *address == '/' ? g_strconcat (self->address, address, NULL) : g_strdup (address);
  g_autoptr (GUri) uri = strlen (full) <= HL_LIMIT_HUB_ADDRESS ? g_uri_parse (full, SOUP_HTTP_URI_FLAGS, NULL) : NULL;

  if (uri == NULL || g_uri_get_host (uri) == NULL || !is_hub (self, uri))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("%s leads to an address that is not its own"),
                   g_uri_get_host (self->endpoint));
      return NULL;
    }
  for (guint n_failures = 1;; n_failures++)
    {
      g_autoptr (GInputStream) stream = NULL;
      g_autoptr (GError) local_error = NULL;
      g_autoptr (SoupMessage) message = send_once (self, uri, from, &stream, answer, cancellable, &local_error);

      if (message != NULL && SOUP_STATUS_IS_SUCCESSFUL (soup_message_get_status (message)))
        {
          *last = g_steal_pointer (&message);
          return g_steal_pointer (&stream);
        }
      const gboolean again = message != NULL ? is_passing (soup_message_get_status (message)) : is_lost (local_error);
      if (message != NULL)
        set_refused (self, message, &local_error);
      if (again && message != NULL ? wait_as_told (self, message, n_failures, cancellable, &local_error)
                                   : again && hl_hub_client_wait (self, n_failures, cancellable, &local_error))
        continue;
      if (local_error->domain == HL_ERROR || g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_propagate_error (error, g_steal_pointer (&local_error));
      else
        g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("%s cannot be reached: %s"), g_uri_get_host (uri),
                     local_error->message);
      return NULL;
    }
}

/* Reads all of an answer; an error of another domain than ours is a connection that was lost. */
static GString *
read_answer (GInputStream *stream,
             GCancellable *cancellable,
             GError      **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *bytes = g_malloc (READ_BYTES);
  gssize n;

  while ((n = g_input_stream_read (stream, bytes, READ_BYTES, cancellable, error)) > 0)
    {
      g_string_append_len (text, bytes, n);
      if (text->len > HL_LIMIT_HUB_ANSWER)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the hub’s answer is larger than %d MB"),
                       HL_LIMIT_HUB_ANSWER >> 20);
          return NULL;
        }
    }
  return n == 0 ? g_steal_pointer (&text) : NULL;
}

/**
 * hl_hub_client_get:
 * @self: a client
 * @address: a path of the hub, or an address that it has told
 * @size: (out): how many bytes there are
 * @link: (out) (optional) (transfer full) (nullable): what the header `Link` says
 * @cancellable: (nullable): to stop it
 * @error: %HL_ERROR_MISSING when it is refused, %HL_ERROR_TOO_LARGE, %HL_ERROR_IO
 *
 * Asks for something small. Blocks.
 *
 * Returns: (transfer full): the answer
 */
char *
hl_hub_client_get (HlHubClient  *self,
                   const char   *address,
                   gsize        *size,
                   char        **link,
                   GCancellable *cancellable,
                   GError      **error)
{
  for (guint n_failures = 1;; n_failures++)
    {
      g_auto (HlHubAnswer) answer = { 0 };
      g_autoptr (SoupMessage) message = NULL;
      g_autoptr (GInputStream) stream = send (self, address, 0, &answer, &message, cancellable, error);
      g_autoptr (GError) local_error = NULL;
      g_autoptr (GString) text = stream != NULL ? read_answer (stream, cancellable, &local_error) : NULL;

      if (stream == NULL)
        return NULL;
      if (text != NULL)
        {
          if (link != NULL)
            *link = g_strdup (soup_message_headers_get_list (soup_message_get_response_headers (message), "Link"));
          *size = text->len;
          return g_string_free (g_steal_pointer (&text), FALSE);
        }
      if (is_lost (local_error) && hl_hub_client_wait (self, n_failures, cancellable, &local_error))
        continue;
      if (is_lost (local_error))
        g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("the hub’s answer broke off: %s"), local_error->message);
      else
        g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
}

/**
 * hl_hub_client_open:
 * @self: a client
 * @address: a path of the hub
 * @from: the first byte that is wanted; the answer may begin with the first one all the same
 * @answer: (out): what is said of the file
 * @cancellable: (nullable): to stop it
 * @error: %HL_ERROR_MISSING when it is refused, %HL_ERROR_CORRUPT, %HL_ERROR_IO
 *
 * Asks for a file. Blocks.
 *
 * Returns: (transfer full): its bytes
 */
GInputStream *
hl_hub_client_open (HlHubClient  *self,
                    const char   *address,
                    guint64       from,
                    HlHubAnswer  *answer,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_autoptr (SoupMessage) message = NULL;
  g_autoptr (GInputStream) stream = NULL;

  *answer = (HlHubAnswer){ 0 };
  stream = send (self, address, from, answer, &message, cancellable, error);
  return stream != NULL && read_range (message, from, answer, error) ? g_steal_pointer (&stream) : NULL;
}

void
hl_hub_answer_clear (HlHubAnswer *self)
{
  g_clear_pointer (&self->hash, g_free);
}

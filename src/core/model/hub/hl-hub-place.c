/* SPDX-License-Identifier: MIT */
/* Where the hub is, and what of it is on this computer: the variables of the environment that the hub's own tools go by. */
#include "core/model/hub/hl-hub-place.h"

#include "core/base/file/hl-file-read.h"
#include "core/base/hl-environment.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define ENDPOINT "https://huggingface.co"

/* What is below the folder that the hub's tools call home. */
static GFile *
get_home (const char *below)
{
  GFile *file = hl_environment_get_folder ("HF_HOME", below);

  return file != NULL ? file : g_file_new_build_filename (g_get_user_cache_dir (), "huggingface", below, NULL);
}

/**
 * hl_hub_place_get_folder:
 *
 * Returns: (transfer full): the folder of all models of the hub, which need not exist
 */
GFile *
hl_hub_place_get_folder (void)
{
  GFile *folder = hl_environment_get_folder ("HF_HUB_CACHE", NULL);

  return folder != NULL ? folder : get_home ("hub");
}

/**
 * hl_hub_place_get_endpoint:
 *
 * Returns: (transfer full): the address of the hub, without a slash at its end
 */
char *
hl_hub_place_get_endpoint (void)
{
  const char *value = g_getenv ("HF_ENDPOINT");
  char *endpoint = g_strdup (value != NULL && *value != '\0' ? value : ENDPOINT);

  for (gsize n = strlen (endpoint); n > 0 && endpoint[n - 1] == '/'; n--)
    endpoint[n - 1] = '\0';
  return endpoint;
}

/**
 * hl_hub_place_is_offline:
 * @variable: (out): by which variable
 *
 * Returns: whether the hub is not to be asked
 */
gboolean
hl_hub_place_is_offline (const char **variable)
{
  const char *first = g_getenv ("HF_HUB_OFFLINE");

  *variable = first != NULL && *first != '\0' ? "HF_HUB_OFFLINE" : "TRANSFORMERS_OFFLINE";
  return hl_environment_is_true (*variable);
}

static GFile *
get_token_file (void)
{
  GFile *file = hl_environment_get_folder ("HF_TOKEN_PATH", NULL);

  return file != NULL ? file : get_home ("token");
}

/**
 * hl_hub_place_describe_token:
 *
 * Returns: (transfer full): where a token is looked for, for people
 */
char *
hl_hub_place_describe_token (void)
{
  g_autoptr (GFile) file = get_token_file ();
  g_autofree char *name = g_file_get_parse_name (file);

  /* Translators: HF_TOKEN is a variable of the environment, %s a file */
  return g_strdup_printf (_ ("HF_TOKEN or %s"), name);
}

static char *
read_token_file (void)
{
  g_autoptr (GFile) file = get_token_file ();
  g_autoptr (GBytes) bytes = hl_file_read_regular (file, HL_LIMIT_HUB_TOKEN + 1, NULL, NULL);

  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)) : NULL;
}

/**
 * hl_hub_place_load_token:
 * @token: (out) (transfer full) (nullable): what tells the hub who asks; %NULL when there is none, or it is not to be used
 * @error: %HL_ERROR_VALUE when it is nothing that could be sent
 *
 * The token is only to be sent to the hub itself. Blocks.
 *
 * Returns: whether it could be told
 */
gboolean
hl_hub_place_load_token (char   **token,
                         GError **error)
{
  const char *value = g_getenv ("HF_TOKEN");

  *token = NULL;
  if (hl_environment_is_true ("HF_HUB_DISABLE_IMPLICIT_TOKEN"))
    return TRUE;
  g_autofree char *text = value != NULL && *value != '\0' ? g_strdup (value) : read_token_file ();
  if (text == NULL || *g_strstrip (text) == '\0')
    return TRUE;
  gsize length = 0;
  while (g_ascii_isgraph (text[length]))
    length++;
  if (text[length] != '\0' || length > HL_LIMIT_HUB_TOKEN)
    {
      g_autofree char *place = hl_hub_place_describe_token ();
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the token in %s is none: it has other characters than tokens have"), place);
      return FALSE;
    }
  *token = g_steal_pointer (&text);
  return TRUE;
}

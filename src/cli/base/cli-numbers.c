/* SPDX-License-Identifier: MIT */
/* The option that names numbers of heads. */
#include "cli/base/cli-numbers.h"

#include "cli/base/cli-text.h"

#include <glib/gi18n-lib.h>

/* Behind the options --help lists all numbers, with what each tells. */
static char *
make_description (void)
{
  GString *text = g_string_new (_ ("Numbers that --numbers can name:"));

  for (HlHeadNumberGroup group = 0; group < HL_N_HEAD_NUMBER_GROUPS; group++)
    for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
      {
        const HlHeadNumber *number = hl_head_number_get (stat);

        if (number->group != group)
          continue;
        g_string_append_printf (text, "\n  %-24s %s", number->nick, _ (number->sentence));
        if (number->other_nick != NULL)
          /* Translators: “the mean weight on the first token; also mass-first” */
          g_string_append_printf (text, _ ("; also %s"), number->other_nick);
      }
  return g_string_free (text, FALSE);
}

void
cli_numbers_add_entries (CliNumbers     *self,
                         GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "numbers", 0, 0, G_OPTION_ARG_STRING, &self->written,
      N_ ("Which numbers are told, in this order; without it those that are usual"), N_ ("NICK,…") },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree char *description = make_description ();

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_description (context, description);
}

static void
set_usual (CliNumbers *self)
{
  const HlHeadNumberSet usual = hl_head_number_get_usual ();
  g_autoptr (GStrvBuilder) nicks = g_strv_builder_new ();

  self->stats = g_new (HlHeadStat, HL_N_HEAD_STATS);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (usual & HL_HEAD_NUMBER_BIT (stat))
      {
        self->stats[self->n++] = stat;
        g_strv_builder_add (nicks, hl_head_number_get (stat)->nick);
      }
  self->nicks = g_strv_builder_end (nicks);
}

/* Returns 0, or the exit status for wrong usage, which has been said. */
int
cli_numbers_parse (CliNumbers *self)
{
  HlHeadNumberSet set = 0;

  if (self->written == NULL)
    {
      set_usual (self);
      return 0;
    }
  self->nicks = g_strsplit (self->written, ",", -1);
  self->stats = g_new (HlHeadStat, MAX (g_strv_length (self->nicks), 1));
  for (; self->nicks[self->n] != NULL; self->n++)
    {
      const char *nick = g_strstrip (self->nicks[self->n]);

      if (!hl_head_number_find (nick, &self->stats[self->n]))
        return cli_print_misuse (_ ("--numbers cannot be “%s”; “headlight-cli stats --help” lists them all"), nick);
      if (set & HL_HEAD_NUMBER_BIT (self->stats[self->n]))
        return cli_print_misuse (_ ("--numbers names “%s” twice"), nick);
      set |= HL_HEAD_NUMBER_BIT (self->stats[self->n]);
    }
  return self->n > 0 ? 0 : cli_print_misuse (_ ("--numbers names none"));
}

HlHeadNumberSet
cli_numbers_get_set (const CliNumbers *self)
{
  HlHeadNumberSet set = 0;

  for (guint i = 0; i < self->n; i++)
    set |= HL_HEAD_NUMBER_BIT (self->stats[i]);
  return set;
}

/* Of how many it is said why they are not defined: of all that were asked for. Of those that are usual the first has all that a map that is
 * one of weights can lack. */
guint
cli_numbers_get_n_explained (const CliNumbers *self)
{
  return self->written != NULL ? self->n : MIN (self->n, 1);
}

/* Why one of them is not defined. */
char *
cli_numbers_explain (const CliNumbers *self,
                     guint             index,
                     HlAttention      *attention,
                     const char       *need)
{
  const char *name = hl_attention_kind_get_name (hl_attention_get_kind (attention));

  /* Translators: “attention” has no sink: it needs the tokens of the keys */
  return g_strdup_printf (_ ("“%s” has no %s: it %s"), name, self->nicks[index], need);
}

void
cli_numbers_clear (CliNumbers *self)
{
  g_free (self->written);
  g_strfreev (self->nicks);
  g_free (self->stats);
}

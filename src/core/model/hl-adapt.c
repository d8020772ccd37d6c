/* SPDX-License-Identifier: MIT */
/* An adapter of a model that uses tensors in several places and has them once in its files. PEFT changes one place, and leaves
 * the others as they were; but what it keeps of the base itself is of all of them. */
#include "core/model/hl-adapt.h"

/* Whether one of these names is there that is none of the others. */
static gboolean
has_any (HlWeights         *weights,
         const char *const *names,
         const char *const *others)
{
  for (const char *const *name = names; *name != NULL; name++)
    if ((others == NULL || !g_strv_contains (others, *name)) && hl_weights_has (weights, *name))
      return TRUE;
  return FALSE;
}

/* Has what is found by one of these names be found by another, too. */
static void
name_also (HlWeights         *weights,
           const char        *name,
           const char *const *names)
{
  g_autoptr (HlTensor) tensor = hl_weights_find (weights, names, NULL);

  /* What is missing, or is wrong, says who needs it. */
  if (tensor != NULL)
    hl_weights_replace (weights, name, tensor);
}

static void
name_apart (HlWeights         *weights,
            const char        *name,
            const char *const *names)
{
  if (!hl_weights_has (weights, name))
    name_also (weights, name, names);
}

static gboolean
is_changed (HlAdapter  *adapter,
            const char *name)
{
  return hl_adapter_changes (adapter, *name == '/' ? name + 1 : name);
}

/* Returns the one of these names by which an adapter knows what it changes, or the first. */
static const char *
choose_name (HlAdapter         *adapter,
             const char *const *names)
{
  for (const char *const *name = names; *name != NULL; name++)
    if (is_changed (adapter, *name))
      return *name;
  return names[0];
}

/**
 * hl_adapt:
 * @family: that of a model
 * @config: its configuration
 * @weights: its weights, whose prefix is set
 * @adapter: what changes them
 * @error: as hl_adapter_apply()
 *
 * Has each of the embeddings of the stacks, and the head, be changed by what is for it alone. No table is copied.
 *
 * Returns: whether it fits
 */
gboolean
hl_adapt (const HlFamily *family,
          HlModelConfig  *config,
          HlWeights      *weights,
          HlAdapter      *adapter,
          GError        **error)
{
  const char *const *words = family->stack.words, *const *rows = family->head.rows;
  const HlStackNames *last = family->decoder.layer != NULL ? &family->decoder : &family->stack;
  gboolean tied = FALSE;

  if (words == NULL)
    return hl_adapter_put_base (adapter, weights, family->prefixes, error) &&
           hl_adapter_apply (adapter, weights, family->prefixes, family->transposed, error);
  /* What is wrong with the switch, says who loads the head. */
  if (rows == NULL || !hl_switch_read (&family->head.tied, config, &tied, NULL))
    tied = FALSE;
  const gboolean has_words = has_any (weights, words, rows);
  tied = tied && (!has_words || !has_any (weights, rows, NULL));
  if (!has_words)
    name_also (weights, words[0], words);
  if (!hl_adapter_put_base (adapter, weights, family->prefixes, error))
    return FALSE;
  const char *head = rows != NULL ? choose_name (adapter, rows) : NULL;
  if (tied)
    name_also (weights, head, last->words);
  else if (head != NULL && has_any (weights, rows, NULL))
    name_apart (weights, head, rows);
  name_apart (weights, words[0], words);
  if (family->decoder.layer != NULL)
    name_apart (weights, last->words[0], last->words);
  for (const char *const *name = family->head.bias; name != NULL && *name != NULL; name++)
    if (is_changed (adapter, *name))
      name_apart (weights, *name, family->head.bias);
  if (!hl_adapter_apply (adapter, weights, family->prefixes, family->transposed, error))
    return FALSE;
  /* The first of the names that are there is what the head is found by. */
  if (head != NULL && head != rows[0] && is_changed (adapter, head) && hl_weights_has (weights, rows[0]))
    name_also (weights, rows[0], (const char *const[]){ head, NULL });
  return TRUE;
}

/* SPDX-License-Identifier: MIT */
/* The parameters of BertViz's views, of all versions, and of the tool that it was made from, tensor2tensor's: attention by
 * name, each with its weights and the tokens to the left (queries) and to the right (keys). */
#include "core/archive/web/hl-page-example.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>

/* Lists of layers and heads that are longer are no such lists. */
#define MAX_NUMBERS 4096

typedef enum
{
  ROLE_WHOLE,
  ROLE_FIRST_PART, /* the first text, to itself */
  ROLE_PART,       /* a part of the whole, which repeats its numbers */
  ROLE_ENCODER,
  ROLE_DECODER,
  ROLE_CROSS,
  ROLE_OTHER,
} Role;

static const struct
{
  const char *name;
  Role role;
} roles[] = {
  { "all", ROLE_WHOLE },       { "self", ROLE_WHOLE },
  { "aa", ROLE_FIRST_PART },   { "Sentence A -> Sentence A", ROLE_FIRST_PART },
  { "bb", ROLE_PART },         { "Sentence B -> Sentence B", ROLE_PART },
  { "ab", ROLE_PART },         { "Sentence A -> Sentence B", ROLE_PART },
  { "ba", ROLE_PART },         { "Sentence B -> Sentence A", ROLE_PART },
  { "encoder", ROLE_ENCODER }, { "decoder", ROLE_DECODER },
  { "cross", ROLE_CROSS },     { "inp_inp", ROLE_ENCODER },
  { "out_out", ROLE_DECODER }, { "inp_out", ROLE_CROSS },
};

typedef struct
{
  const char *key;  /* in the object, or the index in the list */
  const char *name; /* what it is for people */
  const HlArchiveNode *node;
  Role role;
} Entry;

static Role
find_role (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    if (g_ascii_strcasecmp (roles[i].name, name) == 0)
      return roles[i].role;
  return ROLE_OTHER;
}

/* All that have weights. A list tells names inside its entries, where the only one has none. */
static GArray *
list_entries (const HlArchiveNode *attention)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  const gboolean is_single = attention->members != NULL && g_tree_nnodes (attention->members) == 1;

  for (GTreeNode *i = attention->members != NULL ? g_tree_node_first (attention->members) : NULL; i != NULL;
       i = g_tree_node_next (i))
    {
      Entry entry = { .key = g_tree_node_key (i), .name = g_tree_node_key (i), .node = g_tree_node_value (i) };
      const HlArchiveNode *name;

      if (entry.node->kind != HL_MEMBER_GROUP)
        continue;
      name = hl_archive_node_get (entry.node, "name");
      if (name != NULL && name->attribute != NULL && g_variant_is_of_type (name->attribute, G_VARIANT_TYPE_STRING))
        entry.name = g_variant_get_string (name->attribute, NULL);
      entry.role = is_single && find_role (entry.name) == ROLE_OTHER ? ROLE_WHOLE : find_role (entry.name);
      g_array_append_val (entries, entry);
    }
  return entries;
}

static const Entry *
find_entry (const GArray *entries,
            Role          role)
{
  for (guint i = 0; i < entries->len; i++)
    if (g_array_index (entries, Entry, i).role == role)
      return &g_array_index (entries, Entry, i);
  return NULL;
}

static gboolean
copy_weights (HlPageExample *example,
              const char    *name,
              const Entry   *entry,
              HlJsonBudget  *budget,
              GError       **error)
{
  /* The versions of 2019 abbreviate. */
  const char *member = hl_archive_node_get (entry->node, "attn") != NULL ? "attn" : "att";

  if (hl_archive_node_get (entry->node, member) == NULL)
    {
      g_autofree char *key = g_utf8_substring (entry->key, 0, MIN (60, g_utf8_strlen (entry->key, -1)));
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“attention/%s” of the page has no “attn”"), key);
      return FALSE;
    }
  return hl_page_example_copy (example, name, entry->node, member, budget, error);
}

/* In tensor2tensor, columns are to the left, and are called the top. */
static gboolean
has_top (const Entry *entry)
{
  return hl_archive_node_get (entry->node, "top_text") != NULL;
}

static const char *
name_queries (const Entry *entry)
{
  return has_top (entry) ? "bot_text" : "left_text";
}

static const char *
name_keys (const Entry *entry)
{
  return has_top (entry) ? "top_text" : "right_text";
}

static gboolean
have_same_texts (const Entry *entry)
{
  const HlArchiveNode *left = hl_archive_node_get (entry->node, name_queries (entry));
  const HlArchiveNode *right = hl_archive_node_get (entry->node, name_keys (entry));

  return left != NULL && right != NULL && left->strings != NULL && right->strings != NULL &&
         g_strv_equal ((const char *const *) left->strings, (const char *const *) right->strings);
}

/* The one kind of attention, with queries and keys in the neuron view. */
static gboolean
read_attention (HlPageExample *example,
                const Entry   *entry,
                HlJsonBudget  *budget,
                GError       **error)
{
  const gboolean same = have_same_texts (entry);

  return copy_weights (example, "attention", entry, budget, error) &&
         hl_page_example_copy (example, same ? "tokens" : "query_tokens", entry->node, name_queries (entry), budget,
                               error) &&
         (same || hl_page_example_copy (example, "key_tokens", entry->node, name_keys (entry), budget, error)) &&
         hl_page_example_copy (example, "queries", entry->node, "queries", budget, error) &&
         hl_page_example_copy (example, "keys", entry->node, "keys", budget, error);
}

static gboolean
read_blocks (HlPageExample *example,
             const GArray  *entries,
             HlJsonBudget  *budget,
             GError       **error)
{
  const Entry *encoder = find_entry (entries, ROLE_ENCODER);
  const Entry *decoder = find_entry (entries, ROLE_DECODER);
  const Entry *cross = find_entry (entries, ROLE_CROSS);

  if (encoder != NULL &&
      (!copy_weights (example, "encoder_attention", encoder, budget, error) ||
       !hl_page_example_copy (example, "encoder_tokens", encoder->node, name_queries (encoder), budget, error)))
    return FALSE;
  if (decoder != NULL &&
      (!copy_weights (example, "decoder_attention", decoder, budget, error) ||
       !hl_page_example_copy (example, "decoder_tokens", decoder->node, name_queries (decoder), budget, error)))
    return FALSE;
  return cross == NULL ||
         (copy_weights (example, "cross_attention", cross, budget, error) &&
          hl_page_example_copy (example, "decoder_tokens", cross->node, name_queries (cross), budget, error) &&
          hl_page_example_copy (example, "encoder_tokens", cross->node, name_keys (cross), budget, error));
}

/* Which layers, or heads, of the model there are. */
static void
add_numbers (HlPageExample       *example,
             const HlArchiveNode *params,
             const char          *name)
{
  const HlArchiveNode *node = hl_archive_node_get (params, name);
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  const HlShape *shape = node != NULL && node->tensor != NULL ? hl_tensor_get_shape (node->tensor) : NULL;
  float numbers[MAX_NUMBERS];

  if (shape != NULL && shape->rank == 1 && shape->dims[0] <= MAX_NUMBERS &&
      hl_tensor_read_f32 (node->tensor, start, shape->dims, numbers, NULL, NULL))
    hl_page_example_add_numbers (example, name, numbers, shape->dims[0]);
}

/* What holds for all of the page. */
static HlPageExample *
read_parameters (const HlArchiveNode *params)
{
  HlPageExample *example = hl_page_example_new (NULL);
  const HlArchiveNode *bidirectional = hl_archive_node_get (params, "bidirectional");

  add_numbers (example, params, "include_layers");
  add_numbers (example, params, "include_heads");
  if (bidirectional != NULL && bidirectional->attribute != NULL &&
      g_variant_is_of_type (bidirectional->attribute, G_VARIANT_TYPE_INT64) &&
      g_variant_get_int64 (bidirectional->attribute) == 0)
    hl_page_example_add_attribute (example, "causal", g_variant_new_int64 (1));
  return example;
}

static gboolean
add_parameters (HlPageExample       *example,
                const HlPageExample *parameters,
                HlJsonBudget        *budget,
                GError             **error)
{
  static const char *const names[] = { "include_layers", "include_heads", "causal" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!hl_page_example_copy (example, names[i], parameters->group, names[i], budget, error))
      return FALSE;
  return TRUE;
}

/* What is there once: self-attention, of which parts tell where the second text begins, and the blocks of an encoder
 * and decoder. */
static gboolean
read_whole (const GArray        *entries,
            const HlPageExample *parameters,
            HlJsonBudget        *budget,
            GPtrArray           *examples,
            GError             **error)
{
  g_autoptr (HlPageExample) example = hl_page_example_new (NULL);
  const Entry *whole = find_entry (entries, ROLE_WHOLE);
  const Entry *first = find_entry (entries, ROLE_FIRST_PART);

  /* In tensor2tensor, that is the three blocks in one map. */
  if (whole != NULL && has_top (whole) && find_entry (entries, ROLE_CROSS) != NULL)
    whole = NULL;
  if ((whole != NULL && !read_attention (example, whole, budget, error)) ||
      !read_blocks (example, entries, budget, error))
    return FALSE;
  if (example->group->members == NULL)
    return TRUE;
  if (whole != NULL && first != NULL)
    {
      const HlArchiveNode *text = hl_archive_node_get (first->node, "left_text");
      if (text != NULL && text->strings != NULL)
        hl_page_example_add_attribute (example, "sentence_b_start",
                                       g_variant_new_int64 (g_strv_length (text->strings)));
    }
  if (!add_parameters (example, parameters, budget, error))
    return FALSE;
  g_ptr_array_add (examples, g_steal_pointer (&example));
  return TRUE;
}

/* Reads attention by the names that BertViz, and what was made from it, gives it. Parameters without attention are
 * none of its own. */
gboolean
hl_page_read_bertviz (const HlArchiveNode *params,
                      HlJsonBudget        *budget,
                      GPtrArray           *examples,
                      GError             **error)
{
  const HlArchiveNode *attention = hl_archive_node_get (params, "attention");

  if (attention == NULL && hl_archive_node_get (params, "all") != NULL)
    attention = params;
  if (attention == NULL)
    return TRUE;
  if (attention->problem != NULL)
    {
      g_propagate_error (error, g_error_copy (attention->problem));
      return FALSE;
    }
  g_autoptr (GArray) entries = list_entries (attention);
  if (entries->len == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“attention” of the page holds none"));
      return FALSE;
    }

  g_autoptr (HlPageExample) parameters = read_parameters (params);
  if (!read_whole (entries, parameters, budget, examples, error))
    return FALSE;
  const gboolean has_whole = find_entry (entries, ROLE_WHOLE) != NULL;
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);
      const gboolean is_part = entry->role == ROLE_FIRST_PART || entry->role == ROLE_PART;

      if (entry->role != ROLE_OTHER && (!is_part || has_whole))
        continue;
      g_autoptr (HlPageExample) example = hl_page_example_new (entry->name);
      if (!read_attention (example, entry, budget, error) || !add_parameters (example, parameters, budget, error))
        return FALSE;
      g_ptr_array_add (examples, g_steal_pointer (&example));
    }
  return TRUE;
}

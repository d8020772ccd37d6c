/* SPDX-License-Identifier: MIT */
/* Heads held against dependencies and mentions: Clark et al. 2019, "What Does BERT Look At?". */
#include "core/analysis/corpus/hl-probe.h"

#include "core/analysis/corpus/hl-word-map.h"
#include "core/analysis/hl-head-index.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Heads of words that are farther away count for no offset. */
#define MAX_OFFSET 128

typedef struct
{
  char *name; /* NULL of all together */
  guint64 n;
  guint64 offsets[2 * MAX_OFFSET + 1];
  guint64 *correct; /* [side, head] */
} Relation;

struct _HlProbe
{
  HlAttentionKind kind;
  HlHeadIndex index;    /* of no layers while there was no text */
  GPtrArray *relations; /* of Relation; the first is all of them */
  guint n_sentences;    /* read for dependencies */
  guint n_documents;    /* read for coreference, perhaps the same texts once more */
  guint64 n_left_out;
  guint64 n_mentions;
  guint64 n_nearest;
  guint64 n_same_word;
  guint64 *coreference; /* by head */
};

/* A mention that has antecedents. */
typedef struct
{
  guint word; /* its head */
  guint entity;
  guint place; /* of all mentions in their order */
} Anaphor;

static void
free_relation (gpointer data)
{
  Relation *relation = data;

  g_free (relation->name);
  g_free (relation->correct);
  g_free (relation);
}

static Relation *
get_relation (const HlProbe *self,
              guint          relation)
{
  return self->relations->pdata[relation];
}

static guint
get_n_heads (const HlProbe *self)
{
  return self->index.n_layers > 0 ? hl_head_index_get_n (&self->index) : 0;
}

static gboolean
add_relation (HlProbe    *self,
              const char *name,
              GError    **error)
{
  const guint n_heads = get_n_heads (self);

  if ((guint64) (self->relations->len + 1) * n_heads > HL_LIMIT_PROBE_COUNTS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("%u relations are too many to be counted for each of %u heads"), self->relations->len, n_heads);
      return FALSE;
    }
  Relation *relation = g_new0 (Relation, 1);
  relation->name = g_strdup (name);
  relation->correct = g_new0 (guint64, (gsize) HL_N_PROBE_SIDES * n_heads);
  g_ptr_array_add (self->relations, relation);
  return TRUE;
}

/**
 * hl_probe_new:
 *
 * Returns: (transfer full): counts of no text
 */
HlProbe *
hl_probe_new (void)
{
  HlProbe *self = g_new0 (HlProbe, 1);

  self->relations = g_ptr_array_new_with_free_func (free_relation);
  return self;
}

/**
 * hl_probe_free:
 * @self: (transfer full): counts
 */
void
hl_probe_free (HlProbe *self)
{
  hl_head_index_clear (&self->index);
  g_ptr_array_unref (self->relations);
  g_free (self->coreference);
  g_free (self);
}

/**
 * hl_probe_set_kind:
 * @self: counts of no text
 * @kind: whose heads they are going to be of, where it is not %HL_ATTENTION_SELF
 */
void
hl_probe_set_kind (HlProbe        *self,
                   HlAttentionKind kind)
{
  g_return_if_fail (self->index.n_layers == 0);

  self->kind = kind;
}

/**
 * hl_probe_is_of:
 * @self: counts
 * @attention: an attention
 *
 * Returns: whether it is of the same kind, with the same layers and heads
 */
gboolean
hl_probe_is_of (const HlProbe *self,
                HlAttention   *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  const guint n_layers = hl_attention_get_n_layers (attention);
  gboolean same = hl_attention_get_kind (attention) == self->kind && n_layers == self->index.n_layers;

  for (guint layer = 0; same && layer < n_layers; layer++)
    same = hl_attention_get_n_heads (attention, layer) == hl_probe_get_n_heads (self, layer);
  return same;
}

/* The first text says which heads there are. */
static gboolean
set_heads (HlProbe        *self,
           HlAttentionKind kind,
           guint           n_layers,
           const guint    *starts,
           GError        **error)
{
  if (self->index.n_layers == 0)
    {
      self->kind = kind;
      self->index = (HlHeadIndex){ n_layers, g_memdup2 (starts, (n_layers + 1) * sizeof *starts) };
      self->coreference = g_new0 (guint64, get_n_heads (self));
      return add_relation (self, NULL, error);
    }
  if (self->kind != kind)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("its words are of the block “%s”, those of the texts before it of “%s”"),
                   hl_attention_kind_get_name (kind), hl_attention_kind_get_name (self->kind));
      return FALSE;
    }
  if (self->index.n_layers == n_layers && memcmp (self->index.starts, starts, (n_layers + 1) * sizeof *starts) == 0)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("it does not have the layers and heads of the texts before it"));
  return FALSE;
}

static gboolean
find_relation (HlProbe    *self,
               const char *name,
               guint      *relation,
               GError    **error)
{
  if (hl_probe_find_relation (self, name, relation))
    return TRUE;
  /* The first is all of them together. */
  if (self->relations->len > HL_LIMIT_RELATIONS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %d relations"), HL_LIMIT_RELATIONS);
      return FALSE;
    }
  *relation = self->relations->len;
  return add_relation (self, name, error);
}

/* Words with a head, of which both have tokens: of each its relation, of others G_MAXUINT. */
static guint *
list_dependents (HlProbe            *self,
                 const HlAnnotation *annotation,
                 const HlTokenSpan  *runs,
                 GError            **error)
{
  const guint n = hl_annotation_get_n (annotation);
  g_autofree guint *relations = g_new (guint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      const HlAnnotatedWord *word = hl_annotation_get_word (annotation, i);

      relations[i] = G_MAXUINT;
      if (word->head < 0)
        continue;
      if (runs[i].n == 0 || runs[word->head].n == 0)
        {
          self->n_left_out++;
          continue;
        }
      relations[i] = HL_PROBE_ALL;
      if (word->relation != NULL && !find_relation (self, word->relation, &relations[i], error))
        return NULL;
    }
  return g_steal_pointer (&relations);
}

static void
count_words (HlProbe            *self,
             const HlAnnotation *annotation,
             const guint        *relations)
{
  for (guint i = 0; i < hl_annotation_get_n (annotation); i++)
    {
      if (relations[i] == G_MAXUINT)
        continue;
      const int offset = hl_annotation_get_word (annotation, i)->head - (int) i;
      for (guint which = 0; which < (relations[i] == HL_PROBE_ALL ? 1 : 2); which++)
        {
          Relation *relation = get_relation (self, which == 0 ? HL_PROBE_ALL : relations[i]);
          relation->n++;
          if (ABS (offset) <= MAX_OFFSET)
            relation->offsets[offset + MAX_OFFSET]++;
        }
    }
}

static int
compare_mentions (gconstpointer a,
                  gconstpointer b)
{
  const HlMention *first = a, *second = b;

  if (first->first != second->first)
    return first->first < second->first ? -1 : 1;
  return first->n != second->n ? (first->n > second->n ? -1 : 1) : 0;
}

/* The head words of mentions; the same word, in any case, is the same text. */
static GPtrArray *
fold_heads (const HlAnnotation *annotation,
            const GArray       *mentions)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < mentions->len; i++)
    {
      const guint head = g_array_index (mentions, HlMention, i).head;
      g_ptr_array_add (words, g_utf8_casefold (hl_annotation_get_word (annotation, head)->form, -1));
    }
  return words;
}

/* What mentions of an entity by a head word are found with. */
static gint64
make_key (guint entity,
          guint word)
{
  return (gint64) ((guint64) entity << 32 | word);
}

/* Finds mentions that have antecedents, and counts how often the two simple rules find one. Returns where each entity is first mentioned by each
 * head word. */
static GHashTable *
list_anaphors (HlProbe            *self,
               const HlAnnotation *annotation,
               const HlTokenSpan  *runs,
               GArray             *anaphors)
{
  g_autoptr (GArray) mentions = g_array_new (FALSE, FALSE, sizeof (HlMention));
  GHashTable *places = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  for (guint i = 0; i < hl_annotation_get_n_mentions (annotation); i++)
    if (runs[hl_annotation_get_mention (annotation, i)->head].n > 0)
      g_array_append_vals (mentions, hl_annotation_get_mention (annotation, i), 1);
  g_array_sort (mentions, compare_mentions);
  g_autoptr (GPtrArray) heads = fold_heads (annotation, mentions);
  for (guint i = 0; i < mentions->len; i++)
    {
      const HlMention *mention = &g_array_index (mentions, HlMention, i);
      const HlMention *nearest = NULL, *same = NULL;
      const Anaphor anaphor = { mention->head, mention->entity, i };
      const gint64 key = make_key (mention->entity, mention->head);
      gboolean has_antecedent = FALSE;

      for (guint j = i; j > 0; j--)
        {
          const HlMention *other = &g_array_index (mentions, HlMention, j - 1);

          /* One that stands within another may have its head. */
          if (other->head == mention->head)
            continue;
          if (nearest == NULL)
            nearest = other;
          if (same == NULL && strcmp (heads->pdata[j - 1], heads->pdata[i]) == 0)
            same = other;
          has_antecedent |= other->entity == mention->entity;
        }
      if (!g_hash_table_contains (places, &key))
        g_hash_table_insert (places, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (i));
      if (!has_antecedent)
        continue;
      self->n_mentions++;
      self->n_nearest += nearest->entity == mention->entity;
      self->n_same_word += (same != NULL ? same : nearest)->entity == mention->entity;
      g_array_append_val (anaphors, anaphor);
    }
  return places;
}

/* Whether a word is the head of one of the antecedents. */
static gboolean
is_antecedent (GHashTable    *places,
               const Anaphor *anaphor,
               int            word)
{
  const gint64 key = make_key (anaphor->entity, (guint) word);
  gpointer place;

  return word >= 0 && (guint) word != anaphor->word && g_hash_table_lookup_extended (places, &key, NULL, &place) &&
         GPOINTER_TO_UINT (place) < anaphor->place;
}

static void
count_head (HlProbe            *self,
            guint               head,
            const HlWordMap    *map,
            const HlAnnotation *annotation,
            const guint        *relations,
            const GArray       *anaphors,
            GHashTable         *places)
{
  for (guint i = 0; relations != NULL && i < hl_annotation_get_n (annotation); i++)
    for (HlProbeSide side = 0; side < HL_N_PROBE_SIDES && relations[i] != G_MAXUINT; side++)
      {
        const gsize at = side * (gsize) get_n_heads (self) + head;
        const int most = hl_word_map_get_most (map, side == HL_PROBE_HEAD ? HL_KEYS : HL_QUERIES, i);

        if (most != hl_annotation_get_word (annotation, i)->head)
          continue;
        get_relation (self, HL_PROBE_ALL)->correct[at]++;
        if (relations[i] != HL_PROBE_ALL)
          get_relation (self, relations[i])->correct[at]++;
      }
  for (guint i = 0; i < anaphors->len; i++)
    {
      const Anaphor *anaphor = &g_array_index (anaphors, Anaphor, i);

      self->coreference[head] += is_antecedent (places, anaphor, hl_word_map_get_most (map, HL_QUERIES, anaphor->word));
    }
}

/**
 * hl_probe_add:
 * @self: counts
 * @source: weights of a text on itself
 * @annotation: its words
 * @runs: (array): the tokens of each word, perhaps none
 * @tasks: what it is held against
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_SHAPE for other layers and heads than before, %HL_ERROR_TOO_LARGE, what reading says, or %G_IO_ERROR_CANCELLED
 *
 * Counts a text more. From a word to another, weights are the sum over the tokens of the key and the mean over those of the query. Of all words
 * but itself, a word is taken to depend on the one with the most weight, the first of equals; where no word has any, on none. Special tokens are no
 * words. Words without tokens are left out, and counted so.
 *
 * Returns: whether it was counted; if not, @self is not to be looked at any more
 */
gboolean
hl_probe_add (HlProbe            *self,
              HlAttentionSource  *source,
              const HlAnnotation *annotation,
              const HlTokenSpan  *runs,
              HlProbeTasks        tasks,
              GCancellable       *cancellable,
              GError            **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), FALSE);

  const guint n_words = hl_annotation_get_n (annotation);
  g_auto (HlHeadIndex) index = { 0 };
  g_auto (HlWordMap) map = { 0 };
  g_autofree guint *relations = NULL;
  g_autoptr (GArray) anaphors = g_array_new (FALSE, FALSE, sizeof (Anaphor));
  g_autoptr (GHashTable) places = NULL;

  if (n_words > HL_LIMIT_PROBE_WORDS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the text has %u words; at most %d can be held against a head"), n_words, HL_LIMIT_PROBE_WORDS);
      return FALSE;
    }
  if (hl_annotation_get_n_mentions (annotation) > HL_LIMIT_MENTIONS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the text has %u mentions; at most %d can be held against a head"),
                   hl_annotation_get_n_mentions (annotation), HL_LIMIT_MENTIONS);
      return FALSE;
    }
  hl_head_index_init (&index, source);
  if (!set_heads (self, self->kind, index.n_layers, index.starts, error) ||
      !hl_word_map_init (&map, source, runs, n_words, error))
    return FALSE;
  if (tasks & HL_PROBE_DEPENDENCIES)
    {
      relations = list_dependents (self, annotation, runs, error);
      if (relations == NULL)
        return FALSE;
      count_words (self, annotation, relations);
    }
  if (tasks & HL_PROBE_COREFERENCE)
    places = list_anaphors (self, annotation, runs, anaphors);
  for (guint layer = 0; layer < index.n_layers; layer++)
    for (guint head = index.starts[layer]; head < index.starts[layer + 1]; head++)
      {
        if (!hl_word_map_read (&map, layer, head - index.starts[layer], cancellable, error))
          return FALSE;
        count_head (self, head, &map, annotation, relations, anaphors, places);
      }
  self->n_sentences += (tasks & HL_PROBE_DEPENDENCIES) != 0;
  self->n_documents += (tasks & HL_PROBE_COREFERENCE) != 0;
  return TRUE;
}

/**
 * hl_probe_merge:
 * @self: counts
 * @other: those of other texts, which are added
 * @error: %HL_ERROR_SHAPE for another kind, other layers or heads, %HL_ERROR_TOO_LARGE for too many relations
 *
 * Returns: whether they were added
 */
gboolean
hl_probe_merge (HlProbe       *self,
                const HlProbe *other,
                GError       **error)
{
  const guint n_heads = get_n_heads (other);

  if (n_heads == 0)
    return TRUE;
  if (!set_heads (self, other->kind, other->index.n_layers, other->index.starts, error))
    return FALSE;
  for (guint i = 0; i < other->relations->len; i++)
    {
      const Relation *from = get_relation (other, i);
      guint at = HL_PROBE_ALL;

      if (i != HL_PROBE_ALL && !find_relation (self, from->name, &at, error))
        return FALSE;
      Relation *to = get_relation (self, at);
      to->n += from->n;
      for (guint j = 0; j < G_N_ELEMENTS (to->offsets); j++)
        to->offsets[j] += from->offsets[j];
      for (guint j = 0; j < HL_N_PROBE_SIDES * n_heads; j++)
        to->correct[j] += from->correct[j];
    }
  for (guint i = 0; i < n_heads; i++)
    self->coreference[i] += other->coreference[i];
  self->n_sentences += other->n_sentences;
  self->n_documents += other->n_documents;
  self->n_left_out += other->n_left_out;
  self->n_mentions += other->n_mentions;
  self->n_nearest += other->n_nearest;
  self->n_same_word += other->n_same_word;
  return TRUE;
}

/**
 * hl_probe_copy:
 * @self: counts
 *
 * Returns: (transfer full): the same, to be looked at while @self goes on
 */
HlProbe *
hl_probe_copy (const HlProbe *self)
{
  HlProbe *copy = hl_probe_new ();

  hl_probe_merge (copy, self, NULL);
  return copy;
}

/**
 * hl_probe_get_size:
 * @self: counts
 *
 * Returns: about how many bytes they take
 */
gsize
hl_probe_get_size (const HlProbe *self)
{
  const gsize n_heads = get_n_heads (self);
  const gsize relation = sizeof (Relation) + HL_N_PROBE_SIDES * n_heads * sizeof (guint64);

  return self->relations->len * relation + n_heads * sizeof *self->coreference;
}

/**
 * hl_probe_get_n_texts:
 * @self: counts
 *
 * Sentences that are read once more as parts of a document count once.
 *
 * Returns: how many texts they are of
 */
guint
hl_probe_get_n_texts (const HlProbe *self)
{
  return MAX (self->n_sentences, self->n_documents);
}

/**
 * hl_probe_get_n_texts_of:
 * @self: counts
 * @task: one of #HlProbeTasks
 *
 * Returns: how many texts are held against that: dependencies are of sentences, and coreference is of documents, or of parts of them
 */
guint
hl_probe_get_n_texts_of (const HlProbe *self,
                         HlProbeTasks   task)
{
  return task == HL_PROBE_COREFERENCE ? self->n_documents : self->n_sentences;
}

/**
 * hl_probe_get_n_layers:
 * @self: counts
 *
 * Returns: how many layers the texts have, 0 while there is none
 */
guint
hl_probe_get_n_layers (const HlProbe *self)
{
  return self->index.n_layers;
}

/**
 * hl_probe_get_n_heads:
 * @self: counts
 * @layer: a layer
 *
 * Returns: how many heads it has
 */
guint
hl_probe_get_n_heads (const HlProbe *self,
                      guint          layer)
{
  g_return_val_if_fail (layer < self->index.n_layers, 0);

  return self->index.starts[layer + 1] - self->index.starts[layer];
}

/**
 * hl_probe_get_n_relations:
 * @self: counts
 *
 * Returns: how many rows there are: %HL_PROBE_ALL, then each relation in the order in which they came
 */
guint
hl_probe_get_n_relations (const HlProbe *self)
{
  return self->relations->len;
}

/**
 * hl_probe_get_relation:
 * @self: counts
 * @relation: a row
 *
 * Returns: (transfer none) (nullable): the relation's name; %NULL of %HL_PROBE_ALL
 */
const char *
hl_probe_get_relation (const HlProbe *self,
                       guint          relation)
{
  g_return_val_if_fail (relation < self->relations->len, NULL);

  return get_relation (self, relation)->name;
}

/**
 * hl_probe_find_relation:
 * @self: counts
 * @name: the name of a relation
 * @relation: (out): its row
 *
 * Returns: whether a word has that relation
 */
gboolean
hl_probe_find_relation (const HlProbe *self,
                        const char    *name,
                        guint         *relation)
{
  for (guint i = HL_PROBE_ALL + 1; i < self->relations->len; i++)
    if (strcmp (get_relation (self, i)->name, name) == 0)
      {
        *relation = i;
        return TRUE;
      }
  return FALSE;
}

/**
 * hl_probe_get_n:
 * @self: counts
 * @relation: a row
 *
 * Returns: of how many words it is
 */
guint64
hl_probe_get_n (const HlProbe *self,
                guint          relation)
{
  return relation < self->relations->len ? get_relation (self, relation)->n : 0;
}

/**
 * hl_probe_get_n_left_out:
 * @self: counts
 *
 * Returns: how many words could not be looked at, because they or their heads have no tokens of their own
 */
guint64
hl_probe_get_n_left_out (const HlProbe *self)
{
  return self->n_left_out;
}

/**
 * hl_probe_get_accuracy:
 * @self: counts
 * @relation: a row
 * @side: who attends
 * @head: a head of all
 *
 * Returns: the part of the words whose head is found, 0 to 1; NaN of no words
 */
double
hl_probe_get_accuracy (const HlProbe *self,
                       guint          relation,
                       HlProbeSide    side,
                       guint          head)
{
  const guint64 n = hl_probe_get_n (self, relation);

  g_return_val_if_fail (n == 0 || head < get_n_heads (self), NAN);

  return n > 0 ? (double) get_relation (self, relation)->correct[side * (gsize) get_n_heads (self) + head] / (double) n
               : NAN;
}

/**
 * hl_probe_get_better:
 * @self: counts
 * @relation: a row
 * @head: a head of all
 *
 * Returns: hl_probe_get_accuracy() of the side where it is greater: what heads are compared by
 */
double
hl_probe_get_better (const HlProbe *self,
                     guint          relation,
                     guint          head)
{
  const double dependent = hl_probe_get_accuracy (self, relation, HL_PROBE_DEPENDENT, head);
  const double governor = hl_probe_get_accuracy (self, relation, HL_PROBE_HEAD, head);

  return MAX (dependent, governor);
}

/**
 * hl_probe_find_best:
 * @self: counts
 * @relation: a row
 * @side: (out): who attends
 * @head: (out): the head of all that finds most; the first of equals
 *
 * Returns: whether there is any word
 */
gboolean
hl_probe_find_best (const HlProbe *self,
                    guint          relation,
                    HlProbeSide   *side,
                    guint         *head)
{
  const guint n_heads = get_n_heads (self);
  gsize best = 0;

  if (hl_probe_get_n (self, relation) == 0)
    return FALSE;
  const guint64 *correct = get_relation (self, relation)->correct;
  for (gsize i = 1; i < (gsize) HL_N_PROBE_SIDES * n_heads; i++)
    if (correct[i] > correct[best])
      best = i;
  *side = (HlProbeSide) (best / n_heads);
  *head = (guint) (best % n_heads);
  return TRUE;
}

/**
 * hl_probe_get_baseline:
 * @self: counts
 * @relation: a row
 * @offset: (out): how far behind a word its head is most often, in words; below 0 before it
 *
 * Returns: the part of the words whose head is just there, what one fixed offset finds; NaN of no words
 */
double
hl_probe_get_baseline (const HlProbe *self,
                       guint          relation,
                       int           *offset)
{
  const guint64 n = hl_probe_get_n (self, relation);

  *offset = 0;
  if (n == 0)
    return NAN;
  /* Of equals the nearest. */
  const guint64 *offsets = get_relation (self, relation)->offsets + MAX_OFFSET;
  for (int i = 1; i <= MAX_OFFSET; i++)
    {
      if (offsets[i] > offsets[*offset])
        *offset = i;
      if (offsets[-i] > offsets[*offset])
        *offset = -i;
    }
  return (double) offsets[*offset] / (double) n;
}

/**
 * hl_probe_get_n_mentions:
 * @self: counts
 *
 * Returns: how many mentions have an antecedent
 */
guint64
hl_probe_get_n_mentions (const HlProbe *self)
{
  return self->n_mentions;
}

static double
get_share (const HlProbe *self,
           guint64        n)
{
  return self->n_mentions > 0 ? (double) n / (double) self->n_mentions : NAN;
}

/**
 * hl_probe_get_coreference:
 * @self: counts
 * @head: a head of all
 *
 * Returns: the part of these mentions whose head word attends most to the head word of an antecedent; NaN of no mentions
 */
double
hl_probe_get_coreference (const HlProbe *self,
                          guint          head)
{
  g_return_val_if_fail (self->n_mentions == 0 || head < get_n_heads (self), NAN);

  return get_share (self, self->n_mentions > 0 ? self->coreference[head] : 0);
}

/**
 * hl_probe_find_best_coreference:
 * @self: counts
 * @head: (out): the head of all that finds most antecedents; the first of equals
 *
 * Returns: whether any mention has an antecedent
 */
gboolean
hl_probe_find_best_coreference (const HlProbe *self,
                                guint         *head)
{
  *head = 0;
  for (guint i = 1; i < get_n_heads (self); i++)
    if (self->coreference[i] > self->coreference[*head])
      *head = i;
  return self->n_mentions > 0;
}

/**
 * hl_probe_get_nearest:
 * @self: counts
 *
 * Returns: the part of these mentions that the mention before them is an antecedent of: what the simplest rule finds
 */
double
hl_probe_get_nearest (const HlProbe *self)
{
  return get_share (self, self->n_nearest);
}

/**
 * hl_probe_get_same_word:
 * @self: counts
 *
 * Returns: likewise, of the rule that takes the nearest mention with the same head word, and the nearest of all without one
 */
double
hl_probe_get_same_word (const HlProbe *self)
{
  return get_share (self, self->n_same_word);
}

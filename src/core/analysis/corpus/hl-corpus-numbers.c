/* SPDX-License-Identifier: MIT */
/* Numbers of heads over many texts. Of a text nothing is kept but what its numbers add to the means. */
#include "core/analysis/corpus/hl-corpus-numbers.h"

#include "core/analysis/corpus/hl-corpus-work.h"
#include "core/analysis/number/hl-head-used.h"
#include "core/base/hl-error.h"
#include "core/model/hl-model-call.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* The kinds of attention that an example can have, one each. */
#define MAX_ATTENTIONS (HL_ATTENTION_CROSS + 1)

/* Heads whose distances to one another are found out for several texts at a time: those of a group of texts take 6 MiB, and meanwhile 8 more. */
#define MAX_DISTANT_HEADS 1024

/* Of each number, what an attention would have to have for it; NULL where it has that. */
typedef char *Needs[HL_N_HEAD_STATS];

/* Of one attention. */
typedef struct
{
  HlAttention *attention; /* one like that of the first text, of which layers, heads and names are meant */
  guint n_heads;
  HlHeadSpread *spreads;      /* [head, column] */
  HlHeadDistances *distances; /* where they are wanted */
  Needs needs;                /* of the first of the texts that lack it */
} Part;

struct _HlCorpusNumbers
{
  gatomicrefcount n_refs;
  guint n_texts;
  guint n_all;
  guint n_cut;
  GArray *columns; /* of HlCorpusColumn */
  guint n_parts;
  Part parts[MAX_ATTENTIONS];
  GError *lacking[MAX_ATTENTIONS]; /* of a kind, what the first of the texts that lack it says */
};

/* What comes of one text. It may wait for others, and holds nothing of the text. */
typedef struct
{
  gboolean was_cut;
  guint n;
  HlAttention *attentions[MAX_ATTENTIONS]; /* as those of the text, without tokens and tensors */
  guint n_heads[MAX_ATTENTIONS];
  double *values[MAX_ATTENTIONS];             /* [head, column] */
  HlHeadDistances *distances[MAX_ATTENTIONS]; /* where they are wanted; of a group, in its first text that has any */
  Needs needs[MAX_ATTENTIONS];
  GError *lacking[MAX_ATTENTIONS]; /* of a kind, why there is nothing to derive */
} TextNumbers;

typedef struct
{
  HlCorpus *corpus;
  const HlCorpusRequest *request;
  HlCorpusNumbers *numbers;
  gboolean is_wide; /* a text that is taken has more heads than MAX_DISTANT_HEADS */
} Run;

/**
 * hl_corpus_column_get_nick:
 * @self: a column
 *
 * Returns: (transfer full): its name in tables that programs read: "entropy", "pattern-vertical"
 */
char *
hl_corpus_column_get_nick (const HlCorpusColumn *self)
{
  const HlHeadNumber *number = hl_head_number_get (self->stat);

  return self->word < 0 ? g_strdup (number->nick)
                        : g_strconcat (number->nick, "-", number->words[self->word].nick, NULL);
}

static HlCorpusNumbers *
create (HlHeadNumberSet wanted,
        guint           n_all)
{
  HlCorpusNumbers *self = g_new0 (HlCorpusNumbers, 1);

  g_atomic_ref_count_init (&self->n_refs);
  self->n_all = n_all;
  self->columns = g_array_new (FALSE, FALSE, sizeof (HlCorpusColumn));
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      const HlHeadNumberWord *words = hl_head_number_get (stat)->words;
      HlCorpusColumn column = { stat, words != NULL ? 0 : -1 };

      if (!(wanted & HL_HEAD_NUMBER_BIT (stat)))
        continue;
      do
        g_array_append_val (self->columns, column);
      while (words != NULL && words[++column.word].nick != NULL);
    }
  return self;
}

static void
needs_clear (Needs needs)
{
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    g_clear_pointer (&needs[stat], g_free);
}

/* What @needs does not say. */
static void
needs_add (Needs       needs,
           const Needs more)
{
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (needs[stat] == NULL)
      needs[stat] = g_strdup (more[stat]);
}

/* What is known so far, for somebody else to look at. */
static HlCorpusNumbers *
copy (const HlCorpusNumbers *self)
{
  HlCorpusNumbers *other = g_memdup2 (self, sizeof *self);

  g_atomic_ref_count_init (&other->n_refs);
  g_array_ref (other->columns);
  for (guint i = 0; i < other->n_parts; i++)
    {
      Part *part = &other->parts[i];
      g_object_ref (part->attention);
      part->spreads =
        g_memdup2 (part->spreads, sizeof *part->spreads * MAX ((gsize) part->n_heads * self->columns->len, 1));
      part->distances = part->distances != NULL ? hl_head_distances_copy (part->distances) : NULL;
      memset (part->needs, 0, sizeof part->needs);
      needs_add (part->needs, self->parts[i].needs);
    }
  for (guint kind = 0; kind < MAX_ATTENTIONS; kind++)
    other->lacking[kind] = self->lacking[kind] != NULL ? g_error_copy (self->lacking[kind]) : NULL;
  return other;
}

/**
 * hl_corpus_numbers_ref:
 * @self: numbers
 *
 * Returns: (transfer full): the same
 */
HlCorpusNumbers *
hl_corpus_numbers_ref (HlCorpusNumbers *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

static void
part_clear (Part *part)
{
  g_object_unref (part->attention);
  g_free (part->spreads);
  g_clear_pointer (&part->distances, hl_head_distances_unref);
  needs_clear (part->needs);
}

/**
 * hl_corpus_numbers_unref:
 * @self: (transfer full): numbers
 */
void
hl_corpus_numbers_unref (HlCorpusNumbers *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  for (guint i = 0; i < self->n_parts; i++)
    part_clear (&self->parts[i]);
  for (guint kind = 0; kind < MAX_ATTENTIONS; kind++)
    g_clear_error (&self->lacking[kind]);
  g_array_unref (self->columns);
  g_free (self);
}

/**
 * hl_corpus_numbers_get_n_texts:
 * @self: numbers
 *
 * Returns: over how many texts they are
 */
guint
hl_corpus_numbers_get_n_texts (const HlCorpusNumbers *self)
{
  return self->n_texts;
}

/**
 * hl_corpus_numbers_get_n_all:
 * @self: numbers
 *
 * Returns: how many texts there are in all
 */
guint
hl_corpus_numbers_get_n_all (const HlCorpusNumbers *self)
{
  return self->n_all;
}

/**
 * hl_corpus_numbers_get_n_cut:
 * @self: numbers
 *
 * Returns: how many of the texts are longer than the model takes, and were cut
 */
guint
hl_corpus_numbers_get_n_cut (const HlCorpusNumbers *self)
{
  return self->n_cut;
}

/**
 * hl_corpus_numbers_get_n_columns:
 * @self: numbers
 *
 * Returns: how many are known of each head
 */
guint
hl_corpus_numbers_get_n_columns (const HlCorpusNumbers *self)
{
  return self->columns->len;
}

/**
 * hl_corpus_numbers_get_column:
 * @self: numbers
 * @column: one of those of each head
 *
 * Returns: (transfer none): what it is
 */
const HlCorpusColumn *
hl_corpus_numbers_get_column (const HlCorpusNumbers *self,
                              guint                  column)
{
  g_return_val_if_fail (column < self->columns->len, NULL);

  return &g_array_index (self->columns, HlCorpusColumn, column);
}

/**
 * hl_corpus_numbers_get_n_attentions:
 * @self: numbers
 *
 * Returns: how many kinds of attention the texts have, without those that are left out; 0 while there is no text
 */
guint
hl_corpus_numbers_get_n_attentions (const HlCorpusNumbers *self)
{
  return self->n_parts;
}

/**
 * hl_corpus_numbers_get_attention:
 * @self: numbers
 * @index: one of the kinds of attention
 *
 * Returns: (transfer none): one that has the kind, layers and heads of all texts, and nothing else
 */
HlAttention *
hl_corpus_numbers_get_attention (const HlCorpusNumbers *self,
                                 guint                  index)
{
  g_return_val_if_fail (index < self->n_parts, NULL);

  return self->parts[index].attention;
}

/**
 * hl_corpus_numbers_get_lacking:
 * @self: numbers
 * @kind: a kind of attention
 *
 * Returns: (transfer none) (nullable): why it is left out: what the first text says of which there is nothing to derive, with its place in front;
 *   %NULL where it is not left out
 */
const GError *
hl_corpus_numbers_get_lacking (const HlCorpusNumbers *self,
                               HlAttentionKind        kind)
{
  g_return_val_if_fail (kind < MAX_ATTENTIONS, NULL);

  return self->lacking[kind];
}

/**
 * hl_corpus_numbers_get_need:
 * @self: numbers
 * @attention: one of the kinds of attention
 * @stat: a number
 *
 * Returns: (transfer none) (nullable): where no head has it in any of the texts, what it needs, hl_head_number_check(), as the first of the texts
 *   says; %NULL otherwise
 */
const char *
hl_corpus_numbers_get_need (const HlCorpusNumbers *self,
                            guint                  attention,
                            HlHeadStat             stat)
{
  g_return_val_if_fail (attention < self->n_parts && stat < HL_N_HEAD_STATS, NULL);

  const Part *part = &self->parts[attention];
  for (gsize i = 0; i < (gsize) part->n_heads * self->columns->len; i++)
    if (g_array_index (self->columns, HlCorpusColumn, i % self->columns->len).stat == stat && part->spreads[i].n > 0)
      return NULL;
  return part->needs[stat];
}

/**
 * hl_corpus_numbers_get_spread:
 * @self: numbers
 * @attention: one of the kinds of attention
 * @head: a head of all, those of layer 0 first
 * @column: one of its numbers
 *
 * Returns: (transfer none): what is known of it over the texts
 */
const HlHeadSpread *
hl_corpus_numbers_get_spread (const HlCorpusNumbers *self,
                              guint                  attention,
                              guint                  head,
                              guint                  column)
{
  g_return_val_if_fail (attention < self->n_parts && head < self->parts[attention].n_heads, NULL);
  g_return_val_if_fail (column < self->columns->len, NULL);

  return &self->parts[attention].spreads[(gsize) head * self->columns->len + column];
}

static gboolean
have_same_heads (HlAttention *a,
                 HlAttention *b)
{
  const guint n = hl_attention_get_n_layers (a);
  gboolean same = hl_attention_get_kind (a) == hl_attention_get_kind (b) && n == hl_attention_get_n_layers (b);

  for (guint layer = 0; same && layer < n; layer++)
    same = hl_attention_get_n_heads (a, layer) == hl_attention_get_n_heads (b, layer);
  return same;
}

/* What most texts have, the first of equals; NaN where none has any. */
static double
find_most_frequent (const HlCorpusNumbers *self,
                    guint                  part,
                    guint                  head,
                    guint                  first)
{
  const HlHeadStat stat = hl_corpus_numbers_get_column (self, first)->stat;
  double most = 0, value = NAN;

  for (guint i = first; i < self->columns->len && hl_corpus_numbers_get_column (self, i)->stat == stat; i++)
    {
      const HlHeadSpread *spread = hl_corpus_numbers_get_spread (self, part, head, i);
      if (spread->n > 0 && spread->mean > most)
        {
          most = spread->mean;
          value = hl_corpus_numbers_get_column (self, i)->word;
        }
    }
  return value;
}

/* Of each class in which part of the texts a head has it. */
static HlHeadNumbers *
give_shares (const HlCorpusNumbers *self,
             guint                  part,
             HlHeadNumbers         *means)
{
  const guint n = self->parts[part].n_heads;
  g_autofree double *shares = g_new (double, MAX ((gsize) n * HL_HEAD_NUMBER_MAX_WORDS, 1));
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_ref (means);

  for (guint i = 0; i < self->columns->len; i++)
    {
      const HlCorpusColumn *column = hl_corpus_numbers_get_column (self, i);

      if (column->word != 0)
        continue;
      for (gsize j = 0; j < (gsize) n * HL_HEAD_NUMBER_MAX_WORDS; j++)
        shares[j] = NAN;
      for (guint j = i; j < self->columns->len && hl_corpus_numbers_get_column (self, j)->stat == column->stat; j++)
        for (guint head = 0; head < n; head++)
          shares[(gsize) head * HL_HEAD_NUMBER_MAX_WORDS + hl_corpus_numbers_get_column (self, j)->word] =
            hl_head_spread_get_mean (hl_corpus_numbers_get_spread (self, part, head, j));
      HlHeadNumbers *more = hl_head_numbers_give_shares (numbers, column->stat, shares);
      hl_head_numbers_unref (numbers);
      numbers = more;
    }
  return g_steal_pointer (&numbers);
}

/**
 * hl_corpus_numbers_make_numbers:
 * @self: numbers
 * @attention: an attention with the heads of the texts
 * @first_query: the first of its queries that count
 * @n_queries: how many
 * @error: %HL_ERROR_SHAPE for other heads, %HL_ERROR_VALUE while there is no text; hl_corpus_numbers_get_lacking() of what is left out
 *
 * The means over the texts as the numbers of an attention, for tables and pictures of its heads; of a class, what most texts have.
 *
 * Returns: (transfer full) (nullable): these
 */
HlHeadNumbers *
hl_corpus_numbers_make_numbers (const HlCorpusNumbers *self,
                                HlAttention           *attention,
                                gsize                  first_query,
                                gsize                  n_queries,
                                GError               **error)
{
  guint part = 0;

  if (self->n_texts == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there are no numbers of any text yet"));
      return NULL;
    }
  const GError *lacking = self->lacking[hl_attention_get_kind (attention)];
  if (lacking != NULL)
    {
      g_propagate_error (error, g_error_copy (lacking));
      return NULL;
    }
  while (part < self->n_parts && !have_same_heads (self->parts[part].attention, attention))
    part++;
  if (part == self->n_parts)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("the texts do not have the layers and heads of what is shown"));
      return NULL;
    }
  const guint n = self->parts[part].n_heads;
  g_autofree HlHeadSpread *spreads = g_new0 (HlHeadSpread, MAX ((gsize) n * HL_N_HEAD_STATS, 1));
  g_autofree HlHeadStats *values = g_new (HlHeadStats, MAX (n, 1));
  for (guint head = 0; head < n; head++)
    {
      for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
        values[head].values[stat] = NAN;
      for (guint i = 0; i < self->columns->len; i++)
        {
          const HlCorpusColumn *column = hl_corpus_numbers_get_column (self, i);
          if (column->word < 0)
            spreads[(gsize) head * HL_N_HEAD_STATS + column->stat] =
              *hl_corpus_numbers_get_spread (self, part, head, i);
          else if (column->word == 0)
            values[head].values[column->stat] = find_most_frequent (self, part, head, i);
        }
    }
  g_autoptr (HlHeadNumbers) none = hl_head_numbers_new (attention, first_query, n_queries);
  g_autoptr (HlHeadNumbers) means = hl_head_numbers_set_texts (none, self->n_texts, spreads, values);
  g_autoptr (HlHeadNumbers) shares = give_shares (self, part, means);
  return hl_head_numbers_give_distances (shares, self->parts[part].distances);
}

static void
text_numbers_free (gpointer data)
{
  TextNumbers *self = data;

  for (guint i = 0; i < self->n; i++)
    {
      g_object_unref (self->attentions[i]);
      g_free (self->values[i]);
      g_clear_pointer (&self->distances[i], hl_head_distances_unref);
    }
  for (guint kind = 0; kind < MAX_ATTENTIONS; kind++)
    {
      needs_clear (self->needs[kind]);
      g_clear_error (&self->lacking[kind]);
    }
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TextNumbers, text_numbers_free)

/* How many heads a model has is known once its first text is taken. A small file may have many, and others in each example. */
static gboolean
is_alone (const Run *self,
          guint      index)
{
  return hl_corpus_has_model (self->corpus) ? index == 0 || self->is_wide
                                            : hl_corpus_get_max_heads (self->corpus, index) > MAX_DISTANT_HEADS;
}

static gsize
get_size (gpointer data,
          guint    index)
{
  const Run *self = data;

  if (self->request->distances && is_alone (self, index))
    return HL_CORPUS_WORK_ALONE;
  return hl_corpus_has_model (self->corpus) ? hl_corpus_get_size (self->corpus, index) : HL_CORPUS_WORK_GROUP_SIZE;
}

static gboolean
derive (const Run          *self,
        HlExample          *example,
        guint               index,
        HlAttention       **attention,
        HlAttentionSource **source,
        GError            **error)
{
  if (self->request->derive != NULL)
    return self->request->derive (example, index, attention, source, self->request->data, error);
  *attention = g_object_ref (hl_example_get_attention (example, index));
  *source = hl_attention_make_source (*attention);
  return TRUE;
}

/* One of the same kind, layers and heads, of one token that nobody knows. */
static HlAttention *
make_alike (HlAttention *attention)
{
  g_auto (HlDerivedAttention) init = { 0 };

  hl_derived_attention_init (&init, attention);
  hl_derived_attention_clear_tokens (&init);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      init.tokens[side] = (HlAttentionTokens){ .n = 1, .n_used = 1 };
      hl_attention_tokens_spell (&init.tokens[side], NULL, 0);
      init.tokens[side].texts = hl_attention_tokens_make_texts (&init.tokens[side]);
    }
  return hl_attention_new_derived (&init);
}

static double
get_value (const HlHeadNumbers  *numbers,
           const HlCorpusColumn *column,
           guint                 head)
{
  const double value = hl_head_numbers_get (numbers, HL_HEAD_MEASURE_STATS + column->stat, head);

  return column->word < 0 || !isfinite (value) ? value : value == column->word;
}

static double *
list_values (const HlCorpusNumbers *self,
             const HlHeadNumbers   *numbers)
{
  const guint n = hl_head_numbers_get_n (numbers), n_columns = self->columns->len;
  double *values = g_new (double, MAX ((gsize) n * n_columns, 1));

  for (guint head = 0; head < n; head++)
    for (guint column = 0; column < n_columns; column++)
      values[(gsize) head * n_columns + column] =
        get_value (numbers, hl_corpus_numbers_get_column (self, column), head);
  return values;
}

static void
find_needs (HlHeadNumberSet            wanted,
            const HlHeadNumberRequest *request,
            Needs                      needs)
{
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      g_autoptr (GError) error = NULL;

      if ((wanted & HL_HEAD_NUMBER_BIT (stat)) && !hl_head_number_check (stat, request, &error))
        needs[stat] = g_strdup (error->message);
    }
}

/* @attention and @source: what was derived of @own; @distances: those of the texts of its group, if there are any */
static gboolean
measure_attention (const Run         *self,
                   TextNumbers       *numbers,
                   HlDocument        *document,
                   HlAttention       *own,
                   HlAttention       *attention,
                   HlAttentionSource *source,
                   HlHeadDistances  **distances,
                   GCancellable      *cancellable,
                   GError           **error)
{
  g_autoptr (HlAttentionSource) weights = attention != own ? hl_attention_make_source (own) : NULL;
  const HlHeadNumberRequest request = {
    .attention = attention,
    .source = source,
    .own = weights != NULL ? own : NULL,
    .weights = weights,
    .n_queries = hl_attention_get_n_used (attention, HL_QUERIES),
    .call = hl_model_call_of (document),
  };
  gsize first = 0, n_queries = request.n_queries;
  g_autoptr (HlHeadNumbers) known = hl_head_numbers_new (attention, 0, request.n_queries);
  if (!hl_head_numbers_complete (&known, &request, self->request->wanted, NULL, cancellable, error))
    return FALSE;
  const guint i = numbers->n++;
  find_needs (self->request->wanted, &request, numbers->needs[i]);
  numbers->attentions[i] = make_alike (attention);
  numbers->n_heads[i] = hl_head_numbers_get_n (known);
  numbers->values[i] = list_values (self->numbers, known);
  if (!self->request->distances)
    return TRUE;
  if (*distances == NULL)
    *distances = numbers->distances[i] = hl_head_distances_new ();
  hl_head_used_cut_queries (attention, source, &first, &n_queries);
  return hl_head_distances_add (*distances, source, first, n_queries, NULL, cancellable, error);
}

/* @distances: by kind of attention */
static TextNumbers *
measure_text (const Run        *self,
              HlDocument       *document,
              HlExample        *example,
              HlHeadDistances **distances,
              GCancellable     *cancellable,
              GError          **error)
{
  g_autoptr (TextNumbers) numbers = g_new0 (TextNumbers, 1);

  for (guint i = 0; i < MIN (hl_example_get_n_attentions (example), MAX_ATTENTIONS); i++)
    {
      HlAttention *own = hl_example_get_attention (example, i);
      g_autoptr (HlAttention) attention = NULL;
      g_autoptr (HlAttentionSource) source = NULL;
      g_autoptr (GError) lacking = NULL;

      if (derive (self, example, i, &attention, &source, &lacking))
        {
          if (!measure_attention (self, numbers, document, own, attention, source,
                                  &distances[hl_attention_get_kind (own)], cancellable, error))
            return NULL;
          continue;
        }
      /* What one attention lacks, another may have. */
      if (!g_error_matches (lacking, HL_ERROR, HL_ERROR_MISSING))
        {
          g_propagate_error (error, g_steal_pointer (&lacking));
          return NULL;
        }
      numbers->lacking[hl_attention_get_kind (own)] = g_steal_pointer (&lacking);
    }
  GPtrArray *checks = hl_example_get_checks (example);
  for (guint i = 0; i < checks->len; i++)
    numbers->was_cut |= hl_check_get_topic (checks->pdata[i]) == HL_CHECK_TOPIC_LENGTH;
  return g_steal_pointer (&numbers);
}

static gboolean
measure (gpointer      data,
         guint         first,
         guint         n,
         gpointer     *results,
         GCancellable *cancellable,
         GError      **error)
{
  const Run *self = data;
  HlDocument *documents[HL_CORPUS_WORK_MAX_GROUP];
  HlExample *examples[HL_CORPUS_WORK_MAX_GROUP];
  HlHeadDistances *distances[MAX_ATTENTIONS] = { NULL }; /* of the texts that have them first */
  gboolean done = TRUE;

  if (!hl_corpus_read_together (self->corpus, first, n, documents, examples, cancellable, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      results[i] = done ? measure_text (self, documents[i], examples[i], distances, cancellable, error) : NULL;
      if (done && results[i] == NULL)
        {
          g_autofree char *place = hl_corpus_get_place (self->corpus, first + i);
          g_prefix_error (error, "%s: ", place);
          done = FALSE;
        }
      g_object_unref (documents[i]);
      g_object_unref (examples[i]);
    }
  for (guint i = 0; !done && i < n; i++)
    g_clear_pointer (&results[i], text_numbers_free);
  return done;
}

/* The part that an attention belongs to, a new one if it is the first of its kind. */
static Part *
find_part (HlCorpusNumbers *self,
           HlAttention     *attention,
           guint            n_heads)
{
  guint i = 0;

  while (i < self->n_parts && hl_attention_get_kind (self->parts[i].attention) != hl_attention_get_kind (attention))
    i++;
  Part *part = &self->parts[i];
  if (i < self->n_parts)
    return part;
  *part = (Part){ .attention = g_object_ref (attention),
                  .n_heads = n_heads,
                  .spreads = g_new0 (HlHeadSpread, MAX ((gsize) n_heads * self->columns->len, 1)) };
  self->n_parts++;
  return part;
}

static gsize
get_room (gpointer data,
          gpointer result)
{
  const Run *self = data;
  const TextNumbers *text = result;
  gsize room = 0;

  for (guint i = 0; i < text->n; i++)
    {
      room += (gsize) text->n_heads[i] * self->numbers->columns->len * sizeof (double);
      if (text->distances[i] != NULL)
        room += hl_head_distances_get_size (text->distances[i]);
    }
  return room;
}

/* A mean over the texts is one over all of them: what one text lacks is left out of all. */
static void
leave_out (Run            *self,
           guint           index,
           HlAttentionKind kind,
           const GError   *lacking)
{
  HlCorpusNumbers *numbers = self->numbers;
  g_autofree char *place = hl_corpus_get_place (self->corpus, index);
  guint i = 0;

  if (numbers->lacking[kind] != NULL)
    return;
  numbers->lacking[kind] = g_error_copy (lacking);
  g_prefix_error (&numbers->lacking[kind], "%s: ", place);
  while (i < numbers->n_parts && hl_attention_get_kind (numbers->parts[i].attention) != kind)
    i++;
  if (i == numbers->n_parts)
    return;
  part_clear (&numbers->parts[i]);
  for (numbers->n_parts--; i < numbers->n_parts; i++)
    numbers->parts[i] = numbers->parts[i + 1];
}

static gboolean
take (gpointer data,
      guint    index,
      gpointer result,
      GError **error)
{
  Run *self = data;
  HlCorpusNumbers *numbers = self->numbers;
  const TextNumbers *text = result;
  const GError *lacking = NULL;

  for (guint kind = 0; kind < MAX_ATTENTIONS; kind++)
    if (text->lacking[kind] != NULL)
      {
        leave_out (self, index, kind, text->lacking[kind]);
        lacking = numbers->lacking[kind];
      }
  for (guint i = 0; i < text->n; i++)
    {
      self->is_wide |= text->n_heads[i] > MAX_DISTANT_HEADS;
      if (numbers->lacking[hl_attention_get_kind (text->attentions[i])] != NULL)
        continue;
      Part *part = find_part (numbers, text->attentions[i], text->n_heads[i]);

      if (!have_same_heads (part->attention, text->attentions[i]))
        {
          g_autofree char *place = hl_corpus_get_place (self->corpus, index);
          g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("%s does not have the layers and heads of those before it"),
                       place);
          return FALSE;
        }
      if (text->distances[i] != NULL && part->distances == NULL)
        part->distances = hl_head_distances_new ();
      if (text->distances[i] != NULL && !hl_head_distances_merge (part->distances, text->distances[i], error))
        return FALSE;
      needs_add (part->needs, text->needs[i]);
      for (gsize j = 0; j < (gsize) part->n_heads * numbers->columns->len; j++)
        hl_head_spread_add (&part->spreads[j], text->values[i][j]);
    }
  if (lacking != NULL && (text->n == 0 || numbers->n_parts == 0))
    {
      g_propagate_error (error, g_error_copy (lacking));
      return FALSE;
    }
  numbers->n_texts++;
  numbers->n_cut += text->was_cut;
  return TRUE;
}

static void
show (gpointer data,
      guint    n_done)
{
  const Run *self = data;
  g_autoptr (HlCorpusNumbers) so_far = copy (self->numbers);

  self->request->func (so_far, self->request->data);
}

/**
 * hl_corpus_measure:
 * @corpus: texts
 * @request: what is taken over them
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: that of the first text that went wrong, with its place in front; %HL_ERROR_SHAPE for texts with other layers and heads than the first; or
 *   %G_IO_ERROR_CANCELLED
 *
 * Takes numbers of heads over texts: each number of a text counts once, however long the text is. Texts where a number is not defined do not count
 * for it; an attention of which there is nothing to derive in one of them is left out of all, and where nothing is left, that is an error. Results
 * do not depend on threads. Who is told of what is known so far is told once more where it ends too soon. Blocks: call it from a worker.
 *
 * Returns: (transfer full) (nullable): the numbers over all texts
 */
HlCorpusNumbers *
hl_corpus_measure (HlCorpus              *corpus,
                   const HlCorpusRequest *request,
                   HlProgress            *progress,
                   GCancellable          *cancellable,
                   GError               **error)
{
  g_return_val_if_fail (HL_IS_CORPUS (corpus), NULL);

  g_autoptr (HlCorpusNumbers) numbers = create (request->wanted, hl_corpus_get_n (corpus));
  Run run = { corpus, request, numbers };
  const HlCorpusWork work = {
    .n = hl_corpus_get_n (corpus),
    .get_size = get_size,
    .measure = measure,
    .get_room = get_room,
    .take = take,
    .free_result = text_numbers_free,
    .show = request->func != NULL ? show : NULL,
    .data = &run,
  };

  if (work.n == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("there is no text in it"));
      return NULL;
    }
  if (hl_corpus_work_run (&work, progress, cancellable, error))
    return g_steal_pointer (&numbers);
  if (request->func != NULL && numbers->n_texts > 0)
    show (&run, numbers->n_texts);
  return NULL;
}

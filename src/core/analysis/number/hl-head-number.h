/* SPDX-License-Identifier: MIT */
/* The numbers that tell heads apart: a row of HL_HEAD_NUMBERS and a file each, or a file for those that belong together. */
#pragma once

#include "core/model/hl-model-call.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HL_HEAD_NUMBERS:
 *
 * All numbers, in the order of tables. What follows from a row: a value of #HlHeadStat and of #HlHeadMeasure, a value of `--numbers`, a column of every
 * table and file, an item to sort and to frame heads by, a line on a head's card.
 */
#define HL_HEAD_NUMBERS(ROW)                           \
  ROW (ENTROPY, entropy)                               \
  ROW (DISTANCE, distance)                             \
  ROW (FIRST, first)                                   \
  ROW (SPECIAL, special)                               \
  ROW (PREVIOUS, previous)                             \
  ROW (NEXT, next)                                     \
  ROW (SELF, self)                                     \
  ROW (SINK, sink)                                     \
  ROW (PATTERN, pattern)                               \
  ROW (MASS_CLS, mass_cls)                             \
  ROW (MASS_SEP, mass_sep)                             \
  ROW (MASS_BARE_FIRST, mass_bare_first)               \
  ROW (MASS_PUNCTUATION, mass_punctuation)             \
  ROW (MASS_OTHER, mass_other)                         \
  ROW (SEP_TO_SEP, sep_to_sep)                         \
  ROW (OTHERS_TO_SEP, others_to_sep)                   \
  ROW (ENTROPY_CLS, entropy_cls)                       \
  ROW (EVENNESS, evenness)                             \
  ROW (SAME_TOKEN, same_token)                         \
  ROW (SAME_NEXT, same_next)                           \
  ROW (NORM_MASS_FIRST, norm_mass_first)               \
  ROW (NORM_MASS_SPECIAL, norm_mass_special)           \
  ROW (NORM_MASS_CLS, norm_mass_cls)                   \
  ROW (NORM_MASS_SEP, norm_mass_sep)                   \
  ROW (NORM_MASS_BARE_FIRST, norm_mass_bare_first)     \
  ROW (NORM_MASS_PUNCTUATION, norm_mass_punctuation)   \
  ROW (NORM_MASS_OTHER, norm_mass_other)               \
  ROW (NORM_MASS_PREVIOUS, norm_mass_previous)         \
  ROW (NORM_MASS_SELF, norm_mass_self)                 \
  ROW (NORM_MASS_NEXT, norm_mass_next)                 \
  ROW (NORM_SHARE_FIRST, norm_share_first)             \
  ROW (NORM_SHARE_SPECIAL, norm_share_special)         \
  ROW (NORM_SHARE_CLS, norm_share_cls)                 \
  ROW (NORM_SHARE_SEP, norm_share_sep)                 \
  ROW (NORM_SHARE_BARE_FIRST, norm_share_bare_first)   \
  ROW (NORM_SHARE_PUNCTUATION, norm_share_punctuation) \
  ROW (NORM_SHARE_OTHER, norm_share_other)             \
  ROW (NORM_SHARE_PREVIOUS, norm_share_previous)       \
  ROW (NORM_SHARE_SELF, norm_share_self)               \
  ROW (NORM_SHARE_NEXT, norm_share_next)               \
  ROW (LENGTH_FIRST, length_first)                     \
  ROW (LENGTH_SPECIAL, length_special)                 \
  ROW (LENGTH_CLS, length_cls)                         \
  ROW (LENGTH_SEP, length_sep)                         \
  ROW (LENGTH_PUNCTUATION, length_punctuation)         \
  ROW (LENGTH_OTHER, length_other)                     \
  ROW (MIXING, mixing)                                 \
  ROW (PREVIOUS_TOKEN, previous_token)                 \
  ROW (DUPLICATE_TOKEN, duplicate_token)               \
  ROW (INDUCTION, induction)                           \
  ROW (ABLATION_ZERO, ablation_zero)                   \
  ROW (ABLATION_UNIFORM, ablation_uniform)             \
  ROW (DEPENDENCY, dependency)                         \
  ROW (COREFERENCE, coreference)                       \
  ROW (RETRIEVAL, retrieval)

#define HL_HEAD_NUMBER_STAT(NAME, id) HL_HEAD_STAT_##NAME,

/**
 * HlHeadStat:
 * @HL_N_HEAD_STATS: how many there are
 *
 * Which number: what each is stands in its file.
 */
typedef enum {
  HL_HEAD_NUMBERS (HL_HEAD_NUMBER_STAT)
  HL_N_HEAD_STATS,
} HlHeadStat;

/**
 * HlHeadNumberSet:
 *
 * Some numbers, a bit each: #HL_HEAD_NUMBER_BIT of those that are in it.
 */
typedef guint64 HlHeadNumberSet;

#define HL_HEAD_NUMBER_BIT(stat) (G_GUINT64_CONSTANT (1) << (stat))

G_STATIC_ASSERT (HL_N_HEAD_STATS <= 64);

/**
 * HlHeadKeyTraits:
 * @HL_HEAD_KEY_SPECIAL: a special token, as hl_attention_is_special_token() tells them
 * @HL_HEAD_KEY_CLS: one that opens a text, such as `[CLS]` and `<s>`
 * @HL_HEAD_KEY_SEP: one that ends a text or stands between two, such as `[SEP]` and `</s>`
 * @HL_HEAD_KEY_PUNCTUATION: nothing but punctuation, as Unicode has it (P…)
 *
 * What is known of the token of a key. Without tokens nothing is.
 */
typedef enum {
  HL_HEAD_KEY_SPECIAL = 1 << 0,
  HL_HEAD_KEY_CLS = 1 << 1,
  HL_HEAD_KEY_SEP = 1 << 2,
  HL_HEAD_KEY_PUNCTUATION = 1 << 3,
} HlHeadKeyTraits;

/**
 * HlHeadQuery:
 * @weights: [n_keys] what the query attends to; their sum is finite and not 0
 * @n_keys: keys of the map
 * @first_key: the first of them that is no padding
 * @position: which key is at the query's own position, perhaps none of them
 * @traits: [n_keys] of each key its #HlHeadKeyTraits
 * @tokens: [n_keys] of each key which token it is: keys of equal numbers are the same, whatever the case of letters; 0 of a special one, and without tokens
 * @first_visible: the first key that the query sees
 * @end_visible: one past the last; padding is not among them
 * @mask: the rule of the map, by which hl_weight_is_masked() knows keys between these that the query does not see
 * @is_derived: whether the row was made of others, so that it need not sum to 1
 * @sunk: what goes to a learned sink in place of a key, which together with @weights is 1; 0 where the head has none
 *
 * A row of a head's map, and what is known of its query and its keys.
 */
typedef struct
{
  const float   *weights;
  gsize          n_keys;
  gsize          first_key;
  gint64         position;
  const guint8  *traits;
  const guint32 *tokens;
  gsize          first_visible;
  gsize          end_visible;
  const HlMask  *mask;
  gboolean       is_derived;
  double         sunk;
} HlHeadQuery;

/**
 * HL_HEAD_MAP_REACH:
 *
 * How far from a query's own position #HlHeadMap tells diagonals apart.
 */
#define HL_HEAD_MAP_REACH 3

/**
 * HlHeadMap:
 * @n_queries: queries that count, at least 1
 * @n_keys: keys of the map
 * @first_key: the first of them that is no padding
 * @n_used: one past the last
 * @is_derived: whether it was made of other maps, as #HlHeadQuery has it
 * @keys: [n_keys] what each key gets, summed over these queries
 * @traits: [n_keys] of each key its #HlHeadKeyTraits
 * @diagonals: the sums over queries of the weight on the key at an offset, from −%HL_HEAD_MAP_REACH on. A query without such a key has 0 there
 * @own_sentence: the sum over queries of the weight on keys of their own sentence
 * @has_two_sentences: whether there are two
 * @norms: (nullable): [n_keys] ‖f(x_j)‖, the length of what a weight of 1 on a key brings; %NULL unless values and output projection are known, and
 *   asked for
 * @norm_diagonals: with @norms, @diagonals of weights times these
 *
 * A head's map, summed up while it went by.
 */
typedef struct
{
  gsize         n_queries;
  gsize         n_keys;
  gsize         first_key;
  gsize         n_used;
  gboolean      is_derived;
  const double *keys;
  const guint8 *traits;
  double        diagonals[2 * HL_HEAD_MAP_REACH + 1];
  double        own_sentence;
  gboolean      has_two_sentences;
  const double *norms;
  double        norm_diagonals[2 * HL_HEAD_MAP_REACH + 1];
} HlHeadMap;

/**
 * HlHeadNumberRequest:
 * @attention: the attention whose heads are meant
 * @source: its numbers, not filtered: weights, or what was made of them
 * @own: (nullable): where @source was made of them, the attention of the document; %NULL where it has the weights
 * @weights: (nullable): likewise, the weights of @own
 * @first_query: the first query that counts
 * @n_queries: how many
 * @call: (nullable): what computed the attention; %NULL of a file
 * @seed: of texts that the program makes
 * @period: of such a text, how many tokens are written twice; 0 for as many as are usual
 * @spans: of each side the first token of a span and how many it has; 0 when there is none
 *
 * What numbers of all heads at once are computed of.
 */
typedef struct
{
  HlAttention       *attention;
  HlAttentionSource *source;
  HlAttention       *own;
  HlAttentionSource *weights;
  gsize              first_query;
  gsize              n_queries;
  HlModelCall       *call;
  guint64            seed;
  gsize              period;
  struct
  {
    gsize first;
    gsize n;
  } spans[2];
} HlHeadNumberRequest;

/**
 * HlHeadNumberNeeds:
 * @HL_HEAD_NUMBER_NEEDS_POSITIONS: that keys are of the queries' own text, one for each of its tokens
 * @HL_HEAD_NUMBER_NEEDS_TOKENS: that the keys' tokens are known
 * @HL_HEAD_NUMBER_NEEDS_NORMS: values and the output projection
 * @HL_HEAD_NUMBER_NEEDS_MODEL: the model that computed the attention
 *
 * What a number is not defined without.
 */
typedef enum {
  HL_HEAD_NUMBER_NEEDS_POSITIONS = 1 << 0,
  HL_HEAD_NUMBER_NEEDS_TOKENS = 1 << 1,
  HL_HEAD_NUMBER_NEEDS_NORMS = 1 << 2,
  HL_HEAD_NUMBER_NEEDS_MODEL = 1 << 3,
} HlHeadNumberNeeds;

/**
 * HlHeadNumberGroup:
 * @HL_HEAD_NUMBER_GROUP_USUAL: those that are told unless others are asked for
 * @HL_HEAD_NUMBER_GROUP_WEIGHTS: others of the weights
 * @HL_HEAD_NUMBER_GROUP_NORMS: of weights times the length of what they bring
 * @HL_HEAD_NUMBER_GROUP_MODEL: those that the model is run for once more
 * @HL_HEAD_NUMBER_GROUP_GIVEN: those that depend on what is known besides the attention: spans, relations of words
 * @HL_N_HEAD_NUMBER_GROUPS: how many there are
 *
 * What stands together where numbers are chosen.
 */
typedef enum {
  HL_HEAD_NUMBER_GROUP_USUAL,
  HL_HEAD_NUMBER_GROUP_WEIGHTS,
  HL_HEAD_NUMBER_GROUP_NORMS,
  HL_HEAD_NUMBER_GROUP_MODEL,
  HL_HEAD_NUMBER_GROUP_GIVEN,
  HL_N_HEAD_NUMBER_GROUPS,
} HlHeadNumberGroup;

/**
 * HlHeadNumberWord:
 * @nick: in tables that programs read: "vertical"
 * @label: for people, to be translated
 *
 * A value of a number that is a class: the first is 0, the next 1 …
 */
typedef struct
{
  const char *nick;
  const char *label;
} HlHeadNumberWord;

/**
 * HL_HEAD_NUMBER_MAX_WORDS:
 *
 * The most values that a number has that is a class.
 */
#define HL_HEAD_NUMBER_MAX_WORDS 8

/**
 * HlHeadNumber:
 * @nick: its name in tables that programs read, "first"
 * @other_nick: (nullable): another name that it can be asked for by, "mass-first"
 * @label: on a head's card, to be translated: "on the first token"
 * @caption: of a figure, likewise: "weight on the first token"
 * @choice: where it is chosen, likewise: "First Token"
 * @title: of a column, likewise, in the context "table of heads": "First"
 * @sentence: what it tells, likewise: a sentence without its point
 * @column_width: of that column, in pixels
 * @is_share: whether it is a part of 1, which people read in percent
 * @group: with which others it stands
 * @of_weights: whether it is of the weights themselves by its definition, also where something else is made of them and shown
 * @is_of_keys: whether it is a mean over keys and not over queries
 * @is_of_layer: whether all heads of a layer have the same, since it is the layer's
 * @words: (nullable) (array zero-terminated=1): names of its values, if it is a class; the last has no nick
 * @needs: what it is not defined without
 * @check: (nullable): whether it is defined for what is asked, besides @needs
 * @measure: (nullable): the number of a query, whose mean over queries is that of the head; NaN of a query that does not count for it
 * @least_queries: of how many queries @measure must be the mean at least; of fewer the number is not defined
 * @measure_map: (nullable): the number of a whole map
 * @compute: (nullable): the numbers of all heads at once, those of layer 0 first, NaN where one is not defined. It costs: it runs only when somebody
 *   asks for it
 *
 * A number of a head. It has one of @measure, @measure_map and @compute. What has none is told by whoever knows it: hl_head_numbers_give().
 */
typedef struct
{
  const char             *nick;
  const char             *other_nick;
  const char             *label;
  const char             *caption;
  const char             *choice;
  const char             *title;
  const char             *sentence;
  int                     column_width;
  gboolean                is_share;
  HlHeadNumberGroup       group;
  gboolean                of_weights;
  gboolean                is_of_keys;
  gboolean                is_of_layer;
  const HlHeadNumberWord *words;
  HlHeadNumberNeeds       needs;
  gboolean (*check)      (const HlHeadNumberRequest *request,
                          GError                   **error);
  double   (*measure)    (const HlHeadQuery *query);
  gsize                   least_queries;
  double   (*measure_map) (const HlHeadMap *map);
  gboolean (*compute)    (const HlHeadNumberRequest *request,
                          double                    *values,
                          HlProgress                *progress,
                          GCancellable              *cancellable,
                          GError                   **error);
} HlHeadNumber;

#define HL_HEAD_NUMBER_DECLARE(NAME, id) extern const HlHeadNumber hl_head_number_##id;
HL_HEAD_NUMBERS (HL_HEAD_NUMBER_DECLARE)

const HlHeadNumber *hl_head_number_get         (HlHeadStat                 stat);
gboolean            hl_head_number_find        (const char                *nick,
                                                HlHeadStat                *stat);
gboolean            hl_head_number_check       (HlHeadStat                 stat,
                                                const HlHeadNumberRequest *wanted,
                                                GError                   **error);
gboolean            hl_head_number_is_read     (HlHeadStat                 stat);
HlHeadNumberSet     hl_head_number_get_usual   (void);
HlHeadNumberSet     hl_head_number_get_computable (void);
HlHeadNumberSet     hl_head_number_get_of_weights (void);
HlHeadNumberRequest hl_head_number_get_own_request (const HlHeadNumberRequest *request);
const HlHeadNumberWord *hl_head_number_get_word (HlHeadStat               stat,
                                                 double                   value);
const char         *hl_head_number_group_get_label (HlHeadNumberGroup      group);
gboolean            hl_head_attention_has_positions (HlAttention          *attention,
                                                     HlAttentionSource    *source,
                                                     guint                 layer);

G_END_DECLS

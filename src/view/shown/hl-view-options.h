/* SPDX-License-Identifier: MIT */
/*
 * What one can choose about how attention is shown. One table describes it all: properties of HlViewState, options of the
 * command line, session files and --help follow from it. A new option is a field of the struct and a row of the table.
 */
#pragma once

#include "core/analysis/hl-head-numbers.h"
#include "core/source/derive/hl-lens.h"
#include "view/shown/hl-view-enums.h"

G_BEGIN_DECLS

/**
 * HlViewOptions:
 * @view: the kind of picture
 * @quantity: what is made of weights, where the attention has what that needs
 * @rollout_from: of quantities that go through layers, the one that they begin with
 * @combine: how several maps become one
 * @combine_over: which maps become one, if any do
 * @direction: which way round maps are read; %HL_DIRECTION_ASYMMETRY takes effect on self-attention alone
 * @words: whether pieces of words are shown as words
 * @hide_special: whether special tokens are left out, as queries and as keys
 * @hide_first: whether the first key is left out, and the query that is the same token
 * @renormalise: whether rows of which keys are hidden are divided by what is left
 * @threshold: weights below this are not shown; 0 for none
 * @top_mass: for each query, the strongest keys that hold this part of its weight are shown; 1 for all
 * @sentences: which part of the map of a pair of texts is shown
 * @crop_padding: whether positions that are padding are left out
 * @colour_map: the colours of matrices
 * @value_scale: how weights become colours
 * @relative_lines: whether lines are as strong as their part of the strongest that is shown, rather than as their weight
 * @curved_lines: whether lines leave and reach tokens level, rather than run straight
 * @thumbnails: how heads look in the model view
 * @square_cells: whether thumbnails are as high as wide, rather than as large as fits
 * @sort: by what the model view sorts heads, the greatest first; %HL_HEAD_MEASURE_NONE for a row for each layer
 * @colour_by: what the frames around heads tell in the model view
 * @chart: which chart the chart view draws
 * @number: of which number of heads
 * @heat: how weights look over an image
 * @smooth_heat: whether patches run into one another, rather than stand side by side
 * @opacity: of the weights over an image, 0 to 1
 * @score_scale: in views that show how weights are made, by what the scale of scores is multiplied
 * @mask: whether the mask is in force in such views
 * @whole_bars: whether bars of weights are as long as their part of 1, rather than of the strongest weight of their query
 * @orientation: which way tokens run where lines join them
 * @reading: from which side the text is read
 * @dark: whether colours are for a dark background
 *
 * How attention is shown, whatever is looked at. A value: copy it by assignment.
 */
typedef struct
{
  HlViewKind       view;
  HlQuantity       quantity;
  guint            rollout_from;
  HlCombine        combine;
  HlCombineOver    combine_over;
  HlDirection      direction;
  gboolean         words;
  gboolean         hide_special;
  gboolean         hide_first;
  gboolean         renormalise;
  double           threshold;
  double           top_mass;
  HlSentences      sentences;
  gboolean         crop_padding;
  HlColourMap      colour_map;
  HlValueScaleKind value_scale;
  gboolean         relative_lines;
  gboolean         curved_lines;
  HlThumbnailKind  thumbnails;
  gboolean         square_cells;
  HlHeadMeasure    sort;
  HlHeadMeasure    colour_by;
  HlChartKind      chart;
  HlHeadMeasure    number;
  HlHeatKind       heat;
  gboolean         smooth_heat;
  double           opacity;
  double           score_scale;
  gboolean         mask;
  gboolean         whole_bars;
  HlOrientation    orientation;
  HlReading        reading;
  gboolean         dark;
} HlViewOptions;

/**
 * HlChanges:
 * @HL_CHANGED_EXAMPLE: the example
 * @HL_CHANGED_ATTENTION: which attention of it
 * @HL_CHANGED_LAYER: the layer
 * @HL_CHANGED_HEAD: the head in the foreground
 * @HL_CHANGED_HEADS: the heads that are shown together
 * @HL_CHANGED_LAYERS: the layers that are combined
 * @HL_CHANGED_HIDDEN: the tokens that were chosen to be hidden
 * @HL_CHANGED_VIEW: the kind of picture
 * @HL_CHANGED_DERIVATION: what is derived of maps before they are shown
 * @HL_CHANGED_FILTERS: which weights are left out
 * @HL_CHANGED_TOKENS: which part of the tokens is shown
 * @HL_CHANGED_COLOURS: how weights become colours
 * @HL_CHANGED_LINES: how weights become the strength of lines
 * @HL_CHANGED_THEME: dark or light
 * @HL_CHANGED_THUMBNAILS: how heads look in the model view
 * @HL_CHANGED_ORDER: by what heads are sorted and framed
 * @HL_CHANGED_CHART: which chart of which number
 * @HL_CHANGED_SCORES: scale and mask of scores
 * @HL_CHANGED_ORIENTATION: which way tokens run
 * @HL_CHANGED_READING: from which side they are read
 * @HL_CHANGED_SHOWN_ATTENTION: what attends to what in the maps that are shown
 * @HL_CHANGED_SOURCE: their numbers
 * @HL_CHANGED_SHOWN_SOURCE: these as filters leave them
 * @HL_CHANGED_SIDES: what is subtracted, and what the sides are called
 * @HL_CHANGED_BESIDE: what is shown beside it
 * @HL_CHANGED_COMPARED: what heads are compared with
 * @HL_CHANGED_PAIRS: the words that heads are ranked by
 * @HL_CHANGED_NUMBERS: what is known of heads
 * @HL_CHANGED_HOVER: what the pointer is over
 * @HL_CHANGED_PIN: what is pinned
 * @HL_CHANGED_GATHERED: whether several tokens are, and which
 *
 * What of a view state has changed.
 */
typedef enum /*< flags >*/
{
  HL_CHANGED_EXAMPLE = 1 << 0,
  HL_CHANGED_ATTENTION = 1 << 1,
  HL_CHANGED_LAYER = 1 << 2,
  HL_CHANGED_HEAD = 1 << 3,
  HL_CHANGED_HEADS = 1 << 4,
  HL_CHANGED_LAYERS = 1 << 5,
  HL_CHANGED_HIDDEN = 1 << 6,
  HL_CHANGED_VIEW = 1 << 7,
  HL_CHANGED_DERIVATION = 1 << 8,
  HL_CHANGED_FILTERS = 1 << 9,
  HL_CHANGED_TOKENS = 1 << 10,
  HL_CHANGED_COLOURS = 1 << 11,
  HL_CHANGED_THEME = 1 << 12,
  HL_CHANGED_THUMBNAILS = 1 << 13,
  HL_CHANGED_ORDER = 1 << 14,
  HL_CHANGED_SCORES = 1 << 15,
  HL_CHANGED_ORIENTATION = 1 << 16,
  HL_CHANGED_SHOWN_ATTENTION = 1 << 17,
  HL_CHANGED_SOURCE = 1 << 18,
  HL_CHANGED_SHOWN_SOURCE = 1 << 19,
  HL_CHANGED_SIDES = 1 << 20,
  HL_CHANGED_BESIDE = 1 << 21,
  HL_CHANGED_COMPARED = 1 << 22,
  HL_CHANGED_PAIRS = 1 << 23,
  HL_CHANGED_NUMBERS = 1 << 24,
  HL_CHANGED_HOVER = 1 << 25,
  HL_CHANGED_PIN = 1 << 26,
  HL_CHANGED_LINES = 1 << 27,
  HL_CHANGED_READING = 1 << 28,
  HL_CHANGED_GATHERED = 1 << 29,
  HL_CHANGED_CHART = 1 << 30,
} HlChanges;

typedef enum
{
  HL_OPTION_FLAG,
  HL_OPTION_NUMBER,
  HL_OPTION_COUNT,
  HL_OPTION_CHOICE,
} HlViewOptionType;

/**
 * HlViewOption:
 * @name: of the property of #HlViewState, with dashes
 * @type: yes or no, a number in a range, a whole number in one, or one of an enumeration
 * @offset: where it is in #HlViewOptions
 * @get_type: of a choice, its enumeration
 * @minimum: of a number
 * @maximum: of a number
 * @initial: what it is from the start
 * @changes: what changes with it
 * @spelled: (nullable): its name on a command line and in session files, unless that is @name
 * @words: of a flag, what stands for no and yes, unless these do
 * @rule: (nullable): what can be written, as the end of a sentence that begins with "it is", unless it follows
 * @description: what --help says of it
 *
 * One of the options, as its row of the table has it. Texts are not translated.
 */
typedef struct
{
  const char      *name;
  HlViewOptionType type;
  gsize            offset;
  GType          (*get_type) (void);
  double           minimum;
  double           maximum;
  double           initial;
  HlChanges        changes;
  const char      *spelled;
  const char      *words[2];
  const char      *rule;
  const char      *description;
} HlViewOption;

const HlViewOption *hl_view_options_get_table (guint               *n);
void                hl_view_options_init      (HlViewOptions       *self);
gboolean            hl_view_options_are_valid (const HlViewOptions *self);
HlChanges           hl_view_options_compare   (const HlViewOptions *a,
                                               const HlViewOptions *b);

GParamSpec *hl_view_option_make_pspec (const HlViewOption  *self);
gboolean    hl_view_option_is_same    (const HlViewOption  *self,
                                       const HlViewOptions *a,
                                       const HlViewOptions *b);
void        hl_view_option_get_value  (const HlViewOption  *self,
                                       const HlViewOptions *options,
                                       GValue              *value);
void        hl_view_option_set_value  (const HlViewOption  *self,
                                       HlViewOptions       *options,
                                       const GValue        *value);
char       *hl_view_option_dup_hint   (const HlViewOption  *self);
char       *hl_view_option_dup_text   (const HlViewOption  *self,
                                       const HlViewOptions *options);
gboolean    hl_view_option_parse      (const HlViewOption  *self,
                                       HlViewOptions       *options,
                                       const char          *text);

G_END_DECLS

/* SPDX-License-Identifier: MIT */
/* What a chart reads besides the numbers of heads that the view state has. Immutable once read. */
#pragma once

#include "core/analysis/hl-head-distances.h"
#include "core/analysis/hl-head-numbers.h"
#include "core/analysis/hl-plane.h"
#include "core/source/steps/hl-head-steps.h"
#include "draw/scene/hl-scene-job.h"
#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

/* Two tokens, and the weight of the first on the second. */
typedef struct
{
  gsize query;
  gsize key;
  float weight;
} HlChartPair;

/* Where the numbers of a difference come from. */
typedef struct
{
  HlAttention  *attention; /* whose heads they are of; NULL where nothing is subtracted */
  HlAttention  *other;     /* the second side */
  HlAttentionSource *weights; /* its weights */
  HlAttentionSource *source;  /* the maps that its numbers are of */
  HlModelCall  *call;      /* what computed it; may be NULL */
  HlQuantity    quantity;  /* which these are */
  HlHeadPairing pairing;   /* which heads of that belong to these */
  HlRange       queries;   /* of the second side, those that count */
  HlHeadMeasure measure;   /* which number */
  char         *pairs;     /* of the weight of pairs of words, these, as hl_token_pairs_parse() takes them */
  double       *values;    /* [heads of the first side] of the second side, NaN without a partner */
  char         *lacking;   /* once read, why the second side has no such number: “needs the model: …”; NULL where it has */
} HlChartOthers;

/* The heads that are points. */
typedef struct
{
  HlAttentionSource *source;    /* their weights; NULL where that is not what is drawn */
  HlRange            queries;   /* those that count */
  guint              n;         /* heads of all layers */
  HlHeadDistances   *over_texts; /* from each to each over several texts; NULL where they are of this one */
  HlHeadDistances   *distances; /* from each to each, once read */
  double            *places;    /* [heads, 2] in their plane; NaN of a head without distances */
} HlChartHeads;

/* The head whose queries and keys are points. */
typedef struct
{
  HlHeadSteps *steps;   /* the head; NULL where that is not what is drawn, or not known */
  HlRange      ranges[2]; /* the tokens that are shown, by side */
  HlPlane      plane;   /* where they are */
  float       *weights; /* [queries, keys] between all of them */
  HlChartPair *pairs;   /* the strongest, the strongest first */
  gsize        n_pairs;
} HlChartTokens;

typedef struct
{
  HlSceneData   parent; /* how it is read and compared */
  HlChartKind   kind;
  HlChartOthers others;
  HlChartHeads  heads;
  HlChartTokens tokens;
} HlChartData;

HlChartData *hl_chart_data_new  (const HlShown      *shown,
                                 HlHeadNumbers      *numbers,
                                 const char         *pairs,
                                 HlModelCall        *other_call);
gboolean     hl_chart_data_read (HlChartData        *self,
                                 const HlChartData  *known,
                                 HlProgress         *progress,
                                 GCancellable       *cancellable,
                                 GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlChartData, hl_scene_data_unref)

G_END_DECLS

/* SPDX-License-Identifier: MIT */
#include "draw/picture/hl-picture-view-layout.h"

#include "core/document/tokens/hl-token-text.h"
#include "draw/text/hl-token-label.h"

#define MARGIN 16
#define GAP 12
#define CAPTION_Y 18
#define BAR_WIDTH 12
/* With “≥ 1.2e−18” beside it, and its name. */
#define BAR_ROOM 100
#define FLAT_BAR_ROOM 56
#define STATUS_ROOM 30
#define TITLE_ROOM 20
#define CHIP_HEIGHT 22
#define CHIP_GAP 5
#define CHIP_PADDING 7
#define MAX_CHIP 180
/* Narrower ones have the bar, and the tokens, below. */
#define MIN_WIDTH_BESIDE 460
#define MAX_ZOOM 16
/* So few stand one below the other. */
#define FEW_CHIPS 12

static gboolean
boxes_overlap (const HlPictureBox *a,
               const HlPictureBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

/* Whether a grid lies over none of those that a pane has. */
static gboolean
has_room (const HlPicturePane *pane,
          const HlPictureGrid *grids,
          guint                grid)
{
  for (guint i = 0; i < pane->grids->len; i++)
    if (boxes_overlap (&grids[g_array_index (pane->grids, guint, i)].box, &grids[grid].box))
      return FALSE;
  return TRUE;
}

static void
add_panes (HlPictureParts *self,
           HlSide          side)
{
  HlPicture *picture = hl_attention_get_picture (self->attention, side);
  const guint first = self->panes->len;
  guint n_grids = 0;
  const HlPictureGrid *grids = picture != NULL ? hl_picture_get_grids (picture, &n_grids) : NULL;

  for (guint i = 0; i < n_grids; i++)
    {
      HlPicturePane *pane = NULL;
      for (guint k = first; pane == NULL && k < self->panes->len; k++)
        {
          HlPicturePane *other = &g_array_index (self->panes, HlPicturePane, k);
          if (other->image == grids[i].image && has_room (other, grids, i))
            pane = other;
        }
      if (pane == NULL)
        {
          HlPicturePane made = { .side = side,
                                 .picture = picture,
                                 .image = grids[i].image,
                                 .grids = g_array_new (FALSE, FALSE, sizeof (guint)) };
          hl_picture_get_size (picture, made.image, &made.width, &made.height);
          g_array_append_val (self->panes, made);
          pane = &g_array_index (self->panes, HlPicturePane, self->panes->len - 1);
        }
      g_array_append_val (pane->grids, i);
    }
}

static void
add_chips (HlPictureParts *self,
           HlSceneText    *text,
           HlSide          side)
{
  const char *const *texts = hl_attention_get_texts (self->attention, side);
  const HlRange range = self->ranges[side];
  const HlTextStyle style = { .size = HL_PICTURE_CHIP_SIZE, .max_width = MAX_CHIP };
  HlPicturePatch patch;

  for (gsize i = range.first; i < range.first + range.n; i++)
    {
      if (hl_attention_find_patch (self->attention, side, i, &patch))
        continue;
      g_autofree char *label = hl_token_text_show (texts[i]);
      HlPictureChip chip = { .side = side, .token = i };
      chip.text_width = MIN (hl_scene_text_get_width (text, label, &style), MAX_CHIP);
      self->chip_width = MAX (self->chip_width, chip.text_width + 2 * CHIP_PADDING);
      g_array_append_val (self->chips, chip);
      self->keys_first |= !hl_special_token_is (texts[i]);
    }
}

void
hl_picture_parts_init (HlPictureParts *self,
                       HlSceneText    *text,
                       const HlShown  *shown)
{
  hl_picture_parts_clear (self);
  self->attention = g_object_ref (shown->attention);
  memcpy (self->ranges, shown->ranges, sizeof self->ranges);
  self->is_one = hl_attention_has_same_tokens (shown->attention) && hl_range_equal (shown->queries, shown->keys) &&
                 hl_picture_equal (hl_attention_get_picture (shown->attention, HL_QUERIES),
                                   hl_attention_get_picture (shown->attention, HL_KEYS));
  self->panes = g_array_new (FALSE, FALSE, sizeof (HlPicturePane));
  self->chips = g_array_new (FALSE, FALSE, sizeof (HlPictureChip));
  for (HlSide side = HL_QUERIES; side <= (self->is_one ? HL_QUERIES : HL_KEYS); side++)
    {
      add_panes (self, side);
      add_chips (self, text, side);
    }
  self->keys_first &= hl_attention_get_rule (shown->original, shown->selection.layer)->mask.causal;
}

gboolean
hl_picture_parts_serve (const HlPictureParts *self,
                        const HlShown        *shown)
{
  return self->attention == shown->attention && hl_range_equal (self->ranges[HL_QUERIES], shown->queries) &&
         hl_range_equal (self->ranges[HL_KEYS], shown->keys);
}

void
hl_picture_parts_clear (HlPictureParts *self)
{
  for (guint i = 0; self->panes != NULL && i < self->panes->len; i++)
    g_array_unref (g_array_index (self->panes, HlPicturePane, i).grids);
  g_clear_pointer (&self->panes, g_array_unref);
  g_clear_pointer (&self->chips, g_array_unref);
  g_clear_object (&self->attention);
  *self = (HlPictureParts){ 0 };
}

/* Tokens in lines, as text runs; returns how high they are. */
static double
flow_chips (GArray  *chips,
            double   x,
            double   y,
            double   width,
            gboolean from_right)
{
  double at = 0, line = 0;

  for (guint i = 0; i < chips->len; i++)
    {
      HlPictureChip *chip = &g_array_index (chips, HlPictureChip, i);
      const double room = MIN (chip->text_width + 2 * CHIP_PADDING, width);
      const gboolean is_other = i > 0 && chip->side != g_array_index (chips, HlPictureChip, i - 1).side;
      if ((at > 0 && at + room > width) || is_other)
        {
          at = 0;
          line += CHIP_HEIGHT + CHIP_GAP + (is_other ? GAP + TITLE_ROOM : 0);
        }
      chip->box = (cairo_rectangle_t){ from_right ? x + width - at - room : x + at, y + line, room, CHIP_HEIGHT };
      at += room + CHIP_GAP;
    }
  return chips->len > 0 ? line + CHIP_HEIGHT : 0;
}

/* Panes in so many columns, the longer side of each being 1. */
typedef struct
{
  guint n_columns;
  guint n_rows;
  double *widths;  /* of columns: as wide as the widest in them */
  double *heights; /* of rows: as high as the highest */
  double width;    /* of all */
  double height;
} Table;

static void
table_init (Table        *self,
            const GArray *panes,
            guint         n_columns)
{
  *self = (Table){ n_columns, (panes->len + n_columns - 1) / n_columns };
  self->widths = g_new0 (double, self->n_columns);
  self->heights = g_new0 (double, self->n_rows);
  for (guint i = 0; i < panes->len; i++)
    {
      const HlPicturePane *pane = &g_array_index (panes, HlPicturePane, i);
      const double longer = MAX (pane->width, pane->height);
      double *width = &self->widths[i % n_columns], *height = &self->heights[i / n_columns];
      *width = MAX (*width, pane->width / longer);
      *height = MAX (*height, pane->height / longer);
    }
  for (guint i = 0; i < self->n_columns; i++)
    self->width += self->widths[i];
  for (guint i = 0; i < self->n_rows; i++)
    self->height += self->heights[i];
}

static void
table_clear (Table *self)
{
  g_clear_pointer (&self->widths, g_free);
  g_clear_pointer (&self->heights, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Table, table_clear)

static double
table_get_scale (const Table *self,
                 double       width,
                 double       height,
                 double       title)
{
  const double room_x = width - (self->n_columns - 1) * GAP;
  const double room_y = height - (self->n_rows - 1) * GAP - self->n_rows * title;

  return MIN (room_x / self->width, room_y / self->height);
}

/* Panes in rows, in as many columns as make them largest. Returns what all take. */
static cairo_rectangle_t
place_panes (HlPictureViewLayout *self,
             GArray              *panes,
             double               x,
             double               y,
             double               width,
             double               height,
             double               zoom)
{
  g_auto (Table) table = { 0 };
  double best = 0, top = y;

  for (guint n = 1; n <= panes->len; n++)
    {
      g_auto (Table) other = { 0 };
      table_init (&other, panes, n);
      const double scale = table_get_scale (&other, width, height, self->title_height);
      if (n > 1 && scale <= best)
        continue;
      best = scale;
      const Table worse = table;
      table = other;
      other = worse;
    }
  self->fit_scale = MAX (best, 24);
  self->scale = self->fit_scale * zoom;
  for (guint row = 0; row < table.n_rows; row++)
    {
      double left = x;
      for (guint column = 0; column < table.n_columns && row * table.n_columns + column < panes->len; column++)
        {
          HlPicturePane *pane = &g_array_index (panes, HlPicturePane, row * table.n_columns + column);
          const double one = self->scale / MAX (pane->width, pane->height);
          pane->box = (cairo_rectangle_t){ left, top + self->title_height, pane->width * one, pane->height * one };
          left += self->scale * table.widths[column] + GAP;
        }
      top += self->title_height + self->scale * table.heights[row] + GAP;
    }
  return (cairo_rectangle_t){ x, y, self->scale * table.width + (MAX (table.n_columns, 1) - 1) * GAP,
                              MAX (top - GAP - y, 0) };
}

static void
move_all (HlPictureParts      *parts,
          HlPictureViewLayout *self,
          double               dx,
          double               dy)
{
  for (guint i = 0; i < parts->panes->len; i++)
    {
      cairo_rectangle_t *box = &g_array_index (parts->panes, HlPicturePane, i).box;
      box->x += dx;
      box->y += dy;
    }
  for (guint i = 0; i < parts->chips->len; i++)
    {
      cairo_rectangle_t *box = &g_array_index (parts->chips, HlPictureChip, i).box;
      box->x += dx;
      box->y += dy;
    }
  self->images.x += dx;
  self->images.y += dy;
}

/* @parts: those of what the frame shows; where they are is written into them */
void
hl_picture_view_layout_init (HlPictureViewLayout *self,
                             HlPictureParts      *parts,
                             const HlSceneFrame  *frame)
{
  const double top = CAPTION_Y + 18 + frame->caption_room;
  const gboolean is_wide = frame->width >= MIN_WIDTH_BESIDE;
  const guint n_chips = parts->chips->len;
  const double zoom = CLAMP (frame->zoom > 0 ? frame->zoom : 1, 1, MAX_ZOOM);

  *self = (HlPictureViewLayout){ .parts = parts, .bar_is_flat = !is_wide };
  self->title_height = parts->panes->len > 1 || !parts->is_one ? TITLE_ROOM : 0;
  const double below = STATUS_ROOM + (is_wide ? 0 : FLAT_BAR_ROOM);
  const double bar_room = is_wide ? BAR_ROOM : 0;
  self->window = (cairo_rectangle_t){ 0, top, MAX (frame->width - bar_room, 1), MAX (frame->height - top - below, 1) };

  const double room_x = MAX (self->window.width - 2 * MARGIN, 48), room_y = MAX (self->window.height - MARGIN / 2, 48);
  const double column = n_chips == 0           ? 0
                        : n_chips <= FEW_CHIPS ? MIN (parts->chip_width, room_x * 0.4)
                                               : CLAMP (room_x * 0.34, 140, 360);
  const double chips_top = parts->is_one ? 0 : TITLE_ROOM;
  const double wanted = n_chips > 0 ? flow_chips (parts->chips, 0, 0, room_x, FALSE) + chips_top + GAP : 0;
  const double left = MAX (room_y - wanted, room_y / 2);
  double chips_height = 0, width, height;
  /* Wherever the images are larger: below them where the page is high, beside them elsewhere. */
  place_panes (self, parts->panes, MARGIN, top, room_x - column - GAP, room_y, 1);
  const double scale_beside = self->fit_scale;
  place_panes (self, parts->panes, MARGIN, top, room_x, left, 1);
  const gboolean beside = is_wide && n_chips > 0 && scale_beside * 1.15 >= self->fit_scale;

  if (beside)
    {
      self->images = place_panes (self, parts->panes, MARGIN, top, room_x - column - GAP, room_y, zoom);
      chips_height = chips_top +
                     flow_chips (parts->chips, MARGIN + self->images.width + GAP,
                                 top + chips_top + self->title_height * (parts->is_one != 0), column,
                                 frame->from_right) +
                     self->title_height * (parts->is_one != 0);
      width = self->images.width + GAP + column;
      height = MAX (self->images.height, chips_height);
    }
  else
    {
      /* Half of the room at the most, but for what scrolls. */
      self->images = place_panes (self, parts->panes, MARGIN, top, room_x, left, zoom);
      chips_height =
        flow_chips (parts->chips, MARGIN, top + self->images.height + GAP + chips_top, room_x, frame->from_right) +
        chips_top;
      width = MAX (self->images.width, n_chips > 0 && !frame->is_cut ? room_x : 0);
      for (guint i = 0; i < n_chips; i++)
        {
          const cairo_rectangle_t *box = &g_array_index (parts->chips, HlPictureChip, i).box;
          width = MAX (width, box->x + box->width - MARGIN);
        }
      height = self->images.height + (n_chips > 0 ? GAP + chips_height : 0);
    }
  self->content_width = width + 2 * MARGIN + bar_room;
  self->content_height = top + height + MARGIN / 2 + below;

  const double spare_x = beside ? room_x - width : room_x - self->images.width;
  /* With what is told below it, all of it is in the middle. */
  const double spare_y = frame->is_cut ? 0 : hl_cairo_snap (MAX (room_y - height, 0) / 2, frame->scale);
  if (!frame->is_cut && beside && spare_x > 0)
    move_all (parts, self, spare_x / 2, 0);
  else if (!frame->is_cut && !beside && spare_x > 0)
    {
      for (guint i = 0; i < parts->panes->len; i++)
        g_array_index (parts->panes, HlPicturePane, i).box.x += spare_x / 2;
      self->images.x += spare_x / 2;
    }
  move_all (parts, self, -frame->x, spare_y - frame->y);

  /* The bar stays where it is, beside the images or what is seen of them. */
  const double right =
    MIN (self->window.width, (spare_x > 0 && !frame->is_cut && beside ? spare_x / 2 : 0) + MARGIN + width + GAP);
  if (is_wide)
    self->bar = (cairo_rectangle_t){ MAX (right, 0), top + spare_y + self->title_height, BAR_WIDTH,
                                     CLAMP (MIN (self->images.height, self->window.height) - 12, 24, 200) };
  else
    self->bar =
      (cairo_rectangle_t){ MARGIN, top + self->window.height + STATUS_ROOM, MAX (frame->width - 2 * MARGIN, 24), 10 };
  self->status_y = top + spare_y + MIN (self->window.height - spare_y, height + MARGIN / 2) + STATUS_ROOM / 2;
  if (!is_wide)
    self->status_y = top + self->window.height + STATUS_ROOM / 2;
}

/* A query or key of a pane's side, by where it is in the text. */
gboolean
hl_picture_parts_find_token (const HlPictureParts *self,
                             const HlPicturePane  *pane,
                             gsize                 position,
                             gsize                *token)
{
  const HlTokenMap *map = hl_attention_get_map (self->attention, pane->side);
  const HlRange range = self->ranges[pane->side];

  *token = position;
  if (map != NULL && (!hl_token_map_find (map, position, token) || hl_token_map_get_spans (map)[*token].n != 1))
    return FALSE;
  return *token >= range.first && *token - range.first < range.n;
}

/* What a token is taken for that stands once for both sides. */
HlSide
hl_picture_parts_get_side (const HlPictureParts *self,
                           HlSide                side,
                           gboolean              is_patch)
{
  if (!self->is_one)
    return side;
  return self->keys_first && is_patch ? HL_KEYS : HL_QUERIES;
}

static gboolean
contains (const cairo_rectangle_t *box,
          double                   x,
          double                   y)
{
  return x >= box->x && x < box->x + box->width && y >= box->y && y < box->y + box->height;
}

void
hl_picture_view_layout_pick (const HlPictureViewLayout *self,
                             double                     x,
                             double                     y,
                             HlPick                    *pick)
{
  const HlPictureParts *parts = self->parts;

  if (!contains (&self->window, x, y))
    return;
  for (guint i = 0; i < parts->panes->len; i++)
    {
      const HlPicturePane *pane = &g_array_index (parts->panes, HlPicturePane, i);
      gsize position, token;
      if (!contains (&pane->box, x, y))
        continue;
      for (guint k = 0; k < pane->grids->len; k++)
        if (hl_picture_pick (pane->picture, g_array_index (pane->grids, guint, k),
                             (x - pane->box.x) / pane->box.width * pane->width,
                             (y - pane->box.y) / pane->box.height * pane->height, &position) &&
            hl_picture_parts_find_token (parts, pane, position, &token))
          {
            *pick = hl_pick_of (hl_picture_parts_get_side (parts, pane->side, TRUE), token);
            return;
          }
    }
  for (guint i = 0; i < parts->chips->len; i++)
    {
      const HlPictureChip *chip = &g_array_index (parts->chips, HlPictureChip, i);
      if (contains (&chip->box, x, y))
        {
          *pick = hl_pick_of (hl_picture_parts_get_side (parts, chip->side, FALSE), chip->token);
          return;
        }
    }
}

/* Where a part of the image is. */
cairo_rectangle_t
hl_picture_pane_place (const HlPicturePane *self,
                       const HlPictureBox  *box)
{
  const double x = self->box.width / self->width, y = self->box.height / self->height;

  return (cairo_rectangle_t){ self->box.x + box->x * x, self->box.y + box->y * y, box->width * x, box->height * y };
}

gboolean
hl_picture_view_layout_locate (const HlPictureViewLayout *self,
                               HlSide                     side,
                               gsize                      token,
                               cairo_rectangle_t         *box)
{
  const HlPictureParts *parts = self->parts;
  const HlSide from = parts->is_one ? HL_QUERIES : side;
  HlPicturePatch patch;

  if (token - parts->ranges[from].first >= parts->ranges[from].n)
    return FALSE;
  if (hl_attention_find_patch (parts->attention, from, token, &patch))
    for (guint i = 0; i < parts->panes->len; i++)
      {
        const HlPicturePane *pane = &g_array_index (parts->panes, HlPicturePane, i);
        for (guint k = 0; pane->side == from && k < pane->grids->len; k++)
          if (g_array_index (pane->grids, guint, k) == patch.grid)
            {
              *box = hl_picture_pane_place (pane, &patch.box);
              return TRUE;
            }
      }
  /* In rising order of their tokens, side by side. */
  guint low = 0, high = parts->chips->len;
  while (low < high)
    {
      const guint middle = low + (high - low) / 2;
      const HlPictureChip *chip = &g_array_index (parts->chips, HlPictureChip, middle);
      if (chip->side < from || (chip->side == from && chip->token < token))
        low = middle + 1;
      else
        high = middle;
    }
  if (low == parts->chips->len)
    return FALSE;
  const HlPictureChip *chip = &g_array_index (parts->chips, HlPictureChip, low);
  *box = chip->box;
  return chip->side == from && chip->token == token;
}

import type { PlanPolygon } from "../../../grid/polygon-weights.ts";
import { INK, PAPER } from "../../../pictures/ink.ts";
import { drawNorthArrow, drawScaleBar } from "../../../pictures/map-signs.ts";
import {
  blankPicture,
  type Colour,
  drawText,
  fillRectangle,
  type Picture,
  textSize,
} from "../../../pictures/picture.ts";
import { fillPolygon, type PixelPoints, strokeRing } from "../../../pictures/strokes.ts";
import { drawGround, type GroundPicture } from "./ground-picture.ts";
import { labelPlace } from "./label-place.ts";
import type { PlacedZone, ZoneLayout } from "./lay-out.ts";
import { zoneColour } from "./zone-colour.ts";
import { drawZoneKeys, drawZoneList, KEYS_WIDTH_PX, listHeight } from "./zone-legend.ts";

/** Longer edge of the map itself, pixels: sharp across a printed page. More only makes the file larger. */
const MAP_PX = 1_000;
/**
 * Ground shown around the zones, a share of the longer side of their box. More shrinks the zones, less cuts off
 * where they lie.
 */
const MARGIN_SHARE = 0.08;
/**
 * Least span of the map, metres: a single small zone does not fill it, and pictures of the ground are not
 * magnified to a blur.
 */
const LEAST_SPAN_M = 10;
/** Beside the map: the list of zones. Below it: arrow, bar and meaning of the colours. */
const LIST_PX = 400;
const STRIP_PX = 96;
const MARGIN_PX = 18;
const LETTERS = 2;
/**
 * Opacity of a zone's colour where there is a picture of the ground below. Higher hides the ground, lower makes
 * colours hard to compare.
 */
const OVER_GROUND = 0.5;
const FIELD: Colour = [243, 244, 246];

/** The part of the plan that is drawn, and how large. */
interface MapWindow {
  readonly westM: number;
  readonly northM: number;
  readonly metresPerPx: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Map of the zones, north up, coloured by progress, with their numbers and percents, over a picture of the
 * ground where there is one; beside it their names, below it arrow, scale and legend. The same input gives
 * the same pixels; nothing of the machine (fonts) is used.
 */
export function zoneMap(layout: ZoneLayout, ground: GroundPicture | undefined): Picture {
  const window = windowOf(layout);
  const height = Math.max(window.height, listHeight(layout.zones.length));
  const picture = blankPicture(window.width + LIST_PX, height + STRIP_PX);
  fillRectangle(picture, { left: 0, top: 0, width: window.width, height }, FIELD);
  const { toPlan } = layout;
  if (ground !== undefined && toPlan !== undefined) {
    const corners = ground.corners.map(([lon, lat]) => toPixel(window, toPlan(lon, lat)));
    drawGround(picture, ground, corners, window);
  }
  const opacity = ground === undefined ? 1 : OVER_GROUND;
  for (const placed of layout.zones) drawZone(picture, window, placed, opacity);
  for (const placed of layout.zones) drawLabel(picture, window, placed);
  // Whatever a line drew beyond the map.
  const side = { left: window.width, top: 0, width: LIST_PX, height: picture.height };
  fillRectangle(picture, side, PAPER);
  drawZoneList(picture, layout.zones, { left: window.width + MARGIN_PX, width: LIST_PX });
  const below = { left: 0, top: height, width: picture.width, height: STRIP_PX };
  fillRectangle(picture, below, PAPER);
  fillRectangle(picture, { left: 0, top: height, width: picture.width, height: 2 }, INK);
  drawSigns(picture, layout, window, height + 16);
  return picture;
}

function windowOf({ bounds: [west, south, east, north] }: ZoneLayout): MapWindow {
  const span = Math.max(LEAST_SPAN_M, east - west, north - south);
  const widthM = Math.max(span / 3, east - west) + 2 * MARGIN_SHARE * span;
  const heightM = Math.max(span / 3, north - south) + 2 * MARGIN_SHARE * span;
  const metresPerPx = Math.max(widthM, heightM) / MAP_PX;
  return {
    westM: (west + east) / 2 - widthM / 2,
    northM: (south + north) / 2 + heightM / 2,
    metresPerPx,
    width: Math.round(widthM / metresPerPx),
    height: Math.round(heightM / metresPerPx),
  };
}

const toPixel = (
  { westM, northM, metresPerPx }: MapWindow,
  [x, y]: readonly [number, number],
): readonly [number, number] => [(x - westM) / metresPerPx, (northM - y) / metresPerPx];

const pixelsOf = (window: MapWindow, polygon: PlanPolygon): PixelPoints =>
  polygon.map((point) => toPixel(window, point));

function drawZone(
  picture: Picture,
  window: MapWindow,
  { zone, polygon, isSchematic }: PlacedZone,
  opacity: number,
): void {
  const ring = pixelsOf(window, polygon);
  // A square lies nowhere: no ground shines through.
  fillPolygon(picture, ring, zoneColour(zone), isSchematic ? 1 : opacity);
  strokeRing(picture, ring, { widthPx: 5, colour: PAPER, opacity: 0.75 });
  strokeRing(picture, ring, { widthPx: 2.2, colour: INK });
}

/** Number and percent on white, within the map. */
function drawLabel(
  picture: Picture,
  window: MapWindow,
  { zone, number, polygon }: PlacedZone,
): void {
  const [x, y] = toPixel(window, labelPlace(polygon));
  const percent = zone.progress === undefined ? "not known" : `${Math.round(zone.progress)} %`;
  const text = `${number}: ${percent}`;
  const { width, height } = textSize(text, LETTERS);
  const left = Math.min(window.width - width - 6, Math.max(6, Math.round(x - width / 2)));
  const top = Math.min(window.height - height - 6, Math.max(6, Math.round(y - height / 2)));
  const box = { left: left - 6, top: top - 5, width: width + 12, height: height + 10 };
  fillRectangle(picture, box, INK);
  fillRectangle(
    picture,
    { left: box.left + 1, top: box.top + 1, width: box.width - 2, height: box.height - 2 },
    PAPER,
  );
  drawText(picture, text, { left, top, scale: LETTERS }, INK);
}

function drawSigns(
  picture: Picture,
  { toPlan, zones }: ZoneLayout,
  { metresPerPx }: MapWindow,
  top: number,
): void {
  if (toPlan === undefined) {
    const text = "no zone has an outline: schematic, not to scale";
    drawText(picture, text, { left: MARGIN_PX, top: top + 20, scale: LETTERS }, INK);
  } else {
    drawNorthArrow(picture, MARGIN_PX, top);
    drawScaleBar(picture, MARGIN_PX + 48, top, metresPerPx);
    if (zones.some(({ isSchematic }) => isSchematic)) {
      const text = "squares: zones without an outline";
      drawText(picture, text, { left: MARGIN_PX + 48, top: top + 46, scale: LETTERS }, INK);
    }
  }
  // A map of zones in a row from north to south is narrow: the keys then begin further left.
  const left = Math.min(picture.width * 0.46, picture.width - MARGIN_PX - KEYS_WIDTH_PX);
  drawZoneKeys(picture, { left: Math.round(left), top });
}

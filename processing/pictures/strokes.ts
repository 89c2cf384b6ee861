import { type PlanPolygon, polygonWeights } from "../grid/polygon-weights.ts";
import type { Colour, Picture } from "./picture.ts";

/** Points of a picture: x to the right, y down, pixels from its upper left corner. */
export type PixelPoints = readonly (readonly [number, number])[];

/** Mixes a colour into a pixel; `share` 0 to 1. */
function mixPixel(picture: Picture, pixel: number, colour: Colour, share: number): void {
  const at = pixel * 4;
  for (const [k, channel] of colour.entries()) {
    const before = picture.rgba[at + k] ?? 0;
    picture.rgba[at + k] = Math.round(before + (channel - before) * share);
  }
}

/** Fills a polygon, its edges smooth: each pixel by the share of it that lies inside. */
export function fillPolygon(
  picture: Picture,
  points: PixelPoints,
  colour: Colour,
  opacity = 1,
): void {
  const polygon: PlanPolygon = points.map(([x, y]) => [x, -y]);
  const frame = { westM: 0, northM: 0, cellM: 1, width: picture.width, height: picture.height };
  const weights = polygonWeights(frame, polygon);
  for (let r = 0; r < weights.height; r += 1) {
    const y = weights.firstRow + r;
    for (let c = 0; c < weights.width; c += 1) {
      const x = weights.firstCol + c;
      const share = weights.share[r * weights.width + c] ?? 0;
      if (share === 0 || x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
      mixPixel(picture, y * picture.width + x, colour, share * opacity);
    }
  }
}

/** Draws a closed line, its edges smooth and its corners round. */
export function strokeRing(
  picture: Picture,
  ring: PixelPoints,
  { widthPx, colour, opacity = 1 }: { widthPx: number; colour: Colour; opacity?: number },
): void {
  const reach = widthPx / 2 + 1;
  const xs = ring.map(([x]) => x);
  const ys = ring.map(([, y]) => y);
  const left = Math.max(0, Math.floor(Math.min(...xs) - reach));
  const top = Math.max(0, Math.floor(Math.min(...ys) - reach));
  const right = Math.min(picture.width - 1, Math.ceil(Math.max(...xs) + reach));
  const bottom = Math.min(picture.height - 1, Math.ceil(Math.max(...ys) + reach));
  if (right < left || bottom < top) return;
  const columns = right - left + 1;
  // The most of all edges: where two meet, the line is not darker.
  const covered = new Float32Array(columns * (bottom - top + 1));
  for (const [i, from] of ring.entries()) {
    const to = ring[(i + 1) % ring.length] ?? from;
    const lastRow = Math.min(bottom, Math.ceil(Math.max(from[1], to[1]) + reach));
    for (
      let y = Math.max(top, Math.floor(Math.min(from[1], to[1]) - reach));
      y <= lastRow;
      y += 1
    ) {
      const [first, last] = reachedColumns(from, to, y + 0.5, reach);
      const lastCol = Math.min(right, Math.ceil(last));
      for (let x = Math.max(left, Math.floor(first)); x <= lastCol; x += 1) {
        const away = distanceTo(from, to, x + 0.5, y + 0.5);
        const share = Math.min(1, widthPx / 2 + 0.5 - away);
        const at = (y - top) * columns + x - left;
        if (share > (covered[at] ?? 0)) covered[at] = share;
      }
    }
  }
  // By index: pairs of place and value take ten times as long, and nearly all of a million are 0.
  for (let at = 0; at < covered.length; at += 1) {
    const share = covered[at] ?? 0;
    if (share === 0) continue;
    const pixel = (top + Math.floor(at / columns)) * picture.width + left + (at % columns);
    mixPixel(picture, pixel, colour, share * opacity);
  }
}

/** Columns that the part of an edge within `reach` of a row reaches: of a long slant not the whole box. */
function reachedColumns(
  [fromX, fromY]: readonly [number, number],
  [toX, toY]: readonly [number, number],
  y: number,
  reach: number,
): readonly [number, number] {
  const rise = toY - fromY;
  const at = (row: number) =>
    rise === 0 ? undefined : Math.min(1, Math.max(0, (row - fromY) / rise));
  const [a = 0, b = 1] = [at(y - reach), at(y + reach)];
  const [xA, xB] = [fromX + a * (toX - fromX), fromX + b * (toX - fromX)];
  return [Math.min(xA, xB) - reach, Math.max(xA, xB) + reach];
}

function distanceTo(
  from: readonly [number, number],
  to: readonly [number, number],
  x: number,
  y: number,
): number {
  const [ex, ey] = [to[0] - from[0], to[1] - from[1]];
  const length2 = ex * ex + ey * ey;
  const along = length2 === 0 ? 0 : ((x - from[0]) * ex + (y - from[1]) * ey) / length2;
  const t = Math.min(1, Math.max(0, along));
  const [dx, dy] = [x - from[0] - t * ex, y - from[1] - t * ey];
  // Math.hypot takes twenty times as long, and no picture overflows.
  return Math.sqrt(dx * dx + dy * dy);
}

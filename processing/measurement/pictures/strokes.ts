import type { Colour, Picture } from "../../photogrammetry/products/picture.ts";
import { type PlanPolygon, polygonWeights } from "../../volume/polygon-weights.ts";

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
export function fillPolygon(picture: Picture, points: PixelPoints, colour: Colour): void {
  const polygon: PlanPolygon = points.map(([x, y]) => [x, -y]);
  const frame = { westM: 0, northM: 0, cellM: 1, width: picture.width, height: picture.height };
  const weights = polygonWeights(frame, polygon);
  for (let r = 0; r < weights.height; r += 1) {
    const y = weights.firstRow + r;
    for (let c = 0; c < weights.width; c += 1) {
      const x = weights.firstCol + c;
      const share = weights.share[r * weights.width + c] ?? 0;
      if (share === 0 || x < 0 || y < 0 || x >= picture.width || y >= picture.height) continue;
      mixPixel(picture, y * picture.width + x, colour, share);
    }
  }
}

/** Draws a closed line, its edges smooth and its corners round. */
export function strokeRing(
  picture: Picture,
  ring: PixelPoints,
  { widthPx, colour, opacity = 1 }: { widthPx: number; colour: Colour; opacity?: number },
): void {
  const { width, height } = picture;
  // The most of all edges: where two meet, the line is no darker.
  const covered = new Map<number, number>();
  const reach = widthPx / 2 + 1;
  for (const [i, from] of ring.entries()) {
    const to = ring[(i + 1) % ring.length] ?? from;
    const left = Math.max(0, Math.floor(Math.min(from[0], to[0]) - reach));
    const right = Math.min(width - 1, Math.ceil(Math.max(from[0], to[0]) + reach));
    const top = Math.max(0, Math.floor(Math.min(from[1], to[1]) - reach));
    const bottom = Math.min(height - 1, Math.ceil(Math.max(from[1], to[1]) + reach));
    for (let y = top; y <= bottom; y += 1) {
      for (let x = left; x <= right; x += 1) {
        const away = distanceTo(from, to, x + 0.5, y + 0.5);
        const share = Math.min(1, widthPx / 2 + 0.5 - away);
        const pixel = y * width + x;
        if (share > (covered.get(pixel) ?? 0)) covered.set(pixel, share);
      }
    }
  }
  for (const [pixel, share] of covered) mixPixel(picture, pixel, colour, share * opacity);
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
  return Math.hypot(x - from[0] - t * ex, y - from[1] - t * ey);
}

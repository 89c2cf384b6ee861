import type { ElevationGrid, GridFrame, OrthoGrid } from "../grid/elevation-grid.ts";
import { roundRank } from "../numeric/quantile.ts";
import { halve, type Raster } from "../photogrammetry/products/cog/raster.ts";
import { type ColourRamp, paleViridis, viridis } from "./colour-ramp.ts";
import { hillshade } from "./hillshade.ts";
import { blankPicture, drawText, fillRectangle, type Picture, textSize } from "./picture.ts";

/** Ink of legends. */
const INK = [30, 34, 40] as const;
const NO_DATA = [255, 255, 255] as const;
/** Height of the strip below a map that holds its legend, pixels, at letters of scale 2. */
const STRIP_PX = 44;
/** Maps narrower than this are drawn larger: a legend needs room. */
const MIN_WIDTH_PX = 480;
/** A legend's ends leave out this share of the cells on either side: one bird must not flatten the colours. */
const OUTLIERS = 0.005;
/** Shading multiplies colours by 0.3 to 1.7; level ground keeps its own. */
const SHADE_FLOOR = 0.3;

/**
 * Heights as colours, shaded by the relief, with scale bar and legend.
 * @param originM height of the survey's origin: the legend then shows the heights that the file has
 */
export function heightPicture(surface: ElevationGrid, originM = 0): Picture {
  const shades = hillshade(surface);
  const range = heightRange(surface.elevationM);
  return mapPicture(
    surface,
    range,
    paleViridis,
    "m",
    (cell, colour) => {
      const shade = SHADE_FLOOR + ((1 - SHADE_FLOOR) * (shades[cell] ?? 0)) / 128;
      const [r, g, b] = colour(surface.elevationM[cell] ?? Number.NaN);
      return shades[cell] === 0 ? NO_DATA : [r * shade, g * shade, b * shade];
    },
    originM,
  );
}

/** By shade. Level ground lies at 128: lighter, so that the picture prints well. */
const GREYS = Array.from({ length: 256 }, (_, shade) => {
  const grey = 255 * (shade / 255) ** 0.6;
  return shade === 0 ? NO_DATA : ([grey, grey, grey] as const);
});

/** Relief alone, grey, with a scale bar. */
export function hillshadePicture(surface: ElevationGrid): Picture {
  const shades = hillshade(surface);
  return mapPicture(surface, undefined, viridis, "", (cell) => GREYS[shades[cell] ?? 0] ?? NO_DATA);
}

/** How well the views agree on each cell, 0.3 (the least that counts) to 1. */
export function scorePicture(surface: ElevationGrid): Picture {
  return mapPicture(surface, [0.3, 1], viridis, "", (cell, colour) => {
    const score = surface.score[cell] ?? Number.NaN;
    return Number.isNaN(score) ? NO_DATA : colour(score);
  });
}

/** Colour of cells that two views or fewer see: no height can be trusted there. */
const TOO_FEW_VIEWS = [196, 60, 60] as const;

/** How many views see each cell; fewer than three in red. */
export function viewsPicture(surface: ElevationGrid): Picture {
  let most = 4;
  for (const views of surface.views) if (views > most) most = views;
  return mapPicture(surface, [3, most], viridis, "", (cell, colour) => {
    const views = surface.views[cell] ?? 0;
    if (views === 0) return NO_DATA;
    return views < 3 ? TOO_FEW_VIEWS : colour(views);
  });
}

/** The orthophoto on white, halved until its longer edge has at most `maxPx` pixels. */
export function orthoPicture(ortho: OrthoGrid, maxPx = 2048): Picture {
  const { width, height, rgba } = ortho;
  let raster: Raster = { kind: "colour", width, height, values: rgba };
  while (Math.max(raster.width, raster.height) > maxPx) raster = halve(raster);
  const flat = Uint8Array.from(raster.values);
  for (let i = 0; i < flat.length; i += 4) {
    if (flat[i + 3] === 0) flat.fill(255, i, i + 4);
  }
  return { width: raster.width, height: raster.height, rgba: flat };
}

type CellColour = (
  cell: number,
  colour: (value: number) => readonly [number, number, number],
) => readonly [number, number, number];

function mapPicture(
  frame: GridFrame,
  range: readonly [number, number] | undefined,
  ramp: ColourRamp,
  unit: string,
  cellColour: CellColour,
  offset = 0,
): Picture {
  const zoom = Math.max(1, Math.ceil(MIN_WIDTH_PX / frame.width));
  const width = frame.width * zoom;
  const picture = blankPicture(width, frame.height * zoom + STRIP_PX);
  const { rgba } = picture;
  const [low, high] = range ?? [0, 1];
  const colour = (value: number) => ramp((value - low) / (high - low));
  for (let cell = 0; cell < frame.width * frame.height; cell += 1) {
    const rgb = cellColour(cell, colour);
    const left = (cell % frame.width) * zoom;
    const top = Math.floor(cell / frame.width) * zoom;
    for (let y = top; y < top + zoom; y += 1) {
      for (let x = left; x < left + zoom; x += 1) {
        const at = (y * width + x) * 4;
        rgba[at] = Math.min(255, rgb[0]);
        rgba[at + 1] = Math.min(255, rgb[1]);
        rgba[at + 2] = Math.min(255, rgb[2]);
      }
    }
  }
  drawScaleBar(picture, frame.cellM / zoom);
  if (range !== undefined) {
    drawLegend(picture, [range[0] + offset, range[1] + offset], ramp, unit);
  }
  return picture;
}

const MARGIN_PX = 12;
const LETTER_SCALE = 2;

/** A bar of 1, 2 or 5 times a power of ten metres, at most a third of the width, lower left. */
function drawScaleBar(picture: Picture, metresPerPx: number): void {
  const lengthM = roundLength((picture.width / 3) * metresPerPx);
  const width = Math.round(lengthM / metresPerPx);
  const top = picture.height - MARGIN_PX - 6;
  fillRectangle(picture, { left: MARGIN_PX, top, width, height: 6 }, INK);
  const middle = {
    left: MARGIN_PX + 2,
    top: top + 2,
    width: Math.max(0, (width >> 1) - 2),
    height: 2,
  };
  fillRectangle(picture, middle, NO_DATA);
  const text = `${lengthM} m`;
  drawText(picture, text, { left: MARGIN_PX, top: top - 18, scale: LETTER_SCALE }, INK);
}

/** The largest of 1, 2, 5, 10, 20 ... that is not above `atMost`. */
export function roundLength(atMost: number): number {
  const power = 10 ** Math.floor(Math.log10(atMost));
  const factor = [5, 2, 1].find((f) => f * power <= atMost) ?? 1;
  return Number((factor * power).toPrecision(1));
}

/** The colours and their ends, lower right. */
function drawLegend(
  picture: Picture,
  [low, high]: readonly [number, number],
  ramp: ColourRamp,
  unit: string,
): void {
  const width = Math.round(picture.width / 3);
  const left = picture.width - MARGIN_PX - width;
  const top = picture.height - MARGIN_PX - 10;
  for (let x = 0; x < width; x += 1) {
    fillRectangle(picture, { left: left + x, top, width: 1, height: 10 }, ramp(x / (width - 1)));
  }
  const suffix = unit === "" ? "" : ` ${unit}`;
  const digits = unit === "" && Number.isInteger(high) && Number.isInteger(low) ? 0 : 1;
  const lowText = low.toFixed(digits);
  const highText = high.toFixed(digits) + suffix;
  const at = { top: top - 18, scale: LETTER_SCALE };
  drawText(picture, lowText, { ...at, left }, INK);
  const end = left + width - textSize(highText, LETTER_SCALE).width;
  drawText(picture, highText, { ...at, left: end }, INK);
}

/** Ends of the legend; a metre apart at least, so that level ground does not look like mountains. */
function heightRange(elevationM: Float32Array): readonly [number, number] {
  const sorted = elevationM.filter((z) => !Number.isNaN(z)).sort();
  const low = roundRank(sorted, OUTLIERS) ?? 0;
  const high = roundRank(sorted, 1 - OUTLIERS) ?? 1;
  const room = Math.max(0, 1 - (high - low)) / 2;
  return [low - room, high + room];
}

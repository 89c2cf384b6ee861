import { FOOT_M } from "../../../../domain/geometry/length-units.ts";
import { escapeXml } from "../../../page/escape-xml.ts";
import type { MapFrame } from "../map/map-grid.ts";
import type { TiffField } from "./directory.ts";
import type { Raster } from "./raster.ts";
import { NODATA } from "./tiles.ts";

/** What a raster's directory says beside its pixels. */
export interface RasterMetadata {
  /** Name and text of what a reader should know: datum, method, program. */
  readonly items: Readonly<Record<string, string>>;
  /** Names of the bands, in their order. */
  readonly bands: readonly string[];
  /** Unit of the values, `m`; `undefined` for colours. */
  readonly unit: string | undefined;
}

/** Fields about the pixels, for every resolution. Tags: TIFF 6.0, Technical Note 3, GDAL. */
export function pixelFields(raster: Raster, tileSize: number, isOverview: boolean): TiffField[] {
  const isColour = raster.kind === "colour";
  const samples = isColour ? 4 : 1;
  const perSample = (value: number) => new Array<number>(samples).fill(value);
  return [
    { tag: 254, type: "long", values: [isOverview ? 1 : 0] },
    { tag: 256, type: "long", values: [raster.width] },
    { tag: 257, type: "long", values: [raster.height] },
    { tag: 258, type: "short", values: perSample(isColour ? 8 : 32) },
    // Deflate by zlib (TIFF Technical Note 2, "Adobe deflate").
    { tag: 259, type: "short", values: [8] },
    { tag: 262, type: "short", values: [isColour ? 2 : 1] },
    { tag: 277, type: "short", values: [samples] },
    { tag: 284, type: "short", values: [1] },
    { tag: 317, type: "short", values: [isColour ? 2 : 3] },
    { tag: 322, type: "long", values: [tileSize] },
    { tag: 323, type: "long", values: [tileSize] },
    // The fourth sample is alpha that the colours are not multiplied by.
    ...(isColour ? [{ tag: 338, type: "short", values: [2] } as const] : []),
    { tag: 339, type: "short", values: perSample(isColour ? 1 : 3) },
    ...(isColour ? [] : [{ tag: 42_113, type: "ascii", values: String(NODATA) } as const]),
  ];
}

/** Where the raster lies (OGC GeoTIFF 1.1, 19-008r4) and what it is, for the full resolution. */
export function placeFields(frame: MapFrame, metadata: RasterMetadata): TiffField[] {
  const { unitM } = frame;
  const citation = `${frame.projection}|`;
  const cell = frame.cellM / unitM;
  return [
    { tag: 33_550, type: "double", values: [cell, cell, 0] },
    {
      tag: 33_922,
      type: "double",
      values: [0, 0, 0, frame.westM / unitM, frame.northM / unitM, 0],
    },
    {
      tag: 34_735,
      type: "short",
      values: [
        [1, 1, 0, 5],
        // GTModelType: projected. GTRasterType: a pixel is an area.
        [1024, 0, 1, 1],
        [1025, 0, 1, 1],
        [1026, 34_737, citation.length, 0],
        // ProjectedCRS by its EPSG code, and its unit: metre, foot, US survey foot.
        [3072, 0, 1, frame.epsg],
        [3076, 0, 1, unitM === 1 ? 9001 : unitM === FOOT_M ? 9002 : 9003],
      ].flat(),
    },
    { tag: 34_737, type: "ascii", values: citation },
    { tag: 42_112, type: "ascii", values: gdalMetadata(metadata) },
  ];
}

function gdalMetadata({ items, bands, unit }: RasterMetadata): string {
  const lines = Object.entries(items).map(
    // Texts are escaped twice: GDAL reads them so.
    ([name, text]) => `  <Item name="${ascii(name)}">${ascii(escapeXml(text))}</Item>`,
  );
  for (const [i, band] of bands.entries()) {
    lines.push(`  <Item name="DESCRIPTION" sample="${i}" role="description">${ascii(band)}</Item>`);
    if (unit !== undefined) {
      lines.push(`  <Item name="UNITTYPE" sample="${i}" role="unittype">${ascii(unit)}</Item>`);
    }
  }
  return `<GDALMetadata>\n${lines.join("\n")}\n</GDALMetadata>\n`;
}

/** Fields of type ASCII hold seven bits: other characters become references of XML. */
function ascii(text: string): string {
  return escapeXml(text).replace(/[^\t\n\r -~]/gu, (character) => `&#${character.codePointAt(0)};`);
}

import { createEnuFrame } from "../../../geometry/enu.ts";
import type { GridFrame } from "../../../grid/elevation-grid.ts";
import { toTenth } from "../../../numeric/rounding.ts";
import { type Markup, markup } from "../../../page/markup.ts";
import { roundLength } from "../../../pictures/map-pictures.ts";
import { groundHeight } from "./build-report.ts";
import { footprint } from "./footprint.ts";
import type { ReportInput } from "./report-input.ts";

/** Width of the drawing, units of the SVG; its height follows the ground. */
const WIDTH = 1000;
const MARGIN = 50;
/** The longest arrow is drawn this long; the factor is in the legend. */
const LONGEST_ARROW = 70;

/** A picture of known ground below the drawing. */
export interface MapBackground {
  readonly frame: GridFrame;
  readonly dataUri: string;
}

/** Cameras, what they show, and how far each lies from its GPS position, seen from above, north up. */
export function cameraMap(input: ReportInput, background: MapBackground | undefined): Markup {
  const { reconstruction, images, origin } = input;
  if (reconstruction === undefined) return markup`<p>The engine gave no cameras.</p>`;
  const ground = groundHeight(reconstruction) ?? 0;
  const enu = createEnuFrame(origin);
  const prints = reconstruction.cameras.map(({ lens, pose }) => {
    const intrinsics = reconstruction.lenses[lens];
    return intrinsics === undefined ? [] : footprint(intrinsics, pose, ground);
  });
  const oriented = new Set(reconstruction.cameras.map(({ image }) => image));
  const lost = images.flatMap(({ name, position }, i) => {
    if (oriented.has(i) || position === undefined) return [];
    const [x, y] = enu.toEnu({ ...position, heightM: origin.heightM });
    return [{ name, x, y }];
  });
  const places = [
    ...prints.flat(),
    ...reconstruction.cameras.map(({ pose }) => pose.centre),
    ...lost.map(({ x, y }) => [x, y] as const),
  ];
  const xs = places.map(([x]) => x);
  const ys = places.map(([, y]) => y);
  const [west, east, north] = [Math.min(...xs), Math.max(...xs), Math.max(...ys)];
  const scale = (WIDTH - 2 * MARGIN) / Math.max(1, east - west);
  const height = (north - Math.min(...ys)) * scale + 2 * MARGIN + 40;
  const at = (x: number, y: number) =>
    [toTenth(MARGIN + (x - west) * scale), toTenth(MARGIN + (north - y) * scale)] as const;

  const residuals = reconstruction.cameras.map(({ gpsResidualM }) => gpsResidualM ?? [0, 0, 0]);
  const longestM = Math.max(...residuals.map(([x, y]) => Math.hypot(x, y)), 1e-6);
  const exaggeration = niceFactor(LONGEST_ARROW / (longestM * scale));
  const cameras = reconstruction.cameras.map((camera, i) => {
    const [x, y] = camera.pose.centre;
    const [cx, cy] = at(x, y);
    const [dx, dy, dz] = residuals[i] ?? [0, 0, 0];
    const k = exaggeration * scale;
    const name = images[camera.image]?.name ?? "";
    const title = `${name}: rms ${camera.rmsPx.toFixed(2)} px, off GPS by ${dx.toFixed(2)} E, ${dy.toFixed(2)} N, ${dz.toFixed(2)} up m`;
    return markup`<g><title>${title}</title>
<line x1="${cx}" y1="${cy}" x2="${toTenth(cx - dx * k)}" y2="${toTenth(cy + dy * k)}" class="arrow"/>
<circle cx="${cx}" cy="${cy}" r="5" class="camera"/></g>
`;
  });
  const barM = roundLength((east - west) / 4);
  const barY = toTenth(height - 24);
  return markup`<svg viewBox="0 0 ${WIDTH} ${toTenth(height)}" role="img" aria-label="Map of cameras and footprints">
${background === undefined ? undefined : backgroundImage(background, at, scale)}
<g fill-opacity="${Math.min(0.04, 0.4 / prints.length).toFixed(4)}">${prints.map((corners) => markup`<polygon class="footprint" points="${corners.map(([x, y]) => at(x, y).join(",")).join(" ")}"/>`)}</g>
${cameras}
${lost.map(({ name, x, y }) => cross(name, at(x, y)))}
<line class="bar" x1="${MARGIN}" x2="${toTenth(MARGIN + barM * scale)}" y1="${barY}" y2="${barY}"/>
<text x="${MARGIN}" y="${barY - 8}">${barM} m</text>
<text x="${WIDTH - MARGIN}" y="${barY}" text-anchor="end">arrows: from the adjusted camera to its GPS position, ${exaggeration} x too long (longest ${longestM.toFixed(2)} m)</text>
<path class="north" d="M${WIDTH - 30} 60 l10 0 l-10 -34 l-10 34 z"/><text x="${WIDTH - 30}" y="78" text-anchor="middle">N</text>
</svg>`;
}

function backgroundImage(
  { frame, dataUri }: MapBackground,
  at: (x: number, y: number) => readonly [number, number],
  scale: number,
): Markup {
  const [x, y] = at(frame.westM, frame.northM);
  const width = toTenth(frame.width * frame.cellM * scale);
  const height = toTenth(frame.height * frame.cellM * scale);
  return markup`<image href="${dataUri}" x="${x}" y="${y}" width="${width}" height="${height}" opacity="0.8" preserveAspectRatio="none"/>`;
}

function cross(name: string, [x, y]: readonly [number, number]): Markup {
  return markup`<g class="lost"><title>${name}: not oriented</title><path d="M${x - 6} ${y - 6} l12 12 m0 -12 l-12 12"/></g>
`;
}

/** 1, 2 or 5 times a power of ten, not above `factor`, and 1 at least. */
function niceFactor(factor: number): number {
  return factor <= 1 ? 1 : roundLength(factor);
}

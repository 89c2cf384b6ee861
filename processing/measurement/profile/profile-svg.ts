import { toTenth } from "../../numeric/rounding.ts";
import { type Markup, markup } from "../../page/markup.ts";
import { tickStep, ticksOf, tickText } from "../../page/ticks.ts";
import type { PileProfile, PileSection } from "./pile-profile.ts";

/** Drawing units; one is a pixel at full size. */
const WIDTH = 1_000;
const LEFT = 64;
const RIGHT = 16;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
/** Above a section for its title and below it for its axis. */
const HEAD = 34;
const FOOT = 58;
const MAX_PLOT_HEIGHT = 300;
/** Heights are drawn this many times larger than distances; the largest that fits is taken. */
const EXAGGERATIONS = [10, 8, 6, 5, 4, 3, 2, 1.5, 1];
/** Room above the highest and below the lowest, as a share of what lies between. */
const ROOM = 0.1;
/** Ground that is level all over is given this much, metres. */
const MIN_SPAN_M = 0.5;

const INK = "#1e2228";
const SOFT = "#5b6470";
const LINE = "#d4d9df";
const PILE = "#d9b26f";
const GROUND = "#c9c2b8";
const PREVIOUS = "#1f5fa8";
const BASE = "#7a4a21";

/**
 * Both sections as a self-contained drawing: SVG without script, style or anything fetched. The pile is
 * filled between surface and base, the surface of the previous epoch dashed; lines are broken where there is
 * no data. Heights count from the lowest place of the base below the pile.
 */
export function profileSvg(profile: PileProfile): string {
  return profileMarkup(profile).text;
}

/** The drawing of {@link profileSvg} as a part of a page. */
export function profileMarkup(profile: PileProfile): Markup {
  const zeroM = lowestBase(profile);
  const along = sectionPlot(profile.along, "Along the pile", zeroM);
  const across = sectionPlot(profile.across, "Across it, through the same place", zeroM);
  const height = along.height + across.height + 24;
  const hasPrevious = profile.along.previous_m !== null;
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${toTenth(height)}" width="${WIDTH}" height="${toTenth(height)}" role="img" aria-label="Sections through the pile" font-family="Helvetica, Arial, sans-serif" font-size="15" fill="${INK}">
<rect width="${WIDTH}" height="${toTenth(height)}" fill="#ffffff"/>
${legend(hasPrevious)}
<g transform="translate(0 24)">${along.drawing}</g>
<g transform="translate(0 ${toTenth(24 + along.height)})">${across.drawing}</g>
</svg>
`;
}

function legend(hasPrevious: boolean): Markup {
  const y = 14;
  const items = [
    markup`<rect x="${LEFT}" y="${y - 8}" width="24" height="12" fill="${PILE}" stroke="${INK}"/><text class="small" font-size="13" x="${LEFT + 30}" y="${y + 3}">surface</text>`,
    markup`<line x1="${LEFT + 100}" x2="${LEFT + 130}" y1="${y - 2}" y2="${y - 2}" stroke="${BASE}" stroke-width="2" stroke-dasharray="8 3 2 3"/><text class="small" font-size="13" x="${LEFT + 136}" y="${y + 3}">base</text>`,
  ];
  if (hasPrevious) {
    items.push(
      markup`<line x1="${LEFT + 190}" x2="${LEFT + 220}" y1="${y - 2}" y2="${y - 2}" stroke="${PREVIOUS}" stroke-width="2" stroke-dasharray="6 4"/><text class="small" font-size="13" x="${LEFT + 226}" y="${y + 3}">previous surface</text>`,
    );
  }
  return markup`${items}`;
}

interface Plot {
  readonly height: number;
  readonly drawing: Markup;
}

type Point = readonly [x: number, y: number];

function sectionPlot(section: PileSection, title: string, zeroM: number): Plot {
  const { distance_m: distances, toe_m: toe } = section;
  const lengthM = distances.at(-1) ?? 1;
  const { low, high } = spanOf(section, zeroM);
  const widest = PLOT_WIDTH / lengthM;
  // A pile higher than long is drawn narrower, never flattened.
  const exaggeration = EXAGGERATIONS.find((k) => widest * k * (high - low) <= MAX_PLOT_HEIGHT) ?? 1;
  const scale = Math.min(widest, MAX_PLOT_HEIGHT / (exaggeration * (high - low)));
  const plotHeight = (high - low) * scale * exaggeration;
  const bottom = HEAD + plotHeight;
  const right = LEFT + lengthM * scale;
  const x = (distance: number) => LEFT + distance * scale;
  const y = (heightM: number) => HEAD + (high - (heightM - zeroM)) * scale * exaggeration;
  const runs = (heights: readonly (number | null)[]) => unbroken(distances, heights, x, y);
  const heightStep = tickStep(high - low, 6);
  const distanceStep = tickStep(lengthM, 12);
  const drawing = markup`<text x="${LEFT}" y="22" font-weight="bold">${title}</text>
<text class="small" font-size="13" fill="${SOFT}" x="${WIDTH - RIGHT}" y="22" text-anchor="end">${exaggeration === 1 ? "heights and distances at the same scale" : `heights drawn ${exaggeration} times larger`}</text>
${ticksOf(low, high, heightStep).map((tick) => markup`<line x1="${LEFT}" x2="${toTenth(right)}" y1="${toTenth(y(zeroM + tick))}" y2="${toTenth(y(zeroM + tick))}" stroke="${LINE}"/><text class="small" font-size="13" x="${LEFT - 8}" y="${toTenth(y(zeroM + tick) + 4.5)}" text-anchor="end">${tickText(tick, heightStep)}</text>`)}
${runs(section.base_m).map((run) =>
  area(
    run,
    run.map(([px]) => [px, bottom] as const),
    GROUND,
    "0.55",
  ),
)}
${pileAreas(section, x, y)}
${runs(section.base_m).map((run) => line(run, BASE, "1.6", "8 3 2 3"))}
${runs(section.surface_m).map((run) => line(run, INK, "2", undefined))}
${runs(section.previous_m ?? []).map((run) => line(run, PREVIOUS, "1.8", "6 4"))}
${toe.map((distance) => markup`<line x1="${toTenth(x(distance))}" x2="${toTenth(x(distance))}" y1="${HEAD}" y2="${toTenth(bottom)}" stroke="${SOFT}" stroke-dasharray="2 4"/>`)}
<text class="small" font-size="13" fill="${SOFT}" x="${toTenth(x(toe[0]) + 5)}" y="${HEAD + 12}">footprint</text>
<line x1="${LEFT}" x2="${toTenth(right)}" y1="${toTenth(bottom)}" y2="${toTenth(bottom)}" stroke="${INK}"/>
<line x1="${LEFT}" x2="${LEFT}" y1="${HEAD}" y2="${toTenth(bottom)}" stroke="${INK}"/>
${ticksOf(0, lengthM, distanceStep).map((tick) => markup`<line x1="${toTenth(x(tick))}" x2="${toTenth(x(tick))}" y1="${toTenth(bottom)}" y2="${toTenth(bottom + 5)}" stroke="${INK}"/><text class="small" font-size="13" x="${toTenth(x(tick))}" y="${toTenth(bottom + 20)}" text-anchor="middle">${tickText(tick, distanceStep)}</text>`)}
<text class="small" font-size="13" fill="${SOFT}" x="${toTenth((LEFT + right) / 2)}" y="${toTenth(bottom + 40)}" text-anchor="middle">distance, m, towards the ${heading(section)}</text>
<text class="small" font-size="13" fill="${SOFT}" transform="translate(18 ${toTenth(HEAD + plotHeight / 2)}) rotate(-90)" text-anchor="middle">height, m</text>`;
  return { height: HEAD + plotHeight + FOOT, drawing };
}

/** The pile, between surface and base, wherever both are known; fill lies below the base and shows as well. */
function pileAreas(
  { distance_m, surface_m, base_m }: PileSection,
  x: (distance: number) => number,
  y: (heightM: number) => number,
): Markup[] {
  const isKnown = distance_m.map((_, i) => surface_m[i] !== null && base_m[i] !== null);
  const known = (heights: readonly (number | null)[]) =>
    unbroken(
      distance_m,
      heights.map((height, i) => (isKnown[i] === true ? height : null)),
      x,
      y,
    );
  const bases = known(base_m);
  return known(surface_m).map((run, i) => area(run, bases[i] ?? [], PILE, "0.9"));
}

/** The parts of a line between its gaps, in drawing units. */
function unbroken(
  distances: readonly number[],
  heights: readonly (number | null)[],
  x: (distance: number) => number,
  y: (heightM: number) => number,
): Point[][] {
  const runs: Point[][] = [[]];
  for (const [i, height] of heights.entries()) {
    if (height === null) runs.push([]);
    else runs.at(-1)?.push([x(distances[i] ?? 0), y(height)]);
  }
  return runs.filter((run) => run.length > 1);
}

function area(upper: readonly Point[], lower: readonly Point[], fill: string, opacity: string) {
  const outline = [...upper, ...lower.toReversed()];
  return markup`<path d="M${pathOf(outline)}Z" fill="${fill}" fill-opacity="${opacity}"/>`;
}

function line(run: readonly Point[], stroke: string, width: string, dashes: string | undefined) {
  const dashed = dashes === undefined ? undefined : markup` stroke-dasharray="${dashes}"`;
  return markup`<path d="M${pathOf(run)}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round"${dashed}/>`;
}

function pathOf(points: readonly Point[]): string {
  return points.map(([px, py]) => `${toTenth(px)} ${toTenth(py)}`).join("L");
}

/** Lowest and highest of a section above `zeroM`, with room, metres. */
function spanOf(section: PileSection, zeroM: number): { low: number; high: number } {
  const heights = [section.surface_m, section.base_m, section.previous_m ?? []]
    .flat()
    .filter((height) => height !== null);
  const low = Math.min(...heights, zeroM) - zeroM;
  const high = Math.max(...heights, zeroM + MIN_SPAN_M) - zeroM;
  return { low: low - ROOM * (high - low), high: high + ROOM * (high - low) };
}

/** The lowest of the base between the toes of both sections; where no base is known, of the surface. */
function lowestBase({ along, across }: PileProfile): number {
  const below = (section: PileSection, heights: readonly (number | null)[]) =>
    heights.filter((height, i): height is number => {
      const distance = section.distance_m[i] ?? 0;
      return height !== null && distance >= section.toe_m[0] && distance <= section.toe_m[1];
    });
  const bases = [...below(along, along.base_m), ...below(across, across.base_m)];
  if (bases.length > 0) return Math.min(...bases);
  const surfaces = [...below(along, along.surface_m), ...below(across, across.surface_m)];
  return surfaces.length > 0 ? Math.min(...surfaces) : 0;
}

const HEADINGS = [
  "north",
  "north-east",
  "east",
  "south-east",
  "south",
  "south-west",
  "west",
  "north-west",
];

function heading({ from_m: from, to_m: to }: PileSection): string {
  const turn = Math.atan2(to[0] - from[0], to[1] - from[1]) / (Math.PI / 4);
  return HEADINGS[(Math.round(turn) + 8) % 8] ?? "";
}

import type { Random } from "../randomness/random.ts";
import type { Colour } from "./canvas.ts";

/** Share of the progress, percent, during which a kind of work goes from nothing to all of it. */
type Phase = readonly [fromPercent: number, toPercent: number];

const STRUCTURES = ["concrete", "steel", "masonry", "timber", "precast"] as const;
type Structure = (typeof STRUCTURES)[number];

/** Colours of what a building is made of. */
export interface BuildingColours {
  readonly frame: Colour;
  readonly slab: Colour;
  readonly formwork: Colour;
  readonly wall: Colour;
  readonly joint: Colour;
  readonly insulation: Colour;
  readonly cladding: Colour;
  readonly glass: Colour;
  readonly window: Colour;
  readonly roof: Colour;
}

/** A scaffold in front of the facade; `undefined` fields: there is none of it. */
export interface Scaffold {
  readonly from: number;
  readonly until: number;
  /** Covers the active floors only, or all from the ground up. */
  readonly isMoving: boolean;
  readonly tube: Colour;
  readonly net:
    | { readonly colour: Colour; readonly share: number; readonly from: number }
    | undefined;
}

/** One building of a site, in pixels of the reference view. Percents are its own progress. */
export interface Building {
  readonly name: string;
  /** Lower left corner of its front when it stands. */
  readonly x: number;
  readonly groundY: number;
  readonly widthPx: number;
  /** Width of the side that is seen, and on which side of the front. */
  readonly sidePx: number;
  readonly sideIsRight: boolean;
  readonly floors: number;
  readonly floorPx: number;
  readonly bays: number;
  /** 0 near to 1 far: how much haze lies before it. */
  readonly depth: number;
  readonly structure: Structure;
  readonly colours: BuildingColours;
  readonly groundworks: Phase;
  readonly frame: Phase;
  readonly walls: Phase;
  readonly windows: Phase;
  readonly insulation: Phase;
  readonly cladding: Phase;
  readonly roof: Phase;
  readonly outside: Phase;
  /** Cells (floor by bay, lowest floor first) in the order in which walls, windows and cladding come. */
  readonly wallOrder: readonly number[];
  readonly windowOrder: readonly number[];
  readonly claddingOrder: readonly number[];
  /** Bays that have no window, and how windows sit in their cells. */
  readonly isBlind: readonly boolean[];
  readonly windowShare: { readonly width: number; readonly height: number; readonly sill: number };
  readonly pitchedRoof: boolean;
  readonly scaffold: Scaffold | undefined;
  readonly grainSeed: number;
  /** Progress, percent, at evenly spaced times from the first day of the site to its last; never falls. */
  readonly timeline: readonly number[];
}

/** How much of a phase is done, 0 to 1. */
export function done([from, to]: Phase, percent: number): number {
  return Math.min(1, Math.max(0, (percent - from) / (to - from)));
}

/** Progress of a building at a share of the site's time, percent. */
export function percentAt(building: Building, time: number): number {
  const { timeline } = building;
  const at = Math.min(1, Math.max(0, time)) * (timeline.length - 1);
  const i = Math.min(timeline.length - 2, Math.floor(at));
  const before = timeline[i] ?? 0;
  return before + ((timeline[i + 1] ?? before) - before) * (at - i);
}

const FRAMES: Readonly<Record<Structure, readonly Colour[]>> = {
  concrete: [
    [165, 162, 155],
    [150, 150, 148],
    [178, 172, 160],
  ],
  steel: [
    [120, 55, 45],
    [95, 100, 110],
    [70, 80, 95],
  ],
  masonry: [
    [150, 95, 75],
    [170, 120, 90],
    [185, 175, 160],
  ],
  timber: [
    [200, 165, 115],
    [185, 145, 95],
    [215, 185, 140],
  ],
  precast: [
    [190, 188, 180],
    [172, 170, 168],
    [160, 150, 140],
  ],
};
const FINISHES: readonly Colour[] = [
  [225, 220, 210],
  [205, 190, 165],
  [150, 70, 55],
  [90, 95, 105],
  [60, 85, 115],
  [180, 140, 90],
  [120, 130, 110],
  [235, 235, 235],
  [200, 120, 60],
];
const INSULATIONS: readonly Colour[] = [
  [225, 210, 90],
  [230, 150, 165],
  [200, 205, 210],
  [120, 170, 200],
  [110, 150, 90],
];
const NETS: readonly Colour[] = [
  [70, 130, 80],
  [60, 90, 150],
  [215, 215, 215],
  [110, 115, 120],
  [190, 120, 60],
];

/** Where a building stands, and how large it will be. */
export interface Plot {
  readonly name: string;
  readonly centreX: number;
  readonly groundY: number;
  readonly heightPx: number;
  readonly widthPx: number;
  readonly depth: number;
}

/** Makes up a building: what it is made of, in which order, behind which scaffold. */
export function planBuilding(random: Random, plot: Plot): Building {
  const floors = random.integer(3, 8);
  const bays = random.integer(3, 7);
  const structure = random.pick(STRUCTURES);
  const near = (colour: Colour, by: number): Colour => {
    const tone = random.uniform(-by, by);
    return [
      colour[0] + tone + random.uniform(-by, by) / 2,
      colour[1] + tone + random.uniform(-by, by) / 2,
      colour[2] + tone + random.uniform(-by, by) / 2,
    ];
  };
  const phase = (from: number, to: number): Phase => [
    Math.max(0, from + random.uniform(-4, 4)),
    Math.min(100, to + random.uniform(-5, 5)),
  ];
  const frame = near(random.pick(FRAMES[structure]), 12);
  const wall = near(random.pick(FINISHES), 15);
  const sidePx = plot.widthPx * random.uniform(0.12, 0.3);
  const cells = floors * bays;
  const hasInsulation = random.chance(0.6);
  return {
    name: plot.name,
    x: plot.centreX - (plot.widthPx - sidePx) / 2,
    groundY: plot.groundY,
    widthPx: plot.widthPx - sidePx,
    sidePx,
    sideIsRight: random.chance(0.5),
    floors,
    floorPx: plot.heightPx / floors,
    bays,
    depth: plot.depth,
    structure,
    colours: {
      frame,
      slab: near(frame, 18),
      formwork: near([215, 170, 60], 30),
      wall,
      joint: near(wall, 30),
      insulation: hasInsulation ? near(random.pick(INSULATIONS), 15) : wall,
      cladding: near(random.pick(FINISHES), 15),
      glass: near([70, 90, 105], 25),
      window: near([40, 38, 36], 15),
      roof: near([110, 80, 70], 40),
    },
    groundworks: phase(0, 9),
    frame: phase(6, random.uniform(42, 60)),
    walls: phase(random.uniform(20, 30), random.uniform(60, 75)),
    windows: phase(random.uniform(38, 46), random.uniform(76, 86)),
    insulation: phase(random.uniform(45, 52), random.uniform(82, 90)),
    cladding: phase(random.uniform(52, 58), random.uniform(91, 97)),
    roof: phase(random.uniform(58, 66), random.uniform(72, 80)),
    outside: phase(random.uniform(86, 90), 100),
    wallOrder: cellOrder(random, floors, bays, random.uniform(0, 1.5)),
    windowOrder: cellOrder(random, floors, bays, random.uniform(0.5, 4)),
    claddingOrder: cellOrder(random, floors, bays, random.uniform(0, 3)),
    isBlind: Array.from({ length: cells }, () => random.chance(0.12)),
    windowShare: {
      width: random.uniform(0.35, 0.85),
      height: random.uniform(0.35, 0.7),
      sill: random.uniform(0.12, 0.28),
    },
    pitchedRoof: random.chance(0.35),
    scaffold: planScaffold(random),
    grainSeed: random.integer(1, 1e6),
    timeline: planTimeline(random),
  };
}

function planScaffold(random: Random): Scaffold | undefined {
  if (random.chance(0.3)) return undefined;
  const from = random.uniform(8, 35);
  const until = random.uniform(80, 97);
  const net = random.chance(0.55)
    ? {
        colour: random.pick(NETS),
        share: random.uniform(0.2, 0.6),
        from: random.uniform(from, from + 30),
      }
    : undefined;
  const tube = random.pick<Colour>([
    [150, 150, 145],
    [110, 100, 90],
    [190, 160, 60],
  ]);
  return { from, until, isMoving: random.chance(0.35), tube, net };
}

/** Floor by floor, and as far out of order as `disorder` floors. */
function cellOrder(random: Random, floors: number, bays: number, disorder: number): number[] {
  const direction = random.chance(0.5) ? 1 : -1;
  return Array.from({ length: floors * bays }, (_, cell) => {
    const floor = Math.floor(cell / bays);
    const bay = cell % bays;
    return { cell, rank: floor + (direction * bay) / bays + disorder * random.next() };
  })
    .sort((a, b) => a.rank - b.rank)
    .map(({ cell }) => cell);
}

/** Starts late, ends early, pauses and hurries: 24 steps of exponential size. */
function planTimeline(random: Random): number[] {
  const steps = 24;
  const first = random.uniform(0, 0.12) * steps;
  const last = random.uniform(0.88, 1) * steps;
  const sizes = Array.from({ length: steps }, (_, i) => {
    const working = Math.min(i + 1, last) - Math.max(i, first);
    return Math.max(0, working) * (random.exponential(1) + 0.15);
  });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const timeline = [0];
  let sum = 0;
  for (const size of sizes) {
    sum += size;
    timeline.push(Math.min(100, (100 * sum) / total));
  }
  return timeline;
}

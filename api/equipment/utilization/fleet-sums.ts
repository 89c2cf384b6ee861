import type { AssetRegistration } from "../../../domain/equipment/asset.ts";
import type { AssetId } from "../../../domain/ids.ts";
import { roundTo } from "../../../processing/numeric/rounding.ts";
import { type AssetDay, shareOf } from "./asset-days.ts";
import type { UtilizationRow } from "./day-schemas.ts";
import type { FleetFigure, FleetRow, GroupBy } from "./fleet-schemas.ts";

type FigureName = keyof UtilizationRow["figures"];
type Parts = FleetFigure["parts"];
const FIGURES = [
  "working",
  "overtime",
  "engine_on",
  "distance",
] as const satisfies readonly FigureName[];
/** The surest first. */
const SOURCES = ["observed", "meter", "bridged"] as const satisfies readonly (keyof Parts)[];

/** Figures that are added up; `null`: nothing is known, or there are days without bounds. */
interface FigureSum {
  value: number | null;
  lower: number | null;
  upper: number | null;
  knownDays: number;
  /** The value by its sources. */
  readonly parts: Mutable<Parts>;
  /** Known days by the source of most of their time. */
  readonly days: Mutable<Parts>;
}
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface GroupSum {
  readonly keys: Pick<FleetRow, "asset_id" | "asset_name" | "type" | "day">;
  /** Registration order of its asset, where it is one asset's. */
  readonly place: number;
  readonly assets: Set<AssetId>;
  days: number;
  /** Of the days on which working time is known. */
  shiftMs: number;
  readonly figures: Record<FigureName, FigureSum>;
}

/** Adds up days of assets by group. Assets come in the order of their registration. */
export class FleetSums {
  readonly #by: ReadonlySet<GroupBy>;
  readonly #groups = new Map<string, GroupSum>();
  #places = 0;

  constructor(by: readonly GroupBy[]) {
    this.#by = new Set(by);
  }

  add(asset: AssetRegistration, days: readonly AssetDay[]): void {
    this.#places += 1;
    // An asset that did not report is a row of which nothing is known. Of a day nobody may have reported.
    if (!this.#by.has("day")) this.#groupOf(asset, undefined).assets.add(asset.id);
    for (const day of days) addDay(this.#groupOf(asset, day.row.day), asset.id, day);
  }

  rows(): readonly FleetRow[] {
    return [...this.#groups.values()].sort(compareGroups).map(rowOf);
  }

  #groupOf({ id, name, type }: AssetRegistration, day: string | undefined): GroupSum {
    const isByAsset = this.#by.has("asset");
    const keys = {
      ...(isByAsset ? { asset_id: id, asset_name: name } : {}),
      ...(isByAsset || this.#by.has("type") ? { type } : {}),
      ...(day !== undefined && this.#by.has("day") ? { day } : {}),
    };
    const key = JSON.stringify([keys.asset_id, keys.type, keys.day]);
    const found = this.#groups.get(key);
    if (found !== undefined) return found;
    const place = isByAsset ? this.#places : 0;
    const group = { keys, place, assets: new Set<AssetId>(), days: 0, shiftMs: 0 };
    const made = { ...group, figures: noFigures() };
    this.#groups.set(key, made);
    return made;
  }
}

const noParts = (): Mutable<Parts> => ({ observed: 0, meter: 0, bridged: 0 });
const noSum = (): FigureSum => ({
  ...{ value: null, lower: 0, upper: 0, knownDays: 0 },
  ...{ parts: noParts(), days: noParts() },
});
const noFigures = (): GroupSum["figures"] => ({
  working: noSum(),
  overtime: noSum(),
  engine_on: noSum(),
  distance: noSum(),
});

function addDay(group: GroupSum, assetId: AssetId, { row, period }: AssetDay): void {
  group.assets.add(assetId);
  group.days += 1;
  if (row.figures.working.value !== null) group.shiftMs += period.shiftMs;
  for (const name of FIGURES) {
    const sum = group.figures[name];
    const { value, lower, upper, basis, parts } = row.figures[name];
    sum.lower = plus(sum.lower, lower);
    sum.upper = plus(sum.upper, upper);
    if (value === null) continue;
    sum.value = (sum.value ?? 0) + value;
    sum.knownDays += 1;
    for (const source of SOURCES) sum.parts[source] += parts[source];
    if (basis !== "none") sum.days[basis] += 1;
  }
}

const plus = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;

function rowOf({ keys, assets, days, shiftMs, figures }: GroupSum): FleetRow {
  const { working, overtime, engine_on, distance } = figures;
  return {
    ...keys,
    assets: assets.size,
    asset_days: days,
    utilization: shareOf(working.value, { shiftMs }),
    working_s: rounded(working.value),
    overtime_s: rounded(overtime.value),
    engine_on_s: rounded(engine_on.value),
    distance_m: rounded(distance.value),
    figures: {
      working: figureView(working, days),
      overtime: figureView(overtime, days),
      engine_on: figureView(engine_on, days),
      distance: figureView(distance, days),
    },
  };
}

/** Bounds of no day at all are not bounds of 0. */
const figureView = (sum: FigureSum, days: number): FleetFigure => ({
  value: rounded(sum.value),
  lower: days === 0 ? null : rounded(sum.lower),
  upper: days === 0 ? null : rounded(sum.upper),
  known_days: sum.knownDays,
  basis: mostOf(sum.parts) ?? mostOf(sum.days) ?? "none",
  parts: {
    observed: toMilli(sum.parts.observed),
    meter: toMilli(sum.parts.meter),
    bridged: toMilli(sum.parts.bridged),
  },
});

/** The source with the largest share, the surer of two equal ones; `undefined`: all are 0, as of machines that stood. */
function mostOf(parts: Parts): keyof Parts | undefined {
  const most = Math.max(...SOURCES.map((source) => parts[source]));
  return most > 0 ? SOURCES.find((source) => parts[source] === most) : undefined;
}

/** To the millisecond and millimetre: a sum of many has digits of no meaning. */
const toMilli = (value: number): number => roundTo(value, 1_000);
const rounded = (value: number | null): number | null => (value === null ? null : toMilli(value));

function compareGroups(a: GroupSum, b: GroupSum): number {
  if (a.place !== b.place) return a.place - b.place;
  return compare(a.keys.type, b.keys.type) || compare(a.keys.day, b.keys.day);
}

const compare = (a = "", b = ""): number => (a < b ? -1 : a > b ? 1 : 0);

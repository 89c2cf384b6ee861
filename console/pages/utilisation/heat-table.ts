import type { components } from "../../../client/index.ts";
import { idleOf, type UseFigure } from "../machine/use-figures.ts";
import { mixOf, noParts, type SourceMix, sumOfMixes } from "./source-mix.ts";

/** A sum of machines over days, as the API has it; `project` is added where it was asked for by project. */
export type FleetRow = components["schemas"]["FleetUtilizationRow"] & {
  readonly project_id?: string;
};

/** What the table can show. */
export const FIGURES = ["working", "idle", "overtime", "engine_on", "distance"] as const;
export type FigureName = (typeof FIGURES)[number];

/** A figure of machines and days, and on how many of those it is known. */
export interface HeatFigure extends UseFigure {
  readonly knownDays: number;
  readonly machineDays: number;
  /** Where it comes from. */
  readonly mix: SourceMix;
}

/** A line of the table. */
export interface HeatLine {
  readonly id: string;
  readonly name: string;
  /** Of a machine. */
  readonly type: string | undefined;
  /** By calendar date; a day without an entry has no report. */
  readonly figureByDay: ReadonlyMap<string, HeatFigure>;
  readonly sum: HeatFigure;
}

/**
 * A figure of a row. Idle time is what the other three leave, so it is known only where they are known of the same
 * machines and days.
 */
export function figureOf(row: FleetRow, name: FigureName): HeatFigure {
  const { figures, asset_days: machineDays } = row;
  if (name !== "idle") {
    const { value, lower, upper, known_days: knownDays } = figures[name];
    return { value, lower, upper, knownDays, machineDays, mix: mixOf(figures[name]) };
  }
  const { engine_on, working, overtime } = figures;
  const knownDays = Math.min(engine_on.known_days, working.known_days, overtime.known_days);
  const isOfTheSame = [engine_on, working, overtime].every((one) => one.known_days === knownDays);
  const unknown = { value: null, lower: null, upper: null };
  const mix = sumOfMixes([engine_on, working, overtime].map(mixOf));
  return isOfTheSame
    ? { ...idleOf(figures), knownDays, machineDays, mix }
    : { ...unknown, knownDays: 0, machineDays, mix: { basis: "none", parts: noParts() } };
}

/** The sum of what is known; of nothing it is unknown, not 0. One without bounds leaves the sum without. */
export function sumOf(figures: readonly HeatFigure[]): HeatFigure {
  const known = figures.filter(({ value }) => value !== null);
  const total = (numbers: readonly (number | null)[]): number | null =>
    numbers.length === 0 || numbers.includes(null)
      ? null
      : numbers.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  return {
    value: total(known.map(({ value }) => value)),
    lower: total(figures.map(({ lower }) => lower)),
    upper: total(figures.map(({ upper }) => upper)),
    knownDays: figures.reduce((sum, one) => sum + one.knownDays, 0),
    machineDays: figures.reduce((sum, one) => sum + one.machineDays, 0),
    mix: sumOfMixes(known.map(({ mix }) => mix)),
  };
}

/** What a line of the table is of. */
export type Grouping = "asset" | "type" | "project";

/** Lines of a figure, by name; `nameOf` of a project's id. */
export function heatLines(
  rows: readonly FleetRow[],
  grouping: Grouping,
  figure: FigureName,
  nameOf: (projectId: string) => string,
): readonly HeatLine[] {
  const rowsById = new Map<string, FleetRow[]>();
  for (const row of rows) {
    const id = idOf(row, grouping);
    const own = rowsById.get(id);
    if (own === undefined) rowsById.set(id, [row]);
    else own.push(row);
  }
  return [...rowsById]
    .map(([id, own]): HeatLine => {
      const figureByDay = new Map(
        own.flatMap((row) =>
          row.day === undefined ? [] : [[row.day, figureOf(row, figure)] as const],
        ),
      );
      const [first] = own;
      const name = grouping === "project" ? nameOf(id) : (first?.asset_name ?? id);
      return {
        id,
        name,
        type: grouping === "asset" ? first?.type : undefined,
        figureByDay,
        sum: sumOf([...figureByDay.values()]),
      };
    })
    .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

function idOf(row: FleetRow, grouping: Grouping): string {
  const id = { asset: row.asset_id, type: row.type, project: row.project_id }[grouping];
  return id ?? "";
}

/** The sum of all lines on each day. */
export function daySums(
  lines: readonly HeatLine[],
  days: readonly string[],
): ReadonlyMap<string, HeatFigure> {
  return new Map(
    days.flatMap((day) => {
      const figures = lines.flatMap(({ figureByDay }) => figureByDay.get(day) ?? []);
      return figures.length === 0 ? [] : [[day, sumOf(figures)] as const];
    }),
  );
}

/** Share of the highest cell, from 0 to 1; what is not known has none. */
export function heatOf(figure: HeatFigure | undefined, highest: number): number {
  if (figure === undefined || figure.value === null || highest <= 0) return 0;
  return Math.min(1, figure.value / highest);
}

/** What a cell that is less than this much is not shown as the fullest for: an hour, or a kilometre. */
export const FULL_AT_LEAST: Readonly<Record<FigureName, number>> = {
  working: 3_600,
  idle: 3_600,
  overtime: 3_600,
  engine_on: 3_600,
  distance: 1_000,
};

/** The highest cell of all lines, or `atLeast` where all are lower. */
export function highestOf(lines: readonly HeatLine[], atLeast: number): number {
  let highest = atLeast;
  for (const { figureByDay } of lines) {
    for (const { value } of figureByDay.values()) highest = Math.max(highest, value ?? 0);
  }
  return highest;
}

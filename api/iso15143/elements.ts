import type { Part } from "./section.ts";

/** What a reading carries, by field name; the units are those of the names. */
export type FieldValues = Readonly<Partial<Record<string, number>>>;

/** A section that is made of fields of readings. */
export interface ElementKind {
  /** Name of the section's element. */
  readonly name: string;
  /** What the path of its time series calls it. */
  readonly series: string;
  /** The fields that it is made of; without the first there is no section. */
  readonly fields: readonly [string, ...string[]];
  /** `changes`: the series lists each change, not each reading (engine running or not). */
  readonly carries: "readings" | "changes";
  readonly parts: (value: number, values: FieldValues) => readonly Part[] | undefined;
}

const hours = (hour: number): readonly Part[] => [["Hour", hour]];
const percent = (value: number): readonly Part[] => [["Percent", value]];
const litres = (amount: number): readonly Part[] => [
  ["FuelUnits", "litre"],
  ["FuelConsumed", amount],
];

/**
 * For fields that have no meaning of ours and therefore no range: devices may send anything under such a
 * name, and the standard has no section for negative values.
 */
const within =
  (max: number, parts: (value: number) => readonly Part[]): ElementKind["parts"] =>
  (value) =>
    value >= 0 && value <= max ? parts(value) : undefined;
const notNegative = (parts: (value: number) => readonly Part[]) => within(Infinity, parts);

/** In the order in which the standard has them in a snapshot. */
export const ELEMENTS: readonly ElementKind[] = [
  {
    name: "Location",
    series: "Locations",
    fields: ["latitude", "longitude", "altitude_meters"],
    carries: "readings",
    parts: (latitude, { longitude, altitude_meters: altitude }) =>
      longitude === undefined
        ? undefined
        : [
            ["Latitude", latitude],
            ["Longitude", longitude],
            ...(altitude === undefined
              ? []
              : ([
                  ["Altitude", altitude],
                  ["AltitudeUnits", "metre"],
                ] as const)),
          ],
  },
  {
    name: "CumulativeOperatingHours",
    series: "CumulativeOperatingHours",
    fields: ["engine_hours"],
    carries: "readings",
    parts: hours,
  },
  {
    name: "FuelUsed",
    series: "FuelUsed",
    fields: ["fuel_used_liters"],
    carries: "readings",
    parts: litres,
  },
  {
    name: "FuelUsedLast24",
    series: "FuelUsedLast24",
    fields: ["fuel_used_last_24_h_liters"],
    carries: "readings",
    parts: notNegative(litres),
  },
  {
    name: "Distance",
    series: "Distance",
    fields: ["odometer_km"],
    carries: "readings",
    parts: (kilometres) => [
      ["OdometerUnits", "kilometre"],
      ["Odometer", kilometres],
    ],
  },
  {
    name: "CumulativeIdleHours",
    series: "CumulativeIdleHours",
    fields: ["idle_hours"],
    carries: "readings",
    parts: hours,
  },
  {
    name: "FuelRemaining",
    series: "FuelRemaining",
    fields: ["fuel_level_percent"],
    carries: "readings",
    parts: percent,
  },
  {
    name: "DEFRemaining",
    series: "DEFRemaining",
    fields: ["def_level_percent"],
    carries: "readings",
    parts: percent,
  },
  {
    name: "EngineStatus",
    series: "EngineStatus",
    fields: ["engine_on"],
    carries: "changes",
    parts: (engineOn) => [
      ["EngineNumber", "1"],
      ["Running", engineOn >= 0.5],
    ],
  },
  {
    name: "CumulativePowerTakeOffHours",
    series: "CumulativePowerTakeOffHours",
    fields: ["pto_hours"],
    carries: "readings",
    parts: notNegative(hours),
  },
  {
    name: "AverageLoadFactorLast24",
    series: "AverageLoadFactorLast24",
    fields: ["load_factor_last_24_h_percent"],
    carries: "readings",
    parts: within(100, percent),
  },
  {
    name: "CumulativeLoadCount",
    series: "CumulativeLoadCount",
    fields: ["load_count"],
    carries: "readings",
    parts: (count) => [["Count", Math.round(count)]],
  },
  {
    name: "CumulativePayloadTotals",
    series: "CumulativePayloadTotals",
    fields: ["payload_total_kg"],
    carries: "readings",
    parts: notNegative((kilograms) => [
      ["PayloadUnits", "kilogram"],
      ["Payload", kilograms],
    ]),
  },
  {
    name: "CumulativeActiveRegenerationHours",
    series: "CumulativeActiveRegenerationHours",
    fields: ["regeneration_hours"],
    carries: "readings",
    parts: notNegative(hours),
  },
  {
    name: "CumulativeIdleNonOperatingHours",
    series: "CumulativeIdleNonOperatingHours",
    fields: ["idle_non_operating_hours"],
    carries: "readings",
    parts: notNegative(hours),
  },
];

/** The series of faults, which are episodes and no fields. */
const FAULT_SERIES = "FaultCodes";

/**
 * Names of series in the paths of makers' servers, where the section has another name; programs that read
 * those servers use the same names here. Caterpillar, Komatsu, Takeuchi, Liebherr and Bell have them so.
 */
const PATH_NAMES: Readonly<Record<string, string>> = {
  CumulativeFuelUsed: "FuelUsed",
  DEFRemainingRatio: "DEFRemaining",
  EngineCondition: "EngineStatus",
  FuelRemainingRatio: "FuelRemaining",
  FuelUsedInThePreceding24Hours: "FuelUsedLast24",
};
const FAULT_PATHS: ReadonlySet<string> = new Set([FAULT_SERIES.toLowerCase(), "faults"]);

const kindBySeries = new Map(
  ELEMENTS.flatMap((kind) => {
    const others = Object.keys(PATH_NAMES).filter((path) => PATH_NAMES[path] === kind.name);
    return [kind.series, kind.name, ...others].map((name) => [name.toLowerCase(), kind]);
  }),
);

/** The section of a series' path, in any case, by the section's own name and by the makers' too. */
export function kindOfSeries(series: string): ElementKind | undefined {
  return kindBySeries.get(series.toLowerCase());
}

/** Whether a path names the series of faults, in any case and by the makers' name too. */
export const isFaultSeries = (series: string): boolean => FAULT_PATHS.has(series.toLowerCase());

/** As a client may ask for them. */
export const SERIES_NAMES: readonly string[] = [
  ...ELEMENTS.map(({ series }) => series),
  FAULT_SERIES,
];

import { describe, expect, it } from "vitest";
import type { JobId, MeasurementId } from "../../../domain/ids.ts";
import type { Stockpile } from "../../../domain/sites/stockpile.ts";
import {
  type MeasurementHistory,
  measuredStockpile,
} from "../../../processing/measurement/measured-stockpile.ts";
import {
  sampleFigures,
  sampleMeasurement,
  sampleStockpile,
} from "../../support/sample-stockpile.ts";

const JOB = "job_new" as JobId;
const NO_HISTORY: MeasurementHistory = { current: undefined, earlier: undefined, later: undefined };

/** What is measured on 5 March at 10:00 unless said otherwise. */
function measured(
  before: Stockpile,
  options: {
    readonly netM3?: number;
    readonly sigmaM3?: number;
    readonly at?: string;
    readonly history?: Partial<MeasurementHistory>;
    readonly isProposed?: boolean;
    readonly roundedOffM3?: number;
  } = {},
) {
  const {
    netM3 = 300.0354,
    sigmaM3 = 4,
    at = "2026-03-05T10:00:00.000Z",
    isProposed = false,
    roundedOffM3 = 0,
  } = options;
  return measuredStockpile(before, {
    jobId: JOB,
    measuredAtMs: Date.parse(at),
    recordedAtMs: Date.parse("2026-03-06T00:00:00.000Z"),
    gsdM: 0.021,
    georeferencing: "rtk",
    images: { given: 36, oriented: 36, refused: [] },
    warnings: [],
    files: sampleMeasurement(before, JOB).files,
    figures: sampleFigures({ netM3, sigmaM3, isProposed, roundedOffM3 }),
    history: { ...NO_HISTORY, ...options.history },
  });
}

it("a surface below its base is 0 m3 with a warning, and its signed figure is kept", () => {
  const { measurement } = measured(sampleStockpile(), { netM3: -12.3456 });
  expect(measurement).toMatchObject({ current_volume_m3: 0, net_m3: -12.346 });
  expect(measurement.warnings).toEqual([
    expect.stringMatching(
      /below its base: .* are -12\.3 m3 \(net_m3\), and the volume is given as 0/,
    ),
  ]);
  const above = measured(sampleStockpile(), { netM3: 12.3456 }).measurement;
  expect(above).toMatchObject({ current_volume_m3: 12.346, net_m3: 12.346, warnings: [] });
});

it("what a surface rounds off is reported where there is some", () => {
  const { measurement } = measured(sampleStockpile(), { roundedOffM3: 1.23456 });
  expect(measurement).toMatchObject({ rounded_off_m3: 1.235 });
  expect(measured(sampleStockpile()).measurement).not.toHaveProperty("rounded_off_m3");
});

/** A stockpile that was measured on 4 March as 100.005 m3. */
function known() {
  const declared = sampleStockpile();
  const current = sampleMeasurement(declared, "job_old" as JobId, {
    measured_at: "2026-03-04T10:00:00.000Z",
    current_volume_m3: 100.005,
    sigma_m3: 3,
  });
  const stockpile = sampleStockpile({
    current_volume_m3: 100.005,
    current_sigma_m3: 3,
    volume_basis: "measured",
    measurement_id: current.id,
    last_measured: current.measured_at,
    datum: sampleFigures().datum,
  });
  return { current, stockpile };
}

it("a measurement rounds volumes first, so that the change is their difference to the litre", () => {
  const { current, stockpile } = known();
  const { measurement } = measured(stockpile, { netM3: 300.0354, history: { current } });
  expect(measurement).toMatchObject({
    previous_volume_m3: 100.005,
    current_volume_m3: 300.035,
    change_m3: 200.03,
    previous_measurement_id: current.id,
    is_current: true,
    tonnes: 540.063,
  });
});

it("a measurement makes its volume the stockpile's, with when and how sure", () => {
  const { current, stockpile } = known();
  const { stockpile: after, measurement } = measured(stockpile, { history: { current } });
  expect(after).toMatchObject({
    current_volume_m3: 300.035,
    current_sigma_m3: 4,
    volume_basis: "measured",
    measurement_id: measurement.id,
    last_measured: "2026-03-05T10:00:00.000Z",
    datum: sampleFigures().datum,
    updated_at: "2026-03-06T00:00:00.000Z",
  });
  expect(measurement).toMatchObject({ sigma_m3: 4, uncertainty_95_m3: 7.84, gsd_cm: 2.1 });
});

it("a measurement says whether a change is beyond what both volumes may be off by", () => {
  const { current, stockpile } = known();
  // 1.96 times the root of 3^2 + 4^2: a first epoch shares nothing with the one before.
  const by = (netM3: number) => measured(stockpile, { netM3, history: { current } }).measurement;
  expect(by(109)).toMatchObject({ change_95_m3: 9.8, change_m3: 8.995, significant: false });
  expect(by(110)).toMatchObject({ change_95_m3: 9.8, change_m3: 9.995, significant: true });
});

it("a measurement has no significance against a volume that a person declared", () => {
  const { measurement } = measured(sampleStockpile());
  expect(measurement).toMatchObject({
    previous_volume_m3: 1_000.5,
    change_m3: -700.465,
    previous_measurement_id: undefined,
    significant: undefined,
    change_95_m3: undefined,
  });
});

it("a measurement has no significance against a volume of another footprint or base, and warns", () => {
  const { current, stockpile } = known();
  const redrawn = { ...stockpile, datum: undefined };
  const { measurement } = measured(redrawn, { netM3: 200, history: { current } });
  expect(measurement).toMatchObject({
    change_m3: 99.995,
    previous_measurement_id: current.id,
    significant: undefined,
    change_95_m3: undefined,
  });
  expect(measurement.warnings.at(-1)).toMatch(/^The footprint or the base was changed since/);
});

it("a volume is never negative: a surface below its base is 0 m3, with cut and fill beside it", () => {
  const { measurement, stockpile } = measured(sampleStockpile(), { netM3: -1.25 });
  expect(measurement).toMatchObject({
    current_volume_m3: 0,
    cut_m3: 0.5,
    fill_m3: 1.75,
    accuracy: "0.0%",
  });
  expect(stockpile.current_volume_m3).toBe(0);
});

it("a change counts from nothing where the stockpile's content was never declared or measured", () => {
  const before = sampleStockpile({ volume_basis: "none", current_volume_m3: 0 });
  const first = measured(before);
  expect(first.measurement).toMatchObject({
    previous_volume_m3: 0,
    change_m3: 300.035,
    change_basis: "none",
  });
  expect(first.stockpile.volume_basis).toBe("measured");
  expect(measured(sampleStockpile()).measurement.change_basis).toBe("declared");
  const { current, stockpile } = known();
  expect(measured(stockpile, { history: { current } }).measurement.change_basis).toBe("measured");
  const unsaid = { ...current, previous_volume_m3: 0, change_basis: "none" } as const;
  const earliest = { at: "2026-03-02T10:00:00.000Z", history: { current, later: unsaid } };
  expect(measured(stockpile, earliest).measurement.change_basis).toBe("none");
});

describe("a survey that came late", () => {
  const late = { at: "2026-03-02T10:00:00.000Z" };

  it("a survey that came late is stored beside the one before it in time, and leaves the stockpile's volume alone", () => {
    const { current, stockpile } = known();
    const earlier = sampleMeasurement(stockpile, "job_first" as JobId, {
      measured_at: "2026-03-01T09:00:00.000Z",
      current_volume_m3: 290,
    });
    const history = { current, earlier, later: current };
    const { measurement, stockpile: after, events } = measured(stockpile, { ...late, history });
    expect(measurement).toMatchObject({
      is_current: false,
      previous_volume_m3: 290,
      previous_measurement_id: earlier.id,
      change_m3: 10.035,
    });
    expect(after).toEqual({
      ...stockpile,
      footprint: sampleFigures().footprint,
      datum: sampleFigures().datum,
      updated_at: "2026-03-06T00:00:00.000Z",
    });
    expect(events.map(({ type }) => type)).toEqual(["materials.stockpile.measured"]);
  });

  it("a late survey is compared with the declared volume until the first measurement, if it is older than that", () => {
    const { current, stockpile } = known();
    const first = { ...current, previous_volume_m3: 333, previous_measurement_id: undefined };
    const history = { current: first, later: first };
    const { measurement } = measured(stockpile, { ...late, history });
    expect(measurement).toMatchObject({
      is_current: false,
      previous_volume_m3: 333,
      previous_measurement_id: undefined,
      significant: undefined,
    });
  });

  it("a survey that came late does not undo what a person declared since", () => {
    const declared = sampleStockpile({ last_measured: "2026-03-03T00:00:00.000Z" });
    const { measurement, stockpile } = measured(declared, late);
    expect(measurement.is_current).toBe(false);
    expect(stockpile).toMatchObject({ current_volume_m3: 1_000.5, volume_basis: "declared" });
  });

  it("a survey that came late becomes current where a volume was only declared with the stockpile, at no time of its own", () => {
    const { created_at } = sampleStockpile();
    const older = { at: "2026-01-01T00:00:00.000Z" };
    expect(Date.parse(older.at)).toBeLessThan(Date.parse(created_at));
    expect(measured(sampleStockpile(), older).stockpile).toMatchObject({
      current_volume_m3: 300.035,
      last_measured: older.at,
    });
  });
});

it("a measurement keeps a proposed footprint as proposed", () => {
  const { stockpile, measurement } = measured(sampleStockpile(), { isProposed: true });
  expect(measurement.footprint_state).toBe("proposed");
  expect(stockpile).toMatchObject({
    footprint_state: "proposed",
    footprint: sampleFigures().footprint,
  });
});

it("a measurement is tried again when another measurement became current meanwhile", () => {
  const { current, stockpile } = known();
  const since = { ...stockpile, measurement_id: "msr_other" as MeasurementId };
  expect(() => measured(since, { history: { current } })).toThrow(
    expect.objectContaining({ code: "TASK_FAILED" }),
  );
});

describe("events", () => {
  // Of 5,000 m3: empty below 100, low below 1,000, full from 4,750 on.
  const eventTypes = (fromM3: number, toM3: number) => {
    const before = sampleStockpile({ current_volume_m3: fromM3 });
    const { events } = measured(before, { netM3: toM3 });
    return events.map(({ type }) => type.replace("materials.stockpile.", ""));
  };

  it("events report each measurement, and when it brings the stockpile low or full", () => {
    const cases: readonly (readonly [number, number, readonly string[]])[] = [
      [2_000, 1_500, ["measured"]],
      [2_000, 999.9, ["measured", "low"]],
      [2_000, 50, ["measured", "low"]],
      [4_900, 20, ["measured", "low"]],
      [900, 50, ["measured"]],
      [50, 900, ["measured"]],
      [50, 4_750, ["measured", "full"]],
      [4_749, 4_749.9, ["measured"]],
      [4_750, 5_100, ["measured"]],
    ];
    for (const [from, to, types] of cases)
      expect([from, to, eventTypes(from, to)]).toEqual([from, to, types]);
  });

  it("events have ids of their own that are the same each time", () => {
    const before = sampleStockpile({ current_volume_m3: 2_000 });
    const ids = () => measured(before, { netM3: 500 }).events.map(({ id }) => id);
    expect(new Set(ids()).size).toBe(2);
    expect(ids()).toEqual(ids());
    const { events, measurement } = measured(before, { netM3: 500 });
    expect(events[1]).toMatchObject({
      type: "materials.stockpile.low",
      revision: 1,
      projectId: "prj_1",
      occurredAtMs: Date.parse("2026-03-05T10:00:00.000Z"),
      data: {
        stockpile_id: "sp_north",
        measurement_id: measurement.id,
        status: "low",
        previous_volume_m3: 2_000,
        current_volume_m3: 500,
        change_m3: -1_500,
      },
    });
  });
});

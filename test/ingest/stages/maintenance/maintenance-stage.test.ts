import { describe, expect, it } from "vitest";
import type { MaintenancePlan } from "../../../../domain/equipment/maintenance.ts";
import type { NewEvent } from "../../../../domain/events/events.ts";
import { offsetLocation } from "../../../../domain/geodesy.ts";
import { ASSET, openMaintenanceRun, PROJECT } from "../../../support/maintenance-run.ts";

const T0 = Date.UTC(2026, 5, 1, 8);
const MIN = 60_000;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

const types = (events: readonly NewEvent[]) =>
  events.map(({ type }) => type.replace("equipment.", ""));
const OWN = { assetId: ASSET };
const PRESSURE = { spn: 100, fmi: 1, source: 0 } as const;

describe("faults", () => {
  it("faults raise an event and an alert with names, and end with the list that has them no more", () => {
    const run = openMaintenanceRun();
    const [raised] = run.take(T0, { faults: [{ ...PRESSURE, occurrence_count: 2 }] });
    expect(raised).toMatchObject({
      type: "equipment.fault.raised",
      occurredAtMs: T0,
      projectId: "p1",
      assetId: ASSET,
      data: {
        asset_name: "the digger-1",
        spn: 100,
        fmi: 1,
        source: 0,
        occurrence_count: 2,
        spn_name: "engine oil pressure",
        fmi_name: "data valid but below normal operating range, most severe level",
        severity: "critical",
      },
    });
    expect(run.alerts()).toMatchObject([
      {
        type: "equipment.fault.raised",
        severity: "critical",
        message:
          "the digger-1 reports engine oil pressure: data valid but below normal operating range, most severe level (SPN 100 FMI 1)",
        openedAtMs: T0,
        resolvedAtMs: undefined,
        occurrences: 1,
      },
    ]);
    expect(run.status()).toBe(true);
    const [cleared] = run.take(T0 + MIN, { faults: [] });
    expect(cleared).toMatchObject({
      type: "equipment.fault.cleared",
      occurredAtMs: T0 + MIN,
      data: { duration_s: 60 },
    });
    expect(run.alerts()).toMatchObject([{ resolvedAtMs: T0 + MIN, resolution: "cleared" }]);
    expect(run.status()).toBe(false);
  });

  it("faults in a maker's own numbering raise and end the same events and alerts as those of J1939", () => {
    const run = openMaintenanceRun();
    const boost = {
      code: "P0299",
      description: "Turbocharger underboost",
      reported_severity: "HIGH",
    };
    const [raised] = run.take(T0, { faults: [boost, { code: "P0675" }] });
    expect(raised).toMatchObject({
      type: "equipment.fault.raised",
      data: { ...boost, severity: "critical", occurrences: 1 },
    });
    expect(raised?.data).not.toHaveProperty("fmi_name");
    expect(run.alerts().map(({ message, severity }) => [message, severity])).toEqual([
      ["the digger-1 reports Turbocharger underboost (code P0299)", "critical"],
      ["the digger-1 reports code P0675", "warning"],
    ]);
    expect(types(run.take(T0 + MIN, { faults: [{ ...boost, occurrence_count: 2 }] }))).toEqual([
      "fault.cleared",
    ]);
    expect(types(run.take(T0 + 2 * MIN, { faults: [{ ...boost, occurrence_count: 3 }] }))).toEqual([
      "fault.raised",
    ]);
    expect(types(run.take(T0 + 3 * MIN, { faults: [] }))).toEqual(["fault.cleared"]);
  });

  it("faults that are repeated 86,400 times are reported once", () => {
    const run = openMaintenanceRun();
    for (let i = 0; i < 86_400; i += 60) run.take(T0 + i * 1_000, { faults: [PRESSURE] });
    expect(types(run.events)).toEqual(["fault.raised"]);
    expect(run.alerts()).toMatchObject([{ occurrences: 1 }]);
  });

  it("faults that occur again are reported again, in the same alert", () => {
    const run = openMaintenanceRun();
    run.take(T0, { faults: [{ ...PRESSURE, occurrence_count: 1 }] });
    const published = run.take(T0 + MIN, { faults: [{ ...PRESSURE, occurrence_count: 2 }] });
    expect(types(published)).toEqual(["fault.raised"]);
    expect(run.alerts()).toMatchObject([{ occurrences: 2, openedAtMs: T0 }]);
  });

  it("faults of a late list raise nothing, and are counted", () => {
    const run = openMaintenanceRun();
    run.take(T0, { faults: [{ ...PRESSURE, occurrence_count: 1 }] });
    expect(
      run.take(T0 - HOUR, {
        faults: [
          { spn: 110, fmi: 0 },
          { ...PRESSURE, occurrence_count: 2 },
        ],
      }),
    ).toEqual([]);
    expect(run.take(T0 - HOUR, { faults: [] })).toEqual([]);
    expect(run.alerts()).toMatchObject([{ occurrences: 2, resolvedAtMs: undefined }]);
  });

  it("faults of a historical list neither raise nor end nor count anything, whatever its time", () => {
    const run = openMaintenanceRun();
    run.take(T0, { faults: [{ ...PRESSURE, occurrence_count: 1 }] });
    for (const atMs of [T0 - HOUR, T0, T0 + HOUR]) {
      const again = [
        { spn: 110, fmi: 0 },
        { ...PRESSURE, occurrence_count: 2 },
      ];
      expect(run.take(atMs, { faults: again, isHistorical: true })).toEqual([]);
      expect(run.take(atMs, { faults: [], isHistorical: true })).toEqual([]);
    }
    expect(run.alerts()).toMatchObject([{ occurrences: 1, resolvedAtMs: undefined }]);
    // The next list knows what was missed.
    const published = run.take(T0 + MIN, { faults: [{ ...PRESSURE, occurrence_count: 3 }] });
    expect(types(published)).toEqual(["fault.raised"]);
    expect(run.alerts()).toMatchObject([{ occurrences: 2, openedAtMs: T0 }]);
  });

  it("faults that come again open another alert", () => {
    const run = openMaintenanceRun();
    run.take(T0, { faults: [PRESSURE] });
    run.take(T0 + MIN, { faults: [] });
    run.take(T0 + 2 * MIN, { faults: [PRESSURE] });
    expect(types(run.events)).toEqual(["fault.raised", "fault.cleared", "fault.raised"]);
    expect(run.alerts().map(({ resolvedAtMs }) => resolvedAtMs)).toEqual([T0 + MIN, undefined]);
  });

  it("faults are as bad as the plan says, as soon as it says so", () => {
    const run = openMaintenanceRun();
    run.take(T0, { faults: [PRESSURE] });
    run.plans.put(OWN, { faults: { info: [{ spn: 100 }] } }, T0 + 1);
    expect(run.take(T0 + MIN, { faults: [PRESSURE] })).toEqual([]);
    expect(run.alerts()).toMatchObject([{ severity: "info" }]);
    expect(run.status()).toBe(false);
  });

  it("faults survive a restart and are still reported once", () => {
    const run = openMaintenanceRun();
    run.take(T0, { faults: [PRESSURE] });
    run.restart();
    expect(run.take(T0 + MIN, { faults: [PRESSURE] })).toEqual([]);
    expect(types(run.take(T0 + 2 * MIN, { faults: [] }))).toEqual(["fault.cleared"]);
  });

  it("faults go with the machine to another project", () => {
    const run = openMaintenanceRun();
    run.take(T0, { faults: [PRESSURE] });
    run.move("p2");
    run.take(T0 + MIN, { faults: [PRESSURE] });
    expect(run.alerts()).toMatchObject([{ projectId: "p2", resolvedAtMs: undefined }]);
  });

  it("faults of a removed machine belong to no project and keep their severity", () => {
    const run = openMaintenanceRun();
    run.plans.put(OWN, { faults: { info: [{ spn: 100 }] } }, T0 - 1);
    run.take(T0, { faults: [PRESSURE] });
    run.directory.change(ASSET, undefined);
    run.tick(T0 + MIN);
    expect(run.alerts()).toMatchObject([
      { severity: "info", resolvedAtMs: T0 + MIN, resolution: "asset_deleted" },
    ]);
    expect(run.tick(T0 + 10 * MIN)).toEqual([]);
  });
});

describe("services", () => {
  const oil = { item: "oil", name: "Engine oil", every_hours: 250 };
  const yearly: MaintenancePlan = {
    services: [{ item: "check", name: "Yearly check", every_days: 10 }],
  };

  /** A machine with a plan for its oil and its own meter at 5,000 h, serviced then. */
  function servicedAt5000() {
    const run = openMaintenanceRun();
    run.plans.put(OWN, { services: [oil] }, T0);
    run.take(T0, { fields: { engine_hours: 5_000 } });
    run.plans.serviced({
      assetId: ASSET,
      item: "oil",
      servicedAtMs: T0,
      engineHours: 5_000,
      hoursSource: "machine",
    });
    expect(types(run.tick(T0 + 1_000))).toEqual(["maintenance.serviced"]);
    /** The meter at `hours`, after as many hours on the clock, and a check of it. */
    const run1 = (hours: number) => {
      const atMs = T0 + (hours - 5_000) * HOUR;
      run.take(atMs, { fields: { engine_hours: hours } });
      return run.tick(atMs + MIN);
    };
    return { run, at: run1 };
  }

  it("services come near, and fall due, once each, in one alert", () => {
    const { run, at } = servicedAt5000();
    expect(at(5_224.9)).toEqual([]);
    expect(at(5_225)).toMatchObject([
      {
        type: "equipment.maintenance.warning",
        data: {
          item: "oil",
          name: "Engine oil",
          unit: "hours",
          every: 250,
          used: 225,
          remaining: 25,
          used_percent: 90,
          source: "machine",
        },
      },
    ]);
    expect(at(5_230)).toEqual([]);
    expect(types(at(5_250))).toEqual(["maintenance.due"]);
    expect(at(5_300)).toEqual([]);
    expect(run.alerts()).toMatchObject([
      {
        type: "equipment.maintenance.due",
        severity: "warning",
        message: "the digger-1: Engine oil is due (250 of 250 h by the machine's own meter)",
        openedAtMs: T0 + 225 * HOUR + MIN,
        resolvedAtMs: undefined,
      },
    ]);
    expect(run.status()).toBe(false);
  });

  it("a service that is seen once more, as after a move of the journal, neither begins its interval again nor reports it", () => {
    const run = openMaintenanceRun();
    run.plans.put(OWN, { services: [{ item: "oil", name: "Engine oil", every_hours: 100 }] }, T0);
    const service = run.plans.serviced({ assetId: ASSET, item: "oil", servicedAtMs: T0 });
    run.take(T0, { fields: { engine_on: 1 } });
    run.tick(T0 + 1_000);
    for (let atMs = T0; atMs <= T0 + 98 * HOUR; atMs += 4 * MIN) {
      run.take(atMs, { fields: { engine_on: 1 } });
    }
    run.tick(T0 + 98 * HOUR);
    run.restart();
    run.plans.serviced(service);
    run.tick(T0 + 98 * HOUR + MIN);
    for (let atMs = T0 + 98 * HOUR; atMs <= T0 + 102 * HOUR; atMs += 4 * MIN) {
      run.take(atMs, { fields: { engine_on: 1 } });
    }
    run.tick(T0 + 102 * HOUR);
    expect(types(run.events)).toEqual([
      "maintenance.serviced",
      "maintenance.warning",
      "maintenance.due",
    ]);
  });

  it("services are reported due at once where the warning was never seen", () => {
    const { at } = servicedAt5000();
    expect(types(at(5_260))).toEqual(["maintenance.due"]);
  });

  it("a service that was done starts anew, and the next interval is reported again", () => {
    const { run, at } = servicedAt5000();
    at(5_250);
    run.plans.serviced({
      assetId: ASSET,
      item: "oil",
      servicedAtMs: T0 + 255 * HOUR,
      engineHours: 5_255,
      hoursSource: "stated",
      note: "new filter",
    });
    expect(run.tick(T0 + 256 * HOUR)).toMatchObject([
      {
        type: "equipment.maintenance.serviced",
        occurredAtMs: T0 + 255 * HOUR,
        data: {
          item: "oil",
          name: "Engine oil",
          engine_hours: 5_255,
          hours_source: "stated",
          note: "new filter",
        },
      },
    ]);
    expect(run.alerts()).toMatchObject([{ resolvedAtMs: T0 + 255 * HOUR, resolution: "serviced" }]);
    expect(at(5_480)).toMatchObject([
      { type: "equipment.maintenance.warning", data: { used: 225 } },
    ]);
    expect(run.alerts()).toHaveLength(2);
  });

  it("services recorded late and dated before the last one are history only", () => {
    const { run, at } = servicedAt5000();
    run.plans.serviced({
      assetId: ASSET,
      item: "oil",
      servicedAtMs: T0 - DAY,
      engineHours: 4_990,
      hoursSource: "stated",
    });
    expect(types(run.tick(T0 + MIN))).toEqual(["maintenance.serviced"]);
    expect(at(5_224.9)).toEqual([]);
  });

  it("services are not due because a meter was replaced", () => {
    const { run, at } = servicedAt5000();
    at(5_100);
    run.take(T0 + 100.5 * HOUR, { fields: { engine_hours: 9_000 } });
    expect(run.tick(T0 + 101 * HOUR)).toEqual([]);
    run.restart();
    run.take(T0 + 224 * HOUR, { fields: { engine_hours: 9_123.4 } });
    expect(run.tick(T0 + 224 * HOUR + MIN)).toEqual([]);
    run.take(T0 + 226 * HOUR, { fields: { engine_hours: 9_125 } });
    expect(types(run.tick(T0 + 226 * HOUR + MIN))).toEqual(["maintenance.warning"]);
  });

  it("services do not fall due by a late reading of what a meter showed in the past", () => {
    const { run, at } = servicedAt5000();
    run.take(T0 + 300 * HOUR, { fields: { engine_hours: 5_300 }, isHistorical: true });
    expect(run.tick(T0 + 301 * HOUR)).toEqual([]);
    expect(types(at(5_302))).toEqual(["maintenance.due"]);
  });

  it("services by days fall due for a machine that was never heard of", () => {
    const run = openMaintenanceRun();
    run.plans.put({ projectId: PROJECT, assetType: "excavator" }, yearly, T0);
    expect(run.tick(T0 + MIN)).toEqual([]);
    expect(types(run.tick(T0 + 9 * DAY + MIN))).toEqual(["maintenance.warning"]);
    run.restart();
    expect(types(run.tick(T0 + 10 * DAY + MIN))).toEqual(["maintenance.due"]);
  });

  it("services by km are counted over many days for a machine without an odometer", () => {
    const run = openMaintenanceRun();
    run.plans.put(OWN, { services: [{ item: "tracks", name: "Tracks", every_km: 5.5 }] }, T0);
    run.tick(T0);
    const place = { latitude: 52.5, longitude: 13.4 };
    for (let day = 0; day < 6; day += 1) {
      run.take(T0 + day * DAY, { fields: { ...place } });
      run.take(T0 + day * DAY + MIN, { fields: { ...offsetLocation(place, 0, 1_000) } });
    }
    // Six trips of 1 km that were seen, and five back over night that were not.
    expect(run.tick(T0 + 5 * DAY + 2 * MIN)).toMatchObject([
      {
        type: "equipment.maintenance.due",
        data: { unit: "km", used: 11, every: 5.5, source: "accumulated" },
      },
    ]);
  });

  it("reported services stay reported when a meter is read a little lower", () => {
    const { run, at } = servicedAt5000();
    at(5_225);
    run.take(T0 + 226 * HOUR, { fields: { engine_hours: 5_224.5 } });
    expect(run.tick(T0 + 226 * HOUR + MIN)).toEqual([]);
    expect(run.alerts()).toMatchObject([{ resolvedAtMs: undefined }]);
  });

  it("services dated before their alert opened end it where it opened", () => {
    const { run, at } = servicedAt5000();
    at(5_225);
    const servicedAtMs = T0 + 200 * HOUR;
    run.plans.serviced({
      ...{ assetId: ASSET, item: "oil", servicedAtMs },
      ...{ engineHours: 5_200, hoursSource: "stated" },
    });
    run.tick(T0 + 226 * HOUR);
    const openedAtMs = T0 + 225 * HOUR + MIN;
    expect(run.alerts()).toMatchObject([{ openedAtMs, resolvedAtMs: openedAtMs }]);
  });

  it("services that were done so long ago that they are due again say so at once", () => {
    const run = openMaintenanceRun();
    run.plans.put(OWN, yearly, T0);
    run.tick(T0);
    run.plans.serviced({ assetId: ASSET, item: "check", servicedAtMs: T0 - 11 * DAY });
    expect(types(run.tick(T0 + 10_000))).toEqual(["maintenance.serviced", "maintenance.due"]);
  });

  it("services are reported at most 5 min late when ticks come every 10 s", () => {
    const run = openMaintenanceRun();
    run.plans.put(OWN, yearly, T0);
    run.tick(T0);
    const dueMs = T0 + 9 * DAY;
    for (let atMs = dueMs - 6 * MIN; atMs < dueMs + 6 * MIN; atMs += 10_000) run.tick(atMs);
    const [published, ...more] = run.events;
    expect(more).toEqual([]);
    expect(published?.occurredAtMs).toBeGreaterThanOrEqual(dueMs);
    expect(published?.occurredAtMs).toBeLessThan(dueMs + 5 * MIN);
  });

  it("services end with the plan that had them", () => {
    const run = openMaintenanceRun();
    run.plans.put(OWN, yearly, T0);
    run.tick(T0);
    run.tick(T0 + 9 * DAY);
    run.plans.put(OWN, undefined, T0 + 9 * DAY + HOUR);
    expect(run.tick(T0 + 9 * DAY + HOUR + MIN)).toEqual([]);
    expect(run.alerts()).toMatchObject([
      { resolvedAtMs: T0 + 9 * DAY + HOUR + MIN, resolution: "plan_changed" },
    ]);
  });

  it("services that a longer interval puts off are no longer due and are reported by the new interval", () => {
    const run = openMaintenanceRun();
    run.plans.put(OWN, yearly, T0);
    run.tick(T0);
    run.tick(T0 + 10 * DAY);
    const every = (every_days: number) => ({
      services: [{ item: "check", name: "Check", every_days }],
    });
    run.plans.put(OWN, every(20), T0 + 10 * DAY + 1);
    expect(run.tick(T0 + 10 * DAY + MIN)).toEqual([]);
    expect(run.alerts()).toMatchObject([{ resolution: "plan_changed" }]);
    expect(types(run.tick(T0 + 18 * DAY))).toEqual(["maintenance.warning"]);
    run.plans.put(OWN, every(19), T0 + 18 * DAY + 1);
    // Still near: the alert stays, and no further event is stored.
    expect(run.tick(T0 + 18 * DAY + MIN)).toEqual([]);
    run.plans.put(OWN, every(18), T0 + 18 * DAY + 2 * MIN);
    expect(types(run.tick(T0 + 18 * DAY + 3 * MIN))).toEqual(["maintenance.due"]);
    expect(run.alerts().filter(({ resolvedAtMs }) => resolvedAtMs === undefined)).toHaveLength(1);
  });

  it("services that were done are remembered while the plan does not have them", () => {
    const { run, at } = servicedAt5000();
    run.plans.put(OWN, {}, T0 + HOUR);
    run.tick(T0 + HOUR);
    run.plans.put(OWN, { services: [oil] }, T0 + 2 * HOUR);
    expect(run.tick(T0 + 2 * HOUR)).toEqual([]);
    expect(types(at(5_225))).toEqual(["maintenance.warning"]);
  });

  it("services are reported once although a crash makes the pipeline see the same ticks again", () => {
    const run = openMaintenanceRun();
    run.plans.put(OWN, yearly, T0);
    run.tick(T0);
    run.tick(T0 + 9 * DAY);
    run.restart();
    run.tick(T0 + 9 * DAY);
    run.tick(T0 + 9 * DAY + MIN);
    expect(types(run.events)).toEqual(["maintenance.warning"]);
    expect(run.alerts()).toHaveLength(1);
  });

  it("services recorded by a person are reported once, whatever restarts", () => {
    const { run } = servicedAt5000();
    run.restart();
    expect(run.tick(T0 + HOUR)).toEqual([]);
    expect(types(run.events)).toEqual(["maintenance.serviced"]);
  });
});

describe("limits", () => {
  const hot = { id: "hot", field: "coolant_temperature_c", above: 105, clear_at: 100 };
  const plan = { limits: [{ ...hot, severity: "critical" as const }] };
  const coolant = (value: number) => ({ fields: { coolant_temperature_c: value } });

  function exceededAtT0() {
    const run = openMaintenanceRun();
    run.plans.put(OWN, plan, T0 - HOUR);
    run.tick(T0 - HOUR);
    run.take(T0, coolant(110));
    expect(types(run.events)).toEqual(["limit.exceeded"]);
    return run;
  }

  it("limits that are critical put the machine into maintenance until they clear", () => {
    const run = exceededAtT0();
    expect(run.status()).toBe(true);
    expect(types(run.take(T0 + MIN, coolant(99)))).toEqual(["limit.cleared"]);
    expect(run.status()).toBe(false);
  });

  it("limits that the plan has no more end at the change, without a reading", () => {
    const run = exceededAtT0();
    run.plans.put(OWN, {}, T0 + MIN);
    expect(run.tick(T0 + 2 * MIN)).toMatchObject([
      { type: "equipment.limit.cleared", occurredAtMs: T0 + MIN, cause: "plan_changed" },
    ]);
    expect(run.status()).toBe(false);
  });

  it("limits that the plan no longer has end at the change after a restart too", () => {
    const run = exceededAtT0();
    run.plans.put(OWN, undefined, T0 + MIN);
    run.restart();
    expect(types(run.tick(T0 + 2 * MIN))).toEqual(["limit.cleared"]);
    run.restart();
    expect(run.tick(T0 + 3 * MIN)).toEqual([]);
  });

  it("limits stay as they are when something else of the plan changes", () => {
    const run = exceededAtT0();
    run.plans.put(OWN, { ...plan, services: [] }, T0 + MIN);
    expect(run.tick(T0 + 2 * MIN)).toEqual([]);
    expect(run.lateFrom()).toBe(Number.POSITIVE_INFINITY);
  });

  it("limits that changed before readings already evaluated are evaluated again from there", () => {
    const run = exceededAtT0();
    run.plans.put(OWN, {}, T0 - MIN);
    run.tick(T0 + MIN);
    expect(run.lateFrom()).toBe(T0 - MIN);
  });

  it("limits that changed meanwhile evaluate a reading from before the change in its place", () => {
    const run = exceededAtT0();
    run.plans.put(OWN, {}, T0 + MIN);
    run.tick(T0 + 2 * MIN);
    run.take(T0 + MIN - 1, coolant(110));
    expect(run.lateFrom()).toBe(T0 + MIN - 1);
  });

  it("limits are those of the machine's type where it has no plan of its own", () => {
    const run = openMaintenanceRun();
    run.plans.put({ projectId: PROJECT, assetType: "excavator" }, plan, T0);
    expect(types(run.take(T0, coolant(110)))).toEqual(["limit.exceeded"]);
    run.plans.put(OWN, {}, T0 + MIN);
    expect(types(run.take(T0 + 2 * MIN, coolant(110)))).toEqual(["limit.cleared"]);
  });

  it("limits of another project's type end when the machine goes there", () => {
    const run = openMaintenanceRun();
    run.plans.put({ projectId: PROJECT, assetType: "excavator" }, plan, T0);
    run.take(T0, coolant(110));
    run.move("p2");
    expect(run.take(T0 + MIN, coolant(110))).toMatchObject([
      { type: "equipment.limit.cleared", occurredAtMs: T0 + MIN, cause: "plan_changed" },
    ]);
  });
});

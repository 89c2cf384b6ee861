import { describe, expect, it } from "vitest";
import type { NewEvent } from "../../../domain/events.ts";
import type { AlertId, AssetId, ProjectId } from "../../../domain/ids.ts";
import type { MaintenancePlan } from "../../../domain/maintenance.ts";
import type { FaultCode, Reading } from "../../../domain/reading.ts";
import { encodeReadings, RECORD_KIND, TICK_BODY } from "../../../ingest/journal-record.ts";
import { createMaintenanceStage } from "../../../ingest/maintenance/maintenance-stage.ts";
import { createAssetTracks } from "../../../ingest/pipeline/live-assets.ts";
import { applyLiveState } from "../../../ingest/pipeline/live-state.ts";
import { createPipelineStep } from "../../../ingest/pipeline/step.ts";
import { unpackTrack } from "../../../ingest/pipeline/track-codec.ts";
import type { AlertUpsert } from "../../../storage/ports/alerts.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { type FixedPlans, fixedPlans } from "../../support/fixed-plans.ts";

const ASSET = "digger-1" as AssetId;
const PROJECT = "p1" as ProjectId;
const T0 = Date.UTC(2026, 5, 1, 8);
const MIN = 60_000;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

/** Live state and maintenance of one asset in a real pipeline step, over plans that a test changes. */
function openRun(plans: FixedPlans = fixedPlans()) {
  const directory = fixedDirectory([assetEntry(ASSET, PROJECT)]);
  const events: NewEvent[] = [];
  const alerts = new Map<AlertId, AlertUpsert>();
  let tracks = createAssetTracks();
  let states = new Map<AssetId, string>();
  let shared = new Map<string, string>();
  let sequence = 0;
  let step = open();

  function open() {
    tracks = createAssetTracks();
    for (const [id, state] of states) {
      const track = unpackTrack(id, state);
      if (track !== undefined) tracks.restore(track);
    }
    const stage = createMaintenanceStage({ plans, names: { asset: (id) => `the ${id}` } });
    const state = shared.get(stage.name);
    if (state !== undefined) stage.restore?.(state);
    return createPipelineStep({
      journalId: "j",
      directory,
      tracks,
      stages: [
        {
          name: "live",
          onReading: ({ track, reading, batch }) => applyLiveState(track, reading, batch),
        },
        stage,
      ],
      counters: {
        readings: 0,
        outcomes: { folded: 0, late: 0, repeated: 0, too_late: 0 },
        reruns: 0,
        undecodable: 0,
      },
    });
  }

  function apply(kind: number, timeMs: number, body: Uint8Array): readonly NewEvent[] {
    sequence += 1;
    step.apply({ sequence, timeMs, kind, body });
    return commit();
  }

  function commit(): readonly NewEvent[] {
    const change = step.take({ journalId: "j", sequence });
    for (const { assetId, state } of change.states) states.set(assetId, state);
    for (const [name, state] of change.shared) shared.set(name, state);
    for (const alert of change.alerts) alerts.set(alert.id, alert);
    // As the record store does: one that is there is left alone.
    const fresh = change.events.filter((one) => !events.some(({ id }) => id === one.id));
    events.push(...fresh);
    return fresh;
  }

  return {
    plans,
    directory,
    events,
    alerts: () => [...alerts.values()],
    status: () => tracks.state(ASSET)?.hasCriticalAlert,
    tick: (atMs: number) => apply(RECORD_KIND.tick, atMs, TICK_BODY),
    take(
      atMs: number,
      reading: { faults?: readonly FaultCode[]; fields?: Reading["fields"]; seq?: number },
    ) {
      const { faults, fields = {}, seq = -1 } = reading;
      const full: Reading = {
        fixTimeMs: atMs,
        timeSource: "device",
        rawTimeMs: undefined,
        seq,
        payloadHash: 1,
        fields,
        faults,
      };
      const batch = {
        assetId: ASSET,
        projectId: directory.find(ASSET)?.asset.project_id ?? PROJECT,
        receivedAtMs: atMs,
        readings: [full],
      };
      return apply(
        RECORD_KIND.readings,
        atMs,
        encodeReadings(batch, { clientHash: 0, packetId: 0, payloadHash: 1 }),
      );
    },
    /** Ends the process and starts it again from what was committed. */
    restart() {
      states = new Map(states);
      shared = new Map(shared);
      step = open();
    },
    move(projectId: string) {
      directory.change(ASSET, assetEntry(ASSET, projectId));
    },
  };
}

const types = (events: readonly NewEvent[]) =>
  events.map(({ type }) => type.replace("equipment.", ""));
const OWN = { assetId: ASSET };
const PRESSURE = { spn: 100, fmi: 1, source: 0 } as const;

describe("faults", () => {
  it("raise an event and an alert with names, and end with the list that has them no more", () => {
    const run = openRun();
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

  it("that are repeated 86,400 times are told once", () => {
    const run = openRun();
    for (let i = 0; i < 86_400; i += 60) run.take(T0 + i * 1_000, { faults: [PRESSURE] });
    expect(types(run.events)).toEqual(["fault.raised"]);
    expect(run.alerts()).toMatchObject([{ occurrences: 1 }]);
  });

  it("that occurred again are told again, in the same alert", () => {
    const run = openRun();
    run.take(T0, { faults: [{ ...PRESSURE, occurrence_count: 1 }] });
    const told = run.take(T0 + MIN, { faults: [{ ...PRESSURE, occurrence_count: 2 }] });
    expect(types(told)).toEqual(["fault.raised"]);
    expect(run.alerts()).toMatchObject([{ occurrences: 2, openedAtMs: T0 }]);
  });

  it("of a late list raise nothing, and are counted", () => {
    const run = openRun();
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

  it("that come again open another alert", () => {
    const run = openRun();
    run.take(T0, { faults: [PRESSURE] });
    run.take(T0 + MIN, { faults: [] });
    run.take(T0 + 2 * MIN, { faults: [PRESSURE] });
    expect(types(run.events)).toEqual(["fault.raised", "fault.cleared", "fault.raised"]);
    expect(run.alerts().map(({ resolvedAtMs }) => resolvedAtMs)).toEqual([T0 + MIN, undefined]);
  });

  it("are as bad as the plan says, as soon as it says so", () => {
    const run = openRun();
    run.take(T0, { faults: [PRESSURE] });
    run.plans.put(OWN, { faults: { info: [{ spn: 100 }] } }, T0 + 1);
    expect(run.take(T0 + MIN, { faults: [PRESSURE] })).toEqual([]);
    expect(run.alerts()).toMatchObject([{ severity: "info" }]);
    expect(run.status()).toBe(false);
  });

  it("survive a restart, and are told once all the same", () => {
    const run = openRun();
    run.take(T0, { faults: [PRESSURE] });
    run.restart();
    expect(run.take(T0 + MIN, { faults: [PRESSURE] })).toEqual([]);
    expect(types(run.take(T0 + 2 * MIN, { faults: [] }))).toEqual(["fault.cleared"]);
  });

  it("go with the machine to another project", () => {
    const run = openRun();
    run.take(T0, { faults: [PRESSURE] });
    run.move("p2");
    run.take(T0 + MIN, { faults: [PRESSURE] });
    expect(run.alerts()).toMatchObject([{ projectId: "p2", resolvedAtMs: undefined }]);
  });

  it("of a machine that was removed are nobody's", () => {
    const run = openRun();
    run.take(T0, { faults: [PRESSURE] });
    run.directory.change(ASSET, undefined);
    run.tick(T0 + MIN);
    expect(run.alerts()).toMatchObject([
      { severity: "critical", resolvedAtMs: T0 + MIN, resolution: "asset_deleted" },
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
    const run = openRun();
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
    /** The meter at `hours`, after as many hours on the clock, and a look at it. */
    const run1 = (hours: number) => {
      const atMs = T0 + (hours - 5_000) * HOUR;
      run.take(atMs, { fields: { engine_hours: hours } });
      return run.tick(atMs + MIN);
    };
    return { run, at: run1 };
  }

  it("come near, and fall due, once each, in one alert", () => {
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

  it("are told due at once where the warning was never seen", () => {
    const { at } = servicedAt5000();
    expect(types(at(5_260))).toEqual(["maintenance.due"]);
  });

  it("that were done start anew, and the next interval is told again", () => {
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

  it("recorded late and dated before the last one are history only", () => {
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

  it("are not due because a meter was replaced", () => {
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

  it("by days fall due for a machine that was never heard of", () => {
    const run = openRun();
    run.plans.put({ projectId: PROJECT, assetType: "excavator" }, yearly, T0);
    expect(run.tick(T0 + MIN)).toEqual([]);
    expect(types(run.tick(T0 + 9 * DAY + MIN))).toEqual(["maintenance.warning"]);
    run.restart();
    expect(types(run.tick(T0 + 10 * DAY + MIN))).toEqual(["maintenance.due"]);
  });

  it("end with the plan that had them", () => {
    const run = openRun();
    run.plans.put(OWN, yearly, T0);
    run.tick(T0);
    run.tick(T0 + 9 * DAY);
    run.plans.put(OWN, undefined, T0 + 9 * DAY + HOUR);
    expect(run.tick(T0 + 9 * DAY + HOUR + MIN)).toEqual([]);
    expect(run.alerts()).toMatchObject([
      { resolvedAtMs: T0 + 9 * DAY + HOUR + MIN, resolution: "plan_changed" },
    ]);
  });

  it("that a longer interval puts off are due no more, and are told by the new interval", () => {
    const run = openRun();
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
    run.tick(T0 + 18 * DAY + MIN);
    run.plans.put(OWN, every(18), T0 + 18 * DAY + 2 * MIN);
    expect(types(run.tick(T0 + 18 * DAY + 3 * MIN))).toEqual(["maintenance.due"]);
    expect(run.alerts().filter(({ resolvedAtMs }) => resolvedAtMs === undefined)).toHaveLength(1);
  });

  it("that were done are remembered while the plan does not have them", () => {
    const { run, at } = servicedAt5000();
    run.plans.put(OWN, {}, T0 + HOUR);
    run.tick(T0 + HOUR);
    run.plans.put(OWN, { services: [oil] }, T0 + 2 * HOUR);
    expect(run.tick(T0 + 2 * HOUR)).toEqual([]);
    expect(types(at(5_225))).toEqual(["maintenance.warning"]);
  });

  it("are told once although a crash makes the pipeline see the same ticks again", () => {
    const run = openRun();
    run.plans.put(OWN, yearly, T0);
    run.tick(T0);
    run.tick(T0 + 9 * DAY);
    run.restart();
    run.tick(T0 + 9 * DAY);
    run.tick(T0 + 9 * DAY + MIN);
    expect(types(run.events)).toEqual(["maintenance.warning"]);
    expect(run.alerts()).toHaveLength(1);
  });

  it("recorded by a person are told once, whatever restarts", () => {
    const { run } = servicedAt5000();
    run.restart();
    expect(run.tick(T0 + HOUR)).toEqual([]);
    expect(types(run.events)).toEqual(["maintenance.serviced"]);
  });
});

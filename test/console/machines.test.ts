import { describe, expect, it } from "vitest";
import type { components } from "../../client/index.ts";
import type { LiveRow } from "../../client/live.ts";
import { csvOf } from "../../console/format/csv.ts";
import { lookOf } from "../../console/map/shapes.ts";
import { urgentFirst } from "../../console/pages/alerts/order.ts";
import { machinesCsvRows } from "../../console/pages/machines/machines-csv.ts";
import { sortMachines } from "../../console/pages/machines/sort.ts";
import { type Machine, machineOf } from "../../console/state/machine.ts";

type Asset = components["schemas"]["Asset"];
type Alert = components["schemas"]["Alert"];

const ASSET: Asset = {
  id: "digger-1",
  name: "Digger 1",
  type: "excavator",
  status: "idle",
  location: { latitude: 52.5, longitude: 13.4 },
  last_update: "2026-03-05T12:00:00.000Z",
  utilization_today: 0,
  zone: "",
  heading: null,
  speed_kmh: null,
  accuracy_meters: null,
  last_fix_at: null,
  location_source: "registered",
  connection: { link: "unknown", status: "unknown" },
  utilization: { basis: "none", lower: 0, upper: 100, seen_percent: 0 },
};

const row = (flags: number, status = "active", heading: number | null = 90): LiveRow => [
  "digger-1",
  53,
  10,
  heading,
  12.5,
  2.5,
  status,
  1_772_712_000_000,
  flags,
];

describe("a machine", () => {
  it("that never sent a position has a registered place, and nothing that is not known is 0", () => {
    const machine = machineOf(ASSET, undefined);
    expect(machine).toMatchObject({
      isRegisteredPlace: true,
      connection: "unknown",
      latitude: 52.5,
    });
    expect(machine.speedKmh).toBeUndefined();
    expect(machine.heading).toBeUndefined();
    expect(machine.fixMs).toBeUndefined();
    expect(lookOf(machine)).toBe("registered");
  });

  it("is as the live stream has it, which is newer than the list", () => {
    const machine = machineOf(ASSET, row(4 + 8));
    expect(machine).toMatchObject({
      status: "active",
      connection: "ok",
      latitude: 53,
      speedKmh: 12.5,
      isSpeedDerived: true,
      isHeadingDerived: false,
      isAccuracyAssumed: true,
      isRegisteredPlace: false,
    });
  });

  it.each([
    { flags: 0, status: "active", heading: 90, look: "active" },
    { flags: 0, status: "active", heading: null, look: "active-still" },
    { flags: 0, status: "idle", heading: 90, look: "idle" },
    { flags: 0, status: "maintenance", heading: 90, look: "maintenance" },
    { flags: 128, status: "active", heading: 90, look: "offline" },
    { flags: 64, status: "active", heading: 90, look: "stale" },
    { flags: 256, status: "idle", heading: 90, look: "stale" },
    { flags: 1 + 512, status: "idle", heading: null, look: "registered" },
  ])("with flags $flags, $status and heading $heading looks $look", ({
    flags,
    status,
    heading,
    look,
  }) => {
    expect(lookOf(machineOf(ASSET, row(flags, status, heading)))).toBe(look);
  });
});

describe("the table of machines", () => {
  const named = (name: string, speedKmh: number | undefined): Machine => ({
    ...machineOf(ASSET, undefined),
    id: name,
    name,
    speedKmh,
  });
  const machines = [named("Van 10", 5), named("Van 9", undefined), named("Van 2", 40)];
  const names = (sorted: readonly Machine[]) => sorted.map(({ name }) => name);

  it("counts the numbers in names", () => {
    expect(names(sortMachines(machines, "name", false))).toEqual(["Van 2", "Van 9", "Van 10"]);
  });

  it("has what is not known last in both directions", () => {
    expect(names(sortMachines(machines, "speed", false))).toEqual(["Van 10", "Van 2", "Van 9"]);
    expect(names(sortMachines(machines, "speed", true))).toEqual(["Van 2", "Van 10", "Van 9"]);
  });
});

it("the CSV of machines has what is known, and empty cells for what is not", () => {
  const [head, row] = machinesCsvRows([machineOf({ ...ASSET, name: "=1+1" }, undefined)]);
  const cells = Object.fromEntries((head ?? []).map((name, i) => [name, row?.[i]]));
  expect(cells).toMatchObject({
    id: "digger-1",
    location_source: "registered",
    work_basis: "none",
  });
  for (const unknown of ["speed_kmh", "speed_source", "position_at", "work_today_percent"]) {
    expect(cells[unknown]).toBeUndefined();
  }
  expect(csvOf([row ?? []])).toContain("'=1+1");
});

it("the worst alerts come first, and of equals the newest", () => {
  const alert = (id: string, severity: Alert["severity"], opened_at: string) =>
    ({ id, severity, opened_at }) as Alert;
  const sorted = urgentFirst([
    alert("old-info", "info", "2026-03-05T10:00:00Z"),
    alert("new-warning", "warning", "2026-03-05T12:00:00Z"),
    alert("old-warning", "warning", "2026-03-05T11:00:00Z"),
    alert("critical", "critical", "2026-03-04T10:00:00Z"),
  ]);
  expect(sorted.map(({ id }) => id)).toEqual([
    "critical",
    "new-warning",
    "old-warning",
    "old-info",
  ]);
});

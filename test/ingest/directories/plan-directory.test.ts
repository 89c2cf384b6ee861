import { afterEach, expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import {
  MAINTENANCE_SEEN,
  openPlanDirectory,
  type PlanDirectory,
} from "../../../ingest/directories/plan-directory.ts";
import type { ServiceRow } from "../../../storage/ports/equipment/maintenance.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { PATIENT_MS } from "../../support/patience.ts";

const ASSET = "ex-1" as AssetId;
const PROJECT = "p1" as ProjectId;
const NOW = Date.UTC(2026, 2, 5, 12);
const PLAN = JSON.stringify({ services: [{ item: "oil", name: "Oil", every_hours: 250 }] });

let opened: PlanDirectory[] = [];
afterEach(() => {
  for (const directory of opened) directory.close();
  opened = [];
});

function openRecords() {
  const records = openMemoryRecords();
  const assets = fixedDirectory([assetEntry(ASSET, PROJECT)]);
  let services = 0;
  return {
    records,
    assets,
    async open(now = () => NOW) {
      const directory = await openPlanDirectory(records, assets, now);
      opened.push(directory);
      return directory;
    },
    service(): Promise<ServiceRow> {
      services += 1;
      return records.maintenance.recordService({
        ...{ id: `srv_${services}`, assetId: ASSET, projectId: PROJECT, item: "oil" },
        ...{ servicedAtMs: NOW, recordedAtMs: NOW, engineHours: 1, hoursSource: "stated" },
        ...{ odometerKm: undefined, note: undefined },
      });
    },
  };
}

it("the plan directory knows after a refresh what was put, by the type that the asset has", async () => {
  const { records, assets, open } = openRecords();
  const directory = await open();
  await records.maintenance.putPlan({ projectId: PROJECT, assetType: "excavator" }, PLAN, NOW);
  await directory.refresh();
  expect(directory.inForce(ASSET, PROJECT, NOW)?.source).toBe("asset_type");
  expect(directory.inForce(ASSET, PROJECT, NOW - 1)).toBeUndefined();
  expect(directory.changes(ASSET, PROJECT, NOW - 1, NOW)).toEqual([NOW]);
  assets.change(ASSET, undefined);
  expect(directory.inForce(ASSET, PROJECT, NOW)).toBeUndefined();
});

it("the plan directory finds what another process stored, without a notification", async () => {
  const { records, open } = openRecords();
  const directory = await open();
  await records.maintenance.putPlan({ assetId: ASSET }, PLAN, NOW);
  await expect
    .poll(() => directory.inForce(ASSET, PROJECT, NOW), { timeout: PATIENT_MS })
    .toBeDefined();
});

it("the plan directory goes on with what it knows while the store is away, and catches up", async () => {
  const { records, open } = openRecords();
  await records.maintenance.putPlan({ assetId: ASSET }, PLAN, NOW - 5);
  const directory = await open();
  await records.maintenance.putPlan({ assetId: ASSET }, undefined, NOW);
  records.away = true;
  await expect(directory.refresh()).rejects.toThrow("the database is away");
  expect(directory.inForce(ASSET, PROJECT, NOW)).toBeDefined();
  records.away = false;
  await directory.refresh();
  expect(directory.inForce(ASSET, PROJECT, NOW)).toBeUndefined();
});

it("the plan directory reports each change by its revision, with the instant from which it applies", async () => {
  const { records, open } = openRecords();
  const directory = await open();
  const scope = { assetId: ASSET };
  await records.maintenance.putPlan(scope, PLAN, NOW - 5);
  await directory.refresh();
  const { plans } = directory.seen;
  await records.maintenance.putPlan(scope, undefined, NOW);
  await directory.refresh();
  // The version that ended, and the one that began.
  expect(directory.changesAfter(plans).map(({ atMs }) => atMs)).toEqual([NOW, NOW]);
  expect(directory.changesAfter(0).map(({ atMs }) => atMs)).toEqual([NOW - 5, NOW, NOW]);
  expect(directory.changesAfter(directory.seen.plans)).toEqual([]);
});

it("the plan directory misses no version that began and ended between two polls", async () => {
  const { records, open } = openRecords();
  const directory = await open();
  await records.maintenance.putPlan({ assetId: ASSET }, PLAN, NOW - 5);
  await records.maintenance.putPlan({ assetId: ASSET }, undefined, NOW);
  await directory.refresh();
  expect(directory.changesAfter(0).map(({ atMs }) => atMs)).toEqual([NOW - 5, NOW, NOW]);
});

it("the plan directory hands out services until they were read, and reads only later ones at the next start", async () => {
  const { records, open, service } = openRecords();
  const directory = await open();
  const first = await service();
  const second = await service();
  await directory.refresh();
  expect(directory.servicesAfter(0).map(({ id }) => id)).toEqual(["srv_1", "srv_2"]);
  expect(directory.servicesAfter(first.revision).map(({ id }) => id)).toEqual(["srv_2"]);
  expect(directory.servicesAfter(second.revision)).toEqual([]);
  records.rows.shared.set(
    MAINTENANCE_SEEN,
    JSON.stringify({ plans: 0, services: first.revision, tickMs: 0 }),
  );
  const again = await open();
  expect(again.servicesAfter(0).map(({ id }) => id)).toEqual(["srv_2"]);
});

it("the plan directory forgets versions that no reading in reach is evaluated by", async () => {
  const { records, open } = openRecords();
  let nowMs = NOW;
  await records.maintenance.putPlan({ assetId: ASSET }, PLAN, NOW - 5);
  await records.maintenance.putPlan({ assetId: ASSET }, undefined, NOW);
  const directory = await open(() => nowMs);
  expect(directory.inForce(ASSET, PROJECT, NOW - 1)).toBeDefined();
  nowMs = NOW + 7 * 86_400_000;
  await directory.refresh();
  expect(directory.inForce(ASSET, PROJECT, NOW - 1)).toBeUndefined();
  expect(directory.changesAfter(0)).toEqual([]);
});

import { expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import {
  newLivenessState,
  packLiveness,
  unpackLiveness,
} from "../../../ingest/liveness/liveness-state.ts";
import {
  newMaintenanceState,
  packMaintenance,
  unpackMaintenance,
  type WatchedService,
} from "../../../ingest/maintenance/maintenance-state.ts";
import {
  type Exceedance,
  packExceedance,
  unpackExceedance,
} from "../../../ingest/track/exceedance.ts";

// States of earlier versions must be read back under the names that they were stored with.

it("a published finding is stored with the phase told, and read back as published", () => {
  const state = newLivenessState();
  const heldFrom = { atMs: 3, pausedMs: 0 };
  const projectId = "p" as ProjectId;
  const finding = { sinceMs: 1, occurredAtMs: 2, phase: "published", heldFrom, projectId } as const;
  state.findings.offline = finding;
  const stored = JSON.stringify(packLiveness(state));
  expect(JSON.parse(stored)[6]).toEqual([1, 2, "told", 3, 0, "p"]);
  expect(unpackLiveness(JSON.parse(stored)).findings.offline).toEqual(finding);
});

it("a published service level is stored as told and toldOf, and read back", () => {
  const state = newMaintenanceState();
  const usage = { machine: 1, accumulated: 2 };
  const baseline = { hours: usage, km: usage, serviceId: "svc_1", atMs: 5 };
  const service: WatchedService = {
    baseline,
    publishedLevel: "due",
    publishedIntervals: "[250]",
    alert: undefined,
  };
  state.services.set("oil", service);
  const stored = JSON.stringify(packMaintenance(state));
  expect(JSON.parse(stored).services).toEqual([
    ["oil", { baseline, told: "due", toldOf: "[250]" }],
  ]);
  expect(unpackMaintenance(JSON.parse(stored)).services.get("oil")).toEqual(service);
});

it("the published revisions of an exceedance are stored as told, and read back", () => {
  const published = {
    exceeded: { revision: 2, withdrawn: false },
    cleared: { revision: 0, withdrawn: false },
  };
  const exceedance = { id: "exc_1", assetId: "a" as AssetId, ordinal: 4, published };
  const stored = JSON.stringify(packExceedance(exceedance as unknown as Exceedance));
  expect(JSON.parse(stored)).toEqual({ id: "exc_1", assetId: "a", ordinal: 4, told: published });
  expect(unpackExceedance(JSON.parse(stored))).toEqual(exceedance);
});

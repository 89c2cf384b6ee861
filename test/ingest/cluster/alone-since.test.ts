import { expect, it } from "vitest";
import type { AssetId, ProjectId } from "../../../domain/ids.ts";
import { aloneSince } from "../../../ingest/cluster/alone-since.ts";
import { FenceTimeline } from "../../../ingest/geofence/fence-timeline.ts";
import { assetEntry, fixedDirectory } from "../../support/fixed-directory.ts";

const T0 = Date.UTC(2026, 10, 20, 12);
const MINUTE_MS = 60_000;
const A1 = "a1" as AssetId;
const registered = (createdMs: number) => {
  const entry = assetEntry("a1", "p2");
  const created_at = new Date(createdMs).toISOString();
  return fixedDirectory([{ ...entry, asset: { ...entry.asset, created_at } }]);
};
const directory = registered(T0 - 60 * MINUTE_MS);
const node = (sinceMs: number | undefined) => ({
  aloneSinceMs: (projectId: ProjectId) => (projectId === "p2" ? sinceMs : undefined),
});
const assignment = (projectId: string, validFromMs: number, validToMs?: number) => ({
  assetId: A1,
  projectId: projectId as ProjectId,
  validFromMs,
  validToMs,
});

it("the time since when a node was alone with an asset leaves room for fix times that are ahead of their receipt at another node", () => {
  const timeline = new FenceTimeline();
  timeline.assign(A1, [assignment("p2", T0 + 5 * MINUTE_MS)]);
  expect(aloneSince(A1, { node: node(T0), directory, timeline })).toBe(T0 + 10 * MINUTE_MS);
});

it("the time since when a node was alone with an asset does not reach back before the asset came from another project", () => {
  const timeline = new FenceTimeline();
  const movedMs = T0 + 60 * MINUTE_MS;
  timeline.assign(A1, [assignment("p1", T0, movedMs), assignment("p2", movedMs)]);
  expect(aloneSince(A1, { node: node(T0), directory, timeline })).toBe(movedMs + 10 * MINUTE_MS);
});

it("the time since when a node was alone with an asset is always, for an asset that was registered when this node alone had the shard", () => {
  const timeline = new FenceTimeline();
  const later = registered(T0 + 10 * MINUTE_MS);
  const sooner = registered(T0 + 10 * MINUTE_MS - 1);
  timeline.assign(A1, [assignment("p2", T0)]);
  expect(
    [later, sooner].map((one) => aloneSince(A1, { node: node(T0), directory: one, timeline })),
  ).toEqual([Number.NEGATIVE_INFINITY, T0 + 10 * MINUTE_MS]);
  const movedMs = T0 + 60 * MINUTE_MS;
  timeline.assign(A1, [assignment("p1", T0, movedMs), assignment("p2", movedMs)]);
  expect(aloneSince(A1, { node: node(T0), directory: later, timeline })).toBe(
    movedMs + 10 * MINUTE_MS,
  );
});

it("the time since when a node was alone with an asset is unknown for another node's shard, and for an asset that is not known", () => {
  const timeline = new FenceTimeline();
  expect(aloneSince(A1, { node: node(undefined), directory, timeline })).toBeUndefined();
  expect(aloneSince("a9" as AssetId, { node: node(T0), directory, timeline })).toBeUndefined();
});

import { describe, expect, it } from "vitest";
import { LiveFleet as ServedFleet } from "../../api/live/live-fleet.ts";
import type { LiveScope } from "../../api/live/live-scope.ts";
import {
  afterPositions,
  afterSnapshot,
  type LiveFleet,
  type LivePositions,
  type LiveRow,
  type LiveSnapshot,
  NO_FLEET,
} from "../../client/live.ts";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AssetState } from "../../ingest/asset-state/asset-state.ts";
import type { AssetEntry } from "../../ingest/directories/asset-directory.ts";
import { seededRandom } from "../support/seeded-random.ts";

const row = (id: string, latitude: number): LiveRow => [
  id,
  latitude,
  9,
  null,
  null,
  null,
  "idle",
  null,
  1,
];
const snapshot = (change: number, ...rows: readonly LiveRow[]): LiveSnapshot => ({
  view: "v",
  change,
  rows,
});
const positions = (
  from: number,
  change: number,
  rows: readonly LiveRow[],
  gone: readonly string[] = [],
): LivePositions => ({ view: "v", from, change, rows, gone });
const latitudes = (fleet: LiveFleet) =>
  Object.fromEntries([...fleet.rows].map(([id, [, latitude]]) => [id, latitude]));

describe("the fleet of a live stream", () => {
  it("the fleet of a live stream takes the newest row of each machine, whatever comes first", () => {
    const start = afterSnapshot(NO_FLEET, snapshot(5, row("a", 1), row("b", 1), row("c", 1)));
    const first = positions(5, 6, [row("a", 6), row("b", 6)]);
    const second = positions(6, 7, [row("a", 7)], ["b"]);
    const early = afterPositions(start, second);
    expect(early).toMatchObject({ change: 5, isBehind: true });
    expect(latitudes(early)).toEqual({ a: 7, c: 1 });
    const both = afterPositions(early, first);
    expect(latitudes(both)).toEqual({ a: 7, c: 1 });
    expect(both.change).toBe(6);
  });

  it("the fleet of a live stream begins anew with a snapshot of another process, and takes no changes of it before", () => {
    const start = afterSnapshot(NO_FLEET, snapshot(900, row("a", 1)));
    const other = { ...positions(1, 2, [row("a", 2)]), view: "other" };
    const confused = afterPositions(start, other);
    expect(confused.isBehind).toBe(true);
    expect(latitudes(confused)).toEqual({ a: 1 });
    const again = afterSnapshot(confused, { view: "other", change: 2, rows: [row("z", 3)] });
    expect(again).toMatchObject({ view: "other", change: 2, isBehind: false });
    expect(latitudes(again)).toEqual({ z: 3 });
  });

  it("a snapshot that comes late takes nothing back", () => {
    const start = afterSnapshot(NO_FLEET, snapshot(5, row("a", 1)));
    const newer = afterPositions(start, positions(5, 8, [row("a", 8)]));
    expect(afterSnapshot(newer, snapshot(7, row("a", 7), row("old", 1)))).toBe(newer);
  });

  it("any order and loss of messages, then a resume, ends in the state of a snapshot", async () => {
    for (let seed = 1; seed <= 60; seed += 1) await walk(seed);
  });
});

/** Machines that move, come, go and change projects, and a client to whom the messages come in disorder. */
async function walk(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const entries = new Map<AssetId, AssetEntry>();
  const states = new Map<AssetId, AssetState>();
  const listeners: ((assetId: AssetId) => void)[] = [];
  const served = new ServedFleet({
    directory: {
      find: (id) => entries.get(id),
      entries: () => entries.values(),
      onChange: (listener) => listeners.push((id) => listener(id, entries.get(id))),
    },
    live: {
      state: (id) => states.get(id),
      onChange: (listener) => listeners.push(listener),
    },
    now: () => 0,
    onError: (error) => {
      throw error;
    },
  });
  const scope: LiveScope = {
    projectIds: new Set(["p1" as ProjectId]),
    key: "p1",
    name: "p1",
    sees: (projectId) => projectId === "p1",
  };

  function step(): void {
    for (let i = below(6); i >= 0; i -= 1) {
      const id = `m${below(8)}` as AssetId;
      if (random() < 0.2) entries.delete(id);
      else {
        const project_id = (random() < 0.7 ? "p1" : "p2") as ProjectId;
        const location = { latitude: below(50), longitude: 9 };
        entries.set(id, {
          asset: { id, project_id, location, maintenance: false },
          project: { id: project_id, location },
        } as unknown as AssetEntry);
      }
      for (const listener of listeners) listener(id);
    }
  }

  const bodyOf = (message: Buffer) => JSON.parse(message.toString().split("\ndata: ")[1] ?? "");
  const messages: { readonly isSnapshot: boolean; readonly data: LivePositions }[] = [];
  const note = (message: Buffer | undefined) => {
    if (message === undefined) return false;
    const isSnapshot = message.toString().startsWith("event: snapshot");
    messages.push({ isSnapshot, data: bodyOf(message) });
    return true;
  };
  step();
  await served.ready();
  note(served.snapshot(scope));
  let [at, sent] = [served.change, served.change];
  for (let i = 0; i < 25; i += 1) {
    step();
    await served.ready();
    // A slow reader takes several changes in one message.
    if (random() < 0.3) continue;
    if (note(served.since(at, sent, scope))) sent = served.change;
    at = served.change;
  }

  const [first, ...rest] = messages;
  if (first === undefined) throw new Error("no snapshot");
  const came = rest
    .filter(() => random() < 0.7)
    .map((message) => ({ message, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ message }) => message);
  let fleet = afterSnapshot(NO_FLEET, first.data);
  for (const { data } of came) fleet = afterPositions(fleet, data);
  const resumed = served.since(fleet.change, fleet.change, scope);
  if (resumed !== undefined) fleet = afterPositions(fleet, bodyOf(resumed));
  const truth: LiveSnapshot = bodyOf(served.snapshot(scope));
  const known = new Map([...fleet.rows].sort());
  expect(known, `seed ${seed}`).toEqual(
    new Map(truth.rows.map((found) => [found[0], found] as const).sort()),
  );
}

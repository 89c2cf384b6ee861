import { pino } from "pino";
import { afterEach, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { startSilentNodes } from "../../../ingest/client-sessions/silent-nodes.ts";
import { openMemoryRecords } from "../../support/memory-records.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const log = pino({ level: "silent" });
const SILENT_MS = 15_000;
let stop: (() => Promise<void>) | undefined;

afterEach(async () => {
  await stop?.();
});

/** Process `dead` was seen last at 10 s; `a1`, `a5` and a tracker are there still, `a2` and `a3` have come back elsewhere. */
async function open(onLinkGone: (assetId: AssetId, seenAtMs: number) => Promise<void>) {
  const clock = { nowMs: 10_000, beatingMs: SILENT_MS };
  const { clientSessions: sessions } = openMemoryRecords(() => clock.nowMs);
  const session = (id: string, assetId: string, isLink = true, atMs = 1) => ({
    ...{ id, assetId: assetId as AssetId, isLink, atMs },
  });
  await sessions.beat("dead");
  const before = [
    session("1", "a1", true, 9_000),
    session("t", "a4", false),
    session("2", "a2"),
    session("3", "a3"),
    session("5", "a5"),
  ];
  await sessions.claim("dead", before, false);
  await sessions.claim("alive", [session("2", "a2"), session("3b", "a3")], false);
  clock.nowMs += SILENT_MS + 1;
  await sessions.beat("alive");
  const claims = {
    get beatingMs() {
      return clock.beatingMs;
    },
  };
  const work = startSilentNodes({
    sessions,
    claims,
    onLinkGone,
    log,
    silentMs: SILENT_MS,
    sweepMs: 5,
  });
  stop = () => work.stop();
  return { sessions, clock };
}

it("the sessions of a process that died are given up, and the links of assets that are nowhere else", async () => {
  const gone: unknown[] = [];
  const { sessions } = await open(async (...what) => void gone.push(what));
  await until(
    "it is forgotten",
    async () => (await sessions.silentNodes(SILENT_MS)).length === 0,
    PATIENT_MS,
  );
  // The link of `a1` came up after the last beat.
  expect(gone).toEqual([
    ["a5", 10_000],
    ["a1", 11_000],
  ]);
  expect(await sessions.ofNode("dead", 10)).toEqual([]);
  expect(await sessions.ofNode("alive", 10)).toHaveLength(2);
});

it("a link that the journal does not take is kept until it does", async () => {
  let asked = 0;
  const { sessions } = await open(async () => {
    asked += 1;
    if (asked < 3) throw new Error("the journal takes nothing now");
  });
  await until("it was tried", () => asked >= 1, PATIENT_MS);
  await until(
    "it is forgotten",
    async () => (await sessions.silentNodes(SILENT_MS)).length === 0,
    PATIENT_MS,
  );
  // Both links each time.
  expect(asked).toBe(4);
});

it("nobody is given up by a process that has not reached the store for as long itself", async () => {
  const { sessions, clock } = await open(async () => undefined);
  await stop?.();
  await sessions.beat("late");
  clock.nowMs += SILENT_MS + 1;
  let looks = 0;
  const claims = {
    get beatingMs() {
      looks += 1;
      return SILENT_MS - 1;
    },
  };
  const work = startSilentNodes({
    ...{ sessions, claims, log, silentMs: SILENT_MS, sweepMs: 5 },
    onLinkGone: async () => undefined,
  });
  stop = () => work.stop();
  await until("it has looked several times", () => looks > 3, PATIENT_MS);
  expect((await sessions.silentNodes(SILENT_MS)).map(({ nodeId }) => nodeId)).toContain("late");
});

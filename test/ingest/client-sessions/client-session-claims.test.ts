import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { ClientSessionClaims } from "../../../ingest/client-sessions/client-session-claims.ts";
import type { ClientSessions } from "../../../storage/ports/equipment/client-sessions.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const log = pino({ level: "silent" });
let records: MemoryRecords;
const started: ClientSessionClaims[] = [];

/** Runs before each claim reaches the store, and after. */
interface Store {
  asked: number[];
  before: () => Promise<void>;
  after: () => Promise<void>;
}
const openStore = (): Store => ({
  asked: [],
  before: async () => undefined,
  after: async () => undefined,
});

async function start(nodeId: string, store: Store, decidedMs = PATIENT_MS) {
  const inner = records.clientSessions;
  const sessions: ClientSessions = {
    ...Object.fromEntries(
      ["release", "lost", "forgetLost", "countTakeovers", "beat", "newestNode", "elsewhere"].map(
        (name) => [
          name,
          (...given: unknown[]) => Reflect.apply(Reflect.get(inner, name), inner, given),
        ],
      ),
    ),
    async claim(...given: Parameters<ClientSessions["claim"]>) {
      store.asked.push(given[1].length);
      await store.before();
      const results = await inner.claim(...given);
      await store.after();
      return results;
    },
  } as unknown as ClientSessions;
  const paces = { pollMs: 10, beatMs: 10, decidedMs };
  const claims = await ClientSessionClaims.start({ sessions, nodeId, log, ...paces });
  started.push(claims);
  return claims;
}

const owner = (name: string) => ({ name, assetId: "a1" as AssetId, isLink: true });
const unexpected = (): never => {
  throw new Error("lost");
};
const heldBy = async (nodeId: string) =>
  (await records.clientSessions.ofNode(nodeId, 5_000)).length;

beforeEach(() => {
  records = openMemoryRecords();
});
afterEach(async () => {
  for (const claims of started.splice(0)) await claims.stop();
});

describe("claims to the sessions of clients", () => {
  it("a thousand clients that come at once are two statements, and their ends as well", async () => {
    const store = openStore();
    const claims = await start("a", store);
    const claimed = Array.from({ length: 1_000 }, (_, i) =>
      claims.claim(owner(`c${i}`), unexpected),
    );
    expect(await Promise.all(claimed.map(({ decided }) => decided))).toEqual(
      claimed.map(() => "held"),
    );
    expect(store.asked).toEqual([500, 500]);
    expect(await heldBy("a")).toBe(1_000);
    const left = await Promise.all(claimed.map((one) => one.release()));
    expect(new Set(left)).toEqual(new Set([false]));
    expect(await heldBy("a")).toBe(0);
    expect(claims.stats()).toMatchObject({ sessions_claimed: 1_000, claimed_sessions: 0 });
  });

  it("a store that is slow keeps nobody waiting for long, and has the session when it answers", async () => {
    const store = openStore();
    let answer: () => void = () => undefined;
    store.before = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const claims = await start("a", store, 20);
    const lost: string[] = [];
    const one = claims.claim(owner("c1"), (why) => void lost.push(why));
    expect(await one.decided).toBe("held");
    answer();
    await until("it is held", async () => (await heldBy("a")) === 1, PATIENT_MS);
    expect(lost).toEqual([]);
  });

  it("a claim whose answer was lost is made again, also when its client has come back meanwhile or is gone", async () => {
    const store = openStore();
    let isBroken = true;
    store.after = async () => {
      if (isBroken) throw new Error("the answer was lost");
    };
    const claims = await start("a", store);
    const [stays, leaves, comes] = ["s", "l", "c"].map((name) =>
      claims.claim(owner(name), unexpected),
    );
    expect(await Promise.all([stays?.decided, leaves?.decided, comes?.decided])).toEqual([
      "held",
      "held",
      "held",
    ]);
    await until("the store has them", async () => (await heldBy("a")) === 3, PATIENT_MS);
    expect(await leaves?.release()).toBe(false);
    expect(await comes?.release()).toBe(false);
    const back = claims.claim(owner("c"), unexpected);
    await back.decided;
    isBroken = false;
    await until("what left is gone", async () => (await heldBy("a")) === 2, PATIENT_MS);
    await until("two are known", () => claims.stats()["claimed_sessions"] === 2, PATIENT_MS);
    expect(await back.release()).toBe(false);
    expect(await stays?.release()).toBe(false);
    await until("nothing is left", async () => (await heldBy("a")) === 0, PATIENT_MS);
  });

  it("a client at another process ends the older claim once, and its release says where it is", async () => {
    const [here, there] = [await start("a", openStore()), await start("b", openStore())];
    const lost: string[] = [];
    const older = here.claim(owner("c1"), (why) => void lost.push(why));
    await older.decided;
    expect(await here.isNewest("a1" as AssetId)).toBe(true);
    const newer = there.claim(owner("c1"), unexpected);
    await newer.decided;
    expect(await older.release()).toBe(true);
    expect(await here.isNewest("a1" as AssetId)).toBe(false);
    expect(await here.elsewhere(["a1" as AssetId])).toEqual(new Set(["a1"]));
    expect(await newer.release()).toBe(false);
    // It had left by itself.
    expect(lost).toEqual([]);
  });
});

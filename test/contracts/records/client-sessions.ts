import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import type {
  ClaimResult,
  ClientSession,
  NumberedSession,
} from "../../../storage/ports/equipment/client-sessions.ts";
import type { OpenStore } from "./rows.ts";

const LIMIT = { takeovers: 15, bannedMs: 600_000 };

const session = (id: string, atMs = 1_000): ClientSession => ({
  id,
  assetId: `asset-of-${id}` as AssetId,
  isLink: true,
  atMs,
});

/** The session under the number that a claim was given. */
function numbered(result: ClaimResult | undefined): NumberedSession {
  if (result?.outcome !== "held") throw new Error(`claimed, but ${result?.outcome}`);
  return { id: result.id, epoch: result.epoch };
}

export function describeClientSessions(current: () => OpenStore): void {
  describe("sessions of clients", () => {
    const claimOne = async (node: string, id: string, isLate = false, atMs = 1_000) => {
      const { clientSessions } = current().store;
      const [result] = await clientSessions.claim(node, [session(id, atMs)], isLate);
      return result;
    };

    it("a session that another process claims is lost to the former one, under the higher number", async () => {
      const { clientSessions } = current().store;
      const first = numbered(await claimOne("a", "s1"));
      const second = numbered(await claimOne("b", "s1"));
      expect(second.epoch).toBeGreaterThan(first.epoch);
      expect(await clientSessions.lost("a")).toEqual([second]);
      expect(await clientSessions.lost("b")).toEqual([]);
      await clientSessions.forgetLost("a", [first]);
      expect(await clientSessions.lost("a")).toEqual([second]);
      await clientSessions.forgetLost("a", [second]);
      expect(await clientSessions.lost("a")).toEqual([]);
    });

    it("a session that goes round three processes is lost to each of the former ones", async () => {
      const { clientSessions } = current().store;
      await claimOne("a", "s1");
      const second = numbered(await claimOne("b", "s1"));
      const third = numbered(await claimOne("c", "s1"));
      expect(await clientSessions.lost("a")).toEqual([second]);
      expect(await clientSessions.lost("b")).toEqual([third]);
      expect(await clientSessions.ofNode("c", 10)).toEqual([
        { ...third, assetId: "asset-of-s1", isLink: true, atMs: 1_000 },
      ]);
    });

    it("a session that its own process claims again is lost to nobody", async () => {
      const { clientSessions } = current().store;
      const first = numbered(await claimOne("a", "s1"));
      const second = numbered(await claimOne("a", "s1"));
      expect(second.epoch).toBeGreaterThan(first.epoch);
      expect(await clientSessions.lost("a")).toEqual([]);
    });

    it("a release gives up what is the process's own, and names what another claim has", async () => {
      const { clientSessions } = current().store;
      const [one, two] = await clientSessions.claim("a", [session("s1"), session("s2")], false);
      await claimOne("b", "s2");
      const gone = { id: "s3", epoch: 1 };
      const released = [numbered(one), numbered(two), gone];
      expect(await clientSessions.release("a", released)).toEqual(["s2"]);
      expect(await clientSessions.ofNode("a", 10)).toEqual([]);
      expect(await clientSessions.ofNode("b", 10)).toHaveLength(1);
      expect(await clientSessions.release("a", released)).toEqual(["s2"]);
    });

    it("an older claim of the same process releases nothing of the newer one", async () => {
      const { clientSessions } = current().store;
      const older = numbered(await claimOne("a", "s1"));
      await claimOne("a", "s1");
      expect(await clientSessions.release("a", [older])).toEqual(["s1"]);
      expect(await clientSessions.ofNode("a", 10)).toHaveLength(1);
    });

    it("a late claim takes no session of a client that connected later", async () => {
      await claimOne("b", "s1", false, 2_000);
      expect(await claimOne("a", "s1", true, 1_999)).toEqual({ id: "s1", outcome: "superseded" });
      expect(await claimOne("a", "s1", true, 2_001)).toMatchObject({ outcome: "held" });
      // The client is connecting now, whatever the clocks of the processes say.
      expect(await claimOne("b", "s1", false, 1_000)).toMatchObject({ outcome: "held" });
    });

    it("an id whose take-overs of all processes reach the limit is banned, and others are not", async () => {
      const { clientSessions } = current().store;
      await clientSessions.countTakeovers(new Map([["s1", 8]]), LIMIT);
      expect(await claimOne("a", "s1")).toMatchObject({ outcome: "held" });
      await clientSessions.countTakeovers(
        new Map([
          ["s1", 7],
          ["s2", 14],
        ]),
        LIMIT,
      );
      expect(await claimOne("b", "s1")).toEqual({ id: "s1", outcome: "banned" });
      expect(await claimOne("b", "s2")).toMatchObject({ outcome: "held" });
      expect(await clientSessions.lost("a")).toEqual([]);
    });

    it("a ban ends, and its take-overs count no more after their minute", async () => {
      const { clientSessions } = current().store;
      await clientSessions.countTakeovers(new Map([["s1", 15]]), { takeovers: 15, bannedMs: 1 });
      await delay(20);
      expect(await claimOne("a", "s1")).toMatchObject({ outcome: "held" });
      await clientSessions.forgetTakeovers();
    });

    it("a process that stopped to beat is silent, and is forgotten with what it had not read", async () => {
      const { clientSessions } = current().store;
      expect(await clientSessions.beat("a")).toBe(true);
      expect(await clientSessions.beat("a")).toBe(false);
      expect(await clientSessions.silentNodes(600_000)).toEqual([]);
      await delay(20);
      const [silent] = await clientSessions.silentNodes(10);
      expect(silent?.nodeId).toBe("a");
      expect(silent?.seenAtMs).toBeGreaterThan(0);
      await claimOne("a", "s1");
      await claimOne("b", "s1");
      await clientSessions.forgetNode("a");
      expect(await clientSessions.silentNodes(10)).toEqual([]);
      expect(await clientSessions.lost("a")).toEqual([]);
      expect(await clientSessions.beat("a")).toBe(true);
    });

    it("a link is elsewhere while another process has a session of the asset that is one", async () => {
      const { clientSessions } = current().store;
      const [x, y] = ["x", "y"] as AssetId[] as [AssetId, AssetId];
      const of = (id: string, assetId: AssetId, isLink: boolean) => ({
        id,
        assetId,
        isLink,
        atMs: 1,
      });
      await clientSessions.claim("a", [of("x/1", x, true), of("y/1", y, true)], false);
      const tracker = await clientSessions.claim("b", [of("tracker/y", y, false)], false);
      expect(await clientSessions.elsewhere("a", [x, y])).toEqual([]);
      expect(await clientSessions.elsewhere("b", [y, x])).toEqual([x, y]);
      expect(await clientSessions.newestNode(x)).toBe("a");
      expect(await clientSessions.newestNode(y)).toBe("b");
      await clientSessions.release("b", tracker.map(numbered));
      expect(await clientSessions.newestNode(y)).toBe("a");
      expect(await clientSessions.newestNode("z" as AssetId)).toBeUndefined();
    });

    it("2,000 sessions are claimed, listed and released in batches", async () => {
      const { clientSessions } = current().store;
      const all = Array.from({ length: 2_000 }, (_, i) => session(`s${i}`));
      await clientSessions.claim("a", all, false);
      const claimed = await clientSessions.claim("b", [...all].reverse(), false);
      expect(await clientSessions.lost("a")).toHaveLength(2_000);
      expect(await clientSessions.ofNode("b", 1_500)).toHaveLength(1_500);
      expect(await clientSessions.release("b", claimed.map(numbered))).toEqual([]);
      expect(await clientSessions.ofNode("b", 10)).toEqual([]);
    });
  });
}

import { describe, expect, it } from "vitest";
import {
  CONNECTIONS_PER_ASSET,
  UNKNOWN_CONNECTIONS,
} from "../../../domain/equipment/connection-log.ts";
import type { AssetId } from "../../../domain/ids.ts";
import type {
  LoggedConnection,
  LoggedMessage,
} from "../../../storage/ports/equipment/device-log.ts";
import { assetId, NOON_MS, type OpenStore } from "./rows.ts";

function connection(
  id: AssetId | undefined,
  sequence: number,
  change: Partial<LoggedConnection> = {},
): LoggedConnection {
  return {
    assetId: id,
    sequence,
    atMs: NOON_MS + sequence,
    address: "192.0.2.7",
    listener: "mqtts",
    protocolLevel: 4,
    outcome: "wrong_password",
    detail: undefined,
    clientId: "tracker-7",
    username: "a1",
    ...change,
  };
}

const message = (receivedAtMs: number, change: Partial<LoggedMessage> = {}): LoggedMessage => ({
  receivedAtMs,
  topic: "sites/p1/assets/a1/telemetry",
  payloadBytes: 120,
  qos: 1,
  outcome: "stored",
  reason: undefined,
  readings: 1,
  newestFixMs: receivedAtMs - 500,
  ...change,
});

export function describeDeviceLog(current: () => OpenStore): void {
  describe("connection log", () => {
    // Ids of their own: the log belongs to no other table, and other cases use the usual ids.
    const a1 = assetId("log-a1");
    const a2 = assetId("log-a2");
    const sequences = async (id: AssetId | undefined, limit = 1_000) =>
      (await current().store.connections.newest(id, limit)).map(({ sequence }) => sequence);

    it("the connection log gives back every field, newest first, each asset's own", async () => {
      const { connections } = current().store;
      const full = connection(a1, 2, { outcome: "accepted", detail: "take-over of 198.51.100.1" });
      const bare = connection(a1, 3, {
        address: "",
        listener: "osmand",
        protocolLevel: undefined,
        clientId: undefined,
        username: undefined,
      });
      await connections.add([connection(a2, 1), full, bare]);
      expect(await connections.newest(a1, 10)).toStrictEqual([bare, full]);
      expect(await connections.newest(a1, 1)).toStrictEqual([bare]);
      expect(await sequences(a2)).toEqual([1]);
      expect(await sequences(assetId("log-a3"))).toEqual([]);
    });

    it("the connection log keeps the newest of each asset, and a bounded number under unknown names", async () => {
      const { connections } = current().store;
      const range = (first: number, last: number) =>
        Array.from({ length: last - first + 1 }, (_, i) => first + i);
      const id = assetId("log-many");
      await connections.add(range(1, CONNECTIONS_PER_ASSET).map((i) => connection(id, i)));
      await connections.add([connection(a2, 5), connection(id, 100), connection(id, 101)]);
      const kept = await sequences(id);
      expect(kept).toHaveLength(CONNECTIONS_PER_ASSET);
      expect([kept[0], kept[1], kept.at(-1)]).toEqual([101, 100, 3]);
      await connections.add(
        range(1, UNKNOWN_CONNECTIONS + 20).map((i) => connection(undefined, i)),
      );
      const unknown = await sequences(undefined);
      expect([unknown.length, unknown.at(-1)]).toEqual([UNKNOWN_CONNECTIONS, 21]);
    });

    it("the connection log stores what a hostile client calls itself", async () => {
      const { connections } = current().store;
      const id = assetId("log-hostile");
      const clientId = "a\u0000b'; DROP TABLE assets; --";
      await connections.add([connection(id, 1, { clientId, username: "\ud800" })]);
      const [entry] = await connections.newest(id, 1);
      expect(entry?.clientId?.replace("\ufffd", "\u0000")).toBe(clientId);
    });

    it("the connection log expires what is older than the retention", async () => {
      const { connections } = current().store;
      const id = assetId("log-old");
      await connections.add([1, 2, 3].map((i) => connection(id, i, { atMs: i * 1_000 })));
      while (await connections.expire(2_000)) expect(true).toBe(true);
      expect(await sequences(id)).toEqual([3, 2]);
    });
  });

  describe("questions about messages", () => {
    const a1 = assetId("asked-a1");
    const view = (...messages: readonly LoggedMessage[]) => ({ sinceMs: NOON_MS, messages });

    it("questions about messages are answered by each ingest process once, and again when they are asked again", async () => {
      const { messageViews } = current().store;
      const token = await messageViews.ask(a1);
      expect(await messageViews.answers(a1, token)).toEqual([]);
      expect(await messageViews.unanswered("node-1")).toContain(a1);
      const quarantined = message(NOON_MS, {
        outcome: "quarantined",
        reason: "not JSON",
        readings: 0,
        newestFixMs: undefined,
      });
      await messageViews.answer("node-1", a1, view(message(NOON_MS + 1), quarantined));
      expect(await messageViews.unanswered("node-1")).not.toContain(a1);
      expect(await messageViews.unanswered("node-2")).toContain(a1);
      await messageViews.answer("node-2", a1, view());
      expect(await messageViews.answers(a1, token)).toStrictEqual([
        view(message(NOON_MS + 1), quarantined),
        view(),
      ]);
      const again = await messageViews.ask(a1);
      expect(await messageViews.answers(a1, again)).toEqual([]);
      expect(await messageViews.unanswered("node-1")).toContain(a1);
    });

    it("questions about messages take no answer of the same millisecond for their own", async () => {
      const { messageViews } = current().store;
      const id = assetId("asked-fast");
      for (let i = 0; i < 20; i++) {
        await messageViews.answer("node-1", id, view());
        expect(await messageViews.answers(id, await messageViews.ask(id))).toEqual([]);
      }
    });

    it("questions about messages take no answer that nobody asked for", async () => {
      const { messageViews } = current().store;
      const id = assetId("asked-never");
      await messageViews.answer("node-1", id, view(message(NOON_MS)));
      expect(await messageViews.answers(id, 0)).toEqual([]);
    });
  });
}

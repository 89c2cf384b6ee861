import { describe, expect, it } from "vitest";
import { AssetSessions } from "../../../ingest/intake/asset-sessions.ts";
import { InboundMessage } from "../../../ingest/intake/inbound-message.ts";
import type { Intake } from "../../../ingest/intake/intake.ts";
import { AssetIntake } from "../../../ingest/intake/readings/asset-intake.ts";
import { IntakeSession, type SessionListener } from "../../../ingest/intake/session.ts";
import { assetEntry } from "../../support/fixed-directory.ts";

const LISTENER: SessionListener = {
  acknowledge: () => undefined,
  relieved: () => undefined,
  close: () => undefined,
};
const sessionOf = (assetId: string) => {
  const { id } = assetEntry(assetId).asset;
  const identity = { assetId: id, clientHash: 1, keepAliveMs: 0 };
  return new IntakeSession(identity, new AssetIntake(20, 5_000, undefined), LISTENER, () => 0);
};

/** Intake whose journal never answers. */
const silentIntake: Intake = {
  accepting: true,
  openSession: ({ assetId }) => sessionOf(assetId),
  offer: (session, inbound) => session.enqueue(inbound),
  repeat: (session, inbound) => session.repeat(inbound),
  reachableThrough: () => [],
  stats: () => ({}),
  close: () => undefined,
};

describe("the sessions of assets that send by HTTP", () => {
  it("the sessions of assets that send by HTTP take no more than 64 MiB in memory, also where the messages are short", () => {
    const sessions = new AssetSessions(silentIntake, "test", () => 0);
    const messages = Array.from({ length: 5_000 }, (_, i) => ({
      payload: Buffer.from("{}"),
      number: i + 1,
    }));
    const batch = { format: "telemetry", messages, senderHash: 1, isAgain: false };
    let taken = 0;
    while (taken < 64 && sessions.takeBatch(assetEntry(`a${taken}`), batch) !== undefined) {
      taken += 1;
    }
    sessions.close();

    expect(taken).toBe(26);
  });

  it("sessions refuse a second request of an asset beyond its rate during the first", () => {
    let nowMs = 0;
    const session = sessionOf("a1");
    const intake = { ...silentIntake, openSession: () => session };
    const sessions = new AssetSessions(intake, "test", () => nowMs);
    const entry = assetEntry("a1");
    const messages = [{ payload: Buffer.from("{}"), number: 1 }];
    const batch = { format: "telemetry", messages, senderHash: 1, isAgain: false };
    const isThrottled = () => sessions.isThrottled(entry.asset.id);
    // 5,000 at once and 20 a second: 100 readings too many.
    session.asset.bucket.take(5_100, nowMs);
    expect(isThrottled()).toBe(false);
    void sessions.takeBatch(entry, batch);
    expect(isThrottled()).toBe(true);
    nowMs = 5_000;
    expect(isThrottled()).toBe(false);
    sessions.close();
  });
});

describe("a session whose messages wait", () => {
  it("a waiting message goes behind the last without a scan of all, and an older one where it belongs", () => {
    const session = sessionOf("a1");
    let scans = 0;
    const deliveryAt = (ordinal: number) => {
      const message = { topic: "t", payload: Buffer.alloc(0), qos: 1, dup: false, packetId: 1 };
      const inbound = new InboundMessage({ ...message, qos: 1 }, 0);
      Object.defineProperty(inbound, "ordinal", {
        get: () => {
          scans += 1;
          return ordinal;
        },
      });
      return inbound;
    };
    for (let i = 2; i <= 2_000; i += 1) session.putBack(deliveryAt(i));
    expect(scans).toBeLessThan(10_000);
    session.putBack(deliveryAt(1));

    expect(session.waiting.map(({ ordinal }) => ordinal)).toEqual(
      Array.from({ length: 2_000 }, (_, i) => i + 1),
    );
  });
});

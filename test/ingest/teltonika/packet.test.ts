import { afterEach, describe, expect, it, vi } from "vitest";
import type { AssetId } from "../../../domain/ids.ts";
import { MessageLog } from "../../../ingest/device-log/messages/message-log.ts";
import { assetEntry } from "../../support/fixed-directory.ts";
import {
  closeAll,
  commitUntilHeard,
  DEADLINE,
  IMEI,
  IMPOSSIBLE_LATITUDE,
  letIn,
  NOW_MS,
  open,
  packet,
  received,
  speeds,
  withWrongCrc,
  world,
} from "./tracker-world.ts";

afterEach(closeAll);

describe("a packet", () => {
  it("a packet is acknowledged with its number of records after the commit and not before", async () => {
    await open();
    const made = await letIn();
    made.send(packet([3, 2, 1]));
    await received(1);
    expect(made.heard).toBe("01");
    world.journal.commit();
    await made.hears("0100000003");

    expect(world.journal.entries()).toMatchObject([
      {
        type: "readings",
        batch: {
          assetId: "a1",
          projectId: "p1",
          readings: [3, 2, 1].map((speed) => ({
            fixTimeMs: NOW_MS - 60_000 + speed * 1_000,
            timeSource: "device",
            fields: { speed_kmh: speed, latitude: 54.714493, longitude: 25.303685 },
          })),
        },
      },
    ]);
  });

  it("a packet is not acknowledged when the connection ends before the commit, nor twice stored when resent", async () => {
    await open();
    const first = await letIn();
    first.send(packet([5]));
    await received(1);
    first.socket.destroy();
    await vi.waitUntil(() => world.server.stats()["teltonika_sessions"] === 0, DEADLINE);
    const second = await letIn();
    second.send(packet([5]));
    await commitUntilHeard(second, "0100000001");

    expect(first.heard).toBe("01");
    expect(speeds()).toEqual([5]);
    expect(world.intake.stats()).toMatchObject({ dup_dropped: 1 });
  });

  it("a packet that is refused by the journal is acknowledged when it takes it at last", async () => {
    await open();
    const made = await letIn();
    made.send(packet([5]));
    await received(1);
    world.journal.become("full");
    expect(made.heard).toBe("01");
    world.journal.become("open");
    await commitUntilHeard(made, "0100000001");

    expect(speeds()).toEqual([5]);
  });

  it("a packet split over three segments, and joined with the next one, is stored in order", async () => {
    await open();
    const made = await letIn();
    const both = Buffer.concat([packet([1]), packet([2, 3])]);
    for (const [from, to] of [
      [0, 5],
      [5, 50],
      [50, both.length],
    ]) {
      made.send(both.subarray(from, to));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await commitUntilHeard(made, "010000000100000002");

    expect(speeds()).toEqual([1, 2, 3]);
  });

  it("a packet behind pings of FF is read like any other", async () => {
    await open();
    const made = await letIn();
    made.send(Buffer.of(0xff), Buffer.of(0xff), packet([1]), Buffer.of(0xff));
    await commitUntilHeard(made, "0100000001");

    expect(speeds()).toEqual([1]);
  });

  it("a packet with a wrong CRC is answered by 0 records, listed and not stored; sent again, it is", async () => {
    const messages = new MessageLog(NOW_MS);
    await open({ messages });
    const made = await letIn();
    made.send(withWrongCrc(packet([4])));
    await made.hears("0100000000");
    made.send(packet([4]));
    await commitUntilHeard(made, "010000000000000001");

    expect(speeds()).toEqual([4]);
    expect(world.server.stats()).toMatchObject({ teltonika_bad_crc: 1, teltonika_acknowledged: 1 });
    expect(messages.view("a1" as AssetId).messages).toMatchObject([
      {
        topic: "sites/p1/assets/a1/teltonika-codec8",
        payloadBytes: packet([4]).byteLength,
        outcome: "ignored",
        reason: expect.stringContaining("wrong CRC"),
      },
    ]);
  });

  it("a packet with a wrong CRC for the third time running ends the connection", async () => {
    await open();
    const made = await letIn();
    made.send(...[1, 2, 3, 4].map((speed) => withWrongCrc(packet([speed]))));
    await made.closed();

    expect(made.heard).toBe("01000000000000000000000000");
    expect(world.server.stats()).toMatchObject({ teltonika_bad_crc: 3 });
  });

  it("a packet that cannot be decoded is acknowledged and kept in quarantine as it came", async () => {
    await open();
    const made = await letIn();
    const impossible = packet([2], 8, IMPOSSIBLE_LATITUDE);
    made.send(impossible);
    await commitUntilHeard(made, "0100000001");

    const [entry] = world.journal.entries();
    if (entry?.type !== "quarantined") throw new Error("not quarantined");
    expect(Buffer.from(entry.message.payload)).toEqual(impossible);
    expect(entry.message).toMatchObject({
      topic: "sites/p1/assets/a1/teltonika-codec8",
      reason: "latitude 120 is outside -90 to 90",
    });
  });

  it("a packet of which one record is impossible is acknowledged, its others are stored and that one is quarantined", async () => {
    await open();
    const made = await letIn();
    made.send(packet([1, 2], 8, IMPOSSIBLE_LATITUDE));
    await commitUntilHeard(made, "0100000002");

    const [readings, rest] = world.journal.entries();
    expect(readings).toMatchObject({ batch: { readings: [{ fields: { speed_kmh: 1 } }] } });
    if (rest?.type !== "quarantined") throw new Error("not quarantined");
    expect(Buffer.from(rest.message.payload)).toEqual(packet([2], 8, IMPOSSIBLE_LATITUDE));
    expect(rest.message.reason).toBe(
      "1 of 2 readings refused, the others are stored: record 1: latitude 120 is outside -90 to 90",
    );
  });

  it("a packet of Codec 12, an answer to a command, is kept and gets no answer; the next packet does", async () => {
    await open();
    const made = await letIn();
    made.send(packet([1], 0x0c), packet([2]));
    await commitUntilHeard(made, "0100000001");

    expect(speeds()).toEqual(["quarantined", 2]);
  });

  it.each([
    ["without four zeros before it", "teltonika_malformed", Buffer.from("0001000000000036", "hex")],
    ["of 2 bytes", "teltonika_malformed", Buffer.from("0000000000000002", "hex")],
    ["of 65,537 bytes", "teltonika_oversized", Buffer.from("0000000000010001", "hex")],
    ["of 4 GiB", "teltonika_oversized", Buffer.from("00000000ffffffff", "hex")],
  ])("%s ends the connection", async (_name, counter, head) => {
    await open();
    const made = await letIn();
    made.send(head);
    await made.closed();

    expect(world.server.stats()).toMatchObject({ [counter]: 1, teltonika_sessions: 0 });
    expect(made.heard).toBe("01");
  });

  it("a packet for an asset that moved is on the topic of its new project", async () => {
    await open();
    const made = await letIn();
    world.directory.change("a1", {
      ...assetEntry("a1", "p2"),
      asset: { ...assetEntry("a1", "p2").asset, hardware_id: IMEI },
    });
    made.send(packet([1]));
    await commitUntilHeard(made, "0100000001");

    expect(world.journal.entries()).toMatchObject([{ batch: { projectId: "p2" } }]);
    expect(world.intake.stats()).toMatchObject({ project_mismatch: 0 });
  });
});

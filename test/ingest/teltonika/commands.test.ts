import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { CommandId } from "../../../domain/ids.ts";
import { encodeCodec12 } from "../../../ingest/commands/carriers/codec12.ts";
import { crc16 } from "../../../ingest/decoders/teltonika/crc16.ts";
import { startCommands } from "../../../roles/ingest/commands.ts";
import { createClosers } from "../../../roles/process/closers.ts";
import { newCommand } from "../../contracts/records/commands.ts";
import { fixedDirectory } from "../../support/fixed-directory.ts";
import { type MemoryRecords, openMemoryRecords } from "../../support/memory-records.ts";
import {
  closeAll,
  commitUntilHeard,
  DEADLINE,
  hello,
  IMEI,
  letIn,
  open,
  packet,
  tracker,
  withImei,
  world,
} from "./tracker-world.ts";

let closers = createClosers();
let records: MemoryRecords;

async function openWithCommands(answerMs = 30_000): Promise<void> {
  records = openMemoryRecords();
  closers = createClosers();
  const { codec12 } = await startCommands(
    { log: pino({ level: "silent" }), closers },
    {
      records,
      directory: fixedDirectory([withImei("a1", IMEI)]),
      feed: { poke: () => undefined },
    },
    { graceMs: 0, pollMs: 10, answerMs },
  );
  await open({ commands: codec12 });
}

afterEach(async () => {
  await closers.close();
  await closeAll();
});

/** A response as a tracker writes it. */
function response(text: string): Buffer {
  const bytes = encodeCodec12(text);
  bytes[10] = 6;
  bytes.writeUInt32BE(crc16(bytes, 8, bytes.length - 4), bytes.length - 4);
  return bytes;
}

const insert = (id: string, name: string, maxAttempts = 2) =>
  records.commands.insert(
    newCommand(id, { name, parameters: undefined, maxAttempts, expiresAtMs: Date.UTC(2099, 0) }),
  );
const find = (id: string) => records.rows.commands.get(id as CommandId);
const hex = (text: string): string => encodeCodec12(text).toString("hex");

describe("commands to a tracker", () => {
  it("commands to a tracker are written one at a time, and the next response is the answer", async () => {
    await openWithCommands();
    const made = await letIn();
    await insert("c1", "getinfo");
    await insert("c2", "getio");
    await made.hears(`01${hex("getinfo")}`);
    expect(find("c2")).toMatchObject({ state: "queued" });

    // Records in between have their own answer.
    made.send(packet([1]));
    await commitUntilHeard(made, `01${hex("getinfo")}00000001`);
    made.send(response("RTC:2026/11/20"));
    await made.hears(`01${hex("getinfo")}00000001${hex("getio")}`);

    expect(find("c1")).toMatchObject({
      ...{ state: "answered", attempt: 1, carrier: "codec12" },
      answer: { encoding: "text", value: "RTC:2026/11/20" },
    });
  });

  it("commands to a tracker are another attempt on the next connection when the first one broke", async () => {
    await openWithCommands();
    await insert("c1", "getinfo");
    const commanded = async () => {
      const made = tracker();
      made.send(hello());
      await made.hears(`01${hex("getinfo")}`);
      return made;
    };
    (await commanded()).socket.destroy();
    await vi.waitUntil(() => world.server.stats()["teltonika_sessions"] === 0, DEADLINE);
    expect(find("c1")).toMatchObject({ state: "sent", attempt: 1 });
    (await commanded()).send(response("ok"));
    await vi.waitUntil(() => find("c1")?.state === "answered", DEADLINE);

    expect(find("c1")).toMatchObject({ attempt: 2 });
  });

  it("commands to a tracker take a response that comes too late as the answer to its own command, and to no other", async () => {
    await openWithCommands(50);
    const made = await letIn();
    await insert("c1", "getinfo", 1);
    await made.hears(`01${hex("getinfo")}`);
    await vi.waitUntil(() => find("c1")?.failure === "unconfirmed", DEADLINE);
    made.send(response("late"));
    await vi.waitUntil(() => find("c1")?.state === "answered", DEADLINE);
    await insert("c2", "getio", 1);
    await made.hears(`01${hex("getinfo")}${hex("getio")}`);
    made.send(response("in time"));
    await vi.waitUntil(() => find("c2")?.state === "answered", DEADLINE);

    expect([find("c1")?.answer?.value, find("c2")?.answer?.value]).toEqual(["late", "in time"]);
  });

  it("commands to a tracker go out on the next connection where the command before has no response yet", async () => {
    await openWithCommands(50);
    const made = await letIn();
    await insert("c1", "getinfo", 1);
    await insert("c2", "getio", 1);
    await made.closed();
    expect(made.heard).toBe(`01${hex("getinfo")}`);
    expect(find("c1")).toMatchObject({ state: "failed", failure: "unconfirmed" });
    expect(find("c2")).toMatchObject({ state: "queued", attempt: 0 });

    world.nowMs += 2_000;
    const again = tracker();
    again.send(hello());
    await again.hears(`01${hex("getio")}`);
    again.send(response("ok"));
    await vi.waitUntil(() => find("c2")?.state === "answered", DEADLINE);

    expect(find("c2")).toMatchObject({ attempt: 1, answer: { value: "ok" } });
  });
});

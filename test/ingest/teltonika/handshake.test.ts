import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import {
  closeAll,
  commitUntilHeard,
  hello,
  letIn,
  open,
  packet,
  received,
  speeds,
  tracker,
  world,
} from "./tracker-world.ts";

afterEach(closeAll);

describe("the hand-shake", () => {
  it("the hand-shake of a registered IMEI is answered by 01", async () => {
    await open();
    await letIn();

    expect(world.server.stats()).toMatchObject({ teltonika_logins: 1, teltonika_sessions: 1 });
  });

  it("the hand-shake of an unknown IMEI is answered by 00, and the connection is closed", async () => {
    await open();
    const made = tracker();
    made.send(hello("999999999999999"));
    await made.closed();

    expect(made.heard).toBe("00");
    expect(world.server.stats()).toMatchObject({
      teltonika_unknown_imei: 1,
      teltonika_sessions: 0,
    });
  });

  it("a hand-shake of an unknown IMEI is logged once an hour, however often it comes", async () => {
    const logged: unknown[] = [];
    const log = pino(
      { level: "warn", base: null },
      { write: (line) => logged.push(JSON.parse(line)) },
    );
    await open({ log });
    for (const waitMs of [0, 60_000, 3_600_000]) {
      world.nowMs += waitMs;
      const made = tracker();
      made.send(hello("999999999999999"));
      await made.closed();
    }

    expect(logged).toMatchObject([{ imei: "999999999999999" }, { imei: "999999999999999" }]);
    expect(world.server.stats()).toMatchObject({ teltonika_unknown_imei: 3 });
  });

  it.each([
    ["of letters", Buffer.concat([Buffer.of(0, 15), Buffer.from("35630704244101X")])],
    ["of a length no IMEI has", Buffer.of(0xfe, 0xff)],
    ["of HTTP", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
    ["of length 0", Buffer.of(0, 0)],
  ])("%s is not answered, and the connection is closed", async (_name, bytes) => {
    await open();
    const made = tracker();
    made.send(bytes);
    await made.closed();

    expect(made.heard).toBe("");
    expect(world.server.stats()).toMatchObject({ teltonika_malformed: 1 });
  });

  it("the hand-shake behind pings of FF is understood", async () => {
    await open();
    const made = tracker();
    made.send(Buffer.of(0xff), Buffer.of(0xff), hello());
    await made.hears("01");

    expect(world.server.stats()).toMatchObject({ teltonika_logins: 1, teltonika_malformed: 0 });
  });

  it("the hand-shake in single bytes, with the first packet right behind it, is understood", async () => {
    await open();
    const made = tracker();
    for (const byte of Buffer.concat([hello(), packet([7])])) {
      made.send(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await commitUntilHeard(made, "0100000001");

    expect(speeds()).toEqual([7]);
  });

  it("the hand-shake that never comes ends the connection after the time for it", async () => {
    await open({ handshakeMs: 20 });
    const made = tracker();
    made.send(Buffer.of(0));
    await made.closed();

    expect(world.server.stats()).toMatchObject({ teltonika_handshake_timeout: 1 });
  });

  it("the hand-shake while the journal is full is closed unanswered: the device is known, and comes again", async () => {
    await open();
    world.journal.become("full");
    const made = tracker();
    made.send(hello());
    await made.closed();

    expect(made.heard).toBe("");
    expect(world.server.stats()).toMatchObject({ teltonika_degraded: 1 });
  });

  it("the hand-shake of a device that is connected already ends its older connection", async () => {
    await open();
    const older = await letIn();
    world.nowMs += 1_000;
    await letIn();
    await older.closed();

    expect(world.server.stats()).toMatchObject({ teltonika_replaced: 1, teltonika_sessions: 1 });
  });

  it("the hand-shake of a device whose connection is younger than a second is closed unanswered, and lets that one work", async () => {
    const outcomes: string[] = [];
    await open({ onConnection: ({ outcome }) => outcomes.push(outcome) });
    const first = await letIn();
    world.nowMs += 999;
    const second = tracker();
    second.send(hello());
    await second.closed();
    first.send(packet([10]));
    await received(1);
    await commitUntilHeard(first, "0100000001");

    expect(second.heard).toBe("");
    expect(outcomes).toEqual(["accepted", "too_soon"]);
    expect(world.server.stats()).toMatchObject({
      ...{ teltonika_too_soon: 1, teltonika_replaced: 0, teltonika_sessions: 1 },
    });
  });
});

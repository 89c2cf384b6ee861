import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { pino } from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DomainError } from "../../../domain/errors.ts";
import type { IntakeSession } from "../../../ingest/intake/session.ts";
import { TeltonikaConnection } from "../../../ingest/teltonika/connection.ts";
import { TeltonikaServer } from "../../../ingest/teltonika/server.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import {
  closeAll,
  commitUntilHeard,
  DEADLINE,
  hello,
  letIn,
  NOW_MS,
  OTHER_IMEI,
  open,
  packet,
  received,
  speeds,
  tracker,
  withImei,
  world,
} from "./tracker-world.ts";

afterEach(closeAll);

describe("a connection", () => {
  it("a connection is read no further while its packet waits for the journal, and all of it afterwards", async () => {
    await open();
    const made = await letIn();
    made.send(packet([1]), Buffer.alloc(64 * 1024 ** 2, 0xff), packet([2]));
    await received(1);
    let unsent = -1;
    await vi.waitUntil(
      () => {
        const isStuck = made.socket.writableLength === unsent;
        unsent = made.socket.writableLength;
        return isStuck;
      },
      { timeout: PATIENT_MS, interval: 50 },
    );
    expect(made.heard).toBe("01");
    await commitUntilHeard(made, "010000000100000001");

    expect(unsent).toBeGreaterThan(0);
    expect(speeds()).toEqual([1, 2]);
  });

  it("a connection of a peer that reads no answers is closed before they fill the memory", async () => {
    // A network that takes nothing any more; the real one takes half a million answers first.
    const socket = Object.assign(new Duplex({ read: () => undefined, write: () => undefined }), {
      setTimeout: () => undefined,
    });
    const counted: string[] = [];
    const session = { close: () => undefined } as IntakeSession;
    const connection = new TeltonikaConnection(socket as unknown as Socket, {
      ...{ handshakeMs: 60_000, idleMs: 60_000, now: () => NOW_MS },
      count: (counter) => counted.push(counter),
      admit: () => ({ session }),
      topic: () => "sites/p1/assets/a1/teltonika-codec8",
      // Durable at once.
      offer: (_session, delivery) => delivery.reply?.(),
      onBadCrc: () => undefined,
      onHeld: () => undefined,
      onResponse: () => undefined,
      onIntakeClosed: () => undefined,
      onClosed: () => undefined,
    });
    socket.push(Buffer.concat([hello(), ...Array.from({ length: 2_000 }, () => packet([1]))]));
    await vi.waitUntil(() => counted.includes("teltonika_unread"), DEADLINE);

    // One byte to the hand-shake, then four for each packet.
    expect(counted.filter((counter) => counter === "teltonika_acknowledged")).toHaveLength(1_024);
    expect(socket.writableLength).toBe(4_097);
    connection.end("shutdown");
    socket.destroy();
  });

  it("a connection that stays silent, half-open, is closed after the idle time", async () => {
    await open({ idleMs: 30 });
    const made = await letIn();
    await made.closed();

    expect(world.server.stats()).toMatchObject({ teltonika_idle: 1, teltonika_sessions: 0 });
  });

  it("a connection is closed when its asset is deleted, and then its IMEI is unknown", async () => {
    await open();
    const made = await letIn();
    world.directory.change("a1", undefined);
    await made.closed();
    const again = tracker();
    again.send(hello());
    await again.closed();

    expect(again.heard).toBe("00");
    expect(world.server.stats()).toMatchObject({ teltonika_asset_changed: 1 });
  });

  it("a connection is closed when another tracker is registered for its asset; others stay", async () => {
    await open();
    const made = await letIn();
    const other = await letIn(OTHER_IMEI);
    world.directory.change("a1", withImei("a1", "356307042441039"));
    await made.closed();
    other.send(packet([9]));
    await commitUntilHeard(other, "0100000001");

    expect(world.journal.entries()).toMatchObject([{ batch: { assetId: "a2" } }]);
  });

  it("a connection is closed unanswered by intake when the journal takes nothing for 15 s", async () => {
    await open();
    const made = await letIn();
    made.send(packet([1]));
    await received(1);
    world.journal.become("full");
    world.nowMs += 15_000;
    await made.closed();

    expect(made.heard).toBe("01");
    expect(world.intake.stats()).toMatchObject({ held_closed: 1 });
  });
});

describe("the server", () => {
  it("the server ends all connections when it is closed, and acknowledges nothing more", async () => {
    await open();
    const made = await letIn();
    made.send(packet([1]));
    await received(1);
    await world.server.close();
    world.journal.commit();
    await made.closed();

    expect(made.heard).toBe("01");
    expect(speeds()).toEqual([1]);
  });

  it("the server says which setting is wrong when its port is taken", async () => {
    await open();
    const second = TeltonikaServer.open({
      host: "127.0.0.1",
      port: world.server.port,
      intake: world.intake,
      directory: world.directory,
      log: pino({ level: "silent" }),
    });

    await expect(second).rejects.toThrow(DomainError);
    await expect(second).rejects.toThrow(/TELTONIKA_PORT/);
  });
});

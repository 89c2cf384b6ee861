import mqttPacket from "mqtt-packet";
import { afterEach, describe, expect, it, vi } from "vitest";
import { assetEntry } from "../../support/fixed-directory.ts";
import { manualJournal } from "../../support/manual-journal.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { connectOf, publishOf, type RawClient, rawClient } from "../../support/raw-mqtt.ts";

let world: BrokerUnderTest;
const clients: RawClient[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const client of clients.splice(0)) client.end();
  await world.close();
});

function open(): RawClient {
  const client = rawClient(world.broker.ports.mqtt);
  clients.push(client);
  return client;
}

/** Sends a CONNECT on a connection of its own; yields the client and the return code. */
async function logIn(...args: Parameters<typeof connectOf>) {
  const client = open();
  client.send(connectOf(...args));
  const { returnCode } = await client.hear("connack");
  return { client, returnCode };
}

const reader = { username: "apikey", password: Buffer.from("reader-key"), clientId: "reader" };

describe("log-in", () => {
  it.each([
    ["a device with its secret", connectOf("a1"), 0],
    ["a wrong secret", connectOf("a1", { password: Buffer.from("a2-secret") }), 4],
    ["no password", { ...connectOf("a1"), password: undefined }, 4],
    ["an unknown asset", connectOf("a9"), 4],
    ["an asset id that is not valid", connectOf("__proto__/..", {}), 4],
    ["nobody", { ...connectOf("a1"), username: undefined, password: undefined }, 4],
    ["a reader with its key", connectOf("", reader), 0],
    ["a reader with another key", connectOf("", { ...reader, password: Buffer.from("x") }), 4],
    ["a client id of 200 characters", connectOf("a1", { clientId: "x".repeat(200) }), 0],
    ["no client id and a clean session", connectOf("a1", { clientId: "" }), 0],
    ["MQTT 3.1", connectOf("a1", { protocolId: "MQIsdp", protocolVersion: 3 }), 0],
    ["MQTT 5", connectOf("a1", { protocolVersion: 5 }), 1],
  ])("a log-in of %s is answered with the right return code", async (_name, packet, expected) => {
    world = await openBrokerUnderTest();
    const client = open();
    const connect = Object.fromEntries(
      Object.entries(packet).filter(([, value]) => value !== undefined),
    ) as typeof packet;
    client.send(connect as ReturnType<typeof connectOf>);
    const { returnCode, sessionPresent } = await client.hear("connack");

    expect({ returnCode, sessionPresent }).toEqual({ returnCode: expected, sessionPresent: false });
    if (expected !== 0) await client.closed();
  });

  it("a log-in without a client id for a kept session is refused with 2", async () => {
    world = await openBrokerUnderTest();
    const packet = mqttPacket.generate(connectOf("a1", { clientId: "" }));
    // Byte 9 holds the connect flags, bit 1 of it Clean Session (MQTT 3.1.1 section 3.1.2.3).
    packet[9] = (packet[9] ?? 0) & ~2;
    const client = open();
    client.sendBytes(packet);

    expect((await client.hear("connack")).returnCode).toBe(2);
    expect(world.stats()["login_bad_client_id"]).toBe(1);
  });

  it("a log-in is refused with 3 while the journal takes nothing", async () => {
    const journal = manualJournal();
    world = await openBrokerUnderTest({ journal });
    journal.become("full");

    expect((await logIn("a1")).returnCode).toBe(3);
    journal.become("open");
    expect((await logIn("a1")).returnCode).toBe(0);
    expect(world.stats()["login_degraded"]).toBe(1);
  });

  it("a reader's log-in is refused with 3 while keys cannot be looked up, and does not count as a failed log-in", async () => {
    world = await openBrokerUnderTest({
      authenticateReader: () => Promise.reject(new Error("database away")),
    });

    expect((await logIn("", reader)).returnCode).toBe(3);
    expect(world.stats()["login_failed"]).toBe(0);
  });

  it("a log-in with a wrong secret is barred by user name and address after 10 failures in a minute, but the right secret is let in", async () => {
    let nowMs = Date.now();
    world = await openBrokerUnderTest({ now: () => nowMs });
    const wrong = async () => (await logIn("a1", { password: Buffer.from("x") })).returnCode;
    for (let i = 0; i < 10; i += 1) expect(await wrong()).toBe(4);

    expect(await wrong()).toBe(5);
    expect((await logIn("a2", { password: Buffer.from("x") })).returnCode).toBe(4);
    expect((await logIn("a1")).returnCode).toBe(0);
    expect((await logIn("a2")).returnCode).toBe(0);
    nowMs += 60_000;
    expect(await wrong()).toBe(4);
    expect(world.stats()).toMatchObject({ login_failed: 12, login_blocked: 1, logins: 2 });
  });

  it("a log-in that never comes is cut off after 10 s", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    world = await openBrokerUnderTest();
    const client = open();
    client.sendBytes(Buffer.from([0x10]));
    await vi.waitUntil(() => world.stats()["connections"] === 1, { timeout: PATIENT_MS });
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(9_999);
    expect(client.isClosed).toBe(false);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await client.closed();

    expect(world.stats()["connect_timeout"]).toBe(1);
  });
});

describe("client ids", () => {
  it("client ids are bound to the user: another asset with the same id disturbs no session", async () => {
    world = await openBrokerUnderTest();
    const first = await logIn("a1", { clientId: "same" });
    const second = await logIn("a2", { clientId: "same" });
    first.client.send(publishOf("a1", 1));
    second.client.send(publishOf("a2", 1));

    await first.client.hear("puback");
    await second.client.hear("puback");
    expect(world.stats()["sessions"]).toBe(2);
  });

  it("client ids of one asset take over the older connection", async () => {
    world = await openBrokerUnderTest();
    const first = await logIn("a1");
    const second = await logIn("a1");
    await first.client.closed();
    second.client.send(publishOf("a1", 1));

    await second.client.hear("puback");
    expect(world.stats()["sessions"]).toBe(1);
  });

  it("client ids that come back 100 times in a minute after they left are welcome", async () => {
    world = await openBrokerUnderTest();
    const codes = new Set<number | undefined>();
    for (let i = 0; i < 100; i += 1) {
      const { client, returnCode } = await logIn("a1");
      codes.add(returnCode);
      client.send({ cmd: "disconnect" });
      await client.closed();
      await vi.waitUntil(() => world.stats()["sessions"] === 0, { timeout: PATIENT_MS });
    }
    expect([...codes]).toEqual([0]);
    expect(world.stats()["takeover_banned"]).toBe(0);
  });

  it("client ids that are taken over 15 times in a minute are banned for 5 min, other ids of the asset are not", async () => {
    let nowMs = Date.now();
    world = await openBrokerUnderTest({ now: () => nowMs });
    const codes: (number | undefined)[] = [];
    for (let i = 0; i < 17; i += 1) codes.push((await logIn("a1")).returnCode);

    // The first takes nothing over; the 15th take-over is refused and bans.
    expect(codes).toEqual([...Array(15).fill(0), 5, 5]);
    expect((await logIn("a1", { clientId: "other" })).returnCode).toBe(0);
    nowMs += 5 * 60_000 - 1;
    expect((await logIn("a1")).returnCode).toBe(5);
    nowMs += 1;
    expect((await logIn("a1")).returnCode).toBe(0);
    expect(world.stats()["takeover_banned"]).toBe(3);
  });
});

describe("a session ends", () => {
  it.each([
    ["the secret is rotated", () => assetEntry("a1", "p1", "new-secret")],
    ["the asset is deleted", () => undefined],
  ])("a session ends when %s", async (_name, entry) => {
    world = await openBrokerUnderTest();
    const { client } = await logIn("a1");
    const other = await logIn("a2");
    world.directory.change("a1", entry());
    await client.closed();

    expect(other.client.isClosed).toBe(false);
    expect((await logIn("a1")).returnCode).toBe(4);
    expect(world.stats()["credential_closed"]).toBe(1);
  });

  it("a session ends not when the asset is only renamed or moved", async () => {
    world = await openBrokerUnderTest();
    const { client } = await logIn("a1");
    world.directory.change("a1", assetEntry("a1", "p2"));
    client.send(publishOf("a1", 1));
    await client.hear("puback");

    expect(await world.entries()).toMatchObject([{ batch: { projectId: "p2" } }]);
    expect(world.stats()["project_mismatch"]).toBe(1);
  });

  it("a session ends within 5 s of a reader's key being revoked", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let isRevoked = false;
    let nowMs = Date.now();
    world = await openBrokerUnderTest({
      authenticateReader: async () => (isRevoked ? undefined : { keyId: "k1", allows: () => true }),
      now: () => nowMs,
    });
    const { client } = await logIn("", reader);
    client.send({ cmd: "pingreq" });
    await client.hear("pingresp");
    isRevoked = true;
    nowMs += 4_000;
    vi.advanceTimersByTime(4_000);

    await client.closed();
    expect(world.stats()).toMatchObject({ credential_closed: 1, readers: 0 });
  });

  it("a session ends after one and a half keep-alives of silence, counted from the last packet of any kind", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let nowMs = Date.now();
    world = await openBrokerUnderTest({ now: () => nowMs });
    const { client } = await logIn("a1", { keepalive: 10 });
    const later = (ms: number): void => {
      nowMs += ms;
      vi.advanceTimersByTime(1_000);
    };
    later(14_000);
    client.send(publishOf("a1", 1));
    await client.hear("puback");
    later(14_000);
    client.send({ cmd: "pingreq" });
    await client.hear("pingresp");
    later(14_000);
    expect(world.stats()["sessions"]).toBe(1);
    later(2_000);

    await client.closed();
    expect(world.stats()).toMatchObject({ keepalive_timeout: 1, sessions: 0 });
  });
});

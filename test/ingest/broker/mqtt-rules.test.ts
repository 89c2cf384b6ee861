import { connectAsync } from "mqtt";
import type { Packet } from "mqtt-packet";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ConnectionReport } from "../../../ingest/broker/connection-outcome.ts";
import { CLEAN_WITH_LOGIN, connect, field, packet, u16 } from "../../support/mqtt-bytes.ts";
import { type BrokerUnderTest, openBrokerUnderTest } from "../../support/open-broker.ts";
import { type RawClient, rawClient } from "../../support/raw-mqtt.ts";

const SURROGATE = Buffer.of(0x61, 0xed, 0xa0, 0x80, 0x62);
const NUL = "a\u0000b";
const WILL = 0x04;
const LOGIN = [field("a1"), field("a1-secret")];
const TOPIC = field("sites/p1/assets/a1/telemetry");
const FILTER = field("sites/p1/assets/a1/cmd/#");
const OTHER = field("sites/p1/assets/a1/cmd/stop");

let world: BrokerUnderTest;
const reports: ConnectionReport[] = [];
let client: RawClient;

beforeAll(async () => {
  world = await openBrokerUnderTest({ onConnection: (report) => reports.push(report) });
});

afterEach(() => client.end());

afterAll(() => world.close());

/** Sends bytes on a connection of its own. */
function send(...bytes: readonly Uint8Array[]): void {
  client = rawClient(world.broker.ports.mqtt);
  client.sendBytes(Buffer.concat(bytes));
}

/** Whether the report of the end names the rule of `title`, or what is wrong with a length. */
function expectReason(title: string): void {
  const { outcome, detail = "" } = reports.at(-1) ?? {};
  const [rule] = /^\[MQTT-[^\]]+\]/.exec(detail) ?? [];
  expect(outcome).toBe("malformed");
  if (rule === undefined) expect(detail).toMatch(/end|body|bytes|server/);
  else expect(title).toContain(rule);
}

const heard = (): readonly string[] => client.heard.map(({ cmd }) => cmd);

const withWill = (topic: string | Uint8Array, flags = CLEAN_WITH_LOGIN | WILL): Buffer =>
  connect({ flags, payload: [field("c1"), field(topic), field("{}"), ...LOGIN] });

describe("a CONNECT that violates MQTT 3.1.1 ends the connection without an answer", () => {
  it.each([
    [
      "[MQTT-1.5.3-1] surrogates in the client id",
      connect({ payload: [field(SURROGATE), ...LOGIN] }),
    ],
    ["[MQTT-1.5.3-2] U+0000 in the client id", connect({ payload: [field(NUL), ...LOGIN] })],
    ["[MQTT-1.5.3-1] surrogates in the will topic", withWill(SURROGATE)],
    ["[MQTT-1.5.3-2] U+0000 in the will topic", withWill(NUL)],
    [
      "[MQTT-1.5.3-1] surrogates in the user name",
      connect({ payload: [field("c"), field(SURROGATE), field("x")] }),
    ],
    [
      "[MQTT-1.5.3-2] U+0000 in the user name",
      connect({ payload: [field("c"), field(NUL), field("x")] }),
    ],
    ["[MQTT-2.2.2-2] reserved bits of the fixed header", connect({ firstByte: 0x11 })],
    [
      "section 2.2.3: a remaining length of five bytes",
      Buffer.of(0x10, 0x80, 0x80, 0x80, 0x80, 0x01),
    ],
    ["[MQTT-3.1.0-1] a PINGREQ before it", packet(0xc0)],
    ["[MQTT-3.1.0-1] a PUBLISH before it", packet(0x30, TOPIC)],
    ["[MQTT-3.1.2-1] another protocol name", connect({ name: "MQTX" })],
    ["[MQTT-3.1.2-1] a protocol name in small letters", connect({ name: "mqtt" })],
    ["[MQTT-3.1.2-3] the reserved connect flag", connect({ flags: CLEAN_WITH_LOGIN | 1 })],
    ["[MQTT-3.1.2-13] a will QoS without a will", connect({ flags: CLEAN_WITH_LOGIN | 0x08 })],
    ["[MQTT-3.1.2-14] a will QoS of 3", withWill("t", CLEAN_WITH_LOGIN | WILL | 0x18)],
    ["[MQTT-3.1.2-15] a retained will without a will", connect({ flags: CLEAN_WITH_LOGIN | 0x20 })],
    [
      "[MQTT-3.1.2-22] a password without a user name",
      connect({ flags: 0x42, payload: [field("c"), field("x")] }),
    ],
    ["[MQTT-3.1.2-9] a will that is not there", connect({ flags: CLEAN_WITH_LOGIN | WILL })],
    [
      "[MQTT-3.1.2-19] a user name that is not there",
      connect({ flags: 0x82, payload: [field("c")] }),
    ],
    ["[MQTT-3.1.2-20] user name and password without their flags", connect({ flags: 0x02 })],
    ["[MQTT-3.1.3-3] no client id", connect({ payload: [] })],
    ["[MQTT-3.3.2-2] a wildcard in the will topic", withWill("sites/+/x")],
    ["[MQTT-4.7.3-1] an empty will topic", withWill("")],
    ["a body that ends in the connect flags", packet(0x10, field("MQTT"), 4)],
    ["a client id longer than the packet", connect({ payload: [Buffer.of(0, 9, 0x61)] })],
  ])("%s", async (rule, bytes) => {
    const before = world.stats()["malformed"] ?? 0;
    send(bytes);
    await client.closed();
    expectReason(rule);

    expect(heard()).toEqual([]);
    expect(world.stats()["malformed"]).toBe(before + 1);
  });
});

describe("a CONNECT is answered by the return code that the standard demands", () => {
  it.each([
    [
      "[MQTT-3.1.2-2] 1 for MQTT 5",
      connect({ level: 5, payload: [Buffer.of(0), field("c"), ...LOGIN] }),
      1,
    ],
    ["[MQTT-3.1.2-2] 1 for level 6", connect({ level: 6 }), 1],
    ["[MQTT-3.1.2-2] 1 for level 0", connect({ level: 0 }), 1],
    ["[MQTT-3.1.2-2] 1 for level 255", connect({ level: 255 }), 1],
    ["[MQTT-3.1.2-2] 1 for level 3 under the name MQTT", connect({ level: 3 }), 1],
    [
      "[MQTT-3.1.2-2] 1 for a CONNECT that ends behind its level",
      packet(0x10, field("MQTT"), 5),
      1,
    ],
    [
      "[MQTT-3.1.3-8] 2 for no client id and a kept session",
      connect({ flags: 0xc0, payload: [field(""), ...LOGIN] }),
      2,
    ],
    [
      "[MQTT-3.1.3-7] 0 for no client id and a clean session",
      connect({ payload: [field(""), ...LOGIN] }),
      0,
    ],
    [
      "table 3.1: 4 for a wrong password",
      connect({ payload: [field("c"), field("a1"), field("x")] }),
      4,
    ],
    ["0 for MQTT 3.1, name MQIsdp", connect({ name: "MQIsdp", level: 3 }), 0],
    ["0 for a bridge of Mosquitto", connect({ level: 0x84 }), 0],
    [
      "[MQTT-1.5.3-3] 0 for a byte order mark in the client id",
      connect({ payload: [field("\ufeffc"), ...LOGIN] }),
      0,
    ],
    ["0 for a keep alive of 0", connect({ keepAliveS: 0 }), 0],
  ])("%s", async (_rule, bytes, expected) => {
    send(bytes, ...(expected === 0 ? [] : [packet(0xc0)]));
    const { returnCode, sessionPresent } = await client.hear("connack");

    // [MQTT-3.2.2-4]
    expect({ returnCode, sessionPresent }).toEqual({ returnCode: expected, sessionPresent: false });
    // [MQTT-3.1.4-5], [MQTT-3.2.2-5]: nothing behind a refused CONNECT is read.
    if (expected !== 0) {
      await client.closed();
      expect(heard()).toEqual(["connack"]);
    }
  });
});

describe("a packet that violates MQTT 3.1.1 ends a connection that is logged in", () => {
  it.each([
    ["[MQTT-3.1.0-2] a second CONNECT", connect()],
    ["[MQTT-3.3.1-4] a PUBLISH of QoS 3", packet(0x36, TOPIC, u16(1))],
    ["[MQTT-3.3.1-2] a PUBLISH of QoS 0 with DUP", packet(0x38, TOPIC)],
    ["[MQTT-2.3.1-1] a PUBLISH of QoS 1 with packet identifier 0", packet(0x32, TOPIC, u16(0))],
    ["[MQTT-2.3.1-1] a PUBLISH of QoS 2 with packet identifier 0", packet(0x34, TOPIC, u16(0))],
    ["[MQTT-3.3.2-2] a PUBLISH on a topic with a wildcard", packet(0x30, field("sites/+/x"))],
    ["[MQTT-4.7.3-1] a PUBLISH on an empty topic", packet(0x30, field(""))],
    ["[MQTT-1.5.3-1] a PUBLISH on a topic with surrogates", packet(0x30, field(SURROGATE))],
    ["[MQTT-1.5.3-2] a PUBLISH on a topic with U+0000", packet(0x30, field(NUL))],
    ["a PUBLISH whose topic is longer than the packet", packet(0x30, Buffer.of(0, 9, 0x61))],
    ["[MQTT-2.2.2-2] a PUBACK with flags", packet(0x41, u16(1))],
    ["a PUBACK of one byte", packet(0x40, 1)],
    ["a PUBREC of one byte", packet(0x50, 1)],
    ["a PUBCOMP without a body", packet(0x70)],
    ["[MQTT-3.6.1-1] a PUBREL with other flags", packet(0x60, u16(1))],
    ["[MQTT-2.3.1-1] a PUBREL with packet identifier 0", packet(0x62, u16(0))],
    ["a PUBREL without a body", packet(0x62)],
    ["a PUBREL of one byte", packet(0x62, 1)],
    ["a PUBREL of three bytes", packet(0x62, u16(1), 0)],
    ["[MQTT-3.8.1-1] a SUBSCRIBE with other flags", packet(0x80, u16(1), FILTER, 0)],
    ["[MQTT-2.3.1-1] a SUBSCRIBE with packet identifier 0", packet(0x82, u16(0), FILTER, 0)],
    ["[MQTT-3.8.3-3] a SUBSCRIBE without a filter", packet(0x82, u16(1))],
    ["[MQTT-3.8.3-4] a SUBSCRIBE for QoS 3", packet(0x82, u16(1), FILTER, 3)],
    ["[MQTT-3.8.3-4] a SUBSCRIBE with reserved bits", packet(0x82, u16(1), FILTER, 0x81)],
    [
      "[MQTT-3.8.3-1], [MQTT-1.5.3-1] a SUBSCRIBE with surrogates",
      packet(0x82, u16(1), field(SURROGATE), 0),
    ],
    ["[MQTT-1.5.3-2] a SUBSCRIBE with U+0000", packet(0x82, u16(1), field(NUL), 0)],
    ["[MQTT-4.7.1-2] a SUBSCRIBE with # before the end", packet(0x82, u16(1), field("a/#/b"), 0)],
    ["[MQTT-4.7.1-2] a SUBSCRIBE with # behind a name", packet(0x82, u16(1), field("a#"), 0)],
    ["[MQTT-4.7.1-3] a SUBSCRIBE with + behind a name", packet(0x82, u16(1), field("a+/b"), 0)],
    ["[MQTT-4.7.3-1] a SUBSCRIBE with an empty filter", packet(0x82, u16(1), field(""), 0)],
    ["a SUBSCRIBE without the QoS of its second filter", packet(0x82, u16(1), FILTER, 0, FILTER)],
    ["[MQTT-3.10.1-1] an UNSUBSCRIBE with other flags", packet(0xa0, u16(1), FILTER)],
    ["[MQTT-2.3.1-1] an UNSUBSCRIBE with packet identifier 0", packet(0xa2, u16(0), FILTER)],
    ["[MQTT-3.10.3-2] an UNSUBSCRIBE without a filter", packet(0xa2, u16(1))],
    [
      "[MQTT-3.10.3-1], [MQTT-1.5.3-1] an UNSUBSCRIBE with surrogates",
      packet(0xa2, u16(1), field(SURROGATE)),
    ],
    ["[MQTT-1.5.3-2] an UNSUBSCRIBE with U+0000", packet(0xa2, u16(1), field(NUL))],
    ["[MQTT-2.2.2-2] a PINGREQ with flags", packet(0xc1)],
    ["a PINGREQ with a body", packet(0xc0, 0)],
    ["[MQTT-3.14.1-1] a DISCONNECT with flags", packet(0xe1)],
    ["a DISCONNECT with a body", packet(0xe0, 0)],
    ["a CONNACK, which only servers send", packet(0x20, 0, 0)],
    ["a SUBACK, which only servers send", packet(0x90, u16(1), 0)],
    ["an UNSUBACK, which only servers send", packet(0xb0, u16(1))],
    ["a PINGRESP, which only servers send", packet(0xd0)],
    ["the reserved type 0", packet(0x00)],
    ["the reserved type 15", packet(0xf0)],
  ])("%s", async (rule, bytes) => {
    const before = world.stats()["malformed"] ?? 0;
    send(connect(), bytes);
    await client.closed();
    expectReason(rule);

    // [MQTT-4.8.0-1]
    expect(heard()).toEqual(["connack"]);
    expect(world.stats()["malformed"]).toBe(before + 1);
  });
});

describe("a packet that needs an answer gets it", () => {
  it.each([
    ["[MQTT-3.12.4-1] PINGREQ", packet(0xc0), "d000"],
    [
      "[MQTT-3.3.4-1] PUBLISH of QoS 1",
      packet(0x32, TOPIC, u16(258), Buffer.from("{}")),
      "40020102",
    ],
    [
      "[MQTT-4.3.3-2] PUBLISH of QoS 2",
      packet(0x34, TOPIC, u16(258), Buffer.from("{}")),
      "50020102",
    ],
    ["[MQTT-4.3.3-2] PUBREL of an unknown message", packet(0x62, u16(258)), "70020102"],
    ["[MQTT-3.8.4-1] SUBSCRIBE", packet(0x82, u16(258), FILTER, 1), "9003010201"],
    [
      "[MQTT-3.8.4-5] SUBSCRIBE that is allowed in part",
      packet(0x82, u16(258), FILTER, 0, field("x"), 2),
      "900401020080",
    ],
    [
      "[MQTT-3.8.4-5] SUBSCRIBE that has a filter twice",
      packet(0x82, u16(258), FILTER, 0, FILTER, 1),
      "900401020001",
    ],
    [
      "[MQTT-3.8.4-5] SUBSCRIBE that has an allowed and a refused filter twice",
      packet(0x82, u16(258), field("x"), 1, FILTER, 2, field("x"), 0, OTHER, 0, FILTER, 1),
      "900701028002800001",
    ],
    [
      "[MQTT-3.8.4-5] SUBSCRIBE that has a filter 200 times",
      packet(0x82, u16(258), ...Array.from({ length: 200 }, () => [FILTER, 1]).flat()),
      `90ca010102${"01".repeat(200)}`,
    ],
    [
      "[MQTT-3.10.4-5] UNSUBSCRIBE that matches nothing",
      packet(0xa2, u16(258), field("x")),
      "b0020102",
    ],
  ])("%s", async (_rule, bytes, expected) => {
    const chunks: Buffer[] = [];
    send(connect());
    client.socket.on("data", (chunk) => chunks.push(chunk));
    await client.hear("connack");
    client.sendBytes(bytes);
    const answer = await client.heardAfter("connack");

    expect(Buffer.concat(chunks).subarray(4).toString("hex")).toBe(expected);
    expect(answer).toBeDefined();
  });
});

describe("a SUBSCRIBE that has a filter twice", () => {
  it("[MQTT-3.8.4-5] has a return code for each filter when others come in the same write", async () => {
    send(
      connect(),
      packet(0x82, u16(1), FILTER, 1),
      packet(0x82, u16(2), FILTER, 0, FILTER, 1),
      packet(0x82, u16(3), FILTER, 0, OTHER, 1),
      packet(0xc0),
    );
    await client.hear("suback", 3);
    await client.hear("pingresp");

    const codes = client.heard.flatMap((one) =>
      one.cmd === "suback" ? [[one.messageId, one.granted] as const] : [],
    );
    expect(Object.fromEntries(codes)).toEqual({ 1: [1], 2: [0, 1], 3: [0, 1] });
  });

  it("[MQTT-3.8.4-5] has a return code for each filter for mqtt.js", async () => {
    send();
    const url = `mqtt://127.0.0.1:${world.broker.ports.mqtt}`;
    const js = await connectAsync(url, { username: "a1", password: "a1-secret" });
    try {
      const answer = new Promise<Packet>((resolve) => {
        js.on("packetreceive", (heard) => heard.cmd === "suback" && resolve(heard));
      });
      const filter = FILTER.subarray(2).toString();
      await js.subscribeAsync([filter, filter], { qos: 1 });
      expect(await answer).toMatchObject({ granted: [1, 1] });
    } finally {
      await js.endAsync();
    }
  });
});

describe("a client of MQTT 5", () => {
  it("a client of MQTT 5 is named in the log once an hour, with what to do", async () => {
    let nowMs = Date.now();
    const lines: { readonly msg: string }[] = [];
    const own = await openBrokerUnderTest({ now: () => nowMs, onLog: (line) => lines.push(line) });
    const knock = async (): Promise<void> => {
      client = rawClient(own.broker.ports.mqtt);
      const properties = Buffer.of(5, 0x11, 0, 0, 0, 60);
      client.sendBytes(connect({ level: 5, payload: [properties, field("rtk\n7"), ...LOGIN] }));
      await client.closed();
    };
    for (let i = 0; i < 5; i += 1) await knock();
    const first = lines.filter(({ msg }) => msg.includes("version"));
    nowMs += 3_700_000;
    await knock();
    const all = lines.filter(({ msg }) => msg.includes("version"));
    await own.close();

    expect(first).toMatchObject([
      {
        clientId: "rtk?7",
        username: "a1",
        address: "127.0.0.1",
        protocolLevel: 5,
        remedy: "set the client to MQTT 3.1.1 (protocol level 4)",
      },
    ]);
    expect(all).toHaveLength(2);
  });
});

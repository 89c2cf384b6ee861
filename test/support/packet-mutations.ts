import mqttPacket, { type Packet } from "mqtt-packet";
import { connectOf, publishOf } from "./raw-mqtt.ts";

/** Bytes that rules of MQTT turn on: lengths, U+0000, surrogates, wildcards. */
const SPECIAL = [
  [0x00],
  [0x7f],
  [0x80],
  [0xff],
  [0xff, 0xff],
  [0xff, 0xff, 0xff, 0x7f],
  [0xed, 0xa0, 0x80],
  [0xef, 0xbb, 0xbf],
  [0x2b],
  [0x23],
  [0x2f],
] as const;
const MAX_MUTATIONS = 4;

export interface MutatedDevice {
  readonly assetId: string;
  readonly password: string;
  readonly topic: string;
}

/** Draws a whole number of 0 to `limit` - 1. */
type Below = (limit: number) => number;

/**
 * What one client sends, made of `random` alone: a stream of packets as real clients send them. It has
 * up to four mutations of its CONNECT or, two times of three, of a packet behind an intact CONNECT.
 */
export function mutatedStream(
  random: () => number,
  device: MutatedDevice,
  clientId: string,
): Buffer {
  const below: Below = (limit) => Math.floor(random() * limit);
  const packets = validStream(below, device, clientId);
  const behindConnect = below(3) > 0 ? 1 + below(packets.length - 1) : 0;
  const mutated = mutate(packets[behindConnect] ?? Buffer.alloc(0), below);
  return Buffer.concat(packets.map((packet, i) => (i === behindConnect ? mutated : packet)));
}

/** Up to four mutations: flips, overwrites, inserts, removes, repeats, cuts; more often near the start. */
function mutate(valid: Buffer, below: Below): Buffer {
  let bytes = Buffer.from(valid);
  for (let n = 1 + below(MAX_MUTATIONS); n > 0; n -= 1) {
    const at = below(1 + below(bytes.length + 1));
    const before = bytes.subarray(0, at);
    const special = Buffer.from(SPECIAL[below(SPECIAL.length)] ?? []);
    switch (below(7)) {
      case 0:
        if (at < bytes.length) bytes[at] = below(256);
        break;
      case 1:
        if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
        break;
      case 2:
        bytes = Buffer.concat([before, Buffer.of(below(256)), bytes.subarray(at)]);
        break;
      case 3:
        bytes = Buffer.concat([before, bytes.subarray(at + 1 + below(4))]);
        break;
      case 4:
        bytes = Buffer.concat([before, special, bytes.subarray(at + special.length)]);
        break;
      case 5:
        bytes = Buffer.concat([bytes, bytes.subarray(at)]);
        break;
      default:
        bytes = Buffer.from(before);
    }
  }
  return bytes;
}

/** One of five clients: each packet by itself, CONNECT first. */
function validStream(
  below: Below,
  { assetId, password, topic }: MutatedDevice,
  clientId: string,
): readonly Buffer[] {
  const login = { clientId, password: Buffer.from(password) };
  const publish = (messageId: number, qos: 0 | 1 | 2): Packet =>
    publishOf(assetId, messageId, { topic, qos, payload: `{"speed_kmh":${messageId}}` });
  const filter = topic.replace(/[^/]+$/, "cmd/#");
  const will = { topic, payload: Buffer.from("{}"), qos: 1 as const, retain: true };
  const streams: readonly (readonly Packet[])[] = [
    [connectOf(assetId, login), publish(1, 1), publish(2, 1), { cmd: "disconnect" }],
    [
      connectOf(assetId, { ...login, will }),
      publish(1, 2),
      publish(2, 2),
      { cmd: "pubrel", messageId: 1 },
      { cmd: "pubrel", messageId: 2 },
    ],
    [
      connectOf(assetId, login),
      {
        cmd: "subscribe",
        messageId: 9,
        subscriptions: [
          { topic: filter, qos: 1 },
          { topic: "sites/+/events/#", qos: 0 },
        ],
      },
      { cmd: "unsubscribe", messageId: 10, unsubscriptions: [filter] },
      { cmd: "pingreq" },
    ],
    [
      connectOf(assetId, { ...login, clean: false, keepalive: 1 }),
      publish(1, 0),
      { cmd: "puback", messageId: 4 },
      { cmd: "pubrec", messageId: 5 },
      { cmd: "pubcomp", messageId: 6 },
    ],
    [connectOf(assetId, { ...login, protocolVersion: 5 }), { cmd: "pingreq" }],
  ];
  return (streams[below(streams.length)] ?? []).map((packet) => mqttPacket.generate(packet));
}

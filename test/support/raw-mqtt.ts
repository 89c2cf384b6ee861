import { connect, type Socket } from "node:net";
import mqttPacket, { type IConnectPacket, type Packet } from "mqtt-packet";
import { vi } from "vitest";

const DEADLINE_MS = 5_000;

/** An MQTT 3.1.1 client that sends exactly what it is told and keeps all it hears. */
export interface RawClient {
  readonly socket: Socket;
  readonly heard: readonly Packet[];
  readonly isClosed: boolean;
  send(...packets: Packet[]): void;
  sendBytes(bytes: Uint8Array): void;
  /** The `nth` packet of a kind, waited for. */
  hear<C extends Packet["cmd"]>(cmd: C, nth?: number): Promise<Extract<Packet, { cmd: C }>>;
  closed(): Promise<void>;
  end(): void;
}

export function rawClient(port: number, localAddress = "127.0.0.1"): RawClient {
  return rawClientOver(connect({ port, host: "127.0.0.1", localAddress, noDelay: true }));
}

/** The same over a socket that is there, a TLS one for instance. */
export function rawClientOver(socket: Socket): RawClient {
  const parser = mqttPacket.parser({ protocolVersion: 4 });
  const heard: Packet[] = [];
  let isClosed = false;
  parser.on("packet", (packet) => heard.push(packet));
  socket.on("data", (data) => parser.parse(data));
  socket.on("close", () => {
    isClosed = true;
  });
  socket.on("error", () => undefined);
  return {
    socket,
    heard,
    get isClosed() {
      return isClosed;
    },
    send: (...packets) => {
      socket.write(Buffer.concat(packets.map((packet) => mqttPacket.generate(packet))));
    },
    sendBytes: (bytes) => {
      socket.write(bytes);
    },
    async hear<C extends Packet["cmd"]>(cmd: C, nth = 1) {
      const isOfKind = (packet: Packet): packet is Extract<Packet, { cmd: C }> =>
        packet.cmd === cmd;
      return vi.waitFor(
        () => {
          const found = heard.filter(isOfKind)[nth - 1];
          if (found === undefined) {
            throw new Error(`no ${cmd} ${nth}; heard ${heard.map((p) => p.cmd).join(" ")}`);
          }
          return found;
        },
        { timeout: DEADLINE_MS, interval: 5 },
      );
    },
    async closed() {
      await vi.waitFor(
        () => {
          if (!isClosed) throw new Error("still connected");
        },
        { timeout: DEADLINE_MS, interval: 5 },
      );
    },
    end: () => {
      socket.destroy();
    },
  };
}

/** A CONNECT of asset `assetId`, with the secret that `assetEntry` gives it. */
export function connectOf(assetId: string, more: Partial<IConnectPacket> = {}): IConnectPacket {
  return {
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion: 4,
    clean: true,
    clientId: `client-of-${assetId}`,
    keepalive: 60,
    username: assetId,
    password: Buffer.from(`${assetId}-secret`),
    ...more,
  };
}

/** A PUBLISH of our JSON on the asset's own topic. */
export function publishOf(
  assetId: string,
  messageId: number,
  more: {
    readonly topic?: string;
    readonly payload?: string | Buffer;
    readonly qos?: 0 | 1 | 2;
    readonly dup?: boolean;
    readonly retain?: boolean;
  } = {},
): Packet {
  return {
    cmd: "publish",
    topic: `sites/p1/assets/${assetId}/telemetry`,
    payload: JSON.stringify({ speed_kmh: messageId }),
    qos: 1,
    dup: false,
    retain: false,
    messageId,
    ...more,
  };
}

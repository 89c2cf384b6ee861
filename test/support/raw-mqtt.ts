import { connect, type Socket } from "node:net";
import mqttPacket, { type IConnectPacket, type Packet } from "mqtt-packet";
import { PATIENT_MS } from "./patience.ts";

/** Tests that fake time do not fake this. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/** An MQTT 3.1.1 client that sends exactly the given bytes and keeps all it receives. */
export interface RawClient {
  readonly socket: Socket;
  readonly heard: readonly Packet[];
  readonly isClosed: boolean;
  send(...packets: Packet[]): void;
  sendBytes(bytes: Uint8Array): void;
  /** The `nth` packet of a kind, waited for. */
  hear<C extends Packet["cmd"]>(cmd: C, nth?: number): Promise<Extract<Packet, { cmd: C }>>;
  /** The packet that was heard right after the first one of a kind, waited for. */
  heardAfter(cmd: Packet["cmd"]): Promise<Packet>;
  closed(): Promise<void>;
  end(): void;
}

/** @throws Error without a port: the listener is not open. */
export function rawClient(port: number | undefined, localAddress = "127.0.0.1"): RawClient {
  if (port === undefined) throw new Error("no listener");
  return rawClientOver(connect({ port, host: "127.0.0.1", localAddress, noDelay: true }));
}

/** The same over a socket that is there, a TLS one for instance. */
export function rawClientOver(socket: Socket): RawClient {
  const parser = mqttPacket.parser({ protocolVersion: 4 });
  const heard: Packet[] = [];
  const waiting = new Set<() => void>();
  let isClosed = false;
  const look = (): void => {
    for (const one of waiting) one();
  };
  parser.on("packet", (packet) => heard.push(packet));
  socket.on("data", (data) => {
    parser.parse(data);
    look();
  });
  socket.on("close", () => {
    isClosed = true;
    look();
  });
  socket.on("error", () => undefined);

  /** Resolves with what `find` finds, called whenever something was received. */
  function waitFor<T>(what: string, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        waiting.delete(check);
        stopTimer(timer);
      };
      const check = (): void => {
        const found = find();
        if (found === undefined) return;
        end();
        resolve(found);
      };
      const timer = startTimer(() => {
        end();
        const packets = heard.slice(-20).map(({ cmd }) => cmd);
        const state = isClosed ? "; the connection is closed" : "";
        reject(new Error(`no ${what}; heard ${packets.join(" ")}${state}`));
      }, PATIENT_MS);
      waiting.add(check);
      check();
    });
  }

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
    hear<C extends Packet["cmd"]>(cmd: C, nth = 1) {
      const isOfKind = (packet: Packet): packet is Extract<Packet, { cmd: C }> =>
        packet.cmd === cmd;
      return waitFor(`${cmd} ${nth}`, () => heard.filter(isOfKind)[nth - 1]);
    },
    heardAfter(cmd) {
      return waitFor(`packet after ${cmd}`, () => {
        const at = heard.findIndex((packet) => packet.cmd === cmd);
        return at < 0 ? undefined : heard[at + 1];
      });
    },
    async closed() {
      await waitFor("end of the connection", () => (isClosed ? true : undefined));
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

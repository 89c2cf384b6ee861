import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import mqtt, { type Packet } from "mqtt-packet";
import { PATIENT_MS } from "./patience.ts";
import { until } from "./until.ts";

/** A broker that gives the answers of a test's script and keeps all it receives. */
export interface ScriptedBroker {
  readonly port: number;
  /** Packets of all connections, in order. */
  readonly heard: readonly Packet[];
  /** Connections so far. */
  readonly connections: number;
  /** What CONNACK and SUBACK say from now on. */
  script: { returnCode: number; sessionPresent: boolean; granted: (filter: string) => number };
  /** Sends packets on the newest connection. */
  send(...packets: Packet[]): void;
  /** Sends bytes on the newest connection; resolves when the client has read them all. */
  sendBytes(bytes: Uint8Array): Promise<void>;
  /** Cuts the newest connection. */
  cut(): void;
  /** Packets of that kind, at least `count` of them. */
  waitFor(cmd: Packet["cmd"], count?: number): Promise<readonly Packet[]>;
  close(): Promise<void>;
}

/** `tls`: certificate and key, PEM. */
export async function startScriptedBroker(tls?: {
  readonly cert: Buffer;
  readonly key: Buffer;
}): Promise<ScriptedBroker> {
  const heard: Packet[] = [];
  const sockets: Socket[] = [];

  function answer(socket: Socket, packet: Packet): void {
    const { script } = broker;
    if (packet.cmd === "connect") {
      const { returnCode, sessionPresent } = script;
      socket.write(mqtt.generate({ cmd: "connack", returnCode, sessionPresent }));
    } else if (packet.cmd === "subscribe") {
      const granted = packet.subscriptions.map(({ topic }) => script.granted(topic));
      socket.write(mqtt.generate({ cmd: "suback", messageId: packet.messageId ?? 0, granted }));
    } else if (packet.cmd === "unsubscribe") {
      const messageId = packet.messageId ?? 0;
      socket.write(mqtt.generate({ cmd: "unsuback", messageId, granted: [] }));
    } else if (packet.cmd === "pingreq") {
      socket.write(mqtt.generate({ cmd: "pingresp" }));
    }
  }

  const take = (socket: Socket): void => {
    sockets.push(socket);
    const parser = mqtt.parser({ protocolVersion: 4 });
    parser.on("packet", (packet) => {
      heard.push(packet);
      answer(socket, packet);
    });
    socket.on("data", (chunk) => parser.parse(chunk));
    socket.on("error", () => undefined);
  };
  const server = tls === undefined ? createServer(take) : createTlsServer({ ...tls }, take);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const broker: ScriptedBroker = {
    port: (server.address() as AddressInfo).port,
    heard,
    get connections() {
      return sockets.length;
    },
    script: { returnCode: 0, sessionPresent: false, granted: () => 1 },
    send(...packets) {
      sockets.at(-1)?.write(Buffer.concat(packets.map((packet) => mqtt.generate(packet))));
    },
    sendBytes: (bytes) =>
      new Promise((resolve) => {
        sockets.at(-1)?.write(bytes, () => resolve());
      }),
    cut: () => sockets.at(-1)?.destroy(),
    waitFor: (cmd, count = 1) =>
      until(
        `${count} ${cmd}`,
        () => {
          const found = heard.filter((packet) => packet.cmd === cmd);
          return found.length >= count && found;
        },
        PATIENT_MS,
      ),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return broker;
}

import { createServer as createTcpServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import type { Settings } from "../../config/settings.ts";
import { plainAddress } from "../../domain/platform/plain-address.ts";
import type { ProxyProtocol } from "../../tls/proxy-protocol/proxy-protocol.ts";
import type { Tls } from "../../tls/tls.ts";
import { DEVICE_BACKLOG, listenForDevices } from "../sockets/listen-for-devices.ts";
import type { Arrival, BrokerListener } from "./arrival.ts";
import { createSecureWebSocketListener, createWebSocketListener } from "./websocket-listener.ts";

export type ListenerSettings = Pick<
  Settings,
  "mqttHost" | "mqttPort" | "mqttWsPort" | "mqttsPort" | "mqttWssPort"
>;

/** The real port of each listener that is open. */
export type BrokerPorts = Readonly<Partial<Record<BrokerListener, number>>>;

/** What stands in front of the listeners. */
export interface ListenerGuards {
  /** Absent: no listener with TLS is opened. */
  readonly tls?: Tls | undefined;
  /** Absent: the address of a client is the one that its connection comes from. */
  readonly proxyProtocol?: ProxyProtocol | undefined;
}

export interface Listeners {
  readonly ports: BrokerPorts;
  /** Accepts no more connections; open ones stay. */
  close(): void;
}

/**
 * Opens the listeners that have a port, those with TLS only where there is a certificate; all or none.
 * @throws DomainError `SETTINGS_INVALID` naming the port that cannot be used.
 */
export async function openListeners(
  settings: ListenerSettings,
  { tls, proxyProtocol }: ListenerGuards,
  accept: (transport: Duplex, arrival: Arrival) => void,
): Promise<Listeners> {
  const servers: Server[] = [];
  const close = (): void => {
    for (const server of servers) server.close();
  };
  const open = async (
    setting: string,
    port: number | undefined,
    create: () => Server,
  ): Promise<number | undefined> => {
    if (port === undefined) return undefined;
    const server = create();
    const place = { host: settings.mqttHost, port, backlog: DEVICE_BACKLOG };
    const opened = await listenForDevices(server, setting, place, proxyProtocol);
    servers.push(server);
    return opened;
  };
  try {
    const mqtt = await open("MQTT_PORT", settings.mqttPort, () => createPlainListener(accept));
    const ws = await open("MQTT_WS_PORT", settings.mqttWsPort, () =>
      createWebSocketListener(accept),
    );
    if (tls === undefined) return { ports: portsOf({ mqtt, ws }), close };
    const mqtts = await open("MQTTS_PORT", settings.mqttsPort, () =>
      createTlsListener(tls, accept),
    );
    const wss = await open("MQTT_WSS_PORT", settings.mqttWssPort, () =>
      createSecureWebSocketListener(tls, accept),
    );
    return { ports: portsOf({ mqtt, ws, mqtts, wss }), close };
  } catch (error) {
    close();
    throw error;
  }
}

function createPlainListener(accept: (transport: Duplex, arrival: Arrival) => void): Server {
  return createTcpServer({ noDelay: true }, (socket) => {
    const address = plainAddress(socket.remoteAddress);
    accept(socket, { address, listener: "mqtt", certificate: undefined });
  });
}

function createTlsListener(
  tls: Tls,
  accept: (transport: Duplex, arrival: Arrival) => void,
): Server {
  const server = createTlsServer(tls.options("mqtts"), (socket) => {
    const address = plainAddress(socket.remoteAddress);
    accept(socket, { address, listener: "mqtts", certificate: tls.certificateOf(socket) });
  });
  tls.protect(server, "mqtts");
  return server;
}

const portsOf = (ports: Partial<Record<BrokerListener, number | undefined>>): BrokerPorts =>
  Object.fromEntries(Object.entries(ports).filter(([, port]) => port !== undefined));

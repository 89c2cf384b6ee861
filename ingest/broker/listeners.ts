import { readFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer as createTcpServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { createWebSocketStream, WebSocketServer } from "ws";
import type { Settings } from "../../config/settings.ts";
import { DomainError } from "../../domain/errors.ts";
import { DEVICE_BACKLOG, listenForDevices } from "../listen-for-devices.ts";

/** Time for a TLS handshake, ms; the same as for a CONNECT. */
const HANDSHAKE_MS = 10_000;
/** Largest WebSocket message, bytes; control packets need not align with messages (MQTT 6.0). */
const MAX_MESSAGE_BYTES = 1024 * 1024;

export type ListenerSettings = Pick<
  Settings,
  "mqttHost" | "mqttPort" | "mqttWsPort" | "mqttsPort" | "tlsCertFile" | "tlsKeyFile" | "tlsCaFile"
>;

/** The real ports; `ws` and `mqtts` only where configured. */
export interface BrokerPorts {
  readonly mqtt: number;
  readonly ws?: number;
  readonly mqtts?: number;
}

export interface Listeners {
  readonly ports: BrokerPorts;
  /** Accepts nobody any more; connections that are there stay. */
  close(): void;
}

/**
 * Opens plain MQTT, and WebSocket and TLS where the settings ask for them; all or none.
 * @throws DomainError `SETTINGS_INVALID` naming the port or the file that cannot be used.
 */
export async function openListeners(
  settings: ListenerSettings,
  accept: (transport: Duplex, remoteAddress: string) => void,
): Promise<Listeners> {
  const servers: Server[] = [];
  const close = (): void => {
    for (const server of servers) server.close();
  };
  const open = async (server: Server, setting: string, port: number): Promise<number> => {
    const place = { host: settings.mqttHost, port, backlog: DEVICE_BACKLOG };
    const opened = await listenForDevices(server, setting, place);
    servers.push(server);
    return opened;
  };
  try {
    const tcp = createTcpServer({ noDelay: true }, (socket) =>
      accept(socket, plainAddress(socket.remoteAddress)),
    );
    const mqtt = await open(tcp, "MQTT_PORT", settings.mqttPort);
    const ws =
      settings.mqttWsPort === undefined
        ? undefined
        : await open(createWebSocketListener(accept), "MQTT_WS_PORT", settings.mqttWsPort);
    const tls = await createTlsListener(settings, accept);
    const mqtts = tls === undefined ? undefined : await open(tls, "MQTTS_PORT", settings.mqttsPort);
    const ports = {
      mqtt,
      ...(ws === undefined ? {} : { ws }),
      ...(mqtts === undefined ? {} : { mqtts }),
    };
    return { ports, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function createTlsListener(
  settings: ListenerSettings,
  accept: (transport: Duplex, remoteAddress: string) => void,
): Promise<Server | undefined> {
  const { tlsCertFile, tlsKeyFile, tlsCaFile } = settings;
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined;
  const options = {
    cert: await readPem("TLS_CERT_FILE", tlsCertFile),
    key: await readPem("TLS_KEY_FILE", tlsKeyFile),
    ...(tlsCaFile === undefined ? {} : { ca: await readPem("TLS_CA_FILE", tlsCaFile) }),
    requestCert: tlsCaFile !== undefined,
    rejectUnauthorized: tlsCaFile !== undefined,
    minVersion: "TLSv1.2" as const,
    handshakeTimeout: HANDSHAKE_MS,
    noDelay: true,
  };
  try {
    return createTlsServer(options, (socket) => accept(socket, plainAddress(socket.remoteAddress)));
  } catch (cause) {
    const files = [tlsCertFile, tlsKeyFile, ...(tlsCaFile === undefined ? [] : [tlsCaFile])];
    const message = `the TLS files do not hold a certificate and its key: ${files.join(", ")}`;
    throw new DomainError("SETTINGS_INVALID", message, { cause });
  }
}

async function readPem(setting: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new DomainError("SETTINGS_INVALID", `${setting} cannot be read`, { cause });
  }
}

/** MQTT over WebSocket, MQTT 3.1.1 section 6: path /mqtt, subprotocol "mqtt". */
function createWebSocketListener(
  accept: (transport: Duplex, remoteAddress: string) => void,
): Server {
  const server = createHttpServer((_request, response) => {
    response.writeHead(426, { "content-type": "text/plain", upgrade: "websocket" });
    response.end("MQTT over WebSocket at /mqtt\n");
  });
  const sockets = new WebSocketServer({
    server,
    path: "/mqtt",
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has("mqtt") ? "mqtt" : false),
  });
  // Repeats what `listen` reports already; without a listener it would end the process.
  sockets.on("error", () => undefined);
  sockets.on("connection", (socket, request) => {
    socket.on("error", () => socket.terminate());
    // [MQTT-6.0.0-3]
    if (socket.protocol !== "mqtt") {
      socket.close(1002, "subprotocol mqtt expected");
      return;
    }
    accept(createWebSocketStream(socket), plainAddress(request.socket.remoteAddress));
  });
  return server;
}

/** IPv4 addresses of dual-stack sockets in their own notation. */
const plainAddress = (address: string | undefined): string =>
  (address ?? "unknown").replace(/^::ffff:/, "");

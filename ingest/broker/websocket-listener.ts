import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { createWebSocketStream, WebSocketServer } from "ws";
import { plainAddress } from "../../domain/platform/plain-address.ts";
import type { Tls } from "../../tls/tls.ts";
import { answerOnSocket, answerText, discardBody, serveDevices } from "../sockets/device-http.ts";
import type { Arrival } from "./arrival.ts";

/** Largest WebSocket message, bytes; control packets need not align with messages (MQTT 6.0). */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Time for the request that asks for the WebSocket, ms; the same as for a CONNECT. */
const REQUEST_MS = 10_000;
const LIMITS = { headersTimeout: REQUEST_MS, requireHostHeader: false } as const;
const PATH = "/mqtt";
const PLACE = `MQTT over WebSocket at ${PATH}`;

/** MQTT over WebSocket, MQTT 3.1.1 section 6: path /mqtt, subprotocol "mqtt". */
export function createWebSocketListener(
  accept: (transport: Duplex, arrival: Arrival) => void,
): Server {
  const server = createHttpServer(LIMITS);
  serveWebSockets(server, (transport, address) =>
    accept(transport, { address, listener: "ws", certificate: undefined }),
  );
  return server;
}

/** The same over TLS. */
export function createSecureWebSocketListener(
  tls: Tls,
  accept: (transport: Duplex, arrival: Arrival) => void,
): HttpsServer {
  const server = createHttpsServer({ ...tls.options("wss"), ...LIMITS });
  tls.protect(server, "wss");
  serveWebSockets(server, (transport, address, socket) => {
    const certificate = socket instanceof TLSSocket ? tls.certificateOf(socket) : undefined;
    accept(transport, { address, listener: "wss", certificate });
  });
  return server;
}

function serveWebSockets(
  server: Server | HttpsServer,
  accept: (transport: Duplex, address: string, socket: Duplex) => void,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has("mqtt") ? "mqtt" : false),
  });
  serveDevices(server, (request, response) => {
    if (!request.complete) discardBody(request);
    answerText(response, 426, PLACE, { upgrade: "websocket" });
  });
  server.on("upgrade", (request, socket, head) => {
    // RFC 6455 section 4.1: the request is a GET.
    if (request.method !== "GET") return answerOnSocket(socket, 405, PLACE, { allow: "GET" });
    if (request.url?.split("?")[0] !== PATH) return answerOnSocket(socket, 400, PLACE);
    sockets.handleUpgrade(request, socket, head, (upgraded) => {
      sockets.emit("connection", upgraded, request);
    });
  });
  // RFC 6455 section 4.4: a version that is not spoken is answered with those that are.
  sockets.on("wsClientError", ({ message }, socket) => {
    answerOnSocket(socket, 400, message, { "sec-websocket-version": "13, 8" });
  });
  sockets.on("connection", (socket, request) => {
    socket.on("error", () => socket.terminate());
    // [MQTT-6.0.0-3]
    if (socket.protocol !== "mqtt") {
      socket.close(1002, "subprotocol mqtt expected");
      return;
    }
    const address = plainAddress(request.socket.remoteAddress);
    accept(createWebSocketStream(socket), address, request.socket);
  });
}

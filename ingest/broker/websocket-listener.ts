import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer, type Server as HttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import { createWebSocketStream, WebSocketServer } from "ws";
import { plainAddress } from "../../domain/plain-address.ts";
import type { Tls } from "../../tls/tls.ts";
import type { Arrival } from "./arrival.ts";

/** Largest WebSocket message, bytes; control packets need not align with messages (MQTT 6.0). */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** Time for the request that asks for the WebSocket, ms; the same as for a CONNECT. */
const REQUEST_MS = 10_000;

/** MQTT over WebSocket, MQTT 3.1.1 section 6: path /mqtt, subprotocol "mqtt". */
export function createWebSocketListener(
  accept: (transport: Duplex, arrival: Arrival) => void,
): Server {
  const server = createHttpServer({ headersTimeout: REQUEST_MS }, askForUpgrade);
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
  const options = { ...tls.options("wss"), headersTimeout: REQUEST_MS };
  const server = createHttpsServer(options, askForUpgrade);
  tls.protect(server, "wss");
  serveWebSockets(server, (transport, address, socket) => {
    const certificate = socket instanceof TLSSocket ? tls.certificateOf(socket) : undefined;
    accept(transport, { address, listener: "wss", certificate });
  });
  return server;
}

const askForUpgrade: RequestListener = (_request, response) => {
  response.writeHead(426, { "content-type": "text/plain", upgrade: "websocket" });
  response.end("MQTT over WebSocket at /mqtt\n");
};

function serveWebSockets(
  server: Server | HttpsServer,
  accept: (transport: Duplex, address: string, socket: Duplex) => void,
): void {
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
    const address = plainAddress(request.socket.remoteAddress);
    accept(createWebSocketStream(socket), address, request.socket);
  });
}

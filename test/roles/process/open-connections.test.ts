import { once } from "node:events";
import { createServer, get, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { createClosers } from "../../../roles/process/closers.ts";
import type { Start } from "../../../roles/process/common.ts";
import { listenHttp } from "../../../roles/process/listen.ts";
import { followConnections, type LingerTimes } from "../../../roles/process/open-connections.ts";
import { openTestApp } from "../../support/api-app.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { until } from "../../support/until.ts";

const NEVER_MS = 10 * PATIENT_MS;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** A connection to a server of this process that was accepted, on which nothing was sent. */
async function connectTo(server: Server): Promise<Socket> {
  const accepted = once(server, "connection");
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  await Promise.all([accepted, once(socket, "connect")]);
  return socket.resume();
}

/** A server whose own limits close nothing. */
async function serve(listener: RequestListener, times: LingerTimes) {
  const server = createServer({ headersTimeout: 0, requestTimeout: 0 }, listener);
  const connections = followConnections(server, times);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () =>
    connections.closeWith(() => new Promise((resolve) => server.close(() => resolve())));
  return { server, close };
}

const isClosed = (socket: Socket) => () => (socket.destroyed ? true : undefined);

it("a connection on which nothing was ever sent does not keep the API from stopping", async () => {
  await using test = await openTestApp();
  const { server } = test.app;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  const closers = createClosers();
  const settings = { httpHost: "127.0.0.1", httpPort: 0 } as Start["settings"];
  await listenHttp(test.app, { settings, closers, tls: undefined });
  const socket = await connectTo(server);
  let isStopped = false;
  const stopping = closers.close().then(() => {
    isStopped = true;
  });
  try {
    await until("the API has stopped", () => (isStopped ? true : undefined), PATIENT_MS);
  } finally {
    socket.destroy();
    await stopping;
  }

  expect(isStopped).toBe(true);
});

it("half of a request does not keep a server from closing", async () => {
  const { server, close } = await serve((_request, response) => response.end("never"), {
    silentMs: 1,
    answerMs: NEVER_MS,
  });
  const socket = await connectTo(server);
  socket.write("GET / HTTP/1.1\r\nhost: t\r\n");
  await close();

  await until("the connection is closed", isClosed(socket), PATIENT_MS);
  expect(server.listening).toBe(false);
});

it("a request that is being answered when the server closes gets its whole answer", async () => {
  let finish: () => void = () => undefined;
  const { server, close } = await serve(
    (_request, response) => {
      response.write("the first half, ");
      finish = () => response.end("the second half");
    },
    { silentMs: 1, answerMs: NEVER_MS },
  );
  const silent = await connectTo(server);
  const { port } = server.address() as AddressInfo;
  const [answer] = await once(get({ port, host: "127.0.0.1" }), "response");
  const closing = close();
  // By then connections without a request are closed.
  await until("the silent connection is closed", isClosed(silent), PATIENT_MS);
  finish();
  let text = "";
  for await (const chunk of answer) text += chunk;
  await closing;

  expect(text).toBe("the first half, the second half");
});

it("an answer that does not end is cut off when its time is over", async () => {
  const { server, close } = await serve((_request, response) => response.write("begun"), {
    silentMs: 1,
    answerMs: 2,
  });
  const socket = await connectTo(server);
  const begun = once(server, "request");
  socket.write("GET / HTTP/1.1\r\nhost: t\r\n\r\n");
  await begun;
  await close();

  await until("the connection is closed", isClosed(socket), PATIENT_MS);
  expect(server.listening).toBe(false);
});

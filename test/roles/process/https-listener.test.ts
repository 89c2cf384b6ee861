import { once } from "node:events";
import { Agent, type RequestOptions, request } from "node:https";
import type { TLSSocket } from "node:tls";
import { connect as connectTls } from "node:tls";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Closers, createClosers } from "../../../roles/process/closers.ts";
import type { Start } from "../../../roles/process/common.ts";
import { type HttpUrls, listenHttp } from "../../../roles/process/listen.ts";
import type { Tls, TlsSettings } from "../../../tls/tls.ts";
import { ADMIN_KEY, openTestApp, type TestApp } from "../../support/api-app.ts";
import { PATIENT_MS } from "../../support/patience.ts";
import { issueServer, type TestAuthority } from "../../support/test-authority.ts";
import { createTlsFolder, openFolderTls, type TlsFolder } from "../../support/tls-folder.ts";
import { until } from "../../support/until.ts";

let authority: TestAuthority;
let folder: TlsFolder;
let closers: Closers;
let test: TestApp;
let tls: Tls | undefined;
let agent: Agent;

beforeAll(async () => {
  folder = await createTlsFolder();
  ({ authority } = folder);
});
afterEach(async () => {
  agent.destroy();
  await closers.close();
  await test[Symbol.asyncDispose]();
});
afterAll(() => folder.remove());

async function listen(more: Partial<TlsSettings> = {}, httpPort?: number): Promise<HttpUrls> {
  closers = createClosers();
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  test = await openTestApp();
  tls = await openFolderTls(folder, more);
  closers.push(() => tls?.close());
  const settings = { httpHost: "127.0.0.1", httpPort, httpsPort: 0 } as Start["settings"];
  return await listenHttp(test.app, { settings, closers, tls });
}

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  readonly serialNumber: string;
  readonly localPort: number | undefined;
}

async function ask(url: string, options: RequestOptions = {}, body = ""): Promise<Answer> {
  const asking = request(url, { ca: authority.cert, agent, ...options });
  asking.end(body);
  const [answer] = await once(asking, "response");
  let text = "";
  for await (const chunk of answer) text += chunk;
  const socket = asking.socket as TLSSocket;
  const { serialNumber } = socket.getPeerCertificate();
  return { status: answer.statusCode, body: text, serialNumber, localPort: socket.localPort };
}

const headers = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" };

it("the API answers over HTTPS alone, and keeps its connection", async () => {
  const { http, https = "" } = await listen();
  const project = { name: "Harbour", location: { latitude: 53.5, longitude: 9.9 } };
  const made = await ask(
    `${https}/api/v1/projects`,
    { method: "POST", headers },
    JSON.stringify({ ...project, note: undefined }),
  );
  const listed = await ask(`${https}/api/v1/projects`, { headers });

  expect(http).toBeUndefined();
  expect(test.app.server.listening).toBe(false);
  expect([made.status, listed.status]).toEqual([201, 200]);
  expect(listed.body).toContain("Harbour");
  expect(listed.localPort).toBe(made.localPort);
});

it("HTTP and HTTPS answer side by side", async () => {
  const { http = "", https = "" } = await listen({}, 0);
  const plain = await fetch(`${http}/health/live`);

  expect(await plain.json()).toEqual({ status: "ok" });
  expect((await ask(`${https}/health/live`)).status).toBe(200);
});

it("what is not HTTP is answered over TLS as the API answers it", async () => {
  const { https = "" } = await listen();
  const { port } = new URL(https);
  const socket = connectTls({ port: Number(port), host: "127.0.0.1", ca: authority.cert });
  socket.end("NONSENSE\r\n\r\n");
  let text = "";
  for await (const chunk of socket) text += chunk;

  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toContain('"invalid_request"');
  expect(text).toContain("\r\nstrict-transport-security: max-age=");
});

it("over TLS, too, the body of a client that waits to be asked for it is not asked for without a key", async () => {
  const { https = "" } = await listen();
  const { port } = new URL(https);
  const socket = connectTls({ port: Number(port), host: "127.0.0.1", ca: authority.cert });
  socket.write(
    "POST /api/v1/projects HTTP/1.1\r\nhost: t\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n",
  );
  let text = "";
  for await (const chunk of socket) text += chunk;

  expect(text).toMatch(/^HTTP\/1\.1 401 /);
  expect(text).not.toContain("100 Continue");
});

it("an event stream runs over HTTPS, and ends with the service", async () => {
  const { https = "" } = await listen();
  const asking = request(`${https}/api/v1/events/stream`, { ca: authority.cert, headers, agent });
  asking.end();
  const [stream] = await once(asking, "response");
  expect([stream.statusCode, stream.headers["content-type"]]).toEqual([
    200,
    expect.stringMatching(/^text\/event-stream/),
  ]);
  stream.resume();
  const ended = once(stream, "close");
  await closers.close();

  await ended;
  // The answer is over before its connection is.
  const isOver = () => asking.socket?.destroyed;
  expect(await until("the connection is closed", isOver, PATIENT_MS)).toBe(true);
});

it("a renewed certificate is seen by new connections while an old one goes on", async () => {
  const { https = "" } = await listen();
  const before = await ask(`${https}/health/live`);
  const { cert, key, serialNumber } = await issueServer(authority);
  await folder.write({ "cert.pem": cert, "key.pem": key });
  await tls?.reload();
  const [kept, opened] = [
    await ask(`${https}/health/live`),
    await ask(`${https}/health/live`, { agent: false }),
  ];

  expect(kept.localPort).toBe(before.localPort);
  expect(kept.serialNumber).toBe(before.serialNumber);
  expect(opened.serialNumber).toBe(serialNumber);
});

it("clients of HTTPS need a certificate where it is required, and only there", async () => {
  const tlsCaFile = folder.path("ca.pem");
  const open = await listen({ tlsCaFile });
  expect((await ask(`${open.https}/health/live`)).status).toBe(200);
  agent.destroy();
  await closers.close();
  await test[Symbol.asyncDispose]();

  const { https = "" } = await listen({ tlsCaFile, httpsClientCertificates: "required" });
  const { cert, key } = await authority.issue({ subject: "CN=Dashboard" });
  await expect(ask(`${https}/health/live`)).rejects.toThrow();
  expect((await ask(`${https}/health/live`, { cert, key, agent: false })).status).toBe(200);
});

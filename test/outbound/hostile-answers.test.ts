import { type AddressInfo, createServer, type Socket } from "node:net";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { openOutboundClient } from "../../outbound/client.ts";
import { createDownloader } from "../../outbound/downloader.ts";

const RULES = createAddressRules(["127.0.0.1/32"]);
const resolve = async () => ["127.0.0.1"];
/** Long enough that no outcome but `timeout` comes of it. */
const TOTAL_MS = 20_000;
const MAX_BYTES = 10_000_000;

type Answer = (socket: Socket) => void;

async function serve(answer: Answer) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      await new Promise((done) => server.close(done));
    },
  };
}

async function download(url: string) {
  const downloader = createDownloader({ rules: RULES, resolve, limits: { totalMs: TOTAL_MS } });
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return await downloader.download(url, sink, { maxBytes: MAX_BYTES });
}

async function post(url: string) {
  const client = openOutboundClient({ rules: RULES, resolve, limits: { totalMs: TOTAL_MS } });
  try {
    return await client.send({ method: "POST", url, headers: {}, body: "{}" });
  } finally {
    client.close();
  }
}

/** First `head`, then `more` for as long as somebody reads. */
const endless =
  (head: string, more: string): Answer =>
  (socket) => {
    socket.write(head);
    const write = () => {
      while (!socket.destroyed && socket.write(more));
    };
    socket.on("drain", write);
    write();
  };
const once =
  (text: string): Answer =>
  (socket) =>
    socket.write(text);

const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const SWITCH = "HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n";
const LONG = "v".repeat(4_000);

/** Before any body: the same for both clients. */
const WITHOUT_AN_ANSWER: readonly (readonly [string, Answer, string])[] = [
  [
    "100 Continue without end",
    endless("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(500)),
    "not http",
  ],
  ["103 Early Hints without end", endless("", `HTTP/1.1 103 X\r\nL: ${LONG}\r\n\r\n`), "not http"],
  ["a switch of protocols", once(SWITCH), "connection reset"],
  ["headers without end", endless(OK, `X: ${LONG}\r\n`), "not http"],
  ["a reason phrase without end", endless("HTTP/1.1 200 ", LONG), "not http"],
  ["HTTP/0.9", once("<html>"), "not http"],
  ["two lengths", once(`${OK}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`), "not http"],
  ["nothing", (socket) => socket.destroy(), "connection reset"],
];

/** In the body, which a download wants and a delivery does not. */
const IN_THE_BODY: readonly (readonly [string, Answer, string])[] = [
  ["an endless chunk extension", endless(`${CHUNKED}3;`, LONG), "connection reset"],
  ["small chunks of long extensions", endless(CHUNKED, `1;${LONG}\r\nx\r\n`), "not http"],
  ["chunks of one byte", endless(CHUNKED, "1\r\nx\r\n".repeat(1_000)), "not http"],
  [
    "endless trailers",
    endless(`${CHUNKED}3\r\nabc\r\n0\r\n`, `X: ${LONG}\r\n`),
    "connection reset",
  ],
];

describe("an answer that is meant to do harm", () => {
  it.each([
    ...WITHOUT_AN_ANSWER,
    ...IN_THE_BODY,
  ])("an answer that is meant to do harm ends a download: %s", async (...given) => {
    const [, answer, failure] = given;
    await using server = await serve(answer);
    expect(await download(server.url)).toEqual({ failure });
  });

  it.each(
    WITHOUT_AN_ANSWER,
  )("an answer that is meant to do harm ends a delivery: %s", async (_name, answer, failure) => {
    await using server = await serve(answer);
    expect(await post(server.url)).toEqual({ failure });
  });
});

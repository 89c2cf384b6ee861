import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { openOutboundClient } from "../../outbound/client.ts";
import { OutboundError } from "../../outbound/failure.ts";
import type { OutboundRequest } from "../../outbound/request.ts";
import { answering, type HttpReceiver, openHttpReceiver } from "../support/http-receiver.ts";

const LIMIT = 1_000;

function client() {
  const outbound = openOutboundClient({
    rules: createAddressRules(["127.0.0.0/8"]),
    resolve: () => Promise.reject(new OutboundError("host not found")),
  });
  return {
    get: (url: string, more: Partial<OutboundRequest> = {}) =>
      outbound.send({ method: "GET", url, headers: {}, maxBodyBytes: LIMIT, ...more }),
    [Symbol.dispose]: () => outbound.close(),
  };
}

/** Answers 200 with these bytes. */
const giving =
  (body: Uint8Array, headers: Readonly<Record<string, string>> = {}): HttpReceiver["answer"] =>
  (_request, response) => {
    response.writeHead(200, headers);
    response.end(body);
  };

describe("a body that is asked for", () => {
  it("a requested body comes with the headers by which it is known again, whatever the status", async () => {
    await using receiver = await openHttpReceiver();
    using t = client();
    const seen = "Thu, 05 Mar 2026 12:00:00 GMT";
    receiver.answer = giving(Buffer.from("fleet"), { etag: '"a"', "last-modified": seen });
    const found = await t.get(receiver.url, { headers: { accept: "application/xml" } });
    expect(found).toMatchObject({ status: 200, etag: '"a"', lastModified: seen });
    expect("body" in found && Buffer.from(found.body ?? []).toString()).toBe("fleet");
    expect(receiver.received).toMatchObject([
      { body: "", headers: { accept: "application/xml", "accept-encoding": "gzip" } },
    ]);
    receiver.answer = answering(304);
    expect(await t.get(receiver.url)).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    receiver.answer = answering(503, { "retry-after": "7" });
    expect(await t.get(receiver.url)).toMatchObject({ status: 503, retryAfter: "7" });
    expect(receiver.connections).toBe(1);
  });

  it("a requested body is read after POST too, and not of requests that do not ask", async () => {
    await using receiver = await openHttpReceiver();
    using t = client();
    receiver.answer = giving(Buffer.from("token"));
    const posted = await t.get(receiver.url, { method: "POST", body: "grant" });
    expect("body" in posted && Buffer.from(posted.body ?? []).toString()).toBe("token");
    expect(receiver.received).toMatchObject([{ body: "grant" }]);
  });

  it("a requested body is unpacked, up to the same limit", async () => {
    await using receiver = await openHttpReceiver();
    using t = client();
    const packed = { "content-encoding": "gzip" };
    receiver.answer = giving(gzipSync("x".repeat(LIMIT)), packed);
    const found = await t.get(receiver.url);
    expect("body" in found && found.body?.byteLength).toBe(LIMIT);
    receiver.answer = giving(gzipSync("x".repeat(LIMIT + 1)), packed);
    expect(await t.get(receiver.url)).toEqual({ failure: "too large" });
  });

  it.each([
    ["announced", { "content-length": String(LIMIT + 1) }, Buffer.alloc(LIMIT + 1), "too large"],
    ["endless", {}, Buffer.alloc(100 * LIMIT), "too large"],
    ["packed by other means", { "content-encoding": "br" }, Buffer.from("x"), "not http"],
    ["no gzip, though it says so", { "content-encoding": "gzip" }, Buffer.from("x"), "not http"],
  ])("a requested body ends the request when it is %s", async (_name, headers, body, failure) => {
    await using receiver = await openHttpReceiver();
    using t = client();
    receiver.answer = giving(body, headers);
    expect(await t.get(receiver.url)).toEqual({ failure });
  });

  it("a requested body ends by time, by a cut and by its signal", async () => {
    await using receiver = await openHttpReceiver();
    using t = client();
    receiver.answer = (_request, response) => response.writeHead(200).write("half");
    expect(await t.get(receiver.url, { totalMs: 50 })).toEqual({ failure: "timeout" });
    const stop = new AbortController();
    receiver.answer = (_request, response) => {
      response.writeHead(200).write("half", () => stop.abort());
    };
    expect(await t.get(receiver.url, { signal: stop.signal })).toEqual({ failure: "stopped" });
    receiver.answer = (_request, response) => {
      response.writeHead(200, { "content-length": "9" }).write("half", () => response.destroy());
    };
    expect(await t.get(receiver.url)).toEqual({ failure: "connection reset" });
  });
});

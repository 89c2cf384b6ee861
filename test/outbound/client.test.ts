import { readFileSync } from "node:fs";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { describe, expect, it } from "vitest";
import { type AddressRules, createAddressRules } from "../../outbound/address-rules.ts";
import { openOutboundClient } from "../../outbound/client.ts";
import type { ExchangeLimits } from "../../outbound/exchange.ts";
import { OutboundError } from "../../outbound/failure.ts";
import { answering, type HttpReceiver, openHttpReceiver } from "../support/http-receiver.ts";
import { PATIENT_MS } from "../support/patience.ts";

const LOOPBACK = ["127.0.0.0/8"];

/** A client whose name server says what `names` says; a list of lists answers in turn. */
function client(
  allowCidrs: readonly string[],
  names: Readonly<Record<string, readonly (readonly string[])[]>> = {},
  extra: { readonly limits?: Partial<ExchangeLimits>; readonly rules?: AddressRules } = {},
) {
  const asked = new Map<string, number>();
  const outbound = openOutboundClient({
    rules: createAddressRules(allowCidrs),
    resolve: async (host) => {
      const turn = asked.get(host) ?? 0;
      asked.set(host, turn + 1);
      const addresses = names[host]?.at(Math.min(turn, (names[host]?.length ?? 0) - 1));
      if (addresses === undefined) throw new OutboundError("host not found");
      return addresses;
    },
    ...extra,
  });
  return {
    outbound,
    asked,
    post: (url: string, body = "{}", signal?: AbortSignal) =>
      outbound.send({
        method: "POST",
        url,
        headers: { "content-type": "application/json" },
        body,
        ...(signal === undefined ? {} : { signal }),
      }),
    [Symbol.dispose]: () => outbound.close(),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Hosts that all lead to the loopback interface. */
const LOOPBACK_HOSTS = [
  "127.0.0.1",
  "127.1",
  "0x7f.1",
  "2130706433",
  "[::ffff:127.0.0.1]",
  "localhost",
  "metadata.google.internal",
];
const NAMES = {
  localhost: [["127.0.0.1"]],
  "metadata.google.internal": [["127.0.0.1"]],
  "mixed.test": [["93.184.215.14", "127.0.0.1"]],
  "rebound.test": [["127.0.0.1"], ["10.0.0.1"]],
};

const hostUrl = (receiver: HttpReceiver, host: string) => `http://${host}:${receiver.port}/hook`;

describe("a guarded request", () => {
  it.each(
    LOOPBACK_HOSTS,
  )("a guarded request reaches %s when the operator allows it", async (host) => {
    await using receiver = await openHttpReceiver();
    using t = client(LOOPBACK, NAMES);
    const outcome = await t.post(hostUrl(receiver, host), '{"a":1}');
    expect(outcome).toEqual({ status: 204, retryAfter: undefined });
    expect(receiver.received).toMatchObject([{ path: "/hook", body: '{"a":1}' }]);
  });

  it.each([
    ...LOOPBACK_HOSTS,
    "mixed.test",
    "[::1]",
    "[::127.0.0.1]",
  ])("a guarded request never connects to %s otherwise", async (host) => {
    await using receiver = await openHttpReceiver();
    using t = client([], NAMES);
    const outcome = await t.post(hostUrl(receiver, host));
    expect(outcome).toEqual({ failure: "blocked" });
    expect(receiver.connections).toBe(0);
  });

  it("a guarded request refuses a name with one good and one bad address, though the good one comes first", async () => {
    await using receiver = await openHttpReceiver();
    using t = client(["127.0.0.1/32"], { "mixed.test": [["127.0.0.1", "127.0.0.2"]] });
    expect(await t.post(hostUrl(receiver, "mixed.test"))).toEqual({ failure: "blocked" });
    expect(receiver.connections).toBe(0);
  });

  it("a guarded request resolves a name once per connection, so that a second answer cannot replace a vetted one", async () => {
    await using receiver = await openHttpReceiver();
    using t = client(LOOPBACK, NAMES);
    const url = hostUrl(receiver, "rebound.test");
    const first = await t.post(url);
    const onTheSameConnection = await t.post(url);
    await receiver.pause();
    await receiver.resume();
    const afterRebinding = await t.post(url);
    expect([first, onTheSameConnection]).toMatchObject([{ status: 204 }, { status: 204 }]);
    expect(afterRebinding).toEqual({ failure: "blocked" });
    expect([t.asked.get("rebound.test"), receiver.connections]).toEqual([2, 1]);
  });

  it("a guarded request checks the address of the open connection before it sends anything", async () => {
    await using receiver = await openHttpReceiver();
    // Rules that change their mind between the look-up and the connection.
    const answers = [true, false];
    using t = client([], NAMES, { rules: { allows: () => answers.shift() ?? false } });
    expect(await t.post(hostUrl(receiver, "localhost"))).toEqual({ failure: "blocked" });
    expect([receiver.received, answers]).toEqual([[], []]);
  });

  it("a guarded request checks the address of a reused connection too", async () => {
    await using receiver = await openHttpReceiver();
    const answers = [true, true, false];
    using t = client([], NAMES, { rules: { allows: () => answers.shift() ?? false } });
    const outcomes = [];
    for (let i = 0; i < 2; i += 1) outcomes.push(await t.post(hostUrl(receiver, "localhost")));
    expect(outcomes).toMatchObject([{ status: 204 }, { failure: "blocked" }]);
    expect([receiver.received.length, receiver.connections]).toEqual([1, 1]);
  });

  it("a guarded request follows no redirect", async () => {
    await using receiver = await openHttpReceiver();
    await using canary = await openHttpReceiver();
    receiver.answer = answering(307, { location: canary.url });
    using t = client(LOOPBACK);
    expect(await t.post(receiver.url)).toMatchObject({ status: 307 });
    expect(canary.connections).toBe(0);
  });

  it("a guarded request asks once more when the receiver closed the idle connection meanwhile", async () => {
    await using receiver = await openHttpReceiver();
    using t = client(LOOPBACK);
    await t.post(receiver.url);
    receiver.answer = (_request, response) => {
      response.socket?.destroy();
      receiver.answer = answering(200);
    };
    expect(await t.post(receiver.url)).toMatchObject({ status: 200 });
    expect(receiver.received).toHaveLength(3);
  });

  it("a guarded request says only what kind of failure it met", async () => {
    const plain = createTcpServer((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
    const mute = createTcpServer((socket) => socket.on("data", () => socket.destroy()));
    const cert = readFileSync(new URL("../ingest/broker/tls/cert.pem", import.meta.url));
    const key = readFileSync(new URL("../ingest/broker/tls/key.pem", import.meta.url));
    const tls = createTlsServer({ cert, key });
    const [plainPort, mutePort, tlsPort] = [
      await listen(plain),
      await listen(mute),
      await listen(tls),
    ];
    const closed = createTcpServer();
    const closedPort = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    using t = client(LOOPBACK);
    const outcomes = await Promise.all(
      [
        `http://127.0.0.1:${closedPort}/`,
        `http://127.0.0.1:${plainPort}/`,
        `http://127.0.0.1:${mutePort}/`,
        `https://127.0.0.1:${tlsPort}/`,
        `https://127.0.0.1:${plainPort}/`,
        "http://absent.test/",
      ].map((url) => t.post(url)),
    );
    for (const server of [plain, mute, tls]) server.close();
    expect(outcomes).toEqual([
      { failure: "connection refused" },
      { failure: "not http" },
      { failure: "connection reset" },
      { failure: "tls" },
      { failure: "tls" },
      { failure: "host not found" },
    ]);
  });

  it("a guarded request ends with a timeout when no connection, no answer or no end of it comes in time", async () => {
    await using receiver = await openHttpReceiver();
    receiver.answer = () => undefined;
    const silent: Socket[] = [];
    const noTls = createTcpServer((socket) => silent.push(socket));
    const noTlsPort = await listen(noTls);
    using patient = client(LOOPBACK, {}, { limits: { connectMs: 60_000, totalMs: 100 } });
    using hasty = client(LOOPBACK, {}, { limits: { connectMs: 100, totalMs: 60_000 } });
    const outcomes = await Promise.all([
      patient.post(receiver.url),
      hasty.post(`https://127.0.0.1:${noTlsPort}/`),
    ]);
    for (const socket of silent) socket.destroy();
    noTls.close();
    expect(outcomes).toEqual([{ failure: "timeout" }, { failure: "timeout" }]);
  });

  it("a guarded request keeps an answer whose body never ends, and cuts the connection", async () => {
    await using receiver = await openHttpReceiver();
    receiver.answer = (_request, response) => {
      response.writeHead(200);
      response.write("x");
    };
    // Enough for the headers on a machine that is busy with other work.
    using t = client(LOOPBACK, {}, { limits: { totalMs: 1_000 } });
    expect(await t.post(receiver.url)).toMatchObject({ status: 200 });
  });

  it("a guarded request reads no more than 64 KiB of an endless body", async () => {
    await using receiver = await openHttpReceiver();
    let sentBytes = 0;
    let isCut = false;
    receiver.answer = (_request, response) => {
      const chunk = Buffer.alloc(16 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.length;
      };
      response.on("drain", more);
      response.on("close", () => {
        isCut = true;
      });
      more();
    };
    using t = client(LOOPBACK);
    expect(await t.post(receiver.url)).toMatchObject({ status: 200 });
    await expect.poll(() => isCut, { timeout: PATIENT_MS }).toBe(true);
    // What the sockets' buffers hold comes on top of what was read.
    expect(sentBytes).toBeLessThan(16 * 1024 * 1024);
  });

  it("a guarded request is stopped by its signal", async () => {
    await using receiver = await openHttpReceiver();
    const stopping = new AbortController();
    receiver.answer = () => stopping.abort();
    using t = client(LOOPBACK);
    expect(await t.post(receiver.url, "{}", stopping.signal)).toEqual({ failure: "stopped" });
  });
});

describe("the check of a URL", () => {
  it("the check of a URL names the reason, never the address", async () => {
    using t = client([], NAMES);
    const blocked = "leads to an address or a port that is not allowed";
    const answers = await Promise.all(
      ["http://localhost/", "http://mixed.test/", "http://10.0.0.1/", "ftp://a.test/"].map((url) =>
        t.outbound.check(url),
      ),
    );
    expect(answers).toEqual([blocked, blocked, blocked, "must be an absolute http or https URL"]);
  });

  it("the check of a URL lets a public name pass, and one that no name server knows yet", async () => {
    using t = client([], { "good.test": [["93.184.215.14", "2606:4700::1111"]] });
    const answers = await Promise.all(
      ["https://good.test/", "https://absent.test/"].map((url) => t.outbound.check(url)),
    );
    expect(answers).toEqual([undefined, undefined]);
  });

  it("the check of a URL refuses a public name on a port that is not the web's", async () => {
    using t = client([], { "good.test": [["93.184.215.14"]] });
    expect(await t.outbound.check("https://good.test:22/")).toBeDefined();
  });
});

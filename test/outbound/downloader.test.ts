import { readFileSync } from "node:fs";
import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createAddressRules } from "../../outbound/address-rules.ts";
import type { DownloadLimits } from "../../outbound/download.ts";
import { createDownloader } from "../../outbound/downloader.ts";

/** The address that is the public internet here, and one of the inside. */
const PUBLIC = "127.0.0.1";
const INSIDE = "127.0.0.2";
const RULES = createAddressRules([`${PUBLIC}/32`]);

interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly paths: string[];
  connections: number;
}

async function serve(answer: RequestListener, host = PUBLIC): Promise<TestServer> {
  return await listening(createServer(), answer, host);
}

async function listening(server: Server, answer: RequestListener, host: string) {
  const test = { port: 0, paths: [] as string[], connections: 0 };
  server.on("connection", () => {
    test.connections += 1;
  });
  server.on("request", (request, response) => {
    test.paths.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  test.port = (server.address() as AddressInfo).port;
  return Object.assign(test, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

async function download(
  url: string,
  options: {
    readonly limits?: Partial<DownloadLimits>;
    readonly maxBytes?: number;
    readonly names?: Record<string, string[]>;
    readonly signal?: AbortSignal;
    readonly ca?: string;
  } = {},
) {
  const chunks: Buffer[] = [];
  const names = options.names ?? {};
  const downloader = createDownloader({
    rules: RULES,
    resolve: async (host) => [names[host]?.shift() ?? PUBLIC],
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const outcome = await downloader.download(
    url,
    () =>
      new Writable({ write: (chunk: Buffer, _encoding, done) => done(void chunks.push(chunk)) }),
    {
      maxBytes: options.maxBytes ?? 1_000_000,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
  );
  return { outcome, body: Buffer.concat(chunks) };
}

/** A certificate for `localhost` that is its own authority. */
const pem = (name: string) =>
  readFileSync(new URL(`../ingest/broker/tls/${name}.pem`, import.meta.url), "utf8");

const redirect =
  (location: string, status = 302): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { location }).end();
  };

describe("a download", () => {
  it("a download streams the body as it was sent", async () => {
    await using server = await serve((_request, response) => response.end("pixels"));
    const { outcome, body } = await download(`http://site.test:${server.port}/a.jpg`);
    expect([outcome, body.toString()]).toEqual([{ bytes: 6 }, "pixels"]);
  });

  it("a download reports a status that is neither 200 nor a redirect", async () => {
    await using server = await serve((_request, response) => response.writeHead(404).end("no"));
    const { outcome, body } = await download(`http://site.test:${server.port}/`);
    expect([outcome, body.length]).toEqual([{ status: 404 }, 0]);
  });

  it("a download ends at its cap of an announced and of an endless body", async () => {
    await using honest = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "1001" }).end(Buffer.alloc(1_001));
    });
    await using endless = await serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384)));
      };
      response.on("drain", more);
      more();
    });
    for (const { port } of [honest, endless]) {
      const { outcome, body } = await download(`http://site.test:${port}/`, { maxBytes: 1_000 });
      expect(outcome).toEqual({ failure: "too large" });
      expect(body.length).toBeLessThanOrEqual(1_000);
    }
  });

  it("a download unpacks nothing: a gzip bomb stays as small as it was sent", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    await using server = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    const { outcome } = await download(`http://site.test:${server.port}/`);
    expect(outcome).toEqual({ bytes: bomb.length });
  });

  it("a download follows three redirects, relative ones too, and not a fourth", async () => {
    await using server = await serve((request, response) => {
      const hop = Number(request.url?.slice(1));
      if (hop === 0) response.end("there");
      else redirect(`/${hop - 1}`, [301, 303, 307, 308][hop % 4])(request, response);
    });
    const url = (hops: number) => `http://site.test:${server.port}/${hops}`;
    expect((await download(url(3))).outcome).toEqual({ bytes: 5 });
    expect((await download(url(4))).outcome).toEqual({ failure: "too many redirects" });
  });

  it.each([
    ["an address inside", (port: number) => `http://${INSIDE}:${port}/`],
    ["its decimal form", (port: number) => `http://2130706434:${port}/`],
    ["IPv6 that holds it", (port: number) => `http://[::ffff:${INSIDE}]:${port}/`],
    ["a name of it", (port: number) => `http://inside.test:${port}/`],
    ["a scheme that is not the web's", (port: number) => `gopher://${INSIDE}:${port}/`],
    ["a log-in", (port: number) => `http://user:pass@${INSIDE}:${port}/`],
  ])("a download is refused when it is redirected to %s, at the end of a chain too", async (_name, to) => {
    await using inside = await serve((_request, response) => response.end("secret"), INSIDE);
    await using server = await serve((request, response) => {
      redirect(request.url === "/2" ? "/1" : to(inside.port))(request, response);
    });
    const names = { "inside.test": [INSIDE] };
    const { outcome } = await download(`http://site.test:${server.port}/2`, { names });
    expect(outcome).toEqual({ failure: "blocked" });
    expect([inside.connections, server.paths]).toEqual([0, ["/2", "/1"]]);
  });

  it("a download uses the very address that was checked: a name that resolves otherwise next time gains nothing", async () => {
    await using inside = await serve((_request, response) => response.end("secret"), INSIDE);
    await using server = await serve((_request, response) => response.end("public"));
    const names = { "rebinding.test": [PUBLIC, INSIDE, INSIDE] };
    const { outcome, body } = await download(`http://rebinding.test:${server.port}/`, { names });
    expect([outcome, body.toString()]).toEqual([{ bytes: 6 }, "public"]);
    expect([names["rebinding.test"].length, inside.connections]).toEqual([2, 0]);
  });

  it("a download checks a name again after a redirect to itself", async () => {
    await using server = await serve(redirect("/again"));
    const names = { "rebinding.test": [PUBLIC, INSIDE] };
    const { outcome } = await download(`http://rebinding.test:${server.port}/`, { names });
    expect(outcome).toEqual({ failure: "blocked" });
    expect(server.paths).toEqual(["/"]);
  });

  it("a download is never led from https to http", async () => {
    await using plain = await serve((_request, response) => response.end("in the clear"));
    const tls = createTlsServer({ cert: pem("cert"), key: pem("key") });
    const lead = redirect(`http://localhost:${plain.port}/`);
    await using server = await listening(tls, lead, PUBLIC);
    const { outcome } = await download(`https://localhost:${server.port}/`, { ca: pem("cert") });
    expect([outcome, plain.connections]).toEqual([{ failure: "insecure redirect" }, 0]);
  });

  it("a download refuses a certificate without a trusted issuer", async () => {
    const tls = createTlsServer({ cert: pem("cert"), key: pem("key") });
    await using server = await listening(tls, (_request, response) => response.end("x"), PUBLIC);
    const { outcome } = await download(`https://site.test:${server.port}/`);
    expect(outcome).toEqual({ failure: "tls" });
  });

  it("a download ends by its limits: no answer, a body that stalls, one that never ends", async () => {
    await using mute = await serve(() => undefined);
    await using stalling = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "10" }).write("x");
    });
    await using slow = await serve((_request, response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const outcomes = await Promise.all([
      download(`http://site.test:${mute.port}/`, { limits: { idleMs: 100 } }),
      download(`http://site.test:${stalling.port}/`, { limits: { idleMs: 100 } }),
      download(`http://site.test:${slow.port}/`, { limits: { totalMs: 300 } }),
    ]);
    const timeout = { failure: "timeout" };
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([timeout, timeout, timeout]);
  });

  it("a download reports a body that was cut off", async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half", () => response.destroy());
    });
    const { outcome } = await download(`http://site.test:${server.port}/`);
    expect(outcome).toEqual({ failure: "connection reset" });
  });

  it("a download is stopped by its signal", async () => {
    const stopping = new AbortController();
    await using server = await serve((_request, response) => {
      response.writeHead(200).write("x", () => stopping.abort());
    });
    const { outcome } = await download(`http://site.test:${server.port}/`, {
      signal: stopping.signal,
    });
    expect(outcome).toEqual({ failure: "stopped" });
  });
});

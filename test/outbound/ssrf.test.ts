import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Writable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAddressRules } from "../../outbound/address-rules.ts";
import { createDownloader } from "../../outbound/downloader.ts";
import { OutboundError } from "../../outbound/failure.ts";

/** Listens on every loopback address of both families; a connection is a failure of the guard. */
let canary: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  canary = createServer((_request, response) => response.end("secret"));
  canary.on("connection", () => {
    connections += 1;
  });
  // `::` takes IPv4 too.
  await new Promise<void>((resolve) => canary.listen(0, "::", resolve));
  port = (canary.address() as AddressInfo).port;
});
afterAll(() => {
  canary.closeAllConnections();
  canary.close();
});
beforeEach(() => {
  connections = 0;
});

/** What the name server says, all of it at once. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  localhost: ["127.0.0.1"],
  "localhost.": ["127.0.0.1", "::1"],
  "foo.localhost": ["127.0.0.1"],
  "loopback6.test": ["::1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "private.test": ["10.1.2.3"],
  "mixed.test": ["93.184.215.14", "127.0.0.1"],
  "mixed6.test": ["2606:4700::1111", "::1"],
  "127.0.0.1.nip.test": ["127.0.0.1"],
  "metadata.google.internal": ["169.254.169.254"],
  "public.test": ["93.184.215.14"],
};

function download(url: string, rules: ReturnType<typeof createAddressRules>) {
  const downloader = createDownloader({
    rules,
    resolve: async (host) => {
      const found = NAMES[host];
      if (found === undefined) throw new OutboundError("host not found");
      return found;
    },
  });
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return downloader.download(url, sink, { maxBytes: 1_000 });
}

/** Lead to the canary on this machine, were they not refused; `P` is its port. */
const TO_THE_CANARY = [
  "http://127.0.0.1:P/",
  "http://127.0.0.1:P/a.jpg?x=http://public.test/",
  "http://127.0.0.2:P/",
  "http://127.255.255.254:P/",
  "http://127.1:P/",
  "http://127.0.1:P/",
  "http://0x7f.1:P/",
  "http://0x7f000001:P/",
  "http://2130706433:P/",
  "http://017700000001:P/",
  "http://0177.0.0.1:P/",
  "http://0177.0.0.01:P/",
  "http://127.0.0.1.:P/",
  "http://0.0.0.0:P/",
  "http://0:P/",
  "http://①②⑦.⓪.⓪.①:P/",
  "http://127。0。0。1:P/",
  "http://%31%32%37.0.0.1:P/",
  "http:127.0.0.1:P/",
  "http:\\\\127.0.0.1:P\\",
  "http:///127.0.0.1:P/",
  " http://127.0.0.1:P/ ",
  "ht\ntp://127.0.0.1:P/",
  "http://127.0.0.1:P#@public.test/",
  "http://[::1]:P/",
  "http://[0:0:0:0:0:0:0:1]:P/",
  "http://[::0001]:P/",
  "http://[::]:P/",
  "http://[::ffff:127.0.0.1]:P/",
  "http://[::ffff:7f00:1]:P/",
  "http://[0:0:0:0:0:ffff:127.0.0.1]:P/",
  "http://localhost:P/",
  "http://LOCALHOST:P/",
  "http://ｌｏｃａｌｈｏｓｔ:P/",
  "http://localhost.:P/",
  "http://foo.localhost:P/",
  "http://loopback6.test:P/",
  "http://mapped.test:P/",
  "http://127.0.0.1.nip.test:P/",
];

/** Lead elsewhere, or nowhere. */
const ELSEWHERE = [
  "http://10.0.0.1/",
  "http://10.255.255.255/",
  "http://172.16.0.1/",
  "http://172.31.255.254/",
  "http://192.168.1.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://2852039166/",
  "http://100.64.0.1/",
  "http://192.0.0.192/",
  "http://192.0.2.1/",
  "http://198.18.0.1/",
  "http://198.51.100.1/",
  "http://203.0.113.1/",
  "http://224.0.0.1/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
  "http://[::127.0.0.1]/",
  "http://[::7f00:1]/",
  "http://[::ffff:0:127.0.0.1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[64:ff9b:1::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001:0:7f00:1::]/",
  "http://[2001:db8::1]/",
  "http://[100::1]/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[fc00::1]/",
  "http://[fd12:3456:789a::1]/",
  "http://[ff02::1]/",
  "http://private.test/",
  "http://mixed.test/",
  "http://mixed6.test/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://public.test:22/",
  "http://public.test:25/",
  "http://public.test:6379/",
  "http://93.184.215.14:8080/",
  "http://user:secret@public.test/",
  "http://public.test@127.0.0.1:P/",
  "http://127.0.0.1:P@public.test/",
  "file:///etc/passwd",
  "ftp://public.test/a.jpg",
  "gopher://127.0.0.1:P/_GET%20/",
  "dict://127.0.0.1:P/",
  "ws://127.0.0.1:P/",
  "javascript:alert(1)",
  "blob:http://127.0.0.1:P/x",
  "//127.0.0.1:P/",
  "127.0.0.1:P",
  "http://",
  `http://public.test/${"x".repeat(2_048)}`,
];

const withPort = (url: string): string =>
  url.replaceAll("P/", `${port}/`).replace(/:P\b/, `:${port}`);

describe("the guard of downloads", () => {
  it.each([
    ...TO_THE_CANARY,
    ...ELSEWHERE,
  ])("the guard of downloads refuses %s without a packet", async (url) => {
    // The canary's port counts as one of the web's: it is the address that has to be refused.
    const rules = createAddressRules([], new Set([80, 443, port]));
    expect(await download(withPort(url), rules)).toEqual({ failure: "blocked" });
    expect(connections).toBe(0);
  });

  it.each(
    TO_THE_CANARY,
  )("without the guard a download would have reached the canary by %s", async (url) => {
    const rules = { allows: () => true };
    expect(await download(withPort(url), rules)).toEqual({ bytes: 6 });
    expect(connections).toBe(1);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProxyHeader } from "../../../tls/proxy-protocol/header.ts";

const SIGNATURE = "0d0a0d0a000d0a515549540a";
const hex = (...parts: readonly string[]): Buffer => Buffer.from(parts.join(""), "hex");
/** Source 192.0.2.7, destination 192.0.2.1, ports 51234 and 1883. */
const BLOCK4 = "c0000207c0000201c822075b";
/** Source 2001:db8::7, destination 2001:db8::1, the same ports. */
const BLOCK6 = `20010db8${"00".repeat(11)}0720010db8${"00".repeat(11)}01c822075b`;
const MAPPED6 = `${"00".repeat(10)}ffffc0000207${"00".repeat(10)}ffffc0000201c822075b`;
/** PP2_TYPE_AUTHORITY "a.b", and PP2_TYPE_NOOP without a value. */
const VECTORS = "020003612e62040000";
const v4 = { address: "192.0.2.7", port: 51_234 };
const v6 = { address: "2001:db8::7", port: 51_234 };

const HEADERS: readonly (readonly [name: string, bytes: Buffer, client: unknown])[] = [
  ["version 1, TCP4", Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 51234 1883\r\n"), v4],
  ["version 1, TCP6", Buffer.from("PROXY TCP6 2001:db8::7 2001:DB8::1 51234 1883\r\n"), v6],
  [
    "version 1, IPv4 in TCP6",
    Buffer.from("PROXY TCP6 ::ffff:192.0.2.7 ::ffff:192.0.2.1 51234 1883\r\n"),
    v4,
  ],
  ["version 1, UNKNOWN", Buffer.from("PROXY UNKNOWN\r\n"), undefined],
  [
    "version 1, UNKNOWN at the greatest length of 107 bytes",
    Buffer.from(`PROXY UNKNOWN ${"f".repeat(91)}\r\n`),
    undefined,
  ],
  ["version 2, TCP over IPv4", hex(SIGNATURE, "2111000c", BLOCK4), v4],
  ["version 2, TCP over IPv6", hex(SIGNATURE, "21210024", BLOCK6), v6],
  ["version 2, IPv4 in IPv6", hex(SIGNATURE, "21210024", MAPPED6), v4],
  ["version 2 with vectors", hex(SIGNATURE, "21110015", BLOCK4, VECTORS), v4],
  ["version 2, LOCAL", hex(SIGNATURE, "20000000"), undefined],
  [
    "version 2, LOCAL with a block without meaning",
    hex(SIGNATURE, "20110003", "ffffff"),
    undefined,
  ],
  ["version 2, PROXY of an unspecified family", hex(SIGNATURE, "21000000"), undefined],
  ["version 2, UDP", hex(SIGNATURE, "2112000c", BLOCK4), undefined],
  ["version 2, a Unix socket", hex(SIGNATURE, "213100d8", "61".repeat(216)), undefined],
];

const MALFORMED: readonly (readonly [name: string, bytes: Buffer])[] = [
  ["a CONNECT of MQTT", hex("101000044d515454")],
  ["a TLS handshake", hex("16030100")],
  ["a request", Buffer.from("GET / HTTP/1.1\r\n")],
  ["POST, which begins with the same letter", Buffer.from("PO")],
  ["small letters", Buffer.from("proxy TCP4")],
  ["another family", Buffer.from("PROXY TCP5 192.0.2.7 192.0.2.1 1 2\r\n")],
  ["a family alone", Buffer.from("PROXY TCP4\r\n")],
  ["two spaces", Buffer.from("PROXY TCP4  192.0.2.7 192.0.2.1 1 2\r\n")],
  ["a space at the end", Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 1 2 \r\n")],
  ["a leading zero in an address", Buffer.from("PROXY TCP4 192.0.2.07 192.0.2.1 1 2\r\n")],
  ["three parts of an address", Buffer.from("PROXY TCP4 192.0.2 192.0.2.1 1 2\r\n")],
  ["a name", Buffer.from("PROXY TCP4 localhost 192.0.2.1 1 2\r\n")],
  ["IPv6 in TCP4", Buffer.from("PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n")],
  ["IPv4 in TCP6", Buffer.from("PROXY TCP6 192.0.2.7 192.0.2.1 1 2\r\n")],
  ["a zone", Buffer.from("PROXY TCP6 fe80::1%eth0 2001:db8::1 1 2\r\n")],
  ["a port above 65535", Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 65536 2\r\n")],
  ["a port with a leading zero", Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 01 2\r\n")],
  ["a negative port", Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 -1 2\r\n")],
  ["a port in hexadecimal", Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 0x1 2\r\n")],
  ["no port", Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1\r\n")],
  ["a line end without CR", Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 1 2\n")],
  ["a line end without LF", Buffer.from("PROXY TCP4 192.0.2.7 192.0.2.1 1 2\r\0")],
  ["a line end within UNKNOWN", Buffer.from("PROXY UNKNOWN \n \r\n")],
  ["107 bytes without a line end", Buffer.from(`PROXY UNKNOWN ${"f".repeat(93)}`)],
  ["108 bytes", Buffer.from(`PROXY UNKNOWN ${"f".repeat(92)}\r\n`)],
  ["a signature with a wrong byte", hex("0d0a0d0a000d0a515549540b")],
  ["version 1 in binary", hex(SIGNATURE, "11")],
  ["version 3", hex(SIGNATURE, "31")],
  ["command 2", hex(SIGNATURE, "22")],
  ["family 4", hex(SIGNATURE, "2141")],
  ["transport 3", hex(SIGNATURE, "2113")],
  ["a block that is too short for IPv4", hex(SIGNATURE, "2111000b", BLOCK4)],
  ["a block that is too short for IPv6", hex(SIGNATURE, "2121000c", BLOCK4)],
  ["a block that is too short for Unix sockets", hex(SIGNATURE, "213100d7")],
  ["2,049 bytes behind the fixed part", hex(SIGNATURE, "21110801")],
  ["65,535 bytes behind the fixed part", hex(SIGNATURE, "2111ff")],
  ["a vector that ends behind the header", hex(SIGNATURE, "2111000f", BLOCK4, "020001")],
  ["half a vector", hex(SIGNATURE, "2111000e", BLOCK4, "0200")],
];

describe("the header of the PROXY protocol", () => {
  it.each(
    HEADERS,
  )("%s is read, however it is cut up, and no byte behind it", (_name, bytes, client) => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(readProxyHeader(bytes.subarray(0, length))).toBe("more");
    }
    const header = { bytes: bytes.length, client };
    expect(readProxyHeader(bytes)).toEqual(header);
    expect(readProxyHeader(Buffer.concat([bytes, hex("101000")]))).toEqual(header);
    expect(readProxyHeader(Buffer.concat([bytes, bytes]))).toEqual(header);
  });

  it.each(MALFORMED)("%s is malformed", (_name, bytes) => {
    expect(readProxyHeader(bytes)).toBe("malformed");
    expect(readProxyHeader(Buffer.concat([bytes, Buffer.alloc(3_000, 32)]))).toBe("malformed");
  });

  it("a header with one byte changed is another header, unfinished or malformed, and never throws", () => {
    for (const [, bytes] of HEADERS) {
      for (let at = 0; at < bytes.length; at += 1) {
        for (const value of [0, 10, 13, 32, 48, 127, 255]) {
          const changed = Buffer.from(bytes);
          changed[at] = value;
          const header = readProxyHeader(changed);
          if (typeof header === "string") expect(["more", "malformed"]).toContain(header);
          else expect(header.bytes).toBeLessThanOrEqual(changed.length);
        }
      }
    }
  });

  it("of 2,064 bytes nothing is awaited any more, whatever they are", () => {
    const beginnings = HEADERS.map(([, bytes]) => bytes);
    fc.assert(
      fc.property(
        fc.constantFrom(...beginnings),
        fc.nat(40),
        fc.uint8Array({ minLength: 2_064, maxLength: 2_064 }),
        (beginning, kept, rest) => {
          const bytes = Buffer.concat([beginning.subarray(0, kept), rest]);
          expect(readProxyHeader(bytes)).not.toBe("more");
        },
      ),
    );
  });
});

import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** Where a client connects from. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** A header that was read whole. */
export interface ProxyHeader {
  /** Its length; the client's own bytes follow. */
  readonly bytes: number;
  /** `undefined`: the balancer does not say, or connects for itself, as its health checks do. */
  readonly client: Peer | undefined;
}

/** Longest header of version 1 with its line end, bytes (section 2.1). */
const MAX_V1_BYTES = 107;
/** Fixed part of a header of version 2, bytes (section 2.2). */
const V2_FIXED_BYTES = 16;
/**
 * Longest rest of a header of version 2 that is taken, bytes. The standard allows 64 KiB; balancers send 36 of
 * addresses, and of the rest, which is not used, a certificate's name at most.
 */
const MAX_V2_REST_BYTES = 2_048;
const V1_BEGIN = Buffer.from("PROXY ");
const V2_BEGIN = Buffer.from("\r\n\r\n\0\r\nQUIT\n");
const CR = 13;
const LF = 10;
const PORT = /^(0|[1-9]\d{0,4})$/;
/** Address family and transport of version 2: TCP over IPv4, over IPv6. Others are not the address of a device. */
const TCP4 = 0x11;
const TCP6 = 0x21;
const MAX_FAMILY = 3;
const MAX_TRANSPORT = 2;

/**
 * Reads the header that the PROXY protocol, version 1 or 2, puts before the first byte of a client
 * (https://www.haproxy.org/download/3.2/doc/proxy-protocol.txt). `received`: all that came so far. `more`: it may
 * become a header.
 */
export function readProxyHeader(received: Buffer): ProxyHeader | "more" | "malformed" {
  if (received.length === 0) return "more";
  if (received[0] === V1_BEGIN[0]) return readVersion1(received);
  return received[0] === V2_BEGIN[0] ? readVersion2(received) : "malformed";
}

/** Whether all of the shorter one is the beginning of the longer one. */
const agree = (received: Buffer, begin: Buffer): boolean => {
  const length = Math.min(received.length, begin.length);
  return received.subarray(0, length).equals(begin.subarray(0, length));
};

function readVersion1(received: Buffer): ProxyHeader | "more" | "malformed" {
  if (!agree(received, V1_BEGIN)) return "malformed";
  const seen = received.subarray(0, MAX_V1_BYTES);
  const end = seen.indexOf(CR);
  if (end < 0) return seen.length < MAX_V1_BYTES && !seen.includes(LF) ? "more" : "malformed";
  if (end + 1 === received.length) return end + 2 <= MAX_V1_BYTES ? "more" : "malformed";
  if (seen.indexOf(LF) !== end + 1) return "malformed";
  const client = clientOfLine(seen.toString("latin1", V1_BEGIN.length, end));
  return client === "malformed" ? client : { bytes: end + 2, client };
}

/** `TCP4` or `TCP6`, source, destination, source port, destination port; after `UNKNOWN` anything. */
function clientOfLine(line: string): Peer | "malformed" | undefined {
  const [family, ...rest] = line.split(" ");
  if (family === "UNKNOWN") return undefined;
  const isAddress = family === "TCP4" ? isIPv4 : isPlainIPv6;
  if (family !== "TCP4" && family !== "TCP6") return "malformed";
  const [source = "", destination = "", sourcePort = "", destinationPort = ""] = rest;
  if (rest.length !== 4 || !isAddress(source) || !isAddress(destination)) return "malformed";
  if (!isPort(sourcePort) || !isPort(destinationPort)) return "malformed";
  return { address: textOf(ipaddr.parse(source)), port: Number(sourcePort) };
}

const isPort = (text: string): boolean => PORT.test(text) && Number(text) <= 65_535;
/** A zone is a name of the sender's own machine. */
const isPlainIPv6 = (text: string): boolean => isIPv6(text) && !text.includes("%");

function readVersion2(received: Buffer): ProxyHeader | "more" | "malformed" {
  if (!agree(received, V2_BEGIN)) return "malformed";
  const versionAndCommand = received[12];
  if (versionAndCommand === undefined) return "more";
  const command = versionAndCommand & 0x0f;
  if (versionAndCommand >> 4 !== 2 || command > 1) return "malformed";
  const family = received[13];
  if (family === undefined) return "more";
  if (family >> 4 > MAX_FAMILY || (family & 0x0f) > MAX_TRANSPORT) return "malformed";
  if (received.length < V2_FIXED_BYTES) {
    return (received[14] ?? 0) * 256 > MAX_V2_REST_BYTES ? "malformed" : "more";
  }
  const length = received.readUInt16BE(14);
  const least = addressBytes(command === 1 ? family : 0);
  if (length > MAX_V2_REST_BYTES || length < least) return "malformed";
  if (received.length < V2_FIXED_BYTES + length) return "more";
  const rest = received.subarray(V2_FIXED_BYTES, V2_FIXED_BYTES + length);
  // What a balancer says of a connection of its own has no meaning (section 2.2).
  if (command === 1 && !areVectors(rest.subarray(least))) return "malformed";
  const bytes = V2_FIXED_BYTES + length;
  return { bytes, client: command === 1 ? clientOfBlock(rest, family) : undefined };
}

/** Bytes of the block of addresses: 4, 16 or 108 for each of two, and two ports but for Unix sockets. */
function addressBytes(family: number): number {
  return [0, 12, 36, 216][family >> 4] ?? 0;
}

function clientOfBlock(block: Buffer, family: number): Peer | undefined {
  if (family !== TCP4 && family !== TCP6) return undefined;
  const length = family === TCP4 ? 4 : 16;
  const address = textOf(ipaddr.fromByteArray([...block.subarray(0, length)]));
  return { address, port: block.readUInt16BE(2 * length) };
}

/** Whether what follows the addresses is vectors of a type, a length and a value, to the last byte. */
function areVectors(bytes: Buffer): boolean {
  let at = 0;
  while (at + 3 <= bytes.length) at += 3 + bytes.readUInt16BE(at + 1);
  return at === bytes.length;
}

/** An IPv4 address in IPv6 in its own notation, as everywhere else. */
function textOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return isMapped ? address.toIPv4Address().toString() : address.toString();
}

import { isIP, connect as netConnect, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { connect as tlsConnect } from "node:tls";
import type { AddressRules } from "./address-rules.ts";
import { OutboundError } from "./failure.ts";
import type { ResolveHost } from "./resolve-host.ts";
import { BLOCKED, MAX_URL_LENGTH } from "./target.ts";
import { vettedLookup } from "./vetted-connection.ts";

/** Where a broker that a client of the API named is. */
export interface MqttTarget {
  /** Name or IP address, without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** Ports of MQTT at public addresses (IANA); elsewhere our packets are unsolicited. */
export const MQTT_PORTS: ReadonlySet<number> = new Set([1883, 8883]);

const DEFAULT_PORT: Readonly<Record<string, number>> = { "mqtt:": 1883, "mqtts:": 8883 };
const FORM = "must be mqtt://host:port or mqtts://host:port";
/**
 * How long a check waits for a name server, ms. A person waits for the answer; less would refuse names of
 * slow servers.
 */
const CHECK_MS = 3_000;

/** Sockets towards brokers that clients of the API chose: only where the rules let them. */
export interface MqttSockets {
  /**
   * What is wrong with a URL, in words that follow the name of a field; `undefined` when nothing is,
   * or when its name cannot be resolved now. Every connection is checked again, whatever this
   * returned.
   */
  check(url: string): Promise<string | undefined>;
  /**
   * Opens a connection; `ready` is called once bytes may be written. Errors come as those of a socket,
   * an `OutboundError` `blocked` among them, before a byte was sent.
   */
  open(target: MqttTarget, ready: () => void): Socket;
}

/** Reads `mqtt://host[:port]` or `mqtts://host[:port]`; nothing else belongs in it. */
export function readMqttTarget(text: string): MqttTarget | { readonly refusal: string } {
  if (text.length > MAX_URL_LENGTH) {
    return { refusal: `must have at most ${MAX_URL_LENGTH} characters` };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const defaultPort = url === undefined ? undefined : DEFAULT_PORT[url.protocol];
  const host = url === undefined ? undefined : hostOf(url);
  if (url === undefined || defaultPort === undefined || host === undefined) {
    return { refusal: FORM };
  }
  if (url.username !== "" || url.password !== "") {
    return { refusal: "must not hold a user name or a password" };
  }
  if (url.port === "0" || (url.pathname + url.search + url.hash).replace("/", "") !== "") {
    return { refusal: FORM };
  }
  return {
    host,
    port: url.port === "" ? defaultPort : Number(url.port),
    isTls: url.protocol === "mqtts:",
  };
}

/** `rules` must be those of {@link MQTT_PORTS}. */
export function createMqttSockets(options: {
  readonly rules: AddressRules;
  readonly resolve: ResolveHost;
}): MqttSockets {
  const { rules, resolve } = options;
  return {
    async check(url) {
      const target = readMqttTarget(url);
      if ("refusal" in target) return target.refusal;
      const { host, port } = target;
      if (isIP(host) !== 0) return rules.allows(host, port) ? undefined : BLOCKED;
      const waiting = new AbortController();
      const addresses = await Promise.race([
        resolve(host),
        delay(CHECK_MS, [], { signal: waiting.signal }),
      ]).catch(() => []);
      waiting.abort();
      return addresses.every((address) => rules.allows(address, port)) ? undefined : BLOCKED;
    },

    open({ host, port, isTls }, ready) {
      const isAddress = isIP(host) !== 0;
      // No look-up happens for an address, so it is checked here; the look-up checks what it finds.
      if (isAddress && !rules.allows(host, port)) return refusedSocket();
      const to = { host, port, lookup: vettedLookup(resolve, rules, port) };
      const socket = isTls
        ? // An address is not a name that a certificate is asked for by [RFC 6066, section 3].
          tlsConnect({ ...to, ...(isAddress ? {} : { servername: host }) }, ready)
        : netConnect({ ...to, noDelay: true }, ready);
      if (isTls) socket.setNoDelay(true);
      // First of all listeners: the one of TLS would send its greeting.
      socket.prependOnceListener("connect", () => {
        if (rules.allows(socket.remoteAddress ?? "", port)) return;
        socket.destroy(new OutboundError("blocked"));
      });
      return socket;
    },
  };
}

/** A socket that was never connected and fails as `blocked` once a listener can be attached. */
function refusedSocket(): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(new OutboundError("blocked")));
  return socket;
}

/**
 * The host as `net.connect` takes it. For `mqtt:` the URL parser leaves a host as it was written, so it is
 * read as one of `http:`. That makes an address of every notation that a system would (127.1, 0x7f.1).
 * `undefined`: it is not a host.
 */
function hostOf({ hostname }: URL): string | undefined {
  const asHttp = `http://${hostname}/`;
  if (!URL.canParse(asHttp)) return undefined;
  return new URL(asHttp).hostname.replace(/^\[(.*)\]$/, "$1");
}

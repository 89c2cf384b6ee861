import { isIP } from "node:net";
import type { AddressRules } from "./address-rules.ts";

/** Where a request goes. */
export interface OutboundTarget {
  readonly url: URL;
  /** Name or IP address, without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** A URL that leads nowhere, and why, in words for the person who gave it. */
export interface RefusedTarget {
  readonly refusal: string;
}

/** Longest URL, characters (docs/rules.md#keys-and-requests). */
export const MAX_URL_LENGTH = 2_048;
/** Says no more than that: which address a name has, or why it is refused, is ours to know. */
export const BLOCKED = "leads to an address or a port that is not allowed";

const DEFAULT_PORT: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/**
 * Reads a URL and checks what can be checked without a name server. That is its form, and its host
 * when it is an IP address in any of the notations that `new URL` takes (127.1, 0x7f.1,
 * 2130706433).
 */
export function readTarget(text: string, rules: AddressRules): OutboundTarget | RefusedTarget {
  if (text.length > MAX_URL_LENGTH) {
    return { refusal: `must have at most ${MAX_URL_LENGTH} characters` };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const defaultPort = url === undefined ? undefined : DEFAULT_PORT[url.protocol];
  if (url === undefined || defaultPort === undefined) {
    return { refusal: "must be an absolute http or https URL" };
  }
  if (url.username !== "" || url.password !== "") {
    return { refusal: "must not hold a user name or a password" };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = url.port === "" ? defaultPort : Number(url.port);
  if (isIP(host) !== 0 && !rules.allows(host, port)) return { refusal: BLOCKED };
  return { url, host, port, isTls: url.protocol === "https:" };
}

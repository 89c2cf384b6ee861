import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { AddressRules } from "./address-rules.ts";
import { type ExchangeLimits, exchange, type OutboundAnswer, StaleConnection } from "./exchange.ts";
import { failureOf, type OutboundFailure } from "./failure.ts";
import type { OutboundRequest } from "./request.ts";
import type { ResolveHost } from "./resolve-host.ts";
import { BLOCKED, readTarget } from "./target.ts";

/** The answer, whatever its status, or why there was none. */
export type OutboundOutcome = OutboundAnswer | { readonly failure: OutboundFailure };

/** HTTP towards addresses that clients of the API chose: only where the rules let it. */
export interface OutboundClient {
  /**
   * What is wrong with a URL, in words that follow the name of a field; `undefined` when nothing is,
   * or when its name cannot be resolved now. Every connection is checked again, whatever this
   * returned.
   */
  check(url: string): Promise<string | undefined>;
  /** Sends one request; never throws, follows no redirect, uses no proxy. */
  send(request: OutboundRequest): Promise<OutboundOutcome>;
  /** Ends every connection, also those in use. */
  close(): void;
}

/**
 * docs/rules.md#webhooks-and-streams: 10 s to connect, 15 s for a delivery. A larger body would hold memory
 * for an answer that only its status matters of.
 */
const LIMITS: ExchangeLimits = { connectMs: 10_000, totalMs: 15_000, bodyBytes: 64 * 1024 };
/**
 * Idle connections kept to one receiver, and how long one may idle, ms. More hold sockets of both sides;
 * fewer mean a TLS handshake for more requests.
 */
const IDLE = { maxFreeSockets: 8, timeout: 30_000 };
/**
 * How long a check waits for a name server, ms. A person waits for the answer; less would refuse names of
 * slow servers.
 */
const CHECK_MS = 3_000;

export function openOutboundClient(options: {
  readonly rules: AddressRules;
  readonly resolve: ResolveHost;
  readonly limits?: Partial<ExchangeLimits>;
}): OutboundClient {
  const { rules, resolve } = options;
  const limits = { ...LIMITS, ...options.limits };
  // How many connections a receiver gets is for the caller to bound: two webhooks of one host must
  // not wait for each other.
  const http = new HttpAgent({ keepAlive: true, ...IDLE });
  const https = new HttpsAgent({ keepAlive: true, ...IDLE });

  return {
    async check(url) {
      const target = readTarget(url, rules);
      if ("refusal" in target) return target.refusal;
      if (isIP(target.host) !== 0) return undefined;
      const waiting = new AbortController();
      const addresses = await Promise.race([
        resolve(target.host),
        delay(CHECK_MS, [], { signal: waiting.signal }),
      ]).catch(() => []);
      waiting.abort();
      return addresses.every((address) => rules.allows(address, target.port)) ? undefined : BLOCKED;
    },

    async send(request) {
      const target = readTarget(request.url, rules);
      if ("refusal" in target) return { failure: "blocked" };
      const use = { rules, resolve, limits };
      try {
        return await exchange(request, target, {
          ...use,
          agent: target.isTls ? https : http,
        }).catch((error: unknown) => {
          if (!(error instanceof StaleConnection)) throw error;
          return exchange(request, target, { ...use, agent: false });
        });
      } catch (error) {
        return { failure: failureOf(error) };
      }
    },

    close() {
      http.destroy();
      https.destroy();
    },
  };
}

import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import { REQUESTS_PER_MINUTE, type Scope } from "../../domain/platform/api-key.ts";
import { clientNetwork } from "../../domain/platform/client-network.ts";
import type { DeviceDoor } from "../../ingest/http/device-door.ts";
import { Refusal } from "../errors/refusal.ts";
import { createMinuteWindow, windowEndS } from "../rate-limit/minute-window.ts";
import {
  type Count,
  createLocalCounter,
  type RequestCounter,
} from "../rate-limit/request-counter.ts";
import { DEVICE_DECORATOR, deviceRefusal, logInDevice } from "./device-login.ts";
import { forgedRequest } from "./forged-requests.ts";
import { type Identities, takesBasic } from "./identities.ts";
import type { OwnSite } from "./own-site.ts";
import { callerOf, hasScope, type Principal } from "./principal.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * `public`: no key. `device`: an asset's id and secret, which the route checks itself. `any key`: every
     * valid key. A scope: keys that have it. A route that names none is closed to everybody, but follows the
     * order of refusals.
     */
    access?: Scope | "public" | "device" | "any key";
    /** One of the contract's eight endpoints: answers with the contract's statuses only. */
    contract?: boolean;
    /** Takes the key as the password of HTTP basic authentication too, under any user name. */
    basic?: boolean;
    /**
     * With `any key`: the id and secret of an asset, too. Its requests are counted as those of a key with the plan
     * `standard`, by each process alone.
     */
    devices?: boolean;
    /** Requests a minute and key, in place of the plan's; counted apart, by each process alone. */
    requestsPerMinute?: number;
  }
}

/** Refused requests per minute and address; they never count against a valid key. */
const REFUSED_PER_MINUTE = 1_000;
/**
 * Callers that are counted apart: valid keys are rows of ours, and 100,000 addresses are about 20 MB for one
 * minute. Fewer, and a smaller flood of addresses shares a count.
 */
const MAX_CALLERS = 100_000;
/** Two header lines: clients that know one scheme only need not read a list. */
const BASIC_OR_BEARER = ['Basic realm="Plumbline", charset="UTF-8"', "Bearer"];
/** What answers to keys and sessions depend on, beside what else says so. */
const VARIES = "Accept, Authorization, Cookie";
/** Decorator name of the principal; `null` until the guard has let a request pass. */
export const PRINCIPAL_DECORATOR = "principal";

/** What an asset may ask for in a minute. */
export const DEVICE_REQUESTS_PER_MINUTE = REQUESTS_PER_MINUTE.standard;

export interface Guard {
  /** The `onRequest` hook: identity (401), rate (429), scope (403), in this order. */
  check(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void;
  /** The rate headers of an address, for answers that no hook sees (a request that Node cannot parse). */
  addressHeaders(address: string | undefined): Record<string, string>;
}

/** For an app whose routes ask for no key, or for their own credentials. */
export const NO_GUARD: Guard = {
  check(request, reply, done) {
    reply.header("x-request-id", request.id);
    done();
  },
  addressHeaders: () => ({}),
};

/** Who is asking. Only for routes behind the guard that are not public. */
export function principal(request: FastifyRequest): Principal {
  return request.getDecorator<Principal>(PRINCIPAL_DECORATOR);
}

export interface KeyGuardOptions {
  readonly identities: Identities;
  readonly devices: DeviceDoor;
  /** Tells requests of our own pages, which bring a cookie, from those of others. */
  readonly site: OwnSite;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  /** Absent: requests of keys are counted in this process alone. Those of addresses always are. */
  readonly keys?: RequestCounter | undefined;
  /** Whether a request that no route takes is answered with a page, which needs no key. */
  readonly isPage?: ((request: FastifyRequest) => boolean) | undefined;
}

/** Checks API keys and sessions, and counts requests by key or session, refused ones by address. */
export class KeyGuard implements Guard {
  readonly #identities: Identities;
  readonly #site: OwnSite;
  readonly #isPage: (request: FastifyRequest) => boolean;
  readonly #now: () => number;
  readonly #keys: RequestCounter;
  readonly #addresses = createMinuteWindow(MAX_CALLERS);
  readonly #ofRoutes: RequestCounter;
  readonly #devices: DeviceDoor;

  constructor({ identities, devices, site, now, keys, isPage = () => false }: KeyGuardOptions) {
    this.#identities = identities;
    this.#devices = devices;
    this.#site = site;
    this.#now = now;
    this.#isPage = isPage;
    this.#keys = keys ?? createLocalCounter(MAX_CALLERS, now);
    this.#ofRoutes = createLocalCounter(MAX_CALLERS, now);
  }

  check(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    reply.header("x-request-id", request.id);
    // Read once: Fastify makes the object of all options anew for every reader.
    const config = request.routeOptions.config ?? {};
    const { access } = config;
    if (access === "public" || access === "device" || this.#isPage(request)) {
      this.#showAddressRate(request, reply);
      done();
      return;
    }
    // With CORS_ORIGINS it names Origin already.
    const varies = reply.getHeader("vary");
    reply.header("vary", varies === undefined ? VARIES : [varies, VARIES].flat().join(", "));
    reply.header("cache-control", "private");
    const credential = this.#identities.credentialOf(request);
    if (credential === undefined) {
      this.#admitDevice(request, reply, done);
      return;
    }
    const forged = credential.kind === "session" ? forgedRequest(request, this.#site) : undefined;
    if (forged !== undefined) {
      done(this.#refuse(request, reply, forged));
      return;
    }
    const recalled = this.#identities.recall(credential);
    if (recalled !== undefined) {
      this.#admit(recalled, config, request, reply, done);
      return;
    }
    this.#identities.authenticate(credential).then(
      (found) => {
        if (found === undefined) this.#admitDevice(request, reply, done);
        else this.#admit(found, config, request, reply, done);
      },
      (error: Error) => {
        this.#showAddressRate(request, reply);
        done(error);
      },
    );
  }

  addressHeaders(address: string | undefined): Record<string, string> {
    const nowMs = this.#now();
    const count = this.#addresses.take(clientNetwork(address ?? ""), nowMs);
    return {
      "x-ratelimit-limit": String(REFUSED_PER_MINUTE),
      "x-ratelimit-remaining": String(Math.max(0, REFUSED_PER_MINUTE - count)),
      "x-ratelimit-reset": String(windowEndS(nowMs)),
    };
  }

  /** What has no valid key may be a device, where the route takes devices; it is refused otherwise. */
  #admitDevice(
    request: FastifyRequest,
    reply: FastifyReply,
    done: (refusal?: Error) => void,
  ): void {
    const isTaken = request.routeOptions.config?.devices === true;
    const found = isTaken ? logInDevice(this.#devices, request) : undefined;
    if (found === undefined || "refusal" in found) {
      const refusal = deviceRefusal(found, reply);
      if (refusal !== undefined) this.#showAddressRate(request, reply);
      done(refusal ?? this.#refuse(request, reply));
      return;
    }
    request.setDecorator(DEVICE_DECORATOR, found.entry);
    // No key has such an id.
    const caller = `asset/${found.entry.asset.id}`;
    const limit = DEVICE_REQUESTS_PER_MINUTE;
    this.#ofRoutes.take(caller, limit, (count) => {
      setRate(reply, limit, count);
      done(count.requests > limit ? tooMany(reply, count.endS, this.#now()) : undefined);
    });
  }

  /** Counts a refusal by address. `refusal` absent: there is no valid key. */
  #refuse(request: FastifyRequest, reply: FastifyReply, refusal?: Refusal): Error {
    const nowMs = this.#now();
    const count = this.#addresses.take(clientNetwork(request.ip), nowMs);
    const endS = windowEndS(nowMs);
    setRate(reply, REFUSED_PER_MINUTE, { requests: count, endS });
    if (count > REFUSED_PER_MINUTE) return tooMany(reply, endS, nowMs);
    if (refusal !== undefined) return refusal;
    reply.header("www-authenticate", takesBasic(request) ? BASIC_OR_BEARER : "Bearer");
    return new Refusal(401, "unauthorized", "Invalid API key");
  }

  /** The address's window without a count: nobody was refused, and no key is known. */
  #showAddressRate(request: FastifyRequest, reply: FastifyReply): void {
    const nowMs = this.#now();
    const requests = this.#addresses.used(clientNetwork(request.ip), nowMs);
    setRate(reply, REFUSED_PER_MINUTE, { requests, endS: windowEndS(nowMs) });
  }

  /** Lets the request pass (`done` without argument) or says why not. */
  #admit(
    found: Principal,
    config: FastifyContextConfig,
    request: FastifyRequest,
    reply: FastifyReply,
    done: (refusal?: Error) => void,
  ): void {
    const refusal = refusalOf(found, config, request);
    // Only for who may use the route; everybody else is counted as everywhere.
    const ofRoute = request.is404 || refusal !== undefined ? undefined : config.requestsPerMinute;
    const limit = ofRoute ?? REQUESTS_PER_MINUTE[found.plan];
    const counter = ofRoute === undefined ? this.#keys : this.#ofRoutes;
    counter.take(callerOf(found), limit, (count) => {
      setRate(reply, limit, count);
      done(count.requests > limit ? tooMany(reply, count.endS, this.#now()) : refusal);
    });
  }
}

function refusalOf(
  found: Principal,
  { access }: FastifyContextConfig,
  request: FastifyRequest,
): Error | undefined {
  // An unknown route needs a valid key and nothing else: its 404 says nothing.
  if (request.is404) return undefined;
  request.setDecorator(PRINCIPAL_DECORATOR, found);
  if (access === "any key") return undefined;
  const isOfKeys = access !== undefined && access !== "public" && access !== "device";
  if (!isOfKeys || !hasScope(found, access)) {
    const missing = access === undefined ? "" : ` ${access}`;
    return new Refusal(403, "forbidden", `The API key lacks the scope${missing}`);
  }
  return undefined;
}

function setRate(reply: FastifyReply, limit: number, { requests, endS }: Count): void {
  reply.header("x-ratelimit-limit", limit);
  reply.header("x-ratelimit-remaining", Math.max(0, limit - requests));
  reply.header("x-ratelimit-reset", endS);
}

function tooMany(reply: FastifyReply, endS: number, nowMs: number): Error {
  // RFC 9110 section 10.2.3: whole seconds; at least 1, or a client retries inside this window.
  reply.header("retry-after", Math.max(1, Math.ceil(endS - nowMs / 1000)));
  return new Refusal(429, "rate_limit_exceeded", "Too many requests in this minute");
}

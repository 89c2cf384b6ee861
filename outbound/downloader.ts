import type { Writable } from "node:stream";
import type { AddressRules } from "./address-rules.ts";
import { type DownloadLimits, getInto } from "./download.ts";
import { failureOf, OutboundError, type OutboundFailure } from "./failure.ts";
import type { ResolveHost } from "./resolve-host.ts";
import { type OutboundTarget, readTarget } from "./target.ts";

/** What a download came to; `status`: an answer that is neither 200 nor a redirect. */
export type DownloadOutcome =
  | { readonly bytes: number }
  | { readonly status: number }
  | { readonly failure: OutboundFailure };

/** Files from addresses that clients of the API chose: only from where the rules let it. */
export interface Downloader {
  /**
   * Streams a file of at most `maxBytes` into the writable that `sink` makes, once there is a body.
   * Follows 3 redirects at most, each checked as the first address was, and none from https to
   * http. Never throws; what was written before a failure is the caller's to remove.
   */
  download(
    url: string,
    sink: () => Writable,
    options: { readonly maxBytes: number; readonly signal?: AbortSignal },
  ): Promise<DownloadOutcome>;
}

/** docs/rules.md#images. */
const LIMITS: DownloadLimits = { connectMs: 10_000, idleMs: 30_000, totalMs: 120_000 };
const MAX_REDIRECTS = 3;

export function createDownloader(options: {
  readonly rules: AddressRules;
  readonly resolve: ResolveHost;
  readonly limits?: Partial<DownloadLimits>;
  /** PEM authorities in the place of the system's. */
  readonly ca?: string;
}): Downloader {
  const { rules, resolve, ca } = options;
  const limits = { ...LIMITS, ...options.limits };

  function targetOf(url: string): OutboundTarget {
    const target = readTarget(url, rules);
    if ("refusal" in target) throw new OutboundError("blocked");
    return target;
  }

  return {
    async download(url, sink, { maxBytes, signal: given }) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), limits.totalMs);
      const signal = given === undefined ? late.signal : AbortSignal.any([late.signal, given]);
      const use = { rules, resolve, limits, maxBytes, signal, ca };
      try {
        let target = targetOf(url);
        for (let redirects = 0; ; redirects++) {
          const answer = await getInto(sink, target, use);
          if (!("location" in answer)) return answer;
          if (redirects === MAX_REDIRECTS) return { failure: "too many redirects" };
          const next = targetOf(absolute(answer.location, target.url));
          if (target.isTls && !next.isTls) return { failure: "insecure redirect" };
          target = next;
        }
      } catch (error) {
        if (late.signal.aborted) return { failure: "timeout" };
        return { failure: given?.aborted === true ? "stopped" : failureOf(error) };
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function absolute(location: string, base: URL): string {
  if (!URL.canParse(location, base.href)) throw new OutboundError("not http");
  return new URL(location, base).href;
}

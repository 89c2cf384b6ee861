import { createHmac, timingSafeEqual } from "node:crypto";

/** Signs and checks addresses of files that this service serves itself. */
export interface FileUrlSigner {
  /** Query string without `?` that lets its holder read `key` until `expiresAtMs` (rounded up to s). */
  sign(key: string, expiresAtMs: number): string;
  /** Whether that query lets its holder read `key` at `nowMs`. Takes the same time for every signature. */
  isValid(
    key: string,
    query: { readonly expires?: unknown; readonly signature?: unknown },
    nowMs: number,
  ): boolean;
}

/** A signer whose key is derived from the service's secret: every process of one secret signs alike. */
export function createFileUrlSigner(pepper: Uint8Array): FileUrlSigner {
  const signingKey = createHmac("sha256", pepper).update("file addresses, version 1").digest();

  function signature(key: string, expiresS: string): Buffer {
    return createHmac("sha256", signingKey).update(`${expiresS}\n${key}`, "utf8").digest();
  }

  return {
    sign(key, expiresAtMs) {
      const expires = String(Math.ceil(expiresAtMs / 1_000));
      return `expires=${expires}&signature=${signature(key, expires).toString("base64url")}`;
    },
    isValid(key, query, nowMs) {
      const { expires, signature: given } = query;
      // Repeated parameters come as arrays; digits only, so that one time has one spelling.
      if (typeof expires !== "string" || !/^\d{1,12}$/.test(expires)) return false;
      if (typeof given !== "string") return false;
      const actual = Buffer.from(given, "base64url");
      const expected = signature(key, expires);
      const isAuthentic = actual.length === expected.length && timingSafeEqual(actual, expected);
      return isAuthentic && Number(expires) * 1_000 > nowMs;
    },
  };
}

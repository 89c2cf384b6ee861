import { DAY_MS } from "../domain/time.ts";
import type { ExpiringFile, TlsFiles } from "./pem-files.ts";

/** How long before its end a file is reported, ms: certbot renews 30 days before it. */
const NOTICE_MS = 14 * DAY_MS;
/** Of short-lived certificates and lists, the part of their time that is left when they are reported. */
const NOTICE_PART = 0.2;

/** What stops working when a file has expired. */
const CONSEQUENCE: Readonly<Record<ExpiringFile, string>> = {
  TLS_CERT_FILE: "clients refuse to connect over TLS",
  TLS_CA_FILE: "client certificates of that authority are refused",
  TLS_CRL_FILE: "every client certificate is refused",
};

/** What expires soon or has expired, one sentence for each file. */
export function expiryWarnings({ validity }: Pick<TlsFiles, "validity">, nowMs: number): string[] {
  return Object.entries(validity).flatMap(([name, { fromMs, untilMs }]) => {
    const file = name as ExpiringFile;
    const left = untilMs - nowMs;
    if (left > Math.min(NOTICE_MS, (untilMs - fromMs) * NOTICE_PART)) return [];
    const at = new Date(untilMs).toISOString();
    if (left <= 0) return `${file} expired at ${at}: ${CONSEQUENCE[file]}`;
    return `${file} expires at ${at}; then ${CONSEQUENCE[file]}`;
  });
}

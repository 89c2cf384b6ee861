import { buildStatusApp } from "../api/status-app.ts";
import type { HttpIngest } from "../ingest/http/http-ingest.ts";
import type { Start } from "./process/common.ts";
import { type HttpUrls, listenHttp } from "./process/listen.ts";

/**
 * Serves health and metrics where the process serves no API, and readings by HTTP where it has a journal;
 * yields its addresses.
 */
export async function startStatus(
  start: Start,
  health: () => readonly string[],
  ingest?: HttpIngest,
): Promise<HttpUrls> {
  const { log, metrics, damage, tls } = start;
  const warnings = () => tls?.warnings() ?? [];
  const parts = { health, damage: () => damage.list(), warnings, metrics, log };
  const app = await buildStatusApp({ ...parts, ingest });
  return await listenHttp(app, start);
}

import { buildStatusApp } from "../api/status-app.ts";
import type { Start } from "./common.ts";
import { type HttpUrls, listenHttp } from "./listen.ts";

/** Serves health and metrics where the process serves no API; yields its addresses. */
export async function startStatus(
  start: Start,
  health: () => readonly string[],
): Promise<HttpUrls> {
  const { log, metrics, damage, tls } = start;
  const warnings = () => tls?.warnings() ?? [];
  const app = await buildStatusApp({ health, damage: () => damage.list(), warnings, metrics, log });
  return await listenHttp(app, start);
}

import { buildStatusApp } from "../api/status-app.ts";
import type { Start } from "./common.ts";
import { listenHttp } from "./listen.ts";

/** Serves health and metrics where the process serves no API; yields its address. */
export async function startStatus(
  { settings, log, closers, metrics }: Start,
  health: () => readonly string[],
): Promise<string> {
  const app = await buildStatusApp({ health, metrics, log });
  closers.push(() => app.close());
  return await listenHttp(app, settings);
}

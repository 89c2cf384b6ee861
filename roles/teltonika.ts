import type { Intake } from "../ingest/intake/intake.ts";
import { openTeltonika, type TeltonikaServer } from "../ingest/teltonika/server.ts";
import type { Common, Start } from "./common.ts";
import type { DeviceLog } from "./device-log.ts";

/** Listens for Teltonika trackers where the settings say so. */
export async function startTeltonika(
  { settings, log, closers }: Start,
  { directory }: Pick<Common, "directory">,
  intake: Intake,
  { onConnection }: Pick<DeviceLog, "onConnection">,
): Promise<TeltonikaServer | undefined> {
  const { teltonikaHost: host, teltonikaPort: port } = settings;
  if (port === undefined) return undefined;
  const server = await openTeltonika({ host, port, intake, directory, log, onConnection });
  closers.push(() => server.close());
  return server;
}

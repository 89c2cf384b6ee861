import type { ClientSessionClaims } from "../../ingest/client-sessions/client-session-claims.ts";
import type { Codec12Commands } from "../../ingest/commands/codec12-commands.ts";
import type { Intake } from "../../ingest/intake/intake.ts";
import { TeltonikaServer } from "../../ingest/teltonika/server.ts";
import type { Common, Start } from "../process/common.ts";
import type { DeviceLog } from "./device-log.ts";

/** Listens for Teltonika trackers where the settings say so. */
export async function startTeltonika(
  { settings, log, closers, proxyProtocol }: Start,
  { directory }: Pick<Common, "directory">,
  intake: Intake,
  { onConnection, messages }: Pick<DeviceLog, "onConnection" | "messages">,
  {
    commands,
    sessionClaims,
  }: {
    readonly commands: Codec12Commands;
    readonly sessionClaims: ClientSessionClaims | undefined;
  },
): Promise<TeltonikaServer | undefined> {
  const { teltonikaHost: host, teltonikaPort: port } = settings;
  if (port === undefined) return undefined;
  const parts = { intake, directory, log, onConnection, messages, commands, sessionClaims };
  const server = await TeltonikaServer.open({ host, port, proxyProtocol, ...parts });
  closers.push(() => server.close());
  return server;
}

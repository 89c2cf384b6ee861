import type { Intake } from "../../ingest/intake/intake.ts";
import { OsmandServer } from "../../ingest/osmand/server.ts";
import type { Common, Start } from "../process/common.ts";
import type { DeviceLog } from "./device-log.ts";

/** Listens for phones and scripts that report by HTTP where the settings say so. */
export async function startOsmand(
  { settings, log, closers, proxyProtocol }: Start,
  { directory }: Pick<Common, "directory">,
  intake: Intake,
  { onConnection }: Pick<DeviceLog, "onConnection">,
): Promise<OsmandServer | undefined> {
  const { osmandHost: host, osmandPort: port } = settings;
  if (port === undefined) return undefined;
  const server = await OsmandServer.open({
    ...{ host, port, proxyProtocol },
    ...{ intake, directory, log, onConnection },
  });
  closers.push(() => server.close());
  return server;
}

import { randomInt } from "node:crypto";
import type { ConnectionReport } from "../../ingest/broker/connection-outcome.ts";
import { ConnectionLog } from "../../ingest/device-log/connections/connection-log.ts";
import {
  type DeviceReport,
  notedConnection,
  notedDevice,
  notedHandshake,
} from "../../ingest/device-log/connections/noted-connections.ts";
import { MessageLog } from "../../ingest/device-log/messages/message-log.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type { Common, Start } from "../process/common.ts";

/** The numbers of a millisecond that processes choose from. */
const OFFSETS_US = 1_000;

/** What a process remembers of devices, for people who ask why one is not online. */
export interface DeviceLog {
  readonly messages: MessageLog;
  /** Takes what the MQTT broker reports. */
  readonly onMqttConnection: (report: ConnectionReport) => void;
  /** Takes what listeners of other protocols report. */
  readonly onConnection: (report: DeviceReport) => void;
  /** For metrics. */
  stats(): Readonly<Record<string, number>>;
}

/** Starts the logs of connections and of messages; what was noted is written before the process stops. */
export function startDeviceLog(
  { log, closers, tls }: Pick<Start, "log" | "closers" | "tls">,
  { records, directory }: Pick<Common, "records" | "directory">,
): DeviceLog {
  const messages = openMessageLog(directory);
  const connections = new ConnectionLog({
    records: records.connections,
    log,
    offsetUs: randomInt(OFFSETS_US),
  });
  closers.push(() => connections.close());
  tls?.onFailure((failure) => connections.note(notedHandshake(failure, directory)));
  return {
    messages,
    onMqttConnection(report) {
      const noted = notedConnection(report, directory);
      if (noted !== undefined) connections.note(noted);
    },
    onConnection: (report) => connections.note(notedDevice(report)),
    stats: () => connections.stats(),
  };
}

/** The log of messages of this process; it forgets assets that are deleted. */
function openMessageLog(directory: Pick<AssetDirectory, "onChange">): MessageLog {
  const messages = new MessageLog(Date.now());
  directory.onChange((assetId, entry) => {
    if (entry === undefined) messages.forget(assetId);
  });
  return messages;
}

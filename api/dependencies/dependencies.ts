import type { FastifyBaseLogger } from "fastify";
import type { Registry } from "prom-client";
import type { AssetId } from "../../domain/ids.ts";
import type { LiveAssets } from "../../ingest/asset-state/asset-state.ts";
import type { EventFeed } from "../../ingest/delivery/event-feed.ts";
import type { NotedConnection } from "../../ingest/device-log/connections/connection-log.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import type { PlanDirectory } from "../../ingest/directories/plan-directory.ts";
import type { HttpIngest } from "../../ingest/http/http-ingest.ts";
import type { ReplayOutcome } from "../../ingest/replay/replay.ts";
import type { AddressRules } from "../../outbound/address-rules.ts";
import type { OutboundClient } from "../../outbound/client.ts";
import type { MqttSockets } from "../../outbound/mqtt-address.ts";
import type { WorkerPool } from "../../processing/pool/pool.ts";
import type { JobWatch } from "../../processing/queue/job-watch.ts";
import type { Backups } from "../../storage/backup/backup.ts";
import type { Damage } from "../../storage/check/damage-log.ts";
import type { DiskSpace } from "../../storage/disk/disk-space.ts";
import type { Files } from "../../storage/open.ts";
import type { MessageView } from "../../storage/ports/equipment/device-log.ts";
import type { QuarantineEntry } from "../../storage/ports/equipment/quarantine.ts";
import type { RequestCounts } from "../../storage/ports/platform/request-counts.ts";
import type { RecordStore } from "../../storage/ports/record-store.ts";
import type { TelemetryStore } from "../../storage/ports/telemetry-store.ts";
import type { Keyring } from "../auth/keyring.ts";
import type { ConsoleDependencies } from "../console/console-dependencies.ts";
import type { ImageUploads } from "../surveys/image-uploads.ts";

/** The zone an asset is in: the smallest fence of kind `zone` that holds it. */
export interface Zone {
  readonly id: string;
  readonly name: string;
}

/** What the routes of webhooks need beside the records. */
export interface WebhookDependencies {
  /** Checks the addresses that clients give, and sends test messages to them. */
  readonly outbound: OutboundClient;
  /** Called on every write to webhooks and their deliveries. Never waits. */
  readonly changed: () => void;
}

/** What the routes of forwarders need beside the records. */
export interface ForwarderDependencies {
  /** Checks the addresses that clients give. */
  readonly outbound: Pick<OutboundClient, "check">;
  readonly sockets: Pick<MqttSockets, "check">;
  /** Called on every write to forwarders. Never waits. */
  readonly changed: () => void;
}

/** What the routes of fleet sources need beside the records. */
export interface FleetSourceDependencies {
  /** Checks the addresses that clients give. */
  readonly outbound: Pick<OutboundClient, "check">;
  /** Called on every write to fleet sources, and on requests for a poll. Never waits. */
  readonly changed: () => void;
}

/** What the routes of commands need beside the records. */
export interface CommandDependencies {
  /** Called on every new command. Never waits. */
  readonly added: (assetId: AssetId) => void;
  /** Whether devices are at an external broker, which commands do not reach. */
  readonly hasExternalBroker: boolean;
}

/** What routes that hand images on to jobs need beside records and files. */
export interface JobDependencies {
  readonly watch: JobWatch;
  /** Notifies the runner of this process, if there is one, of a new job. Never waits. */
  readonly added: () => void;
  /** Jobs that are worked on at once, as far as this process knows. */
  readonly jobsAtOnce: number;
  /** Where images may be fetched from. */
  readonly addresses: AddressRules;
  /** Whether there may be a process that works on jobs. */
  readonly isWorkedOn: boolean;
}

/** Runs a task of image processing in a thread that requests may wait for. */
export type RunTask = WorkerPool["run"];

/** Everything the API uses; it opens and closes none of it. */
export interface ApiDependencies {
  readonly records: RecordStore;
  readonly telemetry: Pick<TelemetryStore, "read">;
  readonly directory: AssetDirectory;
  readonly live: LiveAssets;
  /** The maintenance plans that the pipeline uses; notified of every write. */
  readonly plans: PlanDirectory;
  /** The outbox as it grows; what a route adds to it is published immediately after a `poke`. */
  readonly feed: EventFeed;
  /** Shared with the MQTT readers, so that a revocation reaches both at once. */
  readonly keyring: Keyring;
  /** Secret of every stored hash. */
  readonly pepper: Uint8Array;
  /** Decodes and journals a quarantined message again. */
  readonly replay: (entry: QuarantineEntry) => Promise<ReplayOutcome>;
  /** What the processes that take messages remember of those of an asset. */
  readonly messageViews: (assetId: AssetId) => Promise<readonly MessageView[]>;
  /** Takes what became of a log-in at an external broker. Never waits. */
  readonly noteConnection: (noted: NotedConnection) => void;
  /** Why the service is not ready; empty when it is. Answers from memory. */
  readonly health: () => readonly string[];
  /** Files that are damaged. Answers from memory. */
  readonly damage: () => readonly Damage[];
  /** What needs an operator's attention although the service is ready. Answers from memory. */
  readonly warnings?: () => readonly string[];
  readonly metrics: Registry;
  /** Server clock, ms since the Unix epoch. */
  readonly now: () => number;
  readonly log: FastifyBaseLogger;
  /** Origins whose pages may call the API from a browser, or `*`; absent: none. */
  readonly corsOrigins?: readonly string[];
  /** Address that clients reach the API by, if not the one it listens on. */
  readonly publicUrl?: string | undefined;
  /** What assistants may do at `/mcp`; absent: there is none. */
  readonly assistants?: "read" | "write";
  /** Absent: this process serves no web console. */
  readonly console?: ConsoleDependencies;
  /** Days that visits and telemetry are kept; absent: this process does not know. */
  readonly retentionDays?: number;
  /** How the service logs in at an external MQTT broker; absent: this process does not know. */
  readonly mqttLogin?: { readonly username: string; readonly password: string };
  /** Counts requests of keys over several processes. Absent: this one counts alone. */
  readonly requestCounts?: RequestCounts;
  /** What evaluates fixes against the fences; notified of every write. Absent: nobody needs to know immediately. */
  readonly fences?: { refresh(): Promise<void> };
  /** Admits temporary files. Absent: none is refused. */
  readonly disk?: DiskSpace;
  /** Admits rows, where the records are on a disk of ours. Absent: none is refused. */
  readonly recordsDisk?: DiskSpace;
  /** Absent: no file is served. */
  readonly files?: Files;
  /** Browser that prints reports as PDF; absent: the first one on the PATH. */
  readonly chromiumFile?: string | undefined;
  /** Absent: nothing can be measured, and no captures are taken. */
  readonly jobs?: JobDependencies;
  /** Absent: what needs a thread of its own cannot be asked for, such as the correction of a report. */
  readonly runTask?: RunTask;
  /** The same for map tiles, which come by the hundred and must not stand before other tasks. Absent: there are none. */
  readonly runTileTask?: RunTask;
  /** The same for thumbnails of images, each of which may take hundreds of MiB. Absent: there are none. */
  readonly runThumbnailTask?: RunTask;
  /** Absent: no images can be uploaded. */
  readonly uploads?: ImageUploads;
  /** Absent: this process has no stores of its own to back up. */
  readonly backups?: Backups;
  /** Takes readings that devices send by HTTP. Absent: the journal is in another process. */
  readonly ingest?: HttpIngest;
  /** Whether devices must present a client certificate; for a process without `ingest`, which knows it itself. */
  readonly demandsDeviceCertificate?: boolean;
  /** Absent: there are no routes of webhooks. */
  readonly webhooks?: WebhookDependencies;
  /** Absent: there are no routes of forwarders. */
  readonly forwarders?: ForwarderDependencies;
  /** Absent: there are no routes of fleet sources. */
  readonly fleetSources?: FleetSourceDependencies;
  /** Absent: there are no routes of commands. */
  readonly commands?: CommandDependencies;
  /** Absent: no asset is in a zone. */
  readonly zoneOf?: (assetId: AssetId) => Zone | undefined;
}

import type { FaultCode, TimeSource } from "../../domain/equipment/reading.ts";
import type { AssetId, GeofenceId, ProjectId } from "../../domain/ids.ts";
import type { MaintenanceView } from "../stages/maintenance/maintenance-view.ts";
import type { DayUsage } from "../track/day-usage.ts";
import type { Identity } from "../track/identities.ts";

/** The newest position of an asset, with every field the contract asks for filled in. */
export interface Fix {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyMeters: number;
  /** `assumed`: not reported; 5 m x HDOP where the device gave one, else 15 m. */
  readonly accuracySource: "reported" | "assumed";
  readonly speedKmh: number;
  /** `derived`: from this fix and those before it; `none`: the fixes do not show it, and it is given as 0. */
  readonly speedSource: "reported" | "derived" | "none";
  /** Degrees clockwise from true north, `[0, 360]`. */
  readonly heading: number;
  readonly headingSource: "reported" | "derived" | "none";
  readonly fixTimeMs: number;
  readonly timeSource: TimeSource;
  readonly receivedAtMs: number;
  /** The device says that the position is made up. Absent: it does not. */
  readonly isMocked?: true;
}

/** The newest value of one telemetry field and its fix time. */
export interface LatestValue {
  readonly value: number;
  readonly fixTimeMs: number;
}

/** What an asset did on one local day so far; seconds and metres. */
export interface DayTotals {
  /** Local calendar date of the project, YYYY-MM-DD. */
  readonly day: string;
  readonly workingS: number;
  readonly overtimeS: number;
  readonly engineOnS: number;
  readonly distanceM: number;
  /** How they came about; `undefined` for a day that was stored before that was kept. */
  readonly usage?: DayUsage | undefined;
}

/** The worst problem of an asset's link, data or fix; `unknown`: no message ever came. */
export const CONNECTION_STATUSES = ["ok", "silent", "offline", "gps_stuck", "unknown"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

/** Link, data and fix of an asset. */
export interface Connection {
  readonly link: "connected" | "disconnected" | "unknown";
  /** Since when it is so, server clock, ms. */
  readonly linkSinceMs: number | undefined;
  readonly status: ConnectionStatus;
}

/** What the API shows of one asset now; replaced, never changed in place. */
export interface AssetState {
  readonly assetId: AssetId;
  readonly projectId: ProjectId;
  /** Absent until the first position. */
  readonly fix: Fix | undefined;
  /** Server clock of the newest message, ms; 0: it was connected, but sent none. */
  readonly lastReceivedAtMs: number;
  /** `last_update`: min(fix time, receive time) of the newest reading, ms; 0 for none. */
  readonly lastUpdateMs: number;
  readonly latest: Readonly<Record<string, LatestValue>>;
  /** Active fault codes of the newest reading that carried any list, even an empty one. */
  readonly faults: readonly FaultCode[];
  /** What the device names in text, by name; as it was last sent. */
  readonly identities: Readonly<Record<string, Identity>>;
  /** Fix time of the newest sign of work, ms; 0 for none. */
  readonly lastWorkedAtMs: number;
  /** Fix time of the newest reading on the time line, ms; 0 for none. */
  readonly reportedToMs: number;
  /** Time between its last messages, whole seconds. */
  readonly reportGapsS: readonly number[];
  readonly today: DayTotals | undefined;
  readonly connection: Connection;
  /** Fences that the asset is in. */
  readonly geofences: readonly GeofenceId[];
  readonly maintenance: MaintenanceView;
  /** The asset's status is `maintenance` while one is open. */
  readonly hasCriticalAlert: boolean;
  /**
   * The machine's own meter where it has one (`machine`), else our sum of engine-on time (`accumulated`);
   * `undefined`: no time is known in which it ran or was off.
   */
  readonly engineHours:
    | { readonly value: number; readonly source: "machine" | "accumulated" }
    | undefined;
}

/** Read access to the live state for the API; answers from memory. */
export interface LiveAssets {
  state(assetId: AssetId): AssetState | undefined;
  /** Called with every asset whose state was replaced. */
  onChange(listener: (assetId: AssetId) => void): void;
}

import type { FleetSeries } from "../../../domain/equipment/fleet-series.ts";
import type { FaultCode } from "../../../domain/equipment/reading.ts";
import type { AssetId, FleetSourceId } from "../../../domain/ids.ts";

/** The credentials of a source. Texts named "sealed" are encrypted by the caller, as base64. */
export type FleetSourceAuth =
  | { readonly kind: "none" }
  | { readonly kind: "basic"; readonly username: string; readonly sealedPassword: string }
  | { readonly kind: "bearer"; readonly sealedToken: string }
  | {
      readonly kind: "oauth2_client_credentials";
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly sealedClientSecret: string;
      readonly scope?: string;
    }
  | {
      readonly kind: "oauth2_password";
      readonly tokenUrl: string;
      readonly username: string;
      readonly sealedPassword: string;
      /** Of servers that know their clients, of whom not all have a secret. */
      readonly clientId?: string;
      readonly sealedClientSecret?: string;
      readonly scope?: string;
    }
  | { readonly kind: "api_key_header"; readonly name: string; readonly sealedValue: string };

/** Another maker's ISO 15143-3 server that is polled. */
export interface FleetSource {
  readonly id: FleetSourceId;
  readonly name: string;
  /** As a person gave it: the base, or the first page. */
  readonly url: string;
  readonly auth: FleetSourceAuth;
  /** Seconds between the starts of two polls. */
  readonly intervalS: number;
  /** What is polled of each machine over time, beside the fleet as it is now; empty: nothing. */
  readonly series: readonly FleetSeries[];
  readonly status: "active" | "disabled";
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What a machine is called by a server; texts as the server sends them. */
export interface FleetMachineNames {
  readonly oemName?: string;
  readonly model?: string;
  readonly equipmentId?: string;
  readonly serialNumber?: string;
  readonly pin?: string;
}

/** The outcome of one poll of a source; counts are of this poll. */
export interface FleetPoll {
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  readonly nextPollAtMs: number;
  /** Polls in a row that failed, this one included; 0 after success. */
  readonly consecutiveFailures: number;
  /** Why it failed, in words that name no address; absent: it did not. */
  readonly failure?: string;
  /** HTTP status of the last answer; absent when none came. */
  readonly httpStatus?: number;
  readonly pages: number;
  /** Of them, those that the server said are as they were. */
  readonly unchangedPages: number;
  readonly machines: number;
  readonly matchedMachines: number;
  readonly readings: number;
  /** Pages of series of single machines; absent in polls of before they were polled. */
  readonly seriesPages?: number;
  /** The first of them, each of a machine or of a page, and how many there were. */
  readonly problems: readonly { readonly where: string; readonly problem: string }[];
  readonly problemCount: number;
  /** Machines that no asset is registered for: the first of them, and how many there were. */
  readonly unmatched: readonly FleetMachineNames[];
  readonly unmatchedCount: number;
}

/** A fault code that a machine's series has reported lately. */
export interface ActiveFleetFault {
  readonly code: FaultCode;
  /** ms since the Unix epoch of its newest report. */
  readonly lastMs: number;
  /** Reports since it became active. */
  readonly count: number;
}

/** How far the series of one machine were taken. */
export interface TakenSeries {
  /** ms since the Unix epoch up to which each series was taken, by its name. */
  readonly cursors: Readonly<Partial<Record<FleetSeries, number>>>;
  readonly faults: readonly ActiveFleetFault[];
}

/** What was taken for an asset from a source. */
export interface TakenSections {
  readonly assetId: AssetId;
  /** Identifies the machine and the registration that they are of; others have taken nothing yet. */
  readonly machine: string;
  /** ms since the Unix epoch of the newest section taken, by its lower-case name. */
  readonly sections: Readonly<Record<string, number>>;
  /** Absent: no series was taken. */
  readonly series?: TakenSeries;
}

/** A source with what is known of its polls. */
export interface PolledFleetSource {
  readonly source: FleetSource;
  /** `undefined`: it was never polled. */
  readonly lastPoll: FleetPoll | undefined;
  /** When somebody asked for a poll last, ms; `undefined`: never. */
  readonly pollRequestedAtMs: number | undefined;
}

export interface FleetSourceRecords {
  /** @throws DomainError `ID_CONFLICT`, `LIMIT_REACHED`. */
  insert(source: FleetSource): Promise<void>;
  /** In the order of their creation. */
  list(): Promise<readonly PolledFleetSource[]>;
  find(id: FleetSourceId): Promise<PolledFleetSource | undefined>;
  /** One change after the other. @throws DomainError `SOURCE_NOT_FOUND`. */
  update(
    id: FleetSourceId,
    change: (before: FleetSource) => FleetSource,
  ): Promise<PolledFleetSource>;
  /** With all that is known of its polls. @throws DomainError `SOURCE_NOT_FOUND`. */
  delete(id: FleetSourceId): Promise<void>;
  /** Asks for a poll that begins at or after `atMs`. @throws DomainError `SOURCE_NOT_FOUND`. */
  requestPoll(id: FleetSourceId, atMs: number): Promise<void>;

  taken(id: FleetSourceId): Promise<readonly TakenSections[]>;
  /**
   * One transaction: replaces the last poll (`undefined`: it stays) and the rows of these assets. Does
   * nothing for a source that is gone.
   */
  recordPoll(
    id: FleetSourceId,
    poll: FleetPoll | undefined,
    taken: readonly TakenSections[],
  ): Promise<void>;
}

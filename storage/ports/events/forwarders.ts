import type { ForwarderId, ProjectId } from "../../../domain/ids.ts";

/** What readings are passed on with: a POST for each position, or MQTT with QoS 1. */
export const FORWARDER_KINDS = ["traccar_http", "mqtt"] as const;
export type ForwarderKind = (typeof FORWARDER_KINDS)[number];

/** What the messages look like: our own JSON, or a position as a Traccar server forwards it. */
export const FORWARD_FORMATS = ["plumbline", "traccar"] as const;
export type ForwardFormat = (typeof FORWARD_FORMATS)[number];

/** Another system that readings are passed on to. */
export interface Forwarder {
  readonly id: ForwarderId;
  readonly name: string;
  readonly kind: ForwarderKind;
  /** `http:` or `https:`, or `mqtt:` or `mqtts:`, as the kind has it. */
  readonly url: string;
  readonly format: ForwardFormat;
  /** MQTT topic with `{project}`, `{asset}` and `{hardware_id}`; `undefined` for HTTP. */
  readonly topic: string | undefined;
  /** `undefined`: every project. */
  readonly projectIds: readonly ProjectId[] | undefined;
  /** How it logs in there, encrypted by the caller; the store never sees it as it is. */
  readonly credentials: Uint8Array | undefined;
  readonly status: "active" | "disabled";
  /** What was acknowledged before is left out; server clock, ms since the Unix epoch. */
  readonly startAtMs: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** How far a forwarder has come in one journal or partition. */
export interface ForwarderProgress {
  readonly forwarderId: ForwarderId;
  readonly journalId: string;
  /** Every record up to it was dealt with. */
  readonly sequence: number;
  /** Readings that the other system has confirmed. */
  readonly sent: number;
  /** What was left out, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Server clock of the last confirmation, ms since the Unix epoch. */
  readonly lastSentAtMs: number | undefined;
  /** The last trouble, in words that name no address, and when it was. */
  readonly lastError: { readonly atMs: number; readonly reason: string } | undefined;
  /** Since when nothing has got through; `undefined` while it does. */
  readonly heldSinceMs: number | undefined;
  /** Records of the journal that were not dealt with when this was written, and since when the first waits. */
  readonly behind: { readonly records: number; readonly sinceMs: number } | undefined;
}

export interface ForwarderRecords {
  /** @throws DomainError `ID_CONFLICT`; `LIMIT_REACHED` by the limits of one project. */
  insert(forwarder: Forwarder): Promise<void>;
  /** Oldest first. */
  list(): Promise<readonly Forwarder[]>;
  find(id: ForwarderId): Promise<Forwarder | undefined>;
  /** One change after the other. @throws DomainError `FORWARDER_NOT_FOUND`, `LIMIT_REACHED`. */
  update(id: ForwarderId, change: (before: Forwarder) => Forwarder): Promise<Forwarder>;
  /** With its progress. @throws DomainError `FORWARDER_NOT_FOUND`. */
  delete(id: ForwarderId): Promise<void>;
  /** Of one forwarder, or of all, in every journal. */
  progress(id?: ForwarderId): Promise<readonly ForwarderProgress[]>;
  /**
   * Inserts or replaces rows; one that would go back in its journal is left out, and so are those of
   * forwarders that are gone.
   */
  record(rows: readonly ForwarderProgress[]): Promise<void>;
}

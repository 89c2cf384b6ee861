import type { AssetId } from "../../domain/ids.ts";
import type { CloseReason } from "../intake/session.ts";
import type { LinkEnd } from "../journal-record/link-change.ts";
import type { BrokerListener } from "./arrival.ts";

/**
 * Why a log-in was refused.
 * - `barred`: a wrong password, after too many of the same user or address. A right one is let in.
 * - `wrong_certificate`: the client certificate does not name the asset of the user name, or no asset.
 * - `version_refused`: MQTT 5, or an unknown protocol level.
 * - `client_id`: no client id, and no clean session either [MQTT-3.1.3-8].
 * - `takeover_banned`: two devices with one client id keep ending each other's connections.
 * - `unavailable`: the journal takes no messages, or a reader's key cannot be checked.
 */
export type LoginRefusal =
  | "wrong_password"
  | "unknown_user"
  | "wrong_certificate"
  | "barred"
  | "version_refused"
  | "client_id"
  | "takeover_banned"
  | "unavailable";

/** A refusal that comes after CONNECT was understood. */
export type AnsweredRefusal = Exclude<LoginRefusal, "version_refused">;

/**
 * Why a connection ended, before or after its log-in.
 * - `disconnect`: the client said DISCONNECT. `cut`: the peer or the network ended it without one.
 * - `takeover`: the same client connected again, to this process or another one.
 * - `credential_changed`: new secret, deleted asset or revoked key.
 * - `certificate_revoked`: or the authority of the client certificate was taken from TLS_CA_FILE.
 * - `too_soon`: another connection of the same tracker began less than a second before (teltonika/server).
 * - `command_unanswered`: a tracker's next command goes out on its next connection (codec12-commands).
 * - `shutdown`: the service stops.
 */
export type ConnectionEnd =
  | "disconnect"
  | "cut"
  | "connect_timeout"
  | "keep_alive"
  | "takeover"
  | "malformed"
  | "oversized"
  | "reader_publish"
  | "credential_changed"
  | "certificate_revoked"
  | "slow_subscriber"
  | "slow_publisher"
  | "too_soon"
  | "command_unanswered"
  | "shutdown"
  | CloseReason;

/**
 * What became of a connection. `accepted` at its log-in; `quota` when the device's rate holds its answers back
 * (it goes on; at most once a minute and asset); everything else at its end.
 */
export type ConnectionOutcome = "accepted" | "quota" | LoginRefusal | ConnectionEnd;

/** One attempt to connect, or the end of a connection; for logs that explain why a device is not online. */
export interface ConnectionReport {
  readonly outcome: ConnectionOutcome;
  /** What is known beyond the outcome, in words of ours: the rule that a packet violates, or how long an answer is held. */
  readonly detail: string | undefined;
  /** IP address of the peer; IPv4 in its own notation. */
  readonly address: string;
  readonly listener: BrokerListener;
  /** What CONNECT said, as far as it was read; all of it may be made up until `accepted`. */
  readonly username: string | undefined;
  readonly clientId: string | undefined;
  /** 4: MQTT 3.1.1, 3: MQTT 3.1, 5: MQTT 5. */
  readonly protocolLevel: number | undefined;
  /** The asset that logged in; `undefined`: none did, or a reader. */
  readonly assetId: AssetId | undefined;
  /** Whether the connection was logged in. */
  readonly wasAccepted: boolean;
  /** Server clock, ms since the Unix epoch. */
  readonly atMs: number;
}

/** CONNACK return codes, MQTT 3.1.1 table 3.1. */
export const RETURN_CODE: Readonly<Record<LoginRefusal, 1 | 2 | 3 | 4 | 5>> = {
  version_refused: 1,
  client_id: 2,
  unavailable: 3,
  wrong_password: 4,
  unknown_user: 4,
  wrong_certificate: 5,
  barred: 5,
  takeover_banned: 5,
};

/** The end of a connection in the words of the journal, which are part of the format on disk. */
export function linkEndOf(outcome: ConnectionOutcome): LinkEnd {
  switch (outcome) {
    case "disconnect":
    case "cut":
    case "keep_alive":
      return outcome;
    // The older of two connections; seen only if the newer one did not last.
    case "takeover":
      return "cut";
    default:
      return "closed";
  }
}

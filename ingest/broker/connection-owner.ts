import type { InboundMessage } from "../intake/inbound-message.ts";
import type { CloseReason, IntakeSession } from "../intake/session.ts";
import type { ConnectionReport } from "./connection-outcome.ts";
import type { FrameProblem } from "./frames/frames.ts";

/** What a connection needs of the broker, and reports to it; `Connection` is the connection itself. */
export interface ConnectionOwner<Connection> {
  /** Server clock, ms since the Unix epoch. */
  now(): number;
  offer(session: IntakeSession, inbound: InboundMessage): void;
  onAcknowledged(): void;
  /** Takes a repeated PUBLISH of QoS 2, which is answered and not stored again. */
  repeat(session: IntakeSession, inbound: InboundMessage): void;
  onVersionRefused(connection: Connection): void;
  onViolation(connection: Connection, problem: FrameProblem | "reader_publish"): void;
  onIntakeClosed(connection: Connection, reason: CloseReason): void;
  /** Called when the log-in is complete, once at the end, and between when answers are held back. */
  onOutcome(report: ConnectionReport): void;
}

import { DomainError } from "../../../domain/errors.ts";
import type { CaptureId } from "../../../domain/ids.ts";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { Queryable, SqlValue } from "../sql/database.ts";
import { storedEstimate } from "../sql/stored-intervals.ts";
import { msOf } from "../sql/times.ts";

/** JSON leaves out what is `undefined`. */
export type StoredCapture = { readonly body: Capture };

/** Values of id, project, type, state, time of creation, date, whether it has products, and body. */
export const captureValues = (capture: Capture): readonly SqlValue[] => [
  capture.id,
  capture.project_id,
  capture.capture_type,
  capture.state,
  msOf(capture.created_at),
  capture.capture_date === undefined ? null : msOf(capture.capture_date),
  capture.products !== undefined,
  JSON.stringify(capture),
];

/** A stored capture as today's version writes it. */
export const storedCapture = (stored: Capture): Capture => ({
  ...stored,
  estimates: stored.estimates.map(storedEstimate),
});

/** The capture, which nobody else changes until the transaction ends. @throws DomainError `CAPTURE_NOT_FOUND`. */
export async function lockCapture(transaction: Queryable, id: CaptureId): Promise<Capture> {
  const [row] = await transaction.query<StoredCapture>(
    "SELECT body FROM captures WHERE id = $1 FOR UPDATE",
    [id],
  );
  if (row === undefined) throw new DomainError("CAPTURE_NOT_FOUND", `no capture "${id}"`);
  return storedCapture(row.body);
}

/** Stores the capture as it is now; its row is locked. */
export async function replaceCapture(transaction: Queryable, capture: Capture): Promise<void> {
  await transaction.query(
    `UPDATE captures SET (project_id, capture_type, state, created_at_ms, capture_date_ms,
       has_products, body) = ($2, $3, $4, $5, $6, $7, $8) WHERE id = $1`,
    captureValues(capture),
  );
}

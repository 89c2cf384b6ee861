import type { CameraId, CaptureId, ObservationId, WorkZoneId } from "../../../domain/ids.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import type { ZoneLabel, ZoneView } from "../../../domain/sites/site-camera.ts";
import type { Queryable } from "../sql/database.ts";
import { explainViolations } from "../sql/pg-errors.ts";
import { msOf } from "../sql/times.ts";
import { siteCameras, workZones } from "./body-table.ts";

/** A row of `zone_views` without its features. */
type ListedView = {
  readonly capture_id: string | null;
  readonly camera_id: string | null;
  readonly zone_id: string;
  readonly image_sha256: string;
  readonly taken_at_ms: number;
  readonly reference_sha256: string | null;
  readonly features_version: number;
};

export type StoredView = ListedView & { readonly features: Uint8Array };

/** A row of `zone_labels` without its features. */
export type StoredListedLabel = ListedView & {
  readonly id: string;
  readonly progress: number;
  readonly stage: string | null;
  readonly labelled_by: string;
  readonly labelled_at_ms: number;
  readonly source: ZoneLabel["source"];
};

export type StoredLabel = StoredListedLabel & StoredView;

const LISTED_VIEW_COLUMNS = `capture_id, camera_id, zone_id, image_sha256, taken_at_ms,
  reference_sha256, features_version`;

/** Columns of `StoredView`. */
export const VIEW_COLUMNS = `${LISTED_VIEW_COLUMNS}, features`;

/** Columns of `StoredListedLabel`. */
export const LISTED_LABEL_COLUMNS = `${LISTED_VIEW_COLUMNS}, id, progress, stage, labelled_by,
  labelled_at_ms, source`;

/** Columns of `StoredLabel`. */
export const LABEL_COLUMNS = `${LISTED_LABEL_COLUMNS}, features`;

/**
 * Views of one statement: with 1,608 features each some 6.4 MB. More take more memory; fewer mean more round
 * trips.
 */
const VIEWS_AT_ONCE = 1_000;

/** Stores the views of a capture; of the same zone and image the first counts. */
export async function insertViews(
  transaction: Queryable,
  captureId: CaptureId,
  views: readonly ZoneView[],
): Promise<void> {
  for (let from = 0; from < views.length; from += VIEWS_AT_ONCE) {
    const batch = views.slice(from, from + VIEWS_AT_ONCE);
    await transaction.query(
      `INSERT INTO zone_views (${VIEW_COLUMNS})
       SELECT $1, given.* FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[],
         $7::int[], $8::bytea[]) AS given
       ON CONFLICT DO NOTHING`,
      [
        captureId,
        batch.map((view) => view.camera_id ?? null),
        batch.map((view) => view.zone_id),
        batch.map((view) => view.image_sha256),
        batch.map((view) => msOf(view.taken_at)),
        batch.map((view) => view.reference_sha256 ?? null),
        batch.map((view) => view.features_version),
        batch.map((view) => featureBytes(view.features)),
      ],
    );
  }
}

/**
 * Stores labels; one of the same zone and image takes the place of an earlier one.
 * @throws DomainError `ZONE_NOT_FOUND`, `CAMERA_NOT_FOUND`, `ID_CONFLICT`.
 */
export async function insertLabels(
  transaction: Queryable,
  labels: readonly ZoneLabel[],
): Promise<void> {
  await workZones.require(
    transaction,
    labels.map(({ zone_id }) => zone_id),
  );
  // Locked, so that a camera that is deleted at the same time takes its labels with it.
  await siteCameras.require(
    transaction,
    labels.flatMap(({ camera_id }) => (camera_id === undefined ? [] : [camera_id])),
  );
  for (const label of labels) {
    await transaction.query("DELETE FROM zone_labels WHERE zone_id = $1 AND image_sha256 = $2", [
      label.zone_id,
      label.image_sha256,
    ]);
    await explainViolations(
      transaction.query(
        `INSERT INTO zone_labels (${LABEL_COLUMNS})
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        [
          label.capture_id ?? null,
          label.camera_id ?? null,
          label.zone_id,
          label.image_sha256,
          msOf(label.taken_at),
          label.reference_sha256 ?? null,
          label.features_version,
          label.id,
          label.progress,
          label.stage ?? null,
          label.labelled_by,
          msOf(label.labelled_at),
          label.source,
          featureBytes(label.features),
        ],
      ),
      { unique: ["ID_CONFLICT", `label id "${label.id}" is taken`] },
    );
  }
}

export const toView = (row: StoredView): ZoneView => ({
  ...listedView(row),
  features: featuresOf(row.features),
});

export const toListedLabel = (row: StoredListedLabel): Omit<ZoneLabel, "features"> => ({
  ...listedView(row),
  id: row.id as ObservationId,
  progress: row.progress,
  stage: row.stage ?? undefined,
  labelled_by: row.labelled_by,
  labelled_at: isoTime(row.labelled_at_ms),
  source: row.source,
});

export const toLabel = (row: StoredLabel): ZoneLabel => ({
  ...toListedLabel(row),
  features: featuresOf(row.features),
});

const listedView = (row: ListedView): Omit<ZoneView, "features"> => ({
  capture_id: (row.capture_id as CaptureId | null) ?? undefined,
  camera_id: (row.camera_id as CameraId | null) ?? undefined,
  zone_id: row.zone_id as WorkZoneId,
  image_sha256: row.image_sha256,
  taken_at: isoTime(row.taken_at_ms),
  reference_sha256: row.reference_sha256 ?? undefined,
  features_version: row.features_version,
});

function featureBytes(features: Float32Array): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(features.length * 4));
  for (const [i, value] of features.entries()) bytes.setFloat32(i * 4, value, true);
  return new Uint8Array(bytes.buffer);
}

function featuresOf({ buffer, byteOffset, byteLength }: Uint8Array): Float32Array {
  const bytes = new DataView(buffer, byteOffset, byteLength);
  return Float32Array.from({ length: byteLength / 4 }, (_, i) => bytes.getFloat32(i * 4, true));
}

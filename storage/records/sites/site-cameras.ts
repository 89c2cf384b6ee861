import { DomainError } from "../../../domain/errors.ts";
import type { CameraId, CaptureId, ObservationId, WorkZoneId } from "../../../domain/ids.ts";
import type { SiteCamera, ZoneLabel, ZoneView } from "../../../domain/sites/site-camera.ts";
import type { ListedLabel, SiteCameraRecords } from "../../ports/sites/site-cameras.ts";
import type { Database } from "../sql/database.ts";
import { expireRows } from "../sql/expire.ts";
import { orderBy } from "../sql/list-order.ts";
import { type BodyFilter, siteCameras } from "./body-table.ts";
import {
  insertLabels,
  LABEL_COLUMNS,
  LISTED_LABEL_COLUMNS,
  type StoredLabel,
  type StoredListedLabel,
  type StoredView,
  toLabel,
  toListedLabel,
  toView,
  VIEW_COLUMNS,
} from "./zone-views.ts";

/** Cameras, their tombstones, views of zones and labels in SQL. */
export class SqlSiteCameraRecords implements SiteCameraRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  insert(camera: SiteCamera): Promise<void> {
    return siteCameras.insert(this.#database, camera);
  }

  find(id: CameraId): Promise<SiteCamera | undefined> {
    return siteCameras.find(this.#database, id);
  }

  async list(
    filter: BodyFilter,
  ): Promise<{ readonly cameras: readonly SiteCamera[]; readonly total: number }> {
    const { bodies, total } = await siteCameras.list(this.#database, filter);
    return { cameras: bodies, total };
  }

  update(id: CameraId, change: (before: SiteCamera) => SiteCamera): Promise<SiteCamera> {
    return siteCameras.update(this.#database, id, change);
  }

  delete(id: CameraId): Promise<void> {
    return siteCameras.delete(this.#database, id, async (transaction) => {
      await transaction.query("DELETE FROM zone_labels WHERE camera_id = $1", [id]);
      await transaction.query("DELETE FROM zone_views WHERE camera_id = $1", [id]);
    });
  }

  async views(captureId: CaptureId): Promise<readonly ZoneView[]> {
    const rows = await this.#database.query<StoredView>(
      `SELECT ${VIEW_COLUMNS} FROM zone_views WHERE capture_id = $1
       ORDER BY taken_at_ms, zone_id, image_sha256`,
      [captureId],
    );
    return rows.map(toView);
  }

  async unlabelled(
    zoneId: WorkZoneId,
    sinceMs: number,
    limit: number,
  ): Promise<readonly ZoneView[]> {
    const rows = await this.#database.query<StoredView>(
      `SELECT ${VIEW_COLUMNS} FROM zone_views AS seen
       WHERE zone_id = $1 AND taken_at_ms >= $2 AND NOT EXISTS (
         SELECT FROM zone_labels AS label
         WHERE label.zone_id = seen.zone_id AND label.image_sha256 = seen.image_sha256)
       ORDER BY taken_at_ms, image_sha256, capture_id LIMIT $3`,
      [zoneId, sinceMs, limit],
    );
    return rows.map(toView);
  }

  addLabel(label: ZoneLabel): Promise<void> {
    return this.#database.transaction((transaction) => insertLabels(transaction, [label]));
  }

  async deleteLabel(zoneId: WorkZoneId, id: ObservationId): Promise<void> {
    const deleted = await this.#database.query(
      "DELETE FROM zone_labels WHERE zone_id = $1 AND id = $2 RETURNING id",
      [zoneId, id],
    );
    if (deleted.length === 0) throw new DomainError("OBSERVATION_NOT_FOUND", `no label "${id}"`);
  }

  async labels(zoneIds: readonly WorkZoneId[]): Promise<readonly ZoneLabel[]> {
    const rows = await this.#database.query<StoredLabel>(
      `SELECT ${LABEL_COLUMNS} FROM zone_labels WHERE zone_id = ANY ($1) ORDER BY taken_at_ms, id`,
      [zoneIds],
    );
    return rows.map(toLabel);
  }

  async listLabels(
    zoneId: WorkZoneId,
    {
      isReversed,
      limit,
      offset,
    }: { readonly isReversed?: boolean; readonly limit: number; readonly offset: number },
  ): Promise<{ readonly labels: readonly ListedLabel[]; readonly total: number }> {
    const [counted] = await this.#database.query<{ total: number }>(
      "SELECT count(*) AS total FROM zone_labels WHERE zone_id = $1",
      [zoneId],
    );
    const rows = await this.#database.query<StoredListedLabel>(
      `SELECT ${LISTED_LABEL_COLUMNS} FROM zone_labels WHERE zone_id = $1
       ${orderBy("taken_at_ms DESC, id DESC", isReversed)} LIMIT $2 OFFSET $3`,
      [zoneId, limit, offset],
    );
    return { labels: rows.map(toListedLabel), total: counted?.total ?? 0 };
  }

  expireViews(beforeMs: number): Promise<boolean> {
    return expireRows(
      this.#database,
      { table: "zone_views", old: "aged.taken_at_ms < $1", order: "taken_at_ms" },
      [beforeMs],
    );
  }
}

import type { Capture } from "../../../domain/sites/capture.ts";
import type { CompletedCapture } from "../../ports/sites/captures.ts";
import { insertEvents } from "../events/event-writes.ts";
import type { Queryable } from "../sql/database.ts";
import { msOf } from "../sql/times.ts";
import { siteCameras, workZones } from "./body-table.ts";
import { lockCapture, replaceCapture } from "./captures-rows.ts";
import { insertReport } from "./progress-reports.ts";
import { insertViews } from "./zone-views.ts";

/**
 * Ends a capture that is processing, in the transaction given; see `CaptureRecords.complete`. Zones and
 * cameras that were deleted meanwhile take nothing any more. Locks: capture, zones, cameras, in this
 * order everywhere; the counter of events last.
 */
export async function completeCapture(
  transaction: Queryable,
  done: CompletedCapture,
): Promise<Capture> {
  const { capture, report, datum, events } = done;
  const before = await lockCapture(transaction, capture.id);
  if (before.state !== "processing") return before;
  await replaceCapture(transaction, capture);
  await storeFindings(transaction, done);
  if (report !== undefined) await insertReport(transaction, report);
  if (datum !== undefined && datum !== null) {
    await transaction.query(
      "INSERT INTO capture_datums (project_id, datum) VALUES ($1, $2) ON CONFLICT DO NOTHING",
      [capture.project_id, JSON.stringify(datum)],
    );
  }
  await insertEvents(transaction, events);
  return capture;
}

/** Estimates, baselines, views and suspensions. */
async function storeFindings(transaction: Queryable, done: CompletedCapture): Promise<void> {
  const { capture, baselines, views } = done;
  const percents = capture.estimates.filter(({ raw_progress }) => raw_progress !== undefined);
  const zones = await workZones.lock(transaction, [
    ...percents.map(({ zone_id }) => zone_id),
    ...baselines.map(({ zoneId }) => zoneId),
    ...views.map(({ zone_id }) => zone_id),
  ]);
  const zoneIds = new Set(zones.map(({ id }) => id));
  const cameras = await siteCameras.lock(transaction, [
    ...done.suspended,
    ...views.flatMap(({ camera_id }) => (camera_id === undefined ? [] : [camera_id])),
  ]);
  const cameraIds = new Set(cameras.map(({ id }) => id));

  const changedAt = capture.completed_at ?? capture.created_at;
  for (const { zoneId, surface } of baselines) {
    const zone = zones.find(({ id }) => id === zoneId);
    if (zone === undefined || zone.baseline !== undefined) continue;
    await workZones.replace(transaction, { ...zone, baseline: surface, updated_at: changedAt });
  }
  const live = percents.filter(({ zone_id }) => zoneIds.has(zone_id));
  await transaction.query(
    `INSERT INTO zone_estimates (capture_id, capture_date_ms, zone_id, body)
     SELECT $1, $2, given.* FROM unnest($3::text[], $4::json[]) AS given ON CONFLICT DO NOTHING`,
    [
      capture.id,
      msOf(capture.capture_date ?? capture.created_at),
      live.map(({ zone_id }) => zone_id),
      live.map((estimate) => JSON.stringify(estimate)),
    ],
  );
  await insertViews(
    transaction,
    capture.id,
    views.filter(
      ({ zone_id, camera_id }) =>
        zoneIds.has(zone_id) && (camera_id === undefined || cameraIds.has(camera_id)),
    ),
  );
  for (const camera of cameras.filter(({ id }) => done.suspended.includes(id))) {
    // Pictures that are older than the reference view say nothing of it.
    if (camera.state !== "active" || msOf(camera.reference_set_at) > msOf(capture.created_at))
      continue;
    await siteCameras.replace(transaction, {
      ...camera,
      state: "suspended",
      suspended_at: changedAt,
      updated_at: changedAt,
    });
  }
}

import { DomainError } from "../../../domain/errors.ts";
import type { CaptureId } from "../../../domain/ids.ts";
import type { Capture } from "../../../domain/sites/capture.ts";
import type { CaptureRecords, CompletedCapture } from "../../../storage/ports/sites/captures.ts";
import { appendEvents } from "./events.ts";
import { compareText, type MemoryRows, pageOfRows, passes, throughJson } from "./rows.ts";
import { isSuspendedBy, keepViews } from "./site-cameras.ts";

/** Captures and the frame that flights share in memory. */
export function createMemoryCaptures(rows: MemoryRows, now: () => number): CaptureRecords {
  const { captures } = rows;

  function existing(id: CaptureId): Capture {
    const capture = captures.get(id);
    if (capture === undefined) throw new DomainError("CAPTURE_NOT_FOUND", `no capture "${id}"`);
    return capture;
  }

  const dateMs = ({ capture_date, created_at }: Capture): number =>
    Date.parse(capture_date ?? created_at);

  const completedUntil = (untilMs: number): Capture[] =>
    [...captures.values()]
      .filter((capture) => capture.state === "completed" && dateMs(capture) <= untilMs)
      .sort((a, b) => dateMs(a) - dateMs(b) || compareText(a.id, b.id));

  return {
    async insert(capture) {
      if (!rows.projects.has(capture.project_id)) {
        throw new DomainError("PROJECT_NOT_FOUND", capture.project_id);
      }
      if (captures.has(capture.id)) {
        throw new DomainError("ID_CONFLICT", `capture id "${capture.id}" is taken`);
      }
      captures.set(capture.id, throughJson(capture));
    },
    find: async (id) => captures.get(id),
    async list({ projectIds, states, ...page }) {
      const all = [...captures.values()]
        .filter(({ project_id }) => passes(projectIds, project_id))
        .filter(({ state }) => passes(states, state))
        .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(b.id, a.id));
      return { captures: pageOfRows(all, page), total: all.length };
    },
    async complete(done) {
      const before = existing(done.capture.id);
      if (before.state !== "processing") return before;
      const { capture, report } = done;
      if (report !== undefined && rows.reports.some((found) => found.report.id === report.id)) {
        throw new DomainError("ID_CONFLICT", `report id "${report.id}" is taken`);
      }
      captures.set(capture.id, throughJson(capture));
      keepFindings(rows, done);
      if (report !== undefined) {
        rows.reports.push({ report: throughJson(report), supersededBy: undefined });
      }
      appendEvents(rows, done.events, now());
      return capture;
    },
    async fail(id, { error, completedAt, images }) {
      const before = existing(id);
      if (before.state !== "processing") return before;
      const capture: Capture = {
        ...before,
        state: "failed",
        error,
        completed_at: completedAt,
        images,
      };
      captures.set(id, throughJson(capture));
      return capture;
    },
    async estimates(ids, untilMs) {
      return completedUntil(untilMs).flatMap((capture) =>
        capture.estimates
          .filter(
            ({ zone_id, raw_progress }) => ids.includes(zone_id) && raw_progress !== undefined,
          )
          .filter(({ zone_id }) => rows.workZones.get(zone_id) !== undefined)
          .map((estimate) => ({
            captureId: capture.id,
            captureDateMs: dateMs(capture),
            estimate,
          })),
      );
    },
    async newestFlight(projectId, untilMs) {
      return completedUntil(untilMs)
        .filter(({ project_id, capture_type, purpose }) => {
          return project_id === projectId && capture_type === "drone" && purpose === undefined;
        })
        .findLast(({ products }) => products !== undefined);
    },
    async delete(id) {
      if (existing(id).purpose !== "survey") {
        throw new DomainError("CAPTURE_NOT_FOUND", `no capture "${id}"`);
      }
      captures.delete(id);
    },
    datum: async (projectId) => rows.datums.get(projectId),
  };
}

/** Baselines, views, suspensions and the datum. */
function keepFindings(rows: MemoryRows, done: CompletedCapture): void {
  const { capture } = done;
  const changedAt = capture.completed_at ?? capture.created_at;
  for (const { zoneId, surface } of done.baselines) {
    const zone = rows.workZones.get(zoneId);
    if (zone === undefined || zone.baseline !== undefined) continue;
    rows.workZones.set(zoneId, { ...zone, baseline: surface, updated_at: changedAt });
  }
  keepViews(rows, capture.id, done.views);
  for (const [id, camera] of rows.cameras) {
    if (camera === undefined || !isSuspendedBy(done, camera)) continue;
    const suspension = { state: "suspended", suspended_at: changedAt } as const;
    rows.cameras.set(id, { ...camera, ...suspension, updated_at: changedAt });
  }
  const { datum } = done;
  if (datum !== undefined && datum !== null && !rows.datums.has(capture.project_id)) {
    rows.datums.set(capture.project_id, throughJson(datum));
  }
}

import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { WorkZoneId } from "../../../domain/ids.ts";
import type { ProgressReport } from "../../../domain/sites/progress-report.ts";
import type { EventFeed } from "../../../ingest/delivery/event-feed.ts";
import { correctReport } from "../../../processing/progress/report/correct-report.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleReport } from "../../access/record-access.ts";
import { principal } from "../../auth/guard.ts";
import { type ErrorDetail, WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import type { ProgressLinks } from "../../representations/progress-links.ts";
import { ParameterError } from "../../validation/validation.ts";
import { once } from "../../writes/once.ts";
import { Report, ReportPath } from "./report-schemas.ts";
import { reportPath, reportView } from "./report-view.ts";

export interface ReportCorrectionsOptions {
  readonly records: Pick<RecordStore, "progressReports" | "transaction">;
  readonly tools: Parameters<typeof correctReport>[0];
  readonly links: ProgressLinks;
  readonly feed: Pick<EventFeed, "poke">;
  readonly now: () => number;
}

/**
 * Corrections that one process makes at a time: each waits for its map, and holds the picture below it in
 * memory; fewer refuse people who correct together.
 */
const AT_ONCE = 8;
/** When to come again, s: some maps later. Sooner meets the same refusal. */
const RETRY_AFTER_S = 5;

const Percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `Percent: ${description}` });
const Note = Type.Optional(Type.String({ maxLength: 2_000 }));

const CorrectedZone = Type.Object({
  zone_id: WorkZoneId,
  progress: Percent("actual progress of the zone on the capture date; 100 confirms it complete"),
  interval_95: Type.Optional(
    Type.Array(Percent("at least, and at most"), { minItems: 2, maxItems: 2 }),
  ),
  note: Note,
});

/** Body of POST /progress/reports/{id}/corrections. */
const NewCorrection = Type.Object(
  {
    zones: Type.Array(CorrectedZone, { minItems: 1, maxItems: 1_000 }),
    corrected_by: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Author of the correction; absent: the id of the API key",
      }),
    ),
    note: Note,
  },
  { title: "NewReportCorrection" },
);
type NewCorrection = Static<typeof NewCorrection>;

/** Corrections of progress reports by people; mounted at `/api/v1/progress`. */
const reportCorrections: FastifyPluginAsyncTypebox<ReportCorrectionsOptions> = async (
  app,
  { records, tools, links, feed, now },
) => {
  const { progressReports: reports } = records;
  let underWay = 0;

  app.post(
    "/reports/:report_id/corrections",
    {
      config: { access: "progress:write", once: "transaction", sends: ["Location"] },
      schema: {
        operationId: "correctReport",
        tags: ["progress"],
        summary: "Correct zones of a report by hand, which makes its next revision",
        description:
          "The report stays as it is. Each correction counts as an observation, and as a label of the capture's pictures of the zone. 409: it was corrected already; correct its newest revision.",
        params: ReportPath,
        body: NewCorrection,
        response: { 201: Report, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const id = request.params.report_id;
      const { report, supersededBy } = await visibleReport(reports, request, id);
      if (supersededBy !== undefined) {
        const message = `The report was corrected already: correct ${supersededBy}`;
        throw new DomainError("REPORT_CORRECTED", message);
      }
      const correction = {
        report,
        by: body.corrected_by ?? principal(request).keyId,
        note: notesOf(body, report),
        zones: readZones(body.zones, report),
        recordedAtMs: now(),
      };
      if (underWay >= AT_ONCE) {
        reply.header("retry-after", RETRY_AFTER_S);
        const message = `At most ${AT_ONCE} corrections are made at a time`;
        throw new Refusal(429, "rate_limit_exceeded", message);
      }
      underWay += 1;
      // The correction is stored even if its client leaves.
      const { signal } = new AbortController();
      const corrected = await correctReport(tools, correction, signal, async (change) => {
        const view = await reportView(change.report, links);
        return await once(request, reply.code(201), records, async (transaction) => {
          await transaction.progressReports.correct(change);
          return view;
        });
      }).finally(() => {
        underWay -= 1;
      });
      feed.poke();
      return reply.header("location", reportPath(corrected.id)).send(corrected);
    },
  );
};

/** @throws ParameterError naming every zone that is not in the report, or is named twice. */
function readZones(
  zones: NewCorrection["zones"],
  report: ProgressReport,
): Parameters<typeof correctReport>[1]["zones"] {
  const left = new Set<string>(report.zones.map(({ zone_id }) => zone_id));
  const problems: ErrorDetail[] = [];
  for (const [i, { zone_id, progress, interval_95 }] of zones.entries()) {
    const isNamedBefore = zones.findIndex((zone) => zone.zone_id === zone_id) < i;
    if (isNamedBefore) {
      problems.push({ parameter: `zones[${i}].zone_id`, message: "is named twice" });
    } else if (!left.has(zone_id)) {
      problems.push({ parameter: `zones[${i}].zone_id`, message: "names no zone of the report" });
    }
    const [low = 0, high = 100] = interval_95 ?? [];
    if (!(low <= progress && progress <= high)) {
      problems.push({ parameter: `zones[${i}].interval_95`, message: "must hold the progress" });
    }
    if (problems.length >= 8) break;
  }
  if (problems.length > 0) throw new ParameterError(problems);
  return zones.map(({ zone_id, progress, interval_95 }) => {
    const [low, high] = interval_95 ?? [];
    return {
      zoneId: zone_id,
      progress,
      ...(low === undefined || high === undefined ? {} : { interval95: [low, high] as const }),
    };
  });
}

/** The note on the whole, then those on zones after their names. */
function notesOf({ note, zones }: NewCorrection, report: ProgressReport): string {
  const nameById = new Map<string, string>(report.zones.map((zone) => [zone.zone_id, zone.name]));
  const ofZones = zones.flatMap(({ zone_id, note: said = "" }) =>
    said === "" ? [] : [`${nameById.get(zone_id) ?? zone_id}: ${said}`],
  );
  return [note ?? "", ...ofZones].filter((text) => text !== "").join("; ");
}

export default reportCorrections;

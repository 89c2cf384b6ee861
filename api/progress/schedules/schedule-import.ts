import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { type ApiKeyId, newId, type ScheduleId } from "../../../domain/ids.ts";
import {
  MAX_SCHEDULE_BYTES,
  MAX_SCHEDULE_TASKS,
  SCHEDULE_FORMATS,
  type Schedule,
} from "../../../domain/sites/schedule.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import { makeSchedule } from "../../../processing/progress/schedule/read/read-schedule.ts";
import type { DiskGrant, DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { StoredFiles } from "../../../storage/ports/platform/stored-files.ts";
import type { ProjectQuota } from "../../../storage/quota/quota.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { principal } from "../../auth/guard.ts";
import { WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { cutWhenSilent } from "../../long-requests/silent-body.ts";
import { createWorkSlots } from "../../long-requests/work-slots.ts";
import { withBody } from "../../validation/validation.ts";
import { noteState, requireMatch } from "../../writes/resource-tag.ts";
import type { SchedulePlans, ScheduleRecordsOfProjects } from "./schedule-plans.ts";
import { ScheduleDetail, SchedulePath } from "./schedule-schemas.ts";
import { readReceived, receiveFile } from "./schedule-upload.ts";
import { scheduleView } from "./schedule-view.ts";

export interface ScheduleImportOptions {
  readonly records: ScheduleRecordsOfProjects;
  readonly directory: AssetDirectory;
  readonly plans: SchedulePlans;
  /** Admits the rows, where the records are on a disk of ours. */
  readonly recordsDisk: DiskSpace;
  readonly storedFiles: Pick<StoredFiles, "adoptSchedules">;
  readonly quota: Pick<ProjectQuota, "require">;
  readonly now: () => number;
}

/** Files under way: each is in memory, with at most `MAX_SCHEDULE_BYTES`. */
const IMPORTS = { what: "schedules", perOwner: 4, inAll: 16, retryAfterS: 5 };
/** What a schedule becomes in the database, in sizes of its file: the plan as JSON, and the log of it. */
const COPIES = 3;
/** What the file may be declared as; its format is recognised by its content. */
const MEDIA_TYPES = [
  "text/csv",
  "application/xml",
  "application/x-xer",
  "application/octet-stream",
] as const;

/** Import of schedules; mounted at `/api/v1/progress`. */
const scheduleImport: FastifyPluginAsyncTypebox<ScheduleImportOptions> = async (app, options) => {
  const { records, directory, plans, recordsDisk, storedFiles, quota, now } = options;
  // Whatever it is called, the body is a file that the route reads: clients send what they like.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, body, done) => done(null, body));

  const slots = createWorkSlots(IMPORTS);
  /** Files are read one after the other: the memory of one is enough. */
  let turn: Promise<unknown> = Promise.resolve();

  app.put(
    "/projects/:project_id/schedule",
    {
      config: { access: "progress:write", longBody: true, tagged: true },
      validatorCompiler: withBody(Type.Unknown()),
      schema: {
        operationId: "putSchedule",
        tags: ["progress"],
        summary: "Import a schedule as the newest revision",
        description: `The file itself as the body, up to ${MAX_SCHEDULE_BYTES / 1024 ** 2} MiB and ${MAX_SCHEDULE_TASKS} activities: Primavera P6 XER, MS Project XML, or CSV with the columns zone, task, start, finish, weight, curve, or date, zone, planned_percent. Dates are of the project's wall clock; a finish that is only a date is the end of that day. The same file as the newest revision is answered with 200 and creates no new revision. Problems are listed with their lines in \`error.details\`.`,
        params: SchedulePath,
        querystring: Type.Object({
          format: Type.Optional(
            Type.Enum([...SCHEDULE_FORMATS], { description: "Absent: by the content" }),
          ),
          name: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 512,
              description: "For XER, the project to take; else the name of the schedule",
            }),
          ),
        }),
        consumes: [...MEDIA_TYPES],
        body: Type.String({ format: "binary" }),
        response: { "2xx": ScheduleDetail, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const project = visibleProject(directory, request, request.params.project_id);
      // Without a body there is nothing to read it from.
      const body: unknown = request.body;
      if (!(body instanceof Readable)) {
        throw new Refusal(400, "invalid_request", "The body must be the file of the schedule");
      }
      const leave = slots.enter(request, reply);
      const stopWatching = cutWhenSilent(request.raw, () => request.raw.complete);
      let grant: DiskGrant | undefined;
      try {
        // Refused before it is read; the space is taken when the file is here, however slowly it comes.
        const declared = Number(request.headers["content-length"] ?? 0);
        await quota.require(project.id, declared);
        (await recordsDisk.reserve("upload", COPIES * declared)).release();
        const file = await receiveFile(body);
        await quota.require(project.id, file.content.length);
        grant = await recordsDisk.reserve("upload", COPIES * file.content.length);
        const reading = turn.then(() => readReceived(file, request.query));
        turn = reading.catch(() => undefined);
        const draft = await reading;
        const imported_at = new Date(now()).toISOString();
        const imported_by = principal(request).keyId as ApiKeyId;
        let made: Schedule | undefined;
        const stored = await records.schedules.add(project.id, file.sha256, (revision) => {
          requireMatch(request, revision === 1 ? undefined : { revision: revision - 1 });
          const facts = { id: newId<ScheduleId>("sch"), project_id: project.id, revision };
          const given = { ...facts, sha256: file.sha256, imported_by, imported_at };
          made = makeSchedule(draft, given);
          return made;
        });
        const { summary, isNew } = stored;
        if (isNew && made !== undefined) plans.keep(made);
        if (isNew) await storedFiles.adoptSchedules();
        const known = await plans.get(project, summary.revision);
        reply.code(isNew ? 201 : 200);
        noteState(request, { revision: summary.revision });
        return scheduleView(known, project.time_zone, now());
      } finally {
        grant?.release();
        leave();
        stopWatching();
      }
    },
  );
};

export default scheduleImport;

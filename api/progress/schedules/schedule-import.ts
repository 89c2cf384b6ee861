import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type ApiKeyId, newId, type ScheduleId } from "../../../domain/ids.ts";
import {
  MAX_SCHEDULE_BYTES,
  MAX_SCHEDULE_TASKS,
  SCHEDULE_FORMATS,
  type Schedule,
} from "../../../domain/sites/schedule.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { ScheduleDraft } from "../../../processing/progress/schedule/read/draft/schedule-draft.ts";
import {
  makeSchedule,
  type ReadOptions,
} from "../../../processing/progress/schedule/read/read-schedule.ts";
import { schedulePlan } from "../../../processing/progress/schedule/schedule-plan.ts";
import type { DiskGrant, DiskSpace } from "../../../storage/disk/disk-space.ts";
import type { StoredFiles } from "../../../storage/ports/platform/stored-files.ts";
import type { ProjectQuota } from "../../../storage/quota/quota.ts";
import { visibleProject } from "../../access/asset-access.ts";
import { principal } from "../../auth/guard.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { Refusal } from "../../errors/refusal.ts";
import { cutWhenSilent } from "../../long-requests/silent-body.ts";
import { createWorkSlots } from "../../long-requests/work-slots.ts";
import { invalidParameter, withBody } from "../../validation/validation.ts";
import { noteState, requireMatch } from "../../writes/resource-tag.ts";
import { scheduleGroups } from "./schedule-groups.ts";
import type { SchedulePlans, ScheduleRecordsOfProjects } from "./schedule-plans.ts";
import { ScheduleDetail, ScheduleDryRun, SchedulePath } from "./schedule-schemas.ts";
import { type ReceivedFile, readReceived, receiveFile } from "./schedule-upload.ts";
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
/** What the file may be declared as, among others; its format is recognised by its content. */
const MEDIA_TYPES = ["text/csv", "application/xml", "application/octet-stream"] as const;

/** How the file is read. */
const FILE_PARAMETERS = {
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
};

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
        description: `The file itself as the body, up to ${MAX_SCHEDULE_BYTES / 1024 ** 2} MiB and ${MAX_SCHEDULE_TASKS} activities: Primavera P6 XER, MS Project XML, or CSV (zone, task, start, finish, weight, curve, or date, zone, planned_percent). The same file as the newest revision is answered with 200. Problems are listed with their lines in \`error.details\`.`,
        params: SchedulePath,
        querystring: Type.Object(FILE_PARAMETERS),
        consumes: [...MEDIA_TYPES],
        body: Type.String({ format: "binary" }),
        response: { "2xx": ScheduleDetail, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const project = visibleProject(directory, request, request.params.project_id);
      return await withFile(request, reply, async (body) => {
        let grant: DiskGrant | undefined;
        try {
          // Refused before it is read; the space is taken when the file is here, however slowly it comes.
          const declared = Number(request.headers["content-length"] ?? 0);
          await quota.require(project.id, declared);
          (await recordsDisk.reserve("upload", COPIES * declared)).release();
          const file = await receiveFile(body);
          await quota.require(project.id, file.content.length);
          grant = await recordsDisk.reserve("upload", COPIES * file.content.length);
          const draft = await readInTurn(file, request.query);
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
        }
      });
    },
  );

  app.post(
    "/projects/:project_id/schedule",
    {
      config: { access: "progress:write", longBody: true, once: "repeatable" },
      validatorCompiler: withBody(Type.Unknown()),
      schema: {
        operationId: "dryRunSchedule",
        tags: ["progress"],
        summary: "What an import would match to zones; stores nothing",
        description: "Groups are WBS paths and codes: values for `activities` of a zone.",
        params: SchedulePath,
        querystring: Type.Object({
          dry_run: Type.Optional(Type.Boolean({ description: "Must be true; PUT imports" })),
          ...FILE_PARAMETERS,
        }),
        consumes: ["text/csv", "application/octet-stream"],
        body: Type.String({ format: "binary" }),
        response: { 200: ScheduleDryRun, ...FAILURES },
      },
    },
    async (request, reply) => {
      const project = visibleProject(directory, request, request.params.project_id);
      const { dry_run, ...options } = request.query;
      if (dry_run !== true)
        throw invalidParameter("dry_run", "must be true: PUT imports a schedule");
      return await withFile(request, reply, async (body) => {
        const file = await receiveFile(body);
        const draft = await readInTurn(file, options);
        const newest = await records.schedules.summary(project.id);
        const schedule = makeSchedule(draft, {
          id: newId<ScheduleId>("sch"),
          project_id: project.id,
          revision: (newest?.revision ?? 0) + 1,
          sha256: file.sha256,
          imported_by: principal(request).keyId,
          imported_at: new Date(now()).toISOString(),
        });
        const { zones } = await records.workZones.list({ projectIds: [project.id], offset: 0 });
        const plan = schedulePlan(schedule, zones, project.time_zone);
        const view = scheduleView({ schedule, plan, zones }, project.time_zone, now());
        const { revision, format, name, start, finish, activities, warnings } = view;
        const { zones: matched, unmatched, unmatched_activities, plan_warnings } = view;
        return {
          ...{ revision, format, name, start, finish, activities, warnings },
          ...{ zones: matched, unmatched, unmatched_activities, plan_warnings },
          is_newest: newest?.sha256 === file.sha256,
          ...scheduleGroups(schedule, plan.matches),
        };
      });
    },
  );

  /** Has the body read while it keeps coming, with a place among the files under way. */
  async function withFile<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (body: Readable) => Promise<T>,
  ): Promise<T> {
    // Without a body there is nothing to read it from.
    const body: unknown = request.body;
    if (!(body instanceof Readable)) {
      throw new Refusal(400, "invalid_request", "The body must be the file of the schedule");
    }
    const leave = slots.enter(request, reply);
    const stopWatching = cutWhenSilent(request.raw, () => request.raw.complete);
    try {
      return await work(body);
    } finally {
      leave();
      stopWatching();
    }
  }

  async function readInTurn(file: ReceivedFile, options: ReadOptions): Promise<ScheduleDraft> {
    const reading = turn.then(() => readReceived(file, options));
    turn = reading.catch(() => undefined);
    return await reading;
  }
};

export default scheduleImport;

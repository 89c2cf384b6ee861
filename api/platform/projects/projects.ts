import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { type Static, Type } from "typebox";
import { DomainError } from "../../../domain/errors.ts";
import { isId, newId, ProjectId } from "../../../domain/ids.ts";
import { isTimeZone } from "../../../domain/local-time.ts";
import { projectFolder } from "../../../domain/platform/project-logo.ts";
import { Project, WHOLE_DAY } from "../../../domain/project.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { Files } from "../../../storage/open.ts";
import type { RecordStore } from "../../../storage/ports/record-store.ts";
import { visibleStoredProject } from "../../access/record-access.ts";
import { principal } from "../../auth/guard.ts";
import { seesProject } from "../../auth/principal.ts";
import { FAILURES, WRITE_FAILURES } from "../../errors/error.ts";
import { jsonOrCsv } from "../../representations/media-types.ts";
import { type CsvColumns, sendList } from "../../representations/send-list.ts";
import { listOf, sortedBy } from "../../schemas/page.ts";
import { invalidParameter } from "../../validation/validation.ts";
import { deleteFolder } from "../../writes/delete-folder.ts";
import { letFollow } from "../../writes/follow.ts";
import { once } from "../../writes/once.ts";
import { ifMatching, noteState, removeMatching } from "../../writes/resource-tag.ts";

/** The order of the list. */
const ORDER = sortedBy("created_at");

export interface ProjectsOptions {
  readonly records: RecordStore;
  readonly directory: AssetDirectory;
  /** Absent: projects have no files here. */
  readonly files: Pick<Files, "store"> | undefined;
  readonly now: () => number;
}

const { name, location, time_zone, shift } = Project.properties;
const CalendarDate = Type.String({ format: "date", description: "ISO 8601 calendar date" });
const ClearableDate = Type.Union([CalendarDate, Type.Null()], { description: "null: none" });

const NewProject = Type.Object(
  {
    name,
    location,
    id: Type.Optional(ProjectId),
    time_zone: Type.Optional(time_zone),
    shift: Type.Optional(shift),
    planned_start: Type.Optional(CalendarDate),
    planned_finish: Type.Optional(CalendarDate),
  },
  { title: "NewProject" },
);

const ProjectChange = Type.Object(
  {
    name: Type.Optional(name),
    location: Type.Optional(location),
    time_zone: Type.Optional(time_zone),
    shift: Type.Optional(shift),
    planned_start: Type.Optional(ClearableDate),
    planned_finish: Type.Optional(ClearableDate),
  },
  { title: "ProjectChange" },
);
type ProjectChange = Static<typeof ProjectChange>;

const ProjectList = listOf("ProjectList", Project);
const ProjectPath = Type.Object({ project_id: ProjectId });

const COLUMNS: CsvColumns<Project> = {
  id: (project) => project.id,
  name: (project) => project.name,
  latitude: (project) => project.location.latitude,
  longitude: (project) => project.location.longitude,
  time_zone: (project) => project.time_zone,
  shift_start: (project) => project.shift.start,
  shift_end: (project) => project.shift.end,
  planned_start: (project) => project.planned_start,
  planned_finish: (project) => project.planned_finish,
};

/** Projects, mounted at `/api/v1`. Every key reads its own projects; `admin` keys change them. */
const projects: FastifyPluginAsyncTypebox<ProjectsOptions> = async (app, options) => {
  const { records, directory, files, now } = options;
  const isoNow = () => new Date(now()).toISOString();

  app.post(
    "/projects",
    {
      config: { access: "admin", once: "transaction", sends: ["Location"] },
      schema: {
        operationId: "createProject",
        tags: ["platform"],
        summary: "Create a project",
        body: NewProject,
        response: { 201: Project, ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const project: Project = checked({
        id: body.id ?? newId<ProjectId>("prj"),
        name: body.name,
        location: body.location,
        time_zone: body.time_zone ?? "UTC",
        shift: body.shift ?? WHOLE_DAY,
        ...dates(body.planned_start, body.planned_finish),
        created_at: isoNow(),
        updated_at: isoNow(),
      });
      const answer = await once(request, reply.code(201), records, async (transaction) => {
        await transaction.projects.insert(project);
        return project;
      });
      await letFollow(directory);
      return reply.header("location", `/api/v1/projects/${project.id}`).send(answer);
    },
  );

  app.get(
    "/projects",
    {
      config: { access: "any key" },
      schema: {
        operationId: "listProjects",
        tags: ["platform"],
        summary: "The projects the key may see",
        querystring: Type.Object(ORDER.parameters),
        response: { 200: jsonOrCsv("Projects", ProjectList), ...FAILURES },
      },
    },
    async (request, reply) => {
      const all = await records.projects.list();
      const seen = all.filter((project) => seesProject(principal(request), project.id));
      return sendList(request, reply, seen, ORDER.pageOf(request.query), COLUMNS);
    },
  );

  app.get(
    "/projects/:project_id",
    {
      config: { access: "any key", tagged: true },
      schema: {
        operationId: "getProject",
        tags: ["platform"],
        summary: "One project",
        params: ProjectPath,
        response: { 200: Project, ...FAILURES },
      },
    },
    async (request) => {
      const { project_id } = request.params;
      const project = await visibleStoredProject(records.projects, request, project_id);
      noteState(request, project);
      return project;
    },
  );

  app.patch(
    "/projects/:project_id",
    {
      config: { access: "admin", tagged: true },
      schema: {
        operationId: "updateProject",
        tags: ["platform"],
        summary: "Change a project; absent fields stay as they are",
        params: ProjectPath,
        body: ProjectChange,
        response: { 200: Project, ...WRITE_FAILURES },
      },
    },
    async (request) => {
      const { project_id } = request.params;
      // The path is not validated: text that is not an id never reaches the database.
      if (!isId(project_id)) throw new DomainError("PROJECT_NOT_FOUND", `no project ${project_id}`);
      const change = (before: Project) => changed(before, request.body, isoNow());
      const project = await records.projects.update(project_id, ifMatching(request, change));
      await letFollow(directory);
      return project;
    },
  );

  app.delete(
    "/projects/:project_id",
    {
      config: { access: "admin", tagged: true },
      schema: {
        operationId: "deleteProject",
        tags: ["platform"],
        summary: "Delete a project that has no assets",
        params: ProjectPath,
        response: { 204: Type.Null({ description: "Deleted" }), ...WRITE_FAILURES },
      },
    },
    async (request, reply) => {
      const { project_id } = request.params;
      const project = await visibleStoredProject(records.projects, request, project_id);
      await removeMatching(
        request,
        records,
        (transaction, keep) => transaction.projects.update(project.id, keep),
        ({ projects }) => projects.delete(project.id),
      );
      if (files !== undefined) deleteFolder(files.store, projectFolder(project.id), request.log);
      await letFollow(directory);
      return reply.code(204).send(null);
    },
  );
};

function changed(before: Project, body: ProjectChange, updated_at: string): Project {
  const { planned_start, planned_finish, ...rest } = before;
  const start = body.planned_start === undefined ? planned_start : body.planned_start;
  const finish = body.planned_finish === undefined ? planned_finish : body.planned_finish;
  return checked({
    ...rest,
    name: body.name ?? rest.name,
    location: body.location ?? rest.location,
    time_zone: body.time_zone ?? rest.time_zone,
    shift: body.shift ?? rest.shift,
    ...dates(start ?? undefined, finish ?? undefined),
    updated_at,
  });
}

function dates(
  start: string | undefined,
  finish: string | undefined,
): Pick<Project, "planned_start" | "planned_finish"> {
  return {
    ...(start === undefined ? {} : { planned_start: start }),
    ...(finish === undefined ? {} : { planned_finish: finish }),
  };
}

/** The rules that a schema cannot say. @throws ParameterError */
function checked(project: Project): Project {
  const { time_zone: zone, planned_start: start, planned_finish: finish } = project;
  if (!isTimeZone(zone)) throw invalidParameter("time_zone", "must be an IANA time zone name");
  if (start !== undefined && finish !== undefined && start > finish) {
    throw invalidParameter("planned_finish", "must not be before planned_start");
  }
  return project;
}

export default projects;

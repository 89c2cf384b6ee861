import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import { Type } from "typebox";
import { ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { CaptureRecords } from "../../../storage/ports/sites/captures.ts";
import { visibleProjects } from "../../access/asset-access.ts";
import { visibleCapture } from "../../access/record-access.ts";
import { FAILURES } from "../../errors/error.ts";
import { pollAfterS } from "../../job-views/job-forecast.ts";
import { paginationOf, sortedBy } from "../../schemas/page.ts";
import { noteState } from "../../writes/resource-tag.ts";
import { Capture, CaptureList, CapturePath } from "./capture-schemas.ts";
import type { CaptureStatuses } from "./capture-status.ts";
import type { CaptureViews } from "./capture-view.ts";

/** The order of the list. */
const ORDER = sortedBy("-created_at");

export interface CaptureReadsOptions {
  readonly captures: Pick<CaptureRecords, "find" | "list">;
  readonly directory: AssetDirectory;
  readonly statuses: CaptureStatuses;
  readonly views: CaptureViews;
}

/** Following captures; mounted at `/api/v1/progress`. */
const captureReads: FastifyPluginAsyncTypebox<CaptureReadsOptions> = async (app, options) => {
  const { captures, directory, statuses, views } = options;

  app.get(
    "/captures/:capture_id",
    {
      config: { access: "progress:read", sends: ["Retry-After"], tagged: true },
      schema: {
        operationId: "getCapture",
        tags: ["progress"],
        summary: "A capture: the progress of its analysis, and its results",
        description: "While it is processing, Retry-After says when to poll again.",
        params: CapturePath,
        response: { 200: Capture, ...FAILURES },
      },
    },
    async (request, reply) => {
      const found = await visibleCapture(captures, request, request.params.capture_id);
      noteState(request, found);
      const { view, leftS } = await views.whole(await statuses.of(found));
      if (leftS !== undefined) {
        reply.header("retry-after", pollAfterS(leftS));
      }
      return view;
    },
  );

  app.get(
    "/captures",
    {
      config: { access: "progress:read" },
      schema: {
        operationId: "listCaptures",
        tags: ["progress"],
        summary: "Captures, newest first, without the results of their images and zones",
        querystring: Type.Object({ project_id: Type.Optional(ProjectId), ...ORDER.parameters }),
        response: { 200: CaptureList, ...FAILURES },
      },
    },
    async (request) => {
      const page = ORDER.pageOf(request.query);
      const projects = visibleProjects(directory, request, request.query.project_id);
      const found = await captures.list({ ...projects, ...page });
      const data = await views.listed(await statuses.ofAll(found.captures));
      return { data, pagination: paginationOf(page, data.length, found.total) };
    },
  );
};

export default captureReads;

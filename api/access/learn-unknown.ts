import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AssetId, ProjectId } from "../../domain/ids.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";

/**
 * Longest that a request waits to learn of what it names, ms. Longer holds requests up while the record store is
 * slow; shorter refuses what a busy store would still have said.
 */
const LEARN_MS = 2_000;

/**
 * Lets a request know of projects and assets that another API process registered a moment ago: the directory is up
 * to a second behind it, and what a request names and the directory lacks is read before it is refused. Requests
 * that come together share a read.
 */
export function learnUnknown(
  app: FastifyInstance,
  directory: Pick<AssetDirectory, "find" | "project" | "refresh">,
): void {
  app.addHook("preHandler", async (request) => {
    if (!namesUnknown(request, directory)) return;
    const given = new AbortController();
    const late = delay(LEARN_MS, undefined, { signal: given.signal }).catch(() => undefined);
    // While the record store is away, what is known has to do.
    await Promise.race([directory.refresh().catch(() => undefined), late]);
    given.abort();
  });
}

/** Whether the path, the query or the body of a request names a project or an asset that the directory lacks. */
function namesUnknown(
  { params, query, body }: FastifyRequest,
  directory: Pick<AssetDirectory, "find" | "project">,
): boolean {
  return [params, query, body].some(
    (part) =>
      namesIn(part, "project_id").some((id) => directory.project(id as ProjectId) === undefined) ||
      namesIn(part, "asset_id").some((id) => directory.find(id as AssetId) === undefined),
  );
}

/** The texts of a field, which holds one or a list of them. */
function namesIn(part: unknown, field: string): readonly string[] {
  if (typeof part !== "object" || part === null || !Object.hasOwn(part, field)) return [];
  const value: unknown = (part as Readonly<Record<string, unknown>>)[field];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === "string");
}

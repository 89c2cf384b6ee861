import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { ProjectId } from "../../domain/ids.ts";
import type { Scope } from "../../domain/platform/api-key.ts";
import type { AssetDirectory } from "../../ingest/directories/asset-directory.ts";
import { visibleProject } from "../access/asset-access.ts";
import { principal } from "../auth/guard.ts";
import { hasScope, type Principal, seesProject } from "../auth/principal.ts";
import { Refusal } from "../errors/refusal.ts";

/** What a live stream may have. */
export const LIVE_TOPICS = ["positions", "events", "alerts", "jobs"] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/** Scopes of which a key needs one for a topic, or for the fields of a selected asset. */
const SCOPES_OF: Readonly<Record<LiveTopic | "asset_id", readonly Scope[]>> = {
  positions: ["equipment:read"],
  events: ["events:read"],
  alerts: ["equipment:read"],
  jobs: ["materials:read", "progress:read"],
  asset_id: ["equipment:read"],
};

/** Scopes of which a key needs one for any live stream. */
export const LIVE_SCOPES: readonly Scope[] = [...new Set(Object.values(SCOPES_OF).flat())];

/** What one stream is about: some projects, as far as its key sees them. */
export interface LiveScope {
  /** Absent: all, also what belongs to no project. */
  readonly projectIds: ReadonlySet<ProjectId> | undefined;
  /** The projects as one text: the same for scopes that see the same, and for no others. */
  readonly key: string;
  /** A short name of `key` for ids; two scopes may share one, so nothing is kept by it. */
  readonly name: string;
  sees(projectId: ProjectId | undefined): boolean;
}

/**
 * The projects that were asked for, else those of the key.
 * @throws DomainError `PROJECT_NOT_FOUND` for one that the key may not see.
 */
export function readScope(
  directory: AssetDirectory,
  request: FastifyRequest,
  asked: readonly ProjectId[] | undefined,
): LiveScope {
  const { projectIds: own } = principal(request);
  const projectIds =
    asked === undefined
      ? own
      : new Set(asked.map((id) => visibleProject(directory, request, id).id));
  const text = projectIds === undefined ? "*" : [...projectIds].sort().join(",");
  return {
    projectIds,
    key: text,
    name: createHash("sha256").update(text).digest("base64url").slice(0, 8),
    sees: (projectId) =>
      projectIds === undefined || (projectId !== undefined && projectIds.has(projectId)),
  };
}

/** @throws Refusal 403 that names the scope, and what it is needed for. */
export function requireTopics(
  key: Principal,
  topics: readonly LiveTopic[],
  assetId: string | undefined,
): void {
  for (const topic of [...topics, ...(assetId === undefined ? [] : ["asset_id" as const])]) {
    const scopes = SCOPES_OF[topic];
    if (scopes.some((scope) => hasScope(key, scope))) continue;
    const named = topic === "asset_id" ? "asset_id" : `the topic ${topic}`;
    const message = `The API key lacks the scope ${scopes.join(" or ")}, which ${named} needs`;
    throw new Refusal(403, "forbidden", message);
  }
}

/** Whether a key still has every scope and project of live streams that `before` had in this scope. */
export function mayGoOn(before: Principal, scope: LiveScope): (key: Principal) => boolean {
  const held = LIVE_SCOPES.filter((name) => hasScope(before, name));
  return (key) =>
    held.every((name) => hasScope(key, name)) &&
    (scope.projectIds === undefined
      ? key.projectIds === undefined
      : [...scope.projectIds].every((id) => seesProject(key, id)));
}

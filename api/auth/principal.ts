import type { ProjectId, SessionId } from "../../domain/ids.ts";
import { type ApiKey, type Plan, SCOPES, type Scope } from "../../domain/platform/api-key.ts";

/** Who is asking: the part of an API key that decides what it may do. */
export interface Principal {
  /** The key's id; `admin` for the key of the environment. */
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly plan: Plan;
  /** Projects the key may see; `undefined`: all. */
  readonly projectIds: ReadonlySet<ProjectId> | undefined;
  /** ms since the Unix epoch; `Infinity` for a key that does not expire. */
  readonly expiresAtMs: number;
  /** The log-in that stands in for the key; absent: the request has the key itself. */
  readonly sessionId?: SessionId;
}

/** The key of `ADMIN_API_KEY`: every scope, every project, the enterprise plan, no expiry. */
export const ADMIN: Principal = {
  keyId: "admin",
  scopes: new Set(SCOPES),
  plan: "enterprise",
  projectIds: undefined,
  expiresAtMs: Number.POSITIVE_INFINITY,
};

export function principalOf(key: ApiKey): Principal {
  return {
    keyId: key.id,
    scopes: new Set(key.scopes.includes("admin") ? SCOPES : key.scopes),
    plan: key.plan,
    projectIds: key.project_ids === undefined ? undefined : new Set(key.project_ids),
    expiresAtMs:
      key.expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at),
  };
}

/** What requests and streams are counted by: people who share a key have a session each. */
export function callerOf({ keyId, sessionId }: Principal): string {
  return sessionId === undefined ? keyId : `session/${sessionId}`;
}

/**
 * Whether the key may do what `scope` covers. Projects and keys are above any one project: an `admin`
 * key that is limited to some projects has every other scope there, and not this one. Otherwise it
 * could make itself an unlimited key.
 */
export function hasScope(principal: Principal, scope: Scope): boolean {
  if (scope === "admin" && principal.projectIds !== undefined) return false;
  return principal.scopes.has(scope);
}

export function seesProject(principal: Principal, projectId: ProjectId): boolean {
  return principal.projectIds?.has(projectId) ?? true;
}

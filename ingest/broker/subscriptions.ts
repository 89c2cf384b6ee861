import { eventFilterProject, isOwnCommandFilter } from "../../domain/topics.ts";
import type { Principal } from "./login.ts";

/** Whether a client may subscribe to `filter`; denied unless granted (DESIGN section 4). */
export function maySubscribe(principal: Principal, filter: string): boolean {
  if (principal.kind === "device") return isOwnCommandFilter(filter, principal.assetId);
  const projectId = eventFilterProject(filter);
  return projectId !== undefined && principal.access.allows(projectId);
}

/** Whether a client may still receive `topic`: a reader's key may have lost a project meanwhile. */
export function mayReceive(principal: Principal, topic: string): boolean {
  return maySubscribe(principal, topic);
}

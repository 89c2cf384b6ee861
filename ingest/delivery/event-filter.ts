import { wantsType, withAmendments } from "../../domain/events/event-filter.ts";
import type { StoredEvent } from "../../domain/events/events.ts";
import type { ProjectId } from "../../domain/ids.ts";
import type { Webhook } from "../../storage/ports/events/webhooks.ts";

/** What a reader subscribed to, for events in memory and for the outbox. */
export interface EventFilter {
  wants(event: StoredEvent): boolean;
  /** The same as a filter of `EventRecords.after`. */
  readonly query: {
    readonly projectIds?: readonly ProjectId[];
    readonly types?: readonly string[];
  };
}

export function createEventFilter({
  types: filters,
  projectIds,
}: Pick<Webhook, "types" | "projectIds">): EventFilter {
  const types = filters.length === 0 ? undefined : withAmendments(filters);
  const projects = projectIds === undefined ? undefined : new Set<string>(projectIds);
  return {
    wants({ type, projectId }) {
      // An event without a project is for keys that see every project.
      if (projects !== undefined && !projects.has(projectId ?? "")) return false;
      return types === undefined || wantsType(types, type);
    },
    query: {
      ...(projectIds === undefined ? {} : { projectIds }),
      ...(types === undefined ? {} : { types }),
    },
  };
}

import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { wantsType, withAmendments } from "../../../domain/events/event-filter.ts";
import type { StoredEvent } from "../../../domain/events/events.ts";
import { AssetId, ProjectId } from "../../../domain/ids.ts";
import type { AssetDirectory } from "../../../ingest/directories/asset-directory.ts";
import type { EventFilter, EventRecords } from "../../../storage/ports/events/events.ts";
import { visibleProjects } from "../../access/asset-access.ts";
import { EVENT_TYPES_PARAMETER, readEventTypes } from "../../schemas/event-types.ts";
import { invalidParameter } from "../../validation/validation.ts";

/** What a sequence looks like; 15 digits are exact in every number format on the way. */
const SEQUENCE = /^\d{1,15}$/;
/** `cursor` that means the newest sequence there is. */
export const LATEST = "latest";

/** Query parameters that choose among events; spread into the route's own. */
export const EVENT_FILTERS = {
  ...EVENT_TYPES_PARAMETER,
  asset_id: Type.Optional(AssetId),
  project_id: Type.Optional(ProjectId),
};

/** What a `cursor`, a place in the sequence of events, looks like. */
export const CURSOR_PATTERN = `^(${LATEST}|[0-9]{1,15})$`;

/** Which events a request is about, as the record store's filter takes it. */
export type EventSelection = Omit<EventFilter, "limit">;

/**
 * The events that the request asks for and the key may see; those of no project only for a key that
 * is not limited to some. An asset need not exist: deleted ones have events too.
 * @throws ParameterError for a type that there is not.
 * @throws DomainError `PROJECT_NOT_FOUND` for one that the key may not see.
 */
export function readSelection(
  directory: AssetDirectory,
  request: FastifyRequest,
  query: {
    readonly type?: readonly string[] | undefined;
    readonly asset_id?: AssetId | undefined;
    readonly project_id?: ProjectId | undefined;
  },
): EventSelection {
  const { asset_id, project_id } = query;
  const types = readEventTypes(query.type);
  return {
    ...visibleProjects(directory, request, project_id),
    ...(asset_id === undefined ? {} : { assetId: asset_id }),
    ...(types === undefined ? {} : { types: withAmendments(types) }),
  };
}

/** Whether the record store would find the event by that selection. */
export function selects(selection: EventSelection, event: StoredEvent): boolean {
  const { projectIds, assetId, types } = selection;
  if (projectIds !== undefined && !projectIds.some((id) => id === event.projectId)) return false;
  if (assetId !== undefined && assetId !== event.assetId) return false;
  return types === undefined || wantsType(types, event.type);
}

/** The newest sequence that this process knows of. */
type Newest = { readonly lastSequence: number };

/** The sequence that `cursor` names. @throws ParameterError as `readSequence`. */
export async function readCursor(
  cursor: string,
  newest: Newest,
  records: Pick<EventRecords, "lastSequence">,
): Promise<number> {
  return cursor === LATEST ? newest.lastSequence : readSequence("cursor", cursor, newest, records);
}

/**
 * The sequence of an event.
 * @throws ParameterError naming `parameter` for a text that is not a sequence, and for one that was not given
 *   out: it belongs to another database, and waiting for it would skip everything until then.
 */
export async function readSequence(
  parameter: string,
  text: string,
  newest: Newest,
  records: Pick<EventRecords, "lastSequence">,
): Promise<number> {
  if (!SEQUENCE.test(text)) throw invalidParameter(parameter, "must be the sequence of an event");
  const sequence = Number(text);
  // Another process may have sent the client newer events than this one knows.
  if (sequence > newest.lastSequence && sequence > (await records.lastSequence())) {
    throw invalidParameter(parameter, "must not lie behind the newest event");
  }
  return sequence;
}

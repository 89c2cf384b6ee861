import type { FastifyRequest } from "fastify";
import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import { isId, type ProjectId } from "../../domain/ids.ts";
import { principal } from "../auth/guard.ts";
import { seesProject } from "../auth/principal.ts";

/** One kind of record that belongs to a project. */
interface RecordKind<Id extends string, T> {
  readonly find: (id: Id) => Promise<T | undefined>;
  readonly projectOf: (found: T) => ProjectId;
  /** The error of a record that is not there, and what people call one. */
  readonly notFound: ErrorCode;
  readonly noun: string;
}

/**
 * A record that the key may see.
 * @throws DomainError `notFound`, the same for an absent one and for another tenant's.
 */
export async function visibleRecord<Id extends string, T>(
  request: FastifyRequest,
  id: Id,
  { find, projectOf, notFound, noun }: RecordKind<Id, T>,
): Promise<T> {
  // The path is not validated: text that is not an id names nothing, and never reaches the database.
  const found = isId(id) ? await find(id) : undefined;
  if (found === undefined || !seesProject(principal(request), projectOf(found))) {
    throw new DomainError(notFound, `no ${noun} ${id}`);
  }
  return found;
}

import { type Static, Type } from "typebox";

/** Most rows of one page (the contract, Limits, for GET /reports; the same on every list). */
const MAX_LIMIT = 100;
/** Farthest offset; beyond any list, and exact in every number format on the way. */
const MAX_OFFSET = 1_000_000_000;
export const DEFAULT_LIMIT = 20;

/** Query parameters of a list; spread into the route's own. */
export const PAGE_PARAMETERS = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: "Results per page" }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OFFSET,
      description: "Results to skip before the first one",
    }),
  ),
};

/** The contract's pagination object. */
export const Pagination = Type.Object(
  {
    page: Type.Integer({ description: "floor(offset / limit) + 1" }),
    limit: Type.Integer(),
    total: Type.Integer(),
    has_more: Type.Boolean(),
  },
  { title: "Pagination" },
);
type Pagination = Static<typeof Pagination>;

export interface PageQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** The page object of `count` rows out of `total`, asked for with `query`. */
export function paginationOf(query: PageQuery, count: number, total: number): Pagination {
  const { limit = DEFAULT_LIMIT, offset = 0 } = query;
  return {
    page: Math.floor(offset / limit) + 1,
    limit,
    total,
    has_more: offset + count < total,
  };
}

/**
 * One page of rows that are all in memory. Without `limit` and `offset` every row and no pagination
 * object, as the contract's lists show it.
 */
export function pageOf<T>(
  rows: readonly T[],
  query: PageQuery,
): { readonly data: readonly T[]; readonly pagination?: Pagination } {
  if (query.limit === undefined && query.offset === undefined) return { data: rows };
  const { limit = DEFAULT_LIMIT, offset = 0 } = query;
  const data = rows.slice(offset, offset + limit);
  return { data, pagination: paginationOf(query, data.length, rows.length) };
}

import { type Static, type TEnum, type TSchema, type TStringOptions, Type } from "typebox";

/**
 * Most rows of one page of our own lists. Fewer cost a client that reads everything more requests; more would hold
 * the event loop for longer than 0.1 s while the answer is written.
 */
const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;
/** Most rows of one page of the contract's lists (the contract, Limits), and how many without `limit`. */
const CONTRACT_MAX_LIMIT = 100;
const CONTRACT_DEFAULT_LIMIT = 20;
/** Farthest offset; beyond any list, and exact in every number format on the way. */
const MAX_OFFSET = 1_000_000_000;

const OFFSET = {
  minimum: 0,
  maximum: MAX_OFFSET,
  description: "Results to skip before the first one",
};

/** The query parameter `limit` of all our own lists. */
const limit = Type.Integer({
  minimum: 1,
  maximum: MAX_LIMIT,
  default: DEFAULT_LIMIT,
  description: "Results per page",
});

/** Query parameters of a list that is read by offset; spread into the route's own. */
export const PAGE_PARAMETERS = { limit, offset: Type.Integer({ ...OFFSET, default: 0 }) };

/** A list that has one order, by a field of its rows, and is read from either end of it. */
interface ListOrder {
  /** Query parameters of the list; spread into the route's own. */
  readonly parameters: typeof PAGE_PARAMETERS & { readonly sort: TEnum<[string, string]> };
  /** The page that a request asks for. */
  pageOf(query: PageQuery & { readonly sort: string }): SortedPage;
}

/** `usual`: the field by which a list is sorted unless a request says otherwise; `-` in front: descending. */
export function sortedBy(usual: string): ListOrder {
  const other = usual.startsWith("-") ? usual.slice(1) : `-${usual}`;
  const sort = Type.Enum([usual, other], { default: usual });
  return {
    parameters: { sort, ...PAGE_PARAMETERS },
    pageOf: ({ sort: asked, limit, offset }) => ({ isReversed: asked === other, limit, offset }),
  };
}

/** Query parameters of a list that grows while it is read; spread into the route's own. */
export const cursorParameters = (cursor: TStringOptions) => ({
  limit,
  cursor: Type.Optional(Type.String(cursor)),
});

/** Query parameters of the contract's lists. */
export const CONTRACT_PAGE_PARAMETERS = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: CONTRACT_MAX_LIMIT, description: "Results per page" }),
  ),
  offset: Type.Optional(Type.Integer(OFFSET)),
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

/** The pagination object of a list that is read by cursor. */
export const CursorPagination = Type.Object(
  {
    limit: Type.Integer(),
    has_more: Type.Boolean({ description: "Whether more are there already" }),
    next_cursor: Type.Optional(
      Type.String({ description: "`cursor` of the next request; absent: this list has ended" }),
    ),
  },
  { title: "CursorPagination" },
);

/** The answer of each of our own lists: a page of rows, and where it lies in the list. */
export const listOf = <Row extends TSchema>(title: string, row: Row) =>
  Type.Object({ data: Type.Array(row), pagination: Pagination }, { title });

/** A page that was asked for. */
export interface PageQuery {
  readonly limit: number;
  readonly offset: number;
}

/** A page of a list that has an order. */
export interface SortedPage extends PageQuery {
  /** From the other end of the list. */
  readonly isReversed: boolean;
}

/** The page object of `count` rows out of `total`, asked for with `query`. */
export function paginationOf(
  { limit, offset }: PageQuery,
  count: number,
  total: number,
): Pagination {
  return {
    page: Math.floor(offset / limit) + 1,
    limit,
    total,
    has_more: offset + count < total,
  };
}

/** One page of rows that are all in memory. */
export function pageOf<T>(
  rows: readonly T[],
  query: PageQuery & Partial<SortedPage>,
): { readonly data: readonly T[]; readonly pagination: Pagination } {
  const { limit, offset } = query;
  const sorted = query.isReversed === true ? rows.toReversed() : rows;
  const data = sorted.slice(offset, offset + limit);
  return { data, pagination: paginationOf(query, data.length, rows.length) };
}

/** The page that a request of a contract's list asks for. */
export function contractPage(query: {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}): PageQuery {
  return { limit: query.limit ?? CONTRACT_DEFAULT_LIMIT, offset: query.offset ?? 0 };
}

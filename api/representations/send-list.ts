import type { FastifyReply, FastifyRequest } from "fastify";
import { type PageQuery, pageOf, type SortedPage } from "../schemas/page.ts";
import { type CsvValue, csvLine } from "./csv.ts";
import { CSV_TYPE, preferredType } from "./negotiation.ts";

/** Columns of a list as CSV: header to value. */
export type CsvColumns<T> = Readonly<Record<string, (row: T) => CsvValue>>;

/** Answers with a page of rows that are all in memory, as JSON or, when asked for, as CSV. */
export function sendList<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  rows: readonly T[],
  query: PageQuery & Partial<SortedPage>,
  columns: CsvColumns<T>,
): FastifyReply {
  const page = pageOf(rows, query);
  if (preferredType(request.headers.accept, [CSV_TYPE]) !== CSV_TYPE) return reply.send(page);
  return sendCsv(reply, page.data, columns);
}

export function sendCsv<T>(
  reply: FastifyReply,
  rows: readonly T[],
  columns: CsvColumns<T>,
): FastifyReply {
  const readers = Object.values(columns);
  const lines = rows.map((row) => csvLine(readers.map((read) => read(row))));
  return reply
    .type(`${CSV_TYPE}; charset=utf-8`)
    .send(`${csvLine(Object.keys(columns))}${lines.join("")}`);
}

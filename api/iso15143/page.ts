import { Refusal } from "../errors/refusal.ts";
import type { Link } from "./section.ts";

/** Machines or sections of one page, as every maker's server has it. */
export const PAGE_SIZE = 100;
const PAGE = /^[1-9]\d{0,8}$/;

/**
 * The number of a page, 1 or more.
 * @throws Refusal 404 for any other text: it names no page, as an unknown id names nothing.
 */
export function readPage(text: string): number {
  if (PAGE.test(text)) return Number(text);
  throw new Refusal(404, "not_found", "A page is a whole number from 1 on");
}

/** Pages of `total` entries: a list without any has one that is empty. */
export const pagesOf = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

/** @throws Refusal 404 for a page behind the last one. */
export function checkPage(page: number, pages: number): void {
  if (page <= pages) return;
  const last = pages === 1 ? "There is 1 page" : `There are ${pages} pages`;
  throw new Refusal(404, "not_found", last);
}

/** The links of page `page` of `pages`; `base` is the path in front of the page's number. */
export function linksOf(base: string, page: number, pages: number): readonly Link[] {
  const link = (rel: string, to: number): Link => ({ rel, href: `${base}/${to}` });
  return [
    link("self", page),
    link("first", 1),
    ...(page > 1 ? [link("prev", page - 1)] : []),
    ...(page < pages ? [link("next", page + 1)] : []),
    link("last", pages),
  ];
}

import { DAY_MS, MINUTE_MS, WEEK_MS } from "../../../../domain/time.ts";

const MIB = 1024 ** 2;

/**
 * Largest page, bytes, packed and unpacked. 100 machines have 0.1 MiB, 1,000 (AEMP 1.2 knows no pages) about 1
 * MiB. Reading blocks the event loop: 0.1 s for the MiB, 0.4 s for 8 MiB of references, 2 s of attributes.
 */
export const MAX_PAGE_BYTES = 8 * MIB;
/** Largest answer to a log-in, bytes. Larger lets a server take memory; smaller could refuse a long token. */
export const MAX_TOKEN_BYTES = 64 * 1024;
/** One request with its whole answer, ms. Chosen: servers put large fleets together while one waits. */
export const REQUEST_MS = 60_000;
/** Pages of one poll: 100,000 machines. More let a server page for ever; fewer cut off a very large fleet. */
export const MAX_PAGES = 1_000;
/**
 * Longest name of a machine that is kept, and longest problem, characters. Longer makes the report large; shorter
 * may not show which machine is meant.
 */
export const MAX_NAME = 200;
export const MAX_PROBLEM = 300;
/** Entries of the lists that report on a poll; the rest is counted. More make the report large; fewer hide problems. */
export const MAX_PROBLEMS = 50;
export const MAX_UNMATCHED = 100;
/** Pages of one series of one machine in a poll: 1,000 entries; the rest comes with the next poll. */
export const MAX_SERIES_PAGES = 10;
/**
 * Longest that the series of one poll may take, ms. A slow server, or a fleet of thousands, goes on at the next
 * poll with the machine that it had come to. A longer time would keep the fleet itself from being polled in
 * time.
 */
export const SERIES_MS = 5 * MINUTE_MS;
/** Longest range of one request for a series, ms; servers refuse more than a month. */
export const SERIES_RANGE_MS = WEEK_MS;
/** How far back the first request for a series goes, ms. */
export const SERIES_BACK_MS = DAY_MS;

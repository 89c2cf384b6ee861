import type { ChangedFile } from "./cluster-sums.ts";
import { readFlushedMark } from "./flushed-mark.ts";
import { LogFiles, type LogRecord, readReplayStart } from "./log-records.ts";

/** Resource managers and kinds of records (`rmgrlist.h`, `pg_control.h`, `xact.h`). */
const XLOG_MANAGER = 0;
const TRANSACTION_MANAGER = 1;
const XLOG_SWITCH = 0x40;
const XLOG_KIND = 0xf0;
const TRANSACTION_KIND = 0x70;

/**
 * Searches for damage in the log of a cluster that was not shut down. PostgreSQL ends its replay at the first
 * record that is not whole, takes it for one that a crash cut off, and writes over what follows. It is damage
 * when the log was known to be on disk beyond it (`flushed-mark.ts`), or when a commit lies beyond it and the
 * record that follows it: nothing is written after a commit before the commit is on disk, and the disk cannot
 * have lost what came before it. To be called before the cluster is opened; it changes nothing.
 *
 * Not seen: damage behind which there is at most one commit, where the process was killed within a second
 * (`flushed-mark.ts`) after that.
 */
export function findLogDamage(cluster: string): ChangedFile | undefined {
  const from = readReplayStart(cluster);
  if (from === undefined) return undefined;
  const log = new LogFiles(cluster, from.timeline);
  const { end, last } = endOfReplay(log, from.lsn);
  const flushed = readFlushedMark(cluster);
  const path = log.pathOf(end);
  if (flushed !== undefined && flushed > end) {
    const problem = `the log can be read up to ${lsnText(end)}, and was on disk up to ${lsnText(flushed)}`;
    return { path, problem };
  }
  let commit: number | undefined;
  for (const record of log.find(end, log.end, last ?? from.lsn)) {
    // One that does not follow the commit may be of an earlier use of the file.
    if (commit !== undefined && record.previous === commit) {
      return { path, problem: `the record at ${lsnText(end)} is damaged` };
    }
    commit = isCommit(record) ? record.start : undefined;
  }
  return undefined;
}

/** The position at which PostgreSQL stops, and the start of the last record before it. */
function endOfReplay(log: LogFiles, from: number): { end: number; last: number | undefined } {
  let at = from;
  let last: number | undefined;
  for (;;) {
    const record = log.read(at);
    if (record === undefined) return { end: at, last };
    if ("overwritten" in record) at = record.overwritten;
    else {
      if (last !== undefined && record.previous !== last) return { end: at, last };
      last = record.start;
      at = isSwitch(record) ? log.nextSegment(record.start) : record.end;
    }
  }
}

const isSwitch = ({ manager, info }: LogRecord): boolean =>
  manager === XLOG_MANAGER && (info & XLOG_KIND) === XLOG_SWITCH;

const isCommit = ({ manager, info }: LogRecord): boolean =>
  manager === TRANSACTION_MANAGER && (info & TRANSACTION_KIND) === 0;

/** As PostgreSQL writes positions. */
const lsnText = (lsn: number): string =>
  `${Math.floor(lsn / 2 ** 32)
    .toString(16)
    .toUpperCase()}/${(lsn % 2 ** 32).toString(16).toUpperCase()}`;

import type { ProjectId } from "../../domain/ids.ts";
import type { JournalWriter } from "../../storage/ports/journal.ts";
import type { SharedJournal } from "../../storage/ports/shared-journal.ts";
import { projectOf } from "../journal-record/header.ts";
import { partitionOf } from "./partition-of.ts";

/**
 * Puts each record into the partition of its project. Takes records that concern a project, as intake's do;
 * ticks belong to a partition, and there are no starts: a process that ends says nothing of others' sessions.
 */
export function createRecordRouter(journal: SharedJournal): JournalWriter {
  return {
    get state() {
      return journal.state;
    },
    append(kind, timeMs, body, done) {
      const key: ProjectId = projectOf(body);
      const partition = partitionOf(key, journal.partitions);
      journal.append({ partition, key, kind, timeMs, body }, done);
    },
    onState: (listener) => journal.onState(listener),
    onCommit: (listener) => journal.onCommit(listener),
  };
}

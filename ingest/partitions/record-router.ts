import type { ProjectId } from "../../domain/ids.ts";
import type { Appended, JournalWriter } from "../../storage/ports/journal.ts";
import type { SharedJournal, SharedRecord } from "../../storage/ports/shared-journal.ts";
import { projectOf } from "../journal-record/header.ts";
import type { LogLayout } from "./log-layout.ts";

/**
 * Puts each record into the partition of its project. Takes records that concern a project, as intake's do;
 * ticks belong to a partition, and there are no starts: a process that ends says nothing of others' sessions.
 */
export function createRecordRouter(
  journal: SharedJournal,
  layout: Pick<LogLayout, "put">,
): JournalWriter {
  return {
    get state() {
      return journal.state;
    },
    append(kind, timeMs, body, done) {
      const key: ProjectId = projectOf(body);
      const { partition, answered } = layout.put(key);
      appendCounted(journal, { partition, key, kind, timeMs, body }, answered, done);
    },
    onState: (listener) => journal.onState(listener),
    onCommit: (listener) => journal.onCommit(listener),
  };
}

/** Appends a record; `answered` is called before `done`, and for a record that is refused. */
export function appendCounted(
  journal: Pick<SharedJournal, "append">,
  record: SharedRecord,
  answered: () => void,
  done: Appended,
): void {
  try {
    journal.append(record, (error) => {
      answered();
      done(error);
    });
  } catch (error) {
    answered();
    throw error;
  }
}

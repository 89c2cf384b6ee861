import type { Settings } from "../../config/settings.ts";
import type { JournalReader, JournalWriter } from "../../storage/ports/journal.ts";
import type { MessageLog } from "../device-log/messages/message-log.ts";
import type { AssetDirectory } from "../directories/asset-directory.ts";
import type { CommandAnswers } from "./command-answers.ts";
import type { ConversationOutlet } from "./readings/conversation-outlet.ts";

/** What intake works with. */
export interface IntakeOptions extends SharedIntakeOptions {
  /** Its last minutes are read at the start. */
  readonly journal: JournalWriter & JournalReader;
}

/** What intake into a journal that other processes write as well works with. */
export interface SharedIntakeOptions {
  readonly journal: JournalWriter;
  readonly directory: AssetDirectory;
  readonly settings: Pick<Settings, "retentionDays" | "deviceReadingsPerS" | "deviceBurstReadings">;
  /** Keys the names of senders; the same after a restart, for their names are in the journal. */
  readonly pepper: Uint8Array;
  /** Absent: not reported. */
  readonly outlet?: ConversationOutlet;
  /** Stores what devices answer to commands. Absent: such messages are like any other. */
  readonly answers?: CommandAnswers;
  /** Remembers what became of each message. Absent: not remembered. */
  readonly messages?: Pick<MessageLog, "note">;
  /** Server clock, ms since the Unix epoch. */
  readonly now?: () => number;
}

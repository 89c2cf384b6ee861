import { SubjectBytes } from "../../journal-record/subject-bytes.ts";
import { ReceiveClock } from "./clock.ts";
import type { Conversation } from "./conversation.ts";
import { FieldNames } from "./field-names.ts";
import { RateBucket } from "./rate-bucket.ts";
import { ReportedRemarks } from "./reading-remarks.ts";

/**
 * How often it is reported that the rate holds answers back, ms. Chosen: entries of the log of connections are few.
 */
const HOLD_NOTICE_EVERY_MS = 60_000;

/** What intake remembers of one asset across its sessions. */
export class AssetIntake {
  readonly clock: ReceiveClock;
  readonly fieldNames = new FieldNames();
  readonly remarks = new ReportedRemarks();
  readonly bucket: RateBucket;
  readonly subject = new SubjectBytes();
  /** Of an asset whose messages depend on earlier ones, from the first of them on. */
  conversation: Conversation | undefined;
  /** When a connection was last notified that the rate holds answers back, ms. */
  #holdNoticeMs = Number.NEGATIVE_INFINITY;

  /** `lastReceivedMs`: the last receive time that was used as a fix time, if that is known. */
  constructor(readingsPerS: number, burstReadings: number, lastReceivedMs: number | undefined) {
    this.clock = new ReceiveClock(lastReceivedMs);
    this.bucket = new RateBucket(readingsPerS, burstReadings);
  }

  /**
   * Whether a connection is to be notified, `nowMs` by the server clock, that the rate holds answers back.
   */
  isHoldNoticeDue(nowMs: number): boolean {
    // Also when the clock stepped back.
    if (Math.abs(nowMs - this.#holdNoticeMs) < HOLD_NOTICE_EVERY_MS) return false;
    this.#holdNoticeMs = nowMs;
    return true;
  }
}

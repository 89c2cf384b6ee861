import { ReceiveClock } from "./clock.ts";
import type { Conversation } from "./conversation.ts";
import { FieldNames } from "./field-names.ts";
import { RateBucket } from "./rate-bucket.ts";
import { ReportedRemarks } from "./reading-remarks.ts";

/** What intake remembers of one asset across its sessions. */
export class AssetIntake {
  readonly clock: ReceiveClock;
  readonly fieldNames = new FieldNames();
  readonly remarks = new ReportedRemarks();
  readonly bucket: RateBucket;
  /** Of an asset whose messages lean on earlier ones, from the first of them on. */
  conversation: Conversation | undefined;

  /** `lastReceivedMs`: the last receive time that was used as a fix time, if that is known. */
  constructor(readingsPerS: number, burstReadings: number, lastReceivedMs: number | undefined) {
    this.clock = new ReceiveClock(lastReceivedMs);
    this.bucket = new RateBucket(readingsPerS, burstReadings);
  }
}

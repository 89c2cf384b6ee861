/** Since when the telemetry stores say how late a position was received. */
export interface LatenessRecords {
  /**
   * Of positions of before, ms since the Unix epoch, it is known only where their row says that they were late: an older
   * version stored nothing of the kind. 0: there is no such telemetry.
   */
  knownFromMs(): Promise<number>;
}

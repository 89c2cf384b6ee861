/** When what was published, and how long until each receiver had the event that it made. */
export interface Latencies {
  /** Notes that asset `assetId` is about to publish a fix of that time. */
  published(assetId: string, fixTime: string): void;
  /** Notes that a receiver has the event of that fix. An event that nobody waits for is left out. */
  received(receiver: string, assetId: string, fixTime: string): void;
  /** Events that every one of `receivers` has. */
  complete(receivers: readonly string[]): number;
  /** Sorted times of one receiver, ms. */
  timesMs(receiver: string): readonly number[];
}

export function createLatencies(): Latencies {
  const publishedMs = new Map<string, number>();
  const timesByReceiver = new Map<string, Map<string, number>>();
  return {
    published(assetId, fixTime) {
      publishedMs.set(`${assetId} ${fixTime}`, performance.now());
    },
    received(receiver, assetId, fixTime) {
      const event = `${assetId} ${fixTime}`;
      const startMs = publishedMs.get(event);
      if (startMs === undefined) return;
      const times = timesByReceiver.get(receiver) ?? new Map<string, number>();
      // A repetition is not a second event.
      if (!times.has(event)) times.set(event, performance.now() - startMs);
      timesByReceiver.set(receiver, times);
    },
    complete(receivers) {
      const all = receivers.map((receiver) => timesByReceiver.get(receiver));
      return [...publishedMs.keys()].filter((event) => all.every((times) => times?.has(event)))
        .length;
    },
    timesMs: (receiver) =>
      [...(timesByReceiver.get(receiver)?.values() ?? [])].sort((a, b) => a - b),
  };
}

/** The time that `share` of the sorted times do not exceed, ms; `NaN` without any. */
export function quantileMs(sortedMs: readonly number[], share: number): number {
  return sortedMs[Math.ceil(sortedMs.length * share) - 1] ?? Number.NaN;
}

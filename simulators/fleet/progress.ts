/** Progress of a run. Counts are readings, not messages. */
export interface FleetProgress {
  readonly startMs: number;
  /** Simulated time, ms since the Unix epoch. */
  readonly simulatedMs: number;
  /** `Infinity` in a run without end. */
  readonly endMs: number;
  readonly assets: number;
  readonly connected: number;
  readonly made: number;
  readonly sent: number;
  readonly acknowledged: number;
  readonly inFlight: number;
  /** Waiting in the devices. */
  readonly queued: number;
  /** Acknowledged readings per second lately. */
  readonly ratePerS: number;
  /** Why the broker last refused a log-in, if it did. */
  readonly problem: string | undefined;
}

/** One line for people. */
export function formatProgress(progress: FleetProgress): string {
  const { startMs, endMs, simulatedMs, assets, connected } = progress;
  const share = Number.isFinite(endMs)
    ? ` (${Math.floor((100 * (simulatedMs - startMs)) / Math.max(1, endMs - startMs))} %)`
    : "";
  const parts = [
    `${new Date(simulatedMs).toISOString().slice(0, 19)}Z${share}`,
    `${connected}/${assets} connected`,
    `${progress.sent} sent`,
    `${progress.acknowledged} acknowledged`,
    `${progress.inFlight} in flight`,
    ...(progress.queued > 0 ? [`${progress.queued} queued`] : []),
    `${Math.round(progress.ratePerS)}/s`,
    ...(progress.problem !== undefined ? [progress.problem] : []),
  ];
  return parts.join("  ");
}

/** Measures a rising count per second over the last 5 s or so. */
export function createRateMeter(): (count: number, nowMs: number) => number {
  const samples: { readonly count: number; readonly atMs: number }[] = [];
  return (count, nowMs) => {
    samples.push({ count, atMs: nowMs });
    while (samples.length > 2 && nowMs - (samples[0]?.atMs ?? nowMs) > 5_000) samples.shift();
    const first = samples[0];
    if (first === undefined || nowMs === first.atMs) return 0;
    return ((count - first.count) * 1_000) / (nowMs - first.atMs);
  };
}

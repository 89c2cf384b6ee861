/** What one survey took, in a process of its own. */
export interface SurveyCost {
  /** From the names of the files to the products, s. */
  readonly wallS: number;
  /** Of all threads, user and system, s. */
  readonly cpuS: number;
  readonly stages: readonly StageCost[];
  /** Largest resident set, the code of Node and its libraries included, bytes. */
  readonly peakBytes: number;
  /** Largest part of it that the process allocated itself, bytes; sampled. */
  readonly peakOwnBytes: number;
  readonly cameras: number;
  readonly rmsPx: number;
}

export interface StageCost {
  readonly name: string;
  readonly wallS: number;
  readonly cpuS: number;
}

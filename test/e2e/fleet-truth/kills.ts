/** Kills a program at set shares of a run, one after the other. */
export interface Kills {
  /** Called with the progress of the run, 0 to 1; kills when a share is passed and no kill is under way. */
  pass(share: number): void;
  readonly count: number;
  /** Resolves when the last kill is over. @throws what a restart threw. */
  done(): Promise<void>;
}

/** Plans `count` kills over the middle of a run, each at a random place of its part. `random` is uniform in `[0, 1)`. */
export function planKills(count: number, random: () => number, kill: () => Promise<void>): Kills {
  const shares = Array.from({ length: count }, (_, i) => 0.05 + (0.9 * (i + random())) / count);
  let next = 0;
  let isUnderWay = false;
  let last = Promise.resolve();
  return {
    get count() {
      return next;
    },
    pass(share) {
      const due = shares[next];
      if (due === undefined || share < due || isUnderWay) return;
      next += 1;
      isUnderWay = true;
      last = kill().finally(() => {
        isUnderWay = false;
      });
      // Thrown by `done`; the run goes on until then.
      last.catch(() => undefined);
    },
    done: () => last,
  };
}

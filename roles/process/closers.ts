/** What ends a part of the process; it may report what it consists of as each has ended. */
type Closer = (onEnded: () => void) => Promise<void> | void;

/** What was started, so that it can be ended in reverse. */
export interface Closers {
  push(closer: Closer): void;
  /**
   * Ends everything, the newest first, and reports each part that has ended. What fails does not keep
   * the rest; the first failure is thrown.
   */
  close(onEnded?: () => void): Promise<void>;
}

export function createClosers(): Closers {
  const stack: Closer[] = [];
  return {
    push: (closer) => stack.push(closer),
    async close(onEnded) {
      const failures: unknown[] = [];
      for (let closer = stack.pop(); closer !== undefined; closer = stack.pop()) {
        try {
          await closer(() => onEnded?.());
        } catch (error) {
          failures.push(error);
        }
        onEnded?.();
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

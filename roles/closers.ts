/** What ends a part of the process. */
type Closer = () => Promise<void> | void;

/** What was started, so that it can be ended in reverse. */
export interface Closers {
  push(closer: Closer): void;
  /** Ends everything, the newest first. What fails does not keep the rest; the first failure is thrown. */
  close(): Promise<void>;
}

export function createClosers(): Closers {
  const stack: Closer[] = [];
  return {
    push: (closer) => stack.push(closer),
    async close() {
      const failures: unknown[] = [];
      for (let closer = stack.pop(); closer !== undefined; closer = stack.pop()) {
        try {
          await closer();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

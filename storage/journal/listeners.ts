/** Who is called with each value of one kind, in the order in which they were added. */
export class Listeners<Value> {
  readonly #listeners: ((value: Value) => void)[] = [];

  add(listener: (value: Value) => void): void {
    this.#listeners.push(listener);
  }

  /** A listener that throws is a bug of its owner and must not keep the others from being called. */
  call(value: Value): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (thrown) {
        throwLater(thrown);
      }
    }
  }
}

/** Throws where nobody catches it, after what is being done now. */
export function throwLater(thrown: unknown): void {
  process.nextTick(() => {
    throw thrown;
  });
}

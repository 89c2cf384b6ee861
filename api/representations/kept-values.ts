/** Values that are made once and kept until others need their room. */
export interface KeptValues<Value> {
  /**
   * The value of a name; `make` is called where none is kept, once however many ask meanwhile. What it throws is not
   * kept.
   */
  get(name: string, make: () => Promise<Value>): Promise<Value>;
  /** As {@link get}, of what is made without waiting. */
  getNow(name: string, make: () => Value): Value;
  /** What is kept now. */
  peek(name: string): Value | undefined;
}

/**
 * Keeps values up to a sum of weights; the one that was not asked for longest goes first. A value heavier than all
 * is not kept.
 */
export function keepValues<Value>(limit: {
  readonly most: number;
  /** In the unit of `most`. */
  readonly weightOf: (value: Value) => number;
}): KeptValues<Value> {
  const kept = new Map<string, { readonly value: Value; readonly weight: number }>();
  const making = new Map<string, Promise<Value>>();
  let sum = 0;
  /** What was asked for last, and so is the last to go: often the same many times. */
  let newest: string | undefined;

  function keep(name: string, value: Value): void {
    const weight = limit.weightOf(value);
    if (weight > limit.most) return;
    kept.set(name, { value, weight });
    newest = name;
    sum += weight;
    for (const [oldest, { weight: freed }] of kept) {
      if (sum <= limit.most) break;
      kept.delete(oldest);
      sum -= freed;
    }
  }

  function recall(name: string): { readonly value: Value } | undefined {
    const known = kept.get(name);
    if (known === undefined || name === newest) return known;
    kept.delete(name);
    kept.set(name, known);
    newest = name;
    return known;
  }

  return {
    peek: (name) => recall(name)?.value,
    getNow(name, make) {
      const known = recall(name);
      if (known !== undefined) return known.value;
      const value = make();
      keep(name, value);
      return value;
    },
    async get(name, make) {
      const known = recall(name);
      if (known !== undefined) return known.value;
      const under = making.get(name);
      if (under !== undefined) return await under;
      const made = make();
      making.set(name, made);
      try {
        const value = await made;
        keep(name, value);
        return value;
      } finally {
        making.delete(name);
      }
    },
  };
}

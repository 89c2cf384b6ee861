import type { NumberedKind, NumberedName } from "./catalog.ts";

/** Numbers of the names of one kind, and those the catalog does not have yet. */
export class Numbering {
  private readonly kind: NumberedKind;
  private readonly limit: number;
  private readonly numbers = new Map<string, number>();
  private fresh: NumberedName[] = [];
  private lastName = "";
  private lastNumber = 0;

  /** @param limit numbers are below it. */
  constructor(kind: NumberedKind, limit: number, stored: readonly NumberedName[]) {
    this.kind = kind;
    this.limit = limit;
    for (const { name, number } of stored.filter((one) => one.kind === kind)) {
      this.numbers.set(name, number);
    }
  }

  find(name: string): number | undefined {
    return this.numbers.get(name);
  }

  /** Every name, by its number. */
  names(): readonly string[] {
    return [...this.numbers].sort(([, a], [, b]) => a - b).map(([name]) => name);
  }

  /** The number of a name, a new one if need be. */
  of(name: string): number {
    if (name === this.lastName) return this.lastNumber;
    let number = this.numbers.get(name);
    if (number === undefined) {
      number = this.numbers.size;
      if (number >= this.limit)
        throw new RangeError(`more than ${this.limit} names of ${this.kind}`);
      this.numbers.set(name, number);
      this.fresh.push({ kind: this.kind, number, name });
    }
    this.lastName = name;
    this.lastNumber = number;
    return number;
  }

  /** The names numbered since the last call. */
  takeFresh(): readonly NumberedName[] {
    const taken = this.fresh;
    this.fresh = [];
    return taken;
  }
}

/** One child of a section: the name of its element and what is in it. */
export type Part = readonly [name: string, value: string | number | boolean];

/** One statement about a machine, such as its fuel level, with the time of its own. */
export interface Section {
  /** Name of the element, such as `FuelRemaining`. */
  readonly name: string;
  /** ms since the Unix epoch. */
  readonly timeMs: number;
  /** In the order of the standard. */
  readonly parts: readonly Part[];
}

/** A machine in the form of ISO 15143-3; what is not known is left out. */
export interface Equipment {
  readonly header: readonly Part[];
  readonly sections: readonly Section[];
}

/** Where another page of the same list is; `rel` is `self`, `first`, `prev`, `next` or `last`. */
export interface Link {
  readonly rel: string;
  readonly href: string;
}

/** `YYYY-MM-DDThh:mm:ssZ`: the standard's times have whole seconds; a part of one is cut off. */
export function isoSecond(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Rows changed since a revision; `deleted` rows are listed once, so that followers can drop them. */
export interface Changes<T> {
  readonly revision: number;
  readonly rows: readonly T[];
}

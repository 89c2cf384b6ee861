/** A share of 0 to 1 in percent, without the binary digits of 0.01 times 7. */
export const percentOf = (share: number): number => Number((100 * share).toPrecision(12));

/** The least volume that is written as it is, m³: a smaller one would read as 0. */
export const LEAST_M3 = 0.1;

/** Whether a volume is not 0 and would read as 0. */
export const wouldReadAsZero = (m3: number): boolean => m3 !== 0 && Math.abs(m3) < LEAST_M3 / 2;

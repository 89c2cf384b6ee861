/**
 * Heights of bases and designs, metres: from the Dead Sea's shore to above every road, on any geoid. Wider
 * bounds would let heights in the wrong unit pass.
 */
export const SURFACE_HEIGHT_M = { min: -1_000, max: 10_000 } as const;

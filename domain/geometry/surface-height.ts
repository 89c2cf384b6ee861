/** Heights of bases and designs, metres: from the Dead Sea's shore to above every road, on any geoid. Chosen. */
export const SURFACE_HEIGHT_M = { min: -1_000, max: 10_000 } as const;

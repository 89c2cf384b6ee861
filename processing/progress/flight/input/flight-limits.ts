/**
 * Cells of a flight's surface at most; more make the cells larger. 8 million take 72 MB: less memory would blur
 * large sites, more would bound how many flights run at once.
 */
export const MOST_SURFACE_CELLS = 8_000_000;
/**
 * Cells of a zone's grid at most: cells of large zones are larger. 250,000 take 20 MB; fewer blur edges, more
 * cost time and memory without a surer sum.
 */
export const MOST_ZONE_CELLS = 250_000;
/** Longer edge of the map, pixels: sharp across a printed page. More only makes the file larger. */
export const MAP_PX = 1_000;
/** Files that are open at once: the baseline that most zones share, and two of the zone at hand. */
export const MOST_OPEN = 3;

/**
 * Pages that wait for a map, by the first part of their address, and how their code is loaded. A map is ten times as
 * large as all pages without one: it is loaded where it is looked at.
 */
export const MAP_PAGES = {
  map: async () => (await import("./pages/map/map-page.tsx")).MapPage,
  fences: async () => (await import("./pages/fences/fences-page.tsx")).FencesPage,
  tracks: async () => (await import("./pages/track/track-page.tsx")).TrackPage,
  stockpiles: async () => (await import("./pages/stockpiles/stockpiles-page.tsx")).StockpilesPage,
};

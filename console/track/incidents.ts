import type { LateStretch, Track, TrackCrossing, TrackGap, TrackStop } from "./track.ts";

/** Something on a track that has a time and a place in the list beside the map. */
export type Incident = {
  readonly key: string;
  readonly track: Pick<Track, "id" | "name">;
  /** ms since the Unix epoch; the same for what has no length. */
  readonly fromMs: number;
  readonly toMs: number;
} & (
  | { readonly kind: "stop"; readonly stop: TrackStop }
  | { readonly kind: "gap"; readonly gap: TrackGap }
  | { readonly kind: "crossing"; readonly crossing: TrackCrossing }
  | { readonly kind: "late"; readonly stretch: LateStretch }
);

/** Stops, gaps, crossings and late stretches of all tracks, ascending. */
export function incidentsOf(tracks: readonly Track[]): readonly Incident[] {
  const all = tracks.flatMap((track): Incident[] => {
    const { id, name, stops, gaps, crossings, lateStretches } = track;
    const of = { track: { id, name } };
    return [
      ...stops.map((stop): Incident => {
        const { fromMs, toMs } = stop;
        return { ...of, kind: "stop", key: `${id} stop ${fromMs}`, fromMs, toMs, stop };
      }),
      ...gaps.map((gap): Incident => {
        const { fromMs, toMs } = gap;
        return { ...of, kind: "gap", key: `${id} gap ${fromMs}`, fromMs, toMs, gap };
      }),
      ...crossings.map((crossing): Incident => {
        const { ms, fenceId, type } = crossing;
        const key = `${id} ${type} ${fenceId} ${ms}`;
        return { ...of, kind: "crossing", key, fromMs: ms, toMs: ms, crossing };
      }),
      ...lateStretches.map((stretch): Incident => {
        const { fromMs, toMs } = stretch;
        return { ...of, kind: "late", key: `${id} late ${fromMs}`, fromMs, toMs, stretch };
      }),
    ];
  });
  return all.sort((a, b) => a.fromMs - b.fromMs);
}

/** Keys of what lasts at a time; what has no length lasts until a second later. */
export function lastingAt(incidents: readonly Incident[], ms: number): ReadonlySet<string> {
  const lasting = incidents.filter(
    ({ fromMs, toMs }) => ms >= fromMs && ms <= Math.max(toMs, fromMs + 1_000),
  );
  return new Set(lasting.map(({ key }) => key));
}

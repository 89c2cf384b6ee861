import { Type } from "typebox";
import { ASSET_STATUSES } from "../../domain/equipment/asset.ts";
import { AssetId, ProjectId } from "../../domain/ids.ts";
import { isoTime } from "../../domain/iso-time.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { defineTool } from "./tool.ts";
import { ageText, durationText, type Place, placeText, restText } from "./words.ts";

/** Machines in one answer: more fills the assistant's memory and helps nobody. */
const MOST_LISTED = 50;
/** On each side of the asked time, minutes: a machine that reports each quarter of an hour is found. */
const AROUND_MIN = 30;

interface Machine {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly location: Place;
  readonly zone: string;
  readonly last_fix_at?: string;
  readonly location_source: "gnss" | "registered";
}

function machineLine({ id, name, type, status, ...machine }: Machine, nowIso: string): string {
  const inZone = machine.zone === "" ? "" : ` in zone ${machine.zone}`;
  const at = placeText(machine.location);
  const place =
    machine.location_source === "gnss" && machine.last_fix_at !== undefined
      ? `at ${at}${inZone}, position of ${machine.last_fix_at} (${ageText(machine.last_fix_at, nowIso)} this answer)`
      : `never sent a position; its registered place is ${at}`;
  return `${name} (${id}, ${type}) is ${status}, ${place}.`;
}

export const findMachines = defineTool({
  name: "find_machines",
  title: "Find machines",
  description:
    "Machines by a part of their name or id, by project, status or type, with where each is and how old that position is. A machine that never sent a position has only the place where it was registered.",
  scope: "equipment:read",
  input: Type.Object({
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: "Part of the name or id" }),
    ),
    project_id: Type.Optional(ProjectId),
    status: Type.Optional(Type.Enum([...ASSET_STATUSES])),
    type: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: "Such as excavator" }),
    ),
  }),
  async run({ name, ...filter }, api, nowMs) {
    const { data: machines, total } = await api.list<Machine>(
      "/equipment/assets",
      { ...filter, search: name },
      MOST_LISTED,
    );
    const nowIso = isoTime(nowMs);
    return {
      lines: [
        machines.length === 0 ? "No machine matches." : `Machines that match: ${total}.`,
        ...machines.map((machine) => machineLine(machine, nowIso)),
        ...restText(machines.length, total),
      ],
      data: { machines },
      pages: machines.map(({ id }) => `/machines/${encodeURIComponent(id)}`),
    };
  },
});

interface TrackPoint extends Place {
  readonly timestamp: string;
  readonly speed_kmh: number | null;
  readonly accuracy_meters: number | null;
}
interface Track {
  readonly asset_id: string;
  readonly name: string;
  readonly pieces: readonly { readonly points: readonly TrackPoint[] }[];
  readonly stops: readonly { readonly from: string; readonly to: string }[];
}

export const whereWas = defineTool({
  name: "where_was_machine",
  title: "Where a machine was",
  description: `Where a machine was at a time: the measured positions last before and first after it, within ${AROUND_MIN} minutes, and whether it stood. Nothing is made up between two positions.`,
  scope: "equipment:read",
  input: Type.Object({
    asset_id: AssetId,
    at: Type.String({ format: "date-time", description: "With its zone, as 2026-03-05T12:00:00Z" }),
  }),
  async run({ asset_id, at }, api) {
    const atMs = Date.parse(at);
    const iso = (minutes: number) => isoTime(atMs + minutes * MINUTE_MS);
    const { data } = await api.get<{ data: Track[] }>("/equipment/tracks", {
      asset_id,
      from: iso(-AROUND_MIN),
      to: iso(AROUND_MIN),
      max_points: 10_000,
    });
    const [track] = data;
    const points = track?.pieces.flatMap((piece) => piece.points) ?? [];
    const before = points.findLast(({ timestamp }) => Date.parse(timestamp) <= atMs);
    const after = points.find(({ timestamp }) => Date.parse(timestamp) > atMs);
    const stood = track?.stops.find(
      ({ from, to }) => Date.parse(from) <= atMs && atMs <= Date.parse(to),
    );
    const name = track?.name ?? asset_id;
    const line = (word: string, point: TrackPoint) =>
      `${word} it was at ${placeText(point)} at ${point.timestamp}, accurate to ${
        point.accuracy_meters === null
          ? "a distance that is not known"
          : `${point.accuracy_meters} m`
      }.`;
    const lines = [
      ...(before === undefined ? [] : [line("Last before", before)]),
      ...(after === undefined ? [] : [line("First after", after)]),
      ...(stood === undefined ? [] : [`It stood from ${stood.from} to ${stood.to}.`]),
    ];
    const range = new URLSearchParams({ from: iso(-AROUND_MIN), to: iso(AROUND_MIN) });
    return {
      lines:
        lines.length === 0
          ? [
              `No position of ${name} is stored within ${AROUND_MIN} minutes of ${at}: where it was is not known.`,
            ]
          : [`${name} about ${at}:`, ...lines],
      data: { at, before: before ?? null, after: after ?? null, stop: stood ?? null },
      pages: [`/machines/${encodeURIComponent(asset_id)}/track?${range}`],
    };
  },
});

interface UsageDay {
  readonly day: string;
  readonly working_s: number | null;
  readonly engine_on_s: number | null;
  readonly distance_m: number | null;
  readonly figures: {
    readonly working: {
      readonly lower: number | null;
      readonly upper: number | null;
      readonly basis: string;
      readonly seen_percent: number | null;
    };
  };
}

export const machineUse = defineTool({
  name: "machine_use",
  title: "How a machine was used",
  description:
    "Working time, engine time and distance of a machine for each local day, with the bounds between which the true working time lies. Days without data are missing, which is not the same as no work.",
  scope: "equipment:read",
  input: Type.Object({
    asset_id: AssetId,
    from: Type.Optional(Type.String({ format: "date", description: "First day; absent: today" })),
    to: Type.Optional(Type.String({ format: "date", description: "Last day, inclusive" })),
  }),
  async run({ asset_id, from, to }, api) {
    const path = `/equipment/assets/${encodeURIComponent(asset_id)}/utilization`;
    const { data, time_zone } = await api.get<{ data: UsageDay[]; time_zone: string }>(path, {
      from,
      to,
    });
    const lines = data.map(({ day, working_s, engine_on_s, distance_m, figures }) => {
      const { lower, upper, basis, seen_percent } = figures.working;
      const bounds =
        lower === null || upper === null
          ? `without bounds (${basis})`
          : `at least ${durationText(lower)} and at most ${durationText(upper)} (${basis})`;
      const seen = seen_percent === null ? "" : `, ${seen_percent} % of the day seen`;
      const distance = distance_m === null ? "not known" : `${(distance_m / 1_000).toFixed(1)} km`;
      return `${day}: worked ${durationText(working_s)}, ${bounds}${seen}; engine on ${durationText(engine_on_s)}; distance ${distance}.`;
    });
    return {
      lines: lines.length === 0 ? ["No data of these days."] : [`Days in ${time_zone}.`, ...lines],
      data: { asset_id, time_zone, days: data },
      pages: [`/machines/${encodeURIComponent(asset_id)}/use`],
    };
  },
});

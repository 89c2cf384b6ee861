import { type Static, Type } from "typebox";
import { LATE_AFTER_S } from "../../../domain/equipment/lateness.ts";
import { FIX_FLAGS } from "../../../domain/equipment/track/track-fixes.ts";
import { Location } from "../../../domain/geodesy.ts";
import { AssetId, GeofenceId, ProjectId, VisitId } from "../../../domain/ids.ts";
import { Timestamp } from "../../schemas/timestamp.ts";

/** Late stretches of one track: a device that is in time and late by turns would have one for each two positions. */
export const MOST_STRETCHES = 1_000;

const orNull = (description: string) =>
  Type.Union([Type.Number(), Type.Null()], { description: `${description}; null: not known` });

const TrackPoint = Type.Object(
  {
    timestamp: Timestamp,
    latitude: Type.Number(),
    longitude: Type.Number(),
    speed_kmh: orNull("As the device reported it"),
    heading: orNull("Degrees clockwise from true north, as reported"),
    accuracy_meters: orNull("Metres"),
    received_late_s: Type.Optional(
      Type.Number({ description: `Seconds from its time to its receipt, if over ${LATE_AFTER_S}` }),
    ),
    flags: Type.Optional(
      Type.Array(Type.Enum([...FIX_FLAGS]), {
        description:
          "clock_corrected: the device's clock was wrong, this is the time of receipt; accuracy_from_hdop: estimated from HDOP",
      }),
    ),
  },
  { title: "TrackPoint" },
);
export type TrackPoint = Static<typeof TrackPoint>;

const TrackSpan = { from: Timestamp, to: Timestamp, duration_s: Type.Number() };

const TrackCrossing = Type.Object(
  {
    geofence_id: GeofenceId,
    visit_id: VisitId,
    type: Type.Enum(["entered", "exited"]),
    timestamp: Timestamp,
    location: Location,
    accuracy_meters: Type.Number(),
    cause: Type.String(),
    inferred: Type.Boolean({ description: "Seen only as a line between two fixes outside" }),
  },
  { title: "TrackCrossing" },
);
export type TrackCrossing = Static<typeof TrackCrossing>;

/** Where one asset was in a range of time. */
export const Track = Type.Object(
  {
    asset_id: AssetId,
    name: Type.String(),
    project_id: ProjectId,
    positions: Type.Integer({ description: "Measured positions in the range" }),
    mocked: Type.Integer({ description: "Positions that are made up, and left out" }),
    is_thinned: Type.Boolean({ description: "Not all positions are in the pieces" }),
    pieces: Type.Array(Type.Object({ points: Type.Array(TrackPoint) }), {
      description: "Ascending; over 5 min without a position begin the next piece",
    }),
    gaps: Type.Array(Type.Object({ ...TrackSpan, distance_m: Type.Number() }), {
      description: "Between two pieces; `distance_m` is the straight line",
    }),
    stops: Type.Array(
      Type.Object({ ...TrackSpan, location: Location, positions: Type.Integer() }),
      { description: "Within 25 m of one place for 3 min or longer; a gap ends a stop" },
    ),
    crossings: Type.Array(TrackCrossing, { description: "Entries and exits of fences, ascending" }),
    crossings_complete: Type.Boolean({ description: "False: there are more crossings" }),
    late: Type.Object(
      {
        positions: Type.Integer(),
        most_s: orNull("Seconds of the latest"),
        unknown: Type.Integer({ description: "Positions of which it is not known" }),
        stretches: Type.Array(
          Type.Object({ ...TrackSpan, positions: Type.Integer(), most_s: Type.Number() }),
          { description: `Late positions only; the longest ${MOST_STRETCHES}, ascending` },
        ),
        stretches_complete: Type.Boolean(),
      },
      { description: `Received over ${LATE_AFTER_S} s after their time; of all positions` },
    ),
    summary: Type.Object({
      distance_m: orNull("Metres between positions, outside stops and gaps"),
      moving_s: orNull("Seconds"),
      stopped_s: orNull("Seconds in stops"),
      unknown_s: orNull("Seconds in gaps"),
      max_speed_kmh: orNull("Highest reported speed"),
    }),
  },
  { title: "Track" },
);
export type Track = Static<typeof Track>;

export const TrackList = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    late_known_from: Type.Optional(
      Type.String({
        description: "Before it, positions without `received_late_s` may be late too",
      }),
    ),
    data: Type.Array(Track),
  },
  { title: "TrackList" },
);
export type TrackList = Static<typeof TrackList>;

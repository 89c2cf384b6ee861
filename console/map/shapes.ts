import type { Machine } from "../state/machine.ts";

/** How a machine looks, on the map and in lists: by colour and by shape, so that neither is needed alone. */
export type Look =
  | "active"
  | "active-still"
  | "idle"
  | "maintenance"
  | "offline"
  | "stale"
  | "registered";

interface Shape {
  /** SVG path in a box of 24 by 24. */
  readonly path: string;
  /** Filled, or drawn with a line of that width in the same box. */
  readonly line?: number;
  readonly dash?: readonly number[];
  /** Name of the colour among the tokens of the theme. */
  readonly colour: StatusColour;
}

/** Colours of the theme that mean a status. */
export type StatusColour = "active" | "idle" | "maintenance" | "quiet";

const RING = "M12 4.5a7.5 7.5 0 1 0 .01 0Z";

export const SHAPES: Readonly<Record<Look, Shape>> = {
  active: { path: "M12 2L20 21L12 16.5L4 21Z", colour: "active" },
  "active-still": { path: RING, colour: "active" },
  idle: { path: RING, line: 3.5, colour: "idle" },
  maintenance: {
    path: "M13 11L5 19M13.5 4.5a5 5 0 1 0 6 6",
    line: 4,
    colour: "maintenance",
  },
  offline: { path: "M5 5L19 19M19 5L5 19", line: 4, colour: "quiet" },
  stale: { path: RING, line: 3, dash: [4, 3.85], colour: "quiet" },
  registered: {
    path: "M8 9a4 4 0 1 1 5.6 3.7c-1.1.5-1.6 1.200-1.600 2.600M12 20v.01",
    line: 3,
    colour: "quiet",
  },
};

export const LOOKS = Object.keys(SHAPES) as readonly Look[];

/** What is least certain shows first: an arrow says that a machine is there now. */
export function lookOf(machine: Machine): Look {
  const { isRegisteredPlace, status, connection, heading } = machine;
  if (isRegisteredPlace) return "registered";
  if (status === "maintenance") return "maintenance";
  if (connection === "offline") return "offline";
  if (connection !== "ok") return "stale";
  if (status === "idle") return "idle";
  return heading === undefined ? "active-still" : "active";
}

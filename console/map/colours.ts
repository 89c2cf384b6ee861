import type { StatusColour } from "./shapes.ts";

/** Colours that the map is drawn with; pages have the same as tokens in theme.css. */
interface MapColours {
  readonly ground: string;
  readonly grid: string;
  readonly text: string;
  readonly halo: string;
  readonly accent: string;
  readonly restricted: string;
  readonly places: Readonly<Record<"zones" | "piles", string>>;
  readonly status: Readonly<Record<StatusColour, string>>;
}

export const MAP_COLOURS: Readonly<Record<"light" | "dark", MapColours>> = {
  light: {
    ground: "#eef1f4",
    grid: "#cfd7de",
    text: "#16202a",
    halo: "#ffffff",
    accent: "#0b4f6c",
    restricted: "#b42318",
    places: { zones: "#6639ba", piles: "#8a4600" },
    status: { active: "#1a7f37", idle: "#9a6700", maintenance: "#b42318", quiet: "#57606a" },
  },
  dark: {
    ground: "#10181f",
    grid: "#26323c",
    text: "#e6edf3",
    halo: "#0b1116",
    accent: "#6cc5e8",
    restricted: "#ff8b80",
    places: { zones: "#c4a1ff", piles: "#eeaa6c" },
    status: { active: "#4ac26b", idle: "#d4a72c", maintenance: "#ff8b80", quiet: "#9aa7b3" },
  },
};

import { DomainError } from "../domain/errors.ts";
import { choice, integer, optionalText, type Setting } from "./setting.ts";

const TILES = "MAP_TILE_URL";
/** A host as it is written in a Content-Security-Policy, with its port. */
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::\d+)?$/;

const mapTileUrl: Setting<string | undefined> = {
  env: TILES,
  doc: "Raster map tiles of another server as base map of the console, as https://tiles.example.com/{z}/{x}/{y}.png; needs MAP_ATTRIBUTION. That server learns where the sites are; tile.openstreetmap.org is not for fleets. Unset: DATA_DIR/maps/*.pmtiles, or no base map.",
  fallback: undefined,
  parse(value) {
    if (value === "") return undefined;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isUrl =
      url !== undefined &&
      /^https?:$/.test(url.protocol) &&
      HOST.test(url.host) &&
      url.username === "" &&
      url.password === "";
    if (!isUrl || !["{z}", "{x}", "{y}"].every((part) => value.includes(part))) {
      const allowed =
        "a URL that starts with http: or https: and has {z}, {x} and {y} behind its host";
      throw new DomainError("SETTINGS_INVALID", `${TILES}="${value}" is not ${allowed}`);
    }
    return value;
  },
};

/** What browsers and assistants are served beside the API. */
export const CONSOLE_SETTINGS = {
  console: choice(
    "CONSOLE",
    "Whether the web console is served at /; the API has its routes for it either way.",
    ["true", "false"],
    "true",
  ),
  assistants: choice(
    "ASSISTANTS",
    "What assistants may do at /mcp with an API key: read figures; write: acknowledge alerts, too; off: there is no /mcp.",
    ["read", "write", "off"],
    "read",
  ),
  mapTileUrl,
  mapAttribution: optionalText(
    "MAP_ATTRIBUTION",
    "Text that the map shows for the tiles of MAP_TILE_URL, as their licence asks.",
  ),
  mapMaxZoom: integer("MAP_MAX_ZOOM", "Highest zoom that MAP_TILE_URL has tiles of.", 19, {
    min: 0,
    max: 24,
  }),
};

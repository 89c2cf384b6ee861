import type { BuiltConsole } from "./built-console.ts";

/** Map tiles of another server. */
export interface TileServer {
  /** With `{z}`, `{x}` and `{y}` in it. */
  readonly url: string;
  readonly attribution: string;
  readonly maxZoom: number;
}

/** What the web console is served with. */
export interface ConsoleDependencies {
  /** Of the service. */
  readonly version: string;
  /** Folder of base maps; need not exist. */
  readonly mapsDir: string;
  /** Absent: base maps of the folder, if any. */
  readonly tiles?: TileServer | undefined;
  /** Origins beside the API's that answers name files of: a bucket, a CDN. */
  readonly fileOrigins: readonly string[];
  /** `off`: not to be served. `not built`: `/` says so. */
  readonly built: BuiltConsole | "off" | "not built";
}

/** Bundles the sources of the program and yields the folder; see bundle.mjs. */
export function bundleSources(): Promise<string>;
/** Bundles one script, a path below the root such as `simulators/main.ts`, and yields the file to run; see bundle.mjs. */
export function bundleScript(entry: string): Promise<string>;
/** Packages that become part of the service's bundle. */
export const BUNDLED_WITH_SERVICE: readonly string[];

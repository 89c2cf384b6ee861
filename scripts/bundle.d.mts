/** Bundles the sources of the program and yields the folder; see bundle.mjs. */
export function bundleSources(): Promise<string>;

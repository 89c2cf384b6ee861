import { bundleScript, bundleSources } from "../../scripts/bundle.mjs";

let folder: Promise<string> | undefined;

/**
 * The folder of the bundle of the sources. They are read once a process: that takes 0.3 s of CPU, and one test file
 * starts up to twenty programs.
 */
export function bundledProgram(): Promise<string> {
  folder ??= bundleSources();
  return folder;
}

/** What node is to run for a script of the tests that is a process of its own: a path below the root, bundled. */
export const bundledScript = (entry: string): Promise<string> => bundleScript(entry);

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The browser of the machine: `CHROMIUM`, else `chromium` of the PATH; `undefined`: there is none. */
export function findChromium(): string | undefined {
  const named = process.env["CHROMIUM"];
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const places = named === undefined ? folders.map((folder) => join(folder, "chromium")) : [named];
  return places.find(isExecutable);
}

/** It draws with the processor: machines that run tests have no graphics. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

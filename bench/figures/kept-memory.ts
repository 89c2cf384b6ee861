import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Bytes of heap and outside of it that `make` leaves behind as long as what it made is held, garbage not counted. */
export function keptMemory<T>(make: () => T): { readonly made: T; readonly bytes: number } {
  const before = usedBytes();
  const made = make();
  return { made, bytes: usedBytes() - before };
}

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

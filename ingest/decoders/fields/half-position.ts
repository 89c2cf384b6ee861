import { nearestName } from "../../../domain/nearest-name.ts";
import { storableText } from "../payload/storable-text.ts";

type Half = "latitude" | "longitude";

/**
 * Names of a message that are searched, in all its readings. The misspelt half is among the first of any real
 * device, and a message may have 1,000 readings of many names.
 * More make it slow, fewer could miss it.
 */
const MAX_NAMES = 256;
/** Longest name that is searched, characters. */
const MAX_LENGTH = 64;
/** The beginning of a word that means a half, as in `gps_lat`, `latDeg` and `LONG`. */
const WORD: Readonly<Record<Half, RegExp>> = {
  latitude: /(?:^|[^a-z])lat(?:$|[^a-z]|i|t)/,
  longitude: /(?:^|[^a-z])(?:lon|lng|lgn)(?:$|[^a-z]|g|i|t)/,
};

/** Searches the names of a message for the misspelt half of a position, up to `MAX_NAMES` of them. */
export class MissingHalfSearch {
  #left = MAX_NAMES;

  /** What is wrong with a position of which `missing` is not there. `said`: what the format calls both. */
  problem(
    missing: Half,
    names: readonly string[],
    said: Readonly<Record<Half, string>> = { latitude: "latitude", longitude: "longitude" },
  ): string {
    const problem = `${said.latitude} and ${said.longitude} go together; ${said[missing]} is missing`;
    const meant = this.#find(missing, names);
    if (meant === undefined) return problem;
    return `${problem}, and "${storableText(meant, MAX_LENGTH)}" is not a name for it; did you mean ${said[missing]}?`;
  }

  #find(missing: Half, names: readonly string[]): string | undefined {
    for (const name of names) {
      if (this.#left === 0) return undefined;
      this.#left -= 1;
      if (isNear(name, missing)) return name;
    }
    return undefined;
  }
}

/** Whether a name that the format does not know probably means that half. */
function isNear(name: string, half: Half): boolean {
  if (name.length > MAX_LENGTH) return false;
  if (nearestName(name, [half]) !== undefined) return true;
  return WORD[half].test(name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase());
}

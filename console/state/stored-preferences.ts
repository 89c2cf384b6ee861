/** What a person chose in this browser. */
export interface Preferences {
  readonly theme: "auto" | "light" | "dark";
  /** `full`: each with age, date and UTC, also in tables. */
  readonly times: "short" | "full";
  /** `pseudo` shows what a translation would break; it is in no menu. */
  readonly language: "en" | "de" | "pseudo";
  readonly units: "metric" | "imperial";
  /** Whose zone times are shown in. */
  readonly zone: "project" | "browser" | "utc";
}

export type Language = Preferences["language"];

const STORED_AS = "plumbline.preferences";

/** What this browser has kept; what it has not is as the browser itself is set. */
export function storedPreferences(): Preferences {
  const chosen = readStored();
  const browser = navigator.language.startsWith("de") ? "de" : "en";
  return {
    theme: oneOf(["auto", "light", "dark"], chosen["theme"], "auto"),
    times: oneOf(["short", "full"], chosen["times"], "short"),
    language: oneOf(["en", "de", "pseudo"], chosen["language"], browser),
    units: oneOf(["metric", "imperial"], chosen["units"], "metric"),
    zone: oneOf(["project", "browser", "utc"], chosen["zone"], "project"),
  };
}

/** Keeps them where the browser lets us. */
export function storePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(preferences));
  } catch {
    // Storage is off or full: they hold until the page is closed.
  }
}

function readStored(): Readonly<Record<string, unknown>> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? "{}");
    return typeof stored === "object" && stored !== null ? { ...stored } : {};
  } catch {
    return {};
  }
}

function oneOf<T extends string>(choices: readonly T[], value: unknown, otherwise: T): T {
  return choices.find((choice) => choice === value) ?? otherwise;
}

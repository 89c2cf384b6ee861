import { effect, signal } from "@preact/signals";

/** What a person chose in this browser. */
interface Preferences {
  readonly theme: "auto" | "light" | "dark";
  /** `full`: each with age, date and UTC, also in tables. */
  readonly times: "short" | "full";
  /** `pseudo` shows what a translation would break; it is in no menu. */
  readonly language: "en" | "de" | "pseudo";
  readonly units: "metric" | "imperial";
  /** Whose zone times are shown in. */
  readonly zone: "project" | "browser" | "utc";
}

const STORED_AS = "plumbline.preferences";

export const preferences = signal<Preferences>(readPreferences());

/** Changes one of them; it is kept where the browser lets us. */
export function prefer(chosen: Partial<Preferences>): void {
  preferences.value = { ...preferences.value, ...chosen };
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(preferences.value));
  } catch {
    // Storage is off or full: it holds until the page is closed.
  }
}

function readPreferences(): Preferences {
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

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
/** A contrast theme of the system; its ground is what the system says, whatever was chosen here. */
const forcedColours = matchMedia("(forced-colors: active)");

/** What is shown: the choice, or that of the system. */
export const theme = signal<"light" | "dark">("light");

/** Lets the page follow the choices; once, at the start. */
export function followPreferences(): void {
  const apply = () => {
    const { theme: chosen, language } = preferences.value;
    const system = darkSystem.matches ? "dark" : "light";
    theme.value = chosen === "auto" || forcedColours.matches ? system : chosen;
    document.documentElement.dataset["theme"] = theme.value;
    document.documentElement.lang = language === "pseudo" ? "en" : language;
  };
  effect(apply);
  darkSystem.addEventListener("change", apply);
  forcedColours.addEventListener("change", apply);
}

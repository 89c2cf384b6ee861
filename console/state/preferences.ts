import { effect, signal } from "@preact/signals";
import { type Preferences, storedPreferences, storePreferences } from "./stored-preferences.ts";

export const preferences = signal<Preferences>(storedPreferences());

/** Changes one of them; it is kept where the browser lets us. */
export function prefer(chosen: Partial<Preferences>): void {
  preferences.value = { ...preferences.value, ...chosen };
  storePreferences(preferences.value);
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

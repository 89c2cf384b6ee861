import { computed, effect, signal } from "@preact/signals";
import { preferences } from "../state/preferences.ts";
import type { Language } from "../state/stored-preferences.ts";
import type { MessageKey, Texts } from "./en.ts";
import { administrationTextsOf, textsOf } from "./texts.ts";
import { type MessageValues, type Translator, translator } from "./translate.ts";

/** Languages of the console. Dates and numbers follow them too. */
export const LANGUAGES = { en: { name: "English" }, de: { name: "Deutsch" } };

/** The language as `Intl` takes it: the browser's own variant of it, where it has one (`en-GB`). */
export const locale = computed(() => {
  const chosen = preferences.value.language;
  const language = chosen === "pseudo" ? "en" : chosen;
  return navigator.languages.find((one) => one.split("-")[0] === language) ?? language;
});

/** Whether the texts of administration are wanted too: few people open those pages. */
let isAdministered = false;

/** Texts of a language, those of administration too where they were asked for. */
async function wantedTextsOf(language: Language): Promise<Texts> {
  const [texts, more] = await Promise.all([
    textsOf(language),
    isAdministered ? administrationTextsOf(language) : {},
  ]);
  return { ...texts, ...more };
}

let shown = preferences.peek().language;
// Whoever imports this waits for it: no page is drawn without its texts.
const texts = signal(await wantedTextsOf(shown));
effect(() => {
  const { language } = preferences.value;
  if (language === shown) return;
  shown = language;
  // The last one chosen wins. A language that does not come leaves the one before.
  void wantedTextsOf(language).then(
    (read) => {
      if (language === shown) texts.value = read;
    },
    () => undefined,
  );
});

/** Loads the texts of the pages of administration; those wait for it. */
export async function readAdministrationTexts(): Promise<void> {
  if (isAdministered) return;
  isAdministered = true;
  const language = shown;
  try {
    const read = await wantedTextsOf(language);
    // A language that was chosen meanwhile brings its own.
    if (language === shown) texts.value = read;
  } catch (error) {
    isAdministered = false;
    throw error;
  }
}

const current = computed<Translator>(() => translator(texts.value, locale.value));

/** A text in the person's language. */
export const t = (key: MessageKey, values?: MessageValues): string => current.value(key, values);

/** A text for a number of things, in the person's language. */
export const tn: Translator["count"] = (stem, n, values) => current.value.count(stem, n, values);

import { computed, effect, signal } from "@preact/signals";
import { preferences } from "../state/preferences.ts";
import type { Catalogue, MessageKey } from "./en.ts";
import { type MessageValues, type Translator, translator } from "./translate.ts";

/** Languages of the console. Dates and numbers follow them too. */
export const LANGUAGES = { en: { name: "English" }, de: { name: "Deutsch" } };

type Language = ReturnType<typeof preferences.peek>["language"];

/** The language as `Intl` takes it: the browser's own variant of it, where it has one (`en-GB`). */
export const locale = computed(() => {
  const chosen = preferences.value.language;
  const language = chosen === "pseudo" ? "en" : chosen;
  return navigator.languages.find((one) => one.split("-")[0] === language) ?? language;
});

/** The texts of one language: a person reads one, so the others stay at the service. */
async function textsOf(language: Language): Promise<Catalogue> {
  switch (language) {
    case "en":
      return (await import("./en.ts")).EN;
    case "de":
      return (await import("./de.ts")).DE;
    case "pseudo": {
      const [{ EN }, { pseudo }] = await Promise.all([import("./en.ts"), import("./pseudo.ts")]);
      return pseudo(EN);
    }
  }
}

let shown = preferences.peek().language;
// Whoever imports this waits for it: no page is drawn without its texts.
const texts = signal(await textsOf(shown));
effect(() => {
  const { language } = preferences.value;
  if (language === shown) return;
  shown = language;
  // The last one chosen wins. A language that does not come leaves the one before.
  void textsOf(language).then(
    (read) => {
      if (language === shown) texts.value = read;
    },
    () => undefined,
  );
});

const current = computed<Translator>(() => translator(texts.value, locale.value));

/** A text in the person's language. */
export const t = (key: MessageKey, values?: MessageValues): string => current.value(key, values);

/** A text for a number of things, in the person's language. */
export const tn: Translator["count"] = (stem, n, values) => current.value.count(stem, n, values);

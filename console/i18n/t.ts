import { computed } from "@preact/signals";
import { preferences } from "../state/preferences.ts";
import { DE } from "./de.ts";
import { EN, type MessageKey } from "./en.ts";
import { pseudo } from "./pseudo.ts";
import { type MessageValues, type Translator, translator } from "./translate.ts";

/** Languages of the console. Dates and numbers follow them too. */
export const LANGUAGES = { en: { name: "English", texts: EN }, de: { name: "Deutsch", texts: DE } };

/** The language as `Intl` takes it: the browser's own variant of it, where it has one (`en-GB`). */
export const locale = computed(() => {
  const chosen = preferences.value.language;
  const language = chosen === "pseudo" ? "en" : chosen;
  return navigator.languages.find((one) => one.split("-")[0] === language) ?? language;
});

const current = computed<Translator>(() => {
  const { language } = preferences.value;
  const texts = language === "pseudo" ? pseudo(EN) : LANGUAGES[language].texts;
  return translator(texts, locale.value);
});

/** A text in the person's language. */
export const t = (key: MessageKey, values?: MessageValues): string => current.value(key, values);

/** A text for a number of things, in the person's language. */
export const tn: Translator["count"] = (stem, n, values) => current.value.count(stem, n, values);

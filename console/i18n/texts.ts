import type { Language } from "../state/stored-preferences.ts";
import type { Texts } from "./en.ts";

/** The texts of one language: a person reads one, so the others stay at the service. */
export async function textsOf(language: Language): Promise<Texts> {
  if (language === "de") return (await import("./de.ts")).DE;
  const english = import("./en.ts").then(({ EN }) => EN);
  if (language === "en") return await english;
  const [texts, { pseudo }] = await Promise.all([english, import("./pseudo.ts")]);
  return pseudo(texts);
}

/** The texts of the pages of administration: few people open those. */
export async function administrationTextsOf(language: Language): Promise<Texts> {
  if (language === "de") return (await import("./de-settings.ts")).DE_ADMINISTRATION;
  const english = import("./en-settings.ts").then(({ EN_ADMINISTRATION }) => EN_ADMINISTRATION);
  if (language === "en") return await english;
  const [texts, { pseudo }] = await Promise.all([english, import("./pseudo.ts")]);
  return pseudo(texts);
}

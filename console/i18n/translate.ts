import type { MessageKey, Texts } from "./en.ts";

/** Values of the places in a text. */
export type MessageValues = Readonly<Record<string, string | number>>;

type PluralStem = MessageKey extends infer K ? (K extends `${infer S}_other` ? S : never) : never;

/** Texts of one language. */
export interface Translator {
  (key: MessageKey, values?: MessageValues): string;
  /** The form of a text that a number asks for; `{n}` is the number as that language writes it. */
  count(stem: PluralStem, n: number, values?: MessageValues): string;
}

/**
 * Texts of a catalogue. A place without a value stays as it is: it shows in a screenshot. So does the name of a text
 * that is not loaded, for the moment in which another language is.
 */
export function translator(catalogue: Texts, locale: string): Translator {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const translate = (key: MessageKey, values: MessageValues = {}) =>
    (catalogue[key] ?? key).replaceAll(/\{(\w+)\}/g, (place, name: string) =>
      String(values[name] ?? place),
    );
  return Object.assign(translate, {
    count(stem: PluralStem, n: number, values: MessageValues = {}) {
      const form = rules.select(n) === "one" ? "one" : "other";
      return translate(`${stem}_${form}`, { n: numbers.format(n), ...values });
    },
  });
}

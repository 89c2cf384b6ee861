/** Controls and halves of surrogate pairs, which JSON can write and some stores cannot keep. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/gu;

/** A device's text as every store can keep it, cut to `maxLength` characters. */
export const storableText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(UNSTORABLE, "\uFFFD");

/**
 * Longest part of a name that is searched, characters; its end says more than its beginning. Longer makes names of
 * an attacker costly; shorter could miss a word.
 */
const MAX_SEARCHED = 128;

const LETTER_A = 0x61;
const CAPITAL_A = 0x41;
const DIGIT_0 = 0x30;
const FIRST_ACCENTED = 0xc0;
/** Latin-1 and Latin Extended-A: the letters of European languages. */
const AFTER_ACCENTED = 0x180;

const isLower = (code: number): boolean => code >= LETTER_A && code < LETTER_A + 26;
const isUpper = (code: number): boolean => code >= CAPITAL_A && code < CAPITAL_A + 26;
const isDigit = (code: number): boolean => code >= DIGIT_0 && code < DIGIT_0 + 10;

/** Letters from 0xc0 without their accents, in lower case; "": none of theirs, such as the sign of division. */
const BARE_LETTERS = Array.from({ length: AFTER_ACCENTED - FIRST_ACCENTED }, (_, i) => {
  const letter = String.fromCharCode(FIRST_ACCENTED + i);
  const bare = letter
    .normalize("NFKD")
    .replace(/\P{ASCII}/gu, "")
    .toLowerCase();
  return /^[a-z]+$/.test(bare) ? bare : byNumber(letter.charCodeAt(0));
});

/**
 * The folders of a metric's name and the name itself, each in snake case: `Engine/Coolant Temp (1)` and
 * `engine/coolantTemp_1` are alike. Letters lose their accents, those without a Latin one go by their number,
 * and everything else is a gap. One pass without regular expressions: a birth has thousands of names.
 */
export function metricNameParts(name: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let isGap = false;
  let wasLow = false;
  for (let i = Math.max(0, name.length - MAX_SEARCHED); i < name.length; i += 1) {
    const code = name.charCodeAt(i);
    if (code === 0x2f || code === 0x3a) {
      if (part !== "") parts.push(part);
      part = "";
      isGap = false;
      wasLow = false;
      continue;
    }
    const letter = letterOf(code);
    if (letter === undefined) continue;
    if (letter !== "") {
      const startsWord = isGap || (wasLow && isUpper(code));
      part += startsWord && part !== "" ? `_${letter}` : letter;
    }
    isGap = letter === "";
    wasLow = isLower(code) || isDigit(code);
  }
  if (part !== "") parts.push(part);
  return parts;
}

/** A letter or digit in lower case; "": a gap; `undefined`: the accent of the letter before. */
function letterOf(code: number): string | undefined {
  if (isLower(code) || isDigit(code)) return String.fromCharCode(code);
  if (isUpper(code)) return String.fromCharCode(code + LETTER_A - CAPITAL_A);
  if (code < FIRST_ACCENTED) return "";
  if (code < AFTER_ACCENTED) return BARE_LETTERS[code - FIRST_ACCENTED];
  // Combining accents; then punctuation, arrows, mathematical and technical signs.
  if (code >= 0x300 && code < 0x370) return undefined;
  if (code >= 0x2000 && code < 0x2c00) return "";
  return byNumber(code);
}

function byNumber(code: number): string {
  return code === 0xd7 || code === 0xf7 ? "" : `u${code.toString(16)}`;
}

/** Longest text of a file that an error or a warning repeats. */
const MOST_QUOTED = 60;

/** Text of a file as errors and warnings repeat it: short, and on one line. */
export function quoted(text: string): string {
  const short = text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text;
  // A cut between surrogates leaves half of a character, which by way of UTF-8 becomes U+FFFD.
  return `"${Buffer.from(oneLine(short)).toString()}"`;
}

/** Control characters, which neither databases nor pages take, and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Text on one line, without control characters. */
export const oneLine = (text: string): string => text.replace(CONTROLS, " ").trim();

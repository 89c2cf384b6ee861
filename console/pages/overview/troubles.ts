import type { Readiness } from "./readiness.ts";

/** Something that is wrong with the service, in its own words. */
export interface Trouble {
  readonly text: string;
  readonly isStopping: boolean;
  /** When the service found it; `undefined`: it does not say. ms since the Unix epoch. */
  readonly foundMs: number | undefined;
  /** Since when a page that looks again and again has seen it, ms since the Unix epoch. */
  readonly seenMs: number;
}

/** The same trouble counts on, such as messages that wait: the numbers in it make no other one. */
const sameText = (text: string): string => text.replaceAll(/\d+/g, "#");

/** Troubles of an answer, the worst first; `before`: those of the answer before it. */
export function troublesOf(
  { reasons, damage = [], warnings = [] }: Readiness,
  before: readonly Trouble[],
  nowMs: number,
): readonly Trouble[] {
  const seenBefore = new Map(before.map(({ text, seenMs }) => [sameText(text), seenMs]));
  const trouble = (text: string, isStopping: boolean, since?: string): Trouble => ({
    text,
    isStopping,
    foundMs: since === undefined ? undefined : Date.parse(since),
    seenMs: seenBefore.get(sameText(text)) ?? nowMs,
  });
  // What is damaged and refuses answers is among the reasons too, with its file.
  const isDamage = (reason: string) => damage.some(({ file }) => reason.includes(file));
  return [
    ...reasons.filter((reason) => !isDamage(reason)).map((reason) => trouble(reason, true)),
    ...damage.map(({ store, file, problem, since, refuses_answers, command }) =>
      trouble(`${store}, ${file}: ${problem} (${command})`, refuses_answers, since),
    ),
    ...warnings.map((warning) => trouble(warning, false)),
  ].sort((a, b) => Number(b.isStopping) - Number(a.isStopping));
}

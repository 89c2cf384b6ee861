import type { Verdict } from "./judge.ts";

/** The verdict as lines for people. */
export function verdictText(verdict: Verdict): readonly string[] {
  const { truth, falseByKind, starts, offMs } = verdict;
  const total = Object.values(truth).reduce((sum, { all }) => sum + all, 0);
  const wrong = Object.values(falseByKind).reduce((sum, count) => sum + count, 0);
  const seen = ({ all, seen: found }: { all: number; seen: number }) => `${found} of ${all}`;
  return [
    `true crossings        ${total}`,
    `  clear               ${seen(truth.clear)} recorded`,
    `  within the noise    ${seen(truth.within_noise)} recorded; nobody could tell them`,
    `  between two fixes   ${seen(truth.between_fixes)} recorded; only as a line between fixes`,
    `recorded crossings    ${verdict.recorded} (${verdict.inferred} inferred)`,
    `  false               ${wrong} (${falseByKind.doubled} doubled, ${falseByKind.inferred} inferred where it went round, ${falseByKind.within_noise} by noise at the edge, ${falseByKind.elsewhere} elsewhere)`,
    `  same row twice      ${verdict.repeated}`,
    `precision             ${verdict.precision.toFixed(4)}`,
    `recall                ${verdict.recall.toFixed(4)} of the clear ones, ${verdict.recallOfAll.toFixed(4)} of all`,
    `dated after the truth ${seconds(offMs.median)} median, ${seconds(offMs.p99)} p99`,
    `inside at the start   ${starts.seen} of ${starts.inside} told, ${starts.wrong} told wrongly`,
  ];
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

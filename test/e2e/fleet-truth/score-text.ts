import type { FleetScore } from "./fleet-score.ts";

/** The score as lines of text. */
export function scoreText(score: FleetScore): readonly string[] {
  const { truth, falseByKind, starts, offMs } = score;
  const total = Object.values(truth).reduce((sum, { all }) => sum + all, 0);
  const wrong = Object.values(falseByKind).reduce((sum, count) => sum + count, 0);
  const seen = ({ all, seen: found }: { all: number; seen: number }) => `${found} of ${all}`;
  return [
    `true crossings        ${total}`,
    `  clear               ${seen(truth.clear)} recorded`,
    `  within the noise    ${seen(truth.within_noise)} recorded; no fix can show them`,
    `  between two fixes   ${seen(truth.between_fixes)} recorded; only as a line between fixes`,
    `recorded crossings    ${score.recorded} (${score.inferred} inferred)`,
    `  false               ${wrong} (${falseByKind.doubled} doubled, ${falseByKind.inferred} inferred where it went round, ${falseByKind.within_noise} by noise at the edge, ${falseByKind.elsewhere} elsewhere)`,
    `  same row twice      ${score.repeated}`,
    `precision             ${score.precision.toFixed(4)}`,
    `recall                ${score.recall.toFixed(4)} of the clear ones, ${score.recallOfAll.toFixed(4)} of all`,
    `dated after the truth ${seconds(offMs.median)} median, ${seconds(offMs.p99)} p99`,
    `inside at the start   ${starts.seen} of ${starts.inside} recorded, ${starts.wrong} recorded wrongly`,
  ];
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

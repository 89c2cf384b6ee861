/**
 * What the orientation of a large survey takes, without pictures. Tie points of simulated flights in strips
 * (2,000 keypoints an image, tracks 4 images long, consumer GPS, every tenth image oblique) go through
 * the selection of pairs, the vote on tags and the adjustment. CPU seconds of each, peak memory, error of the
 * result, and the exponent of growth between sizes. Each size in a process of its own.
 *
 *   npx tsx bench/orientation.ts [--images 150,300,600] [--seed 1]
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { overlapByTags, selectPairs } from "../processing/photogrammetry/matching/select-pairs.ts";
import { voteOnTags } from "../processing/photogrammetry/matching/tag-vote.ts";
import { orientSurvey } from "../processing/photogrammetry/orient/orient-survey.ts";
import { flownNetwork } from "./orientation/flown-network.ts";

const { values } = parseArgs({
  options: {
    images: { type: "string", default: "150,300,600" },
    seed: { type: "string", default: "1" },
    here: { type: "boolean", default: false },
  },
});
const sizes = values.images.split(",").map(Number);

interface Cost {
  readonly images: number;
  readonly cpuS: Readonly<Record<string, number>>;
  readonly peakMb: number;
  readonly inputMb: number;
}

function measure(images: number): Cost {
  const network = flownNetwork(Number(values.seed), images);
  const { priors, lenses, pairs } = network.input;
  const inputMb = peak();
  const cpuS: Record<string, number> = {};
  const timed = <T>(name: string, work: () => T): T => {
    const before = process.cpuUsage();
    const value = work();
    const { user, system } = process.cpuUsage(before);
    cpuS[name] = (user + system) / 1e6;
    return value;
  };
  timed("pairs", () => selectPairs(network.images, priors, lenses));
  timed("overlap", () => overlapByTags(network.images, priors, lenses));
  const tags = timed("tags", () => voteOnTags(priors, pairs));
  const { reconstruction, figures } = timed("orient", () =>
    orientSurvey({ ...network.input, priors: tags.priors }),
  );
  const errors = (reconstruction?.cameras ?? []).map(({ image, pose }) =>
    pose.centre.map((value, axis) => value - (network.centres[image]?.[axis] ?? 0)),
  );
  const rms = [0, 1, 2].map((axis) =>
    Math.sqrt(errors.reduce((sum, e) => sum + (e[axis] ?? 0) ** 2, 0) / errors.length),
  );
  console.error(
    `${images} images: ${pairs.length} pairs, ${figures.tracks} tracks, ${figures.chosenTracks} chosen ` +
      `of ${figures.meanTrackLength.toFixed(1)} images, ${figures.iterations} iterations; ` +
      `${reconstruction?.cameras.length} cameras, rms ${reconstruction?.summary.rmsPx.toFixed(3)} px, ` +
      `centres off by ${rms.map((r) => r.toFixed(2)).join(", ")} m, ` +
      `sigma of scale ${(100 * (reconstruction?.summary.scaleSigma ?? Number.NaN)).toFixed(3)} %`,
  );
  return { images, cpuS, inputMb, peakMb: peak() };
}

/** Largest resident set so far, MB. */
function peak(): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Math.round((Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024) / 1e6);
}

if (values.here) {
  console.log(JSON.stringify(measure(sizes[0] ?? 0)));
} else {
  const costs: Cost[] = [];
  for (const images of sizes) {
    const script = fileURLToPath(import.meta.url);
    const args = ["--import", "tsx", script, "--here", "--images", `${images}`];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      ...args,
      ...["--seed", values.seed],
    ]);
    console.log(stderr.trimEnd());
    costs.push(JSON.parse(stdout) as Cost);
  }
  console.table(
    costs.map(({ images, cpuS, inputMb, peakMb }) => ({
      images,
      ...Object.fromEntries(Object.entries(cpuS).map(([name, s]) => [`${name} s`, s.toFixed(1)])),
      "input MB": inputMb,
      "peak MB": peakMb,
    })),
  );
  for (const [i, large] of costs.entries()) {
    const small = costs[i - 1];
    if (small === undefined) continue;
    const exponents = Object.entries(large.cpuS).map(([name, s]) => {
      const growth = Math.log(s / (small.cpuS[name] ?? 0)) / Math.log(large.images / small.images);
      return `${name} ${growth.toFixed(2)}`;
    });
    console.log(`growth from ${small.images} to ${large.images}: ${exponents.join(", ")}`);
  }
}

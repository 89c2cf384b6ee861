import { basename } from "node:path";
import { FIGURES } from "../../support/gate-figures.ts";
import { gatePiles } from "../../support/gated-piles.ts";
import { type RecordedSurvey, recordSurvey } from "../../support/recorded-survey.ts";
import { openSurveyBench, type SurveyBench } from "../../support/run-survey.ts";
import { type SurveySet, surveySet } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds } from "./check.ts";
import { BAD, type GateCase, GOOD } from "./gate-cases.ts";

/**
 * Every gate has a survey that it refuses or doubts, and sound surveys pass without a word. The
 * variable GATE_CASES names single cases, with commas between.
 */
export const gates: Check = {
  name: "gates",
  about: "each fault is named by its gate before the costly work, and sound surveys pass",
  async run({ print }) {
    const bench = await openSurveyBench();
    const only = process.env["GATE_CASES"]?.split(",");
    try {
      const cases = [...GOOD, ...BAD].filter(
        ({ name }) => only === undefined || only.includes(name),
      );
      print(["".padEnd(24), ...Object.keys(FIGURES).map((name) => name.padStart(10))].join(" "));
      const expectations: Expectation[] = [];
      for (const one of cases) {
        if (one.memoryBytes === undefined) {
          expectations.push(...(await checkCase(bench, one, print)));
          continue;
        }
        const small = await openSurveyBench(2, one.memoryBytes);
        expectations.push(...(await checkCase(small, one, print).finally(small.close)));
      }
      return expectations;
    } finally {
      await bench.close();
    }
  },
};

async function checkCase(
  bench: SurveyBench,
  { name, options, pick, expected, named, measured }: GateCase,
  print: (line: string) => void,
): Promise<readonly Expectation[]> {
  const set = await surveySet(options);
  const survey = await recordSurvey(bench, set, pick);
  const { refusal, findings, tiles, seconds } = survey;
  print(`${name.padEnd(24)} ${figures(survey)}  ${seconds.toFixed(1)} s`);
  if (refusal !== undefined) print(`  ${refusal.message}`);
  const said = findings.map(({ gate, severity }) => `${gate} ${severity}`);
  const wanted =
    "refused" in expected
      ? [`${expected.refused} reject`]
      : expected.warned.map((gate) => `${gate} warn`);
  const heading = `${name}: ${said.length === 0 ? "nothing to say" : said.join(", ")}`;
  const expectations = [holds(heading, `${said}` === `${wanted}`)];
  if ("refused" in expected) {
    expectations.push(holds(`${name}: refused before the surface`, tiles === 0));
  }
  for (const [gate, indices] of Object.entries(named ?? {})) {
    const found = findings.find((finding) => finding.gate === gate)?.images ?? [];
    const names = indices.map((i) => basename(set.images[i] ?? ""));
    expectations.push(
      holds(`${name}: ${gate} names ${found.join(" ")}`, `${found.toSorted()}` === `${names}`),
    );
  }
  if (measured === true) expectations.push(...checkPolygons(name, survey, set, print));
  return expectations;
}

/**
 * From 38 m up an image shows 27 m to its sides and 20 m ahead. A pile whose farthest vertex has a camera
 * within the first lies in several images. One whose nearest vertex has none within the second has most
 * of it beyond them all.
 */
const FLOWN_M = 18;
const FAR_M = 20;

function checkPolygons(
  name: string,
  { result }: RecordedSurvey,
  set: SurveySet,
  print: (line: string) => void,
): readonly Expectation[] {
  const piles = result === undefined ? [] : gatePiles(result, set);
  for (const { id, nearestM, farthestM, refusedBy } of piles) {
    const range = `${nearestM.toFixed(0)} to ${farthestM.toFixed(0)} m from the flight`;
    print(`  pile ${id}, ${range}: ${refusedBy ?? "may be measured"}`);
  }
  const flown = piles.filter(({ farthestM }) => farthestM < FLOWN_M);
  const far = piles.filter(({ nearestM }) => nearestM > FAR_M);
  return [
    holds(
      `${name}: ${flown.length} piles under the flight may be measured`,
      flown.length > 0 && flown.every(({ refusedBy }) => refusedBy === undefined),
    ),
    holds(
      `${name}: ${far.length} piles far from it are POLYGON_OUTSIDE`,
      far.length > 0 && far.every(({ refusedBy }) => refusedBy?.startsWith("POLYGON_OUTSIDE")),
    ),
  ];
}

function figures(survey: RecordedSurvey): string {
  return Object.values(FIGURES)
    .map((figure) => {
      const value = figure(survey);
      return (Number.isFinite(value) ? Number(value.toPrecision(3)) : "-").toString().padStart(10);
    })
    .join(" ");
}

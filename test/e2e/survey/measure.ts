import type { StockpileMeasurement } from "../../../domain/sites/measurement.ts";
import { openMeasureBench, pileFootprints } from "../../support/measure-bench.ts";
import { type SurveySet, surveySet } from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";

/** Four piles; as in the check `epochs`. */
const SITE = { images: 20, widthPx: 1_000 } as const;

/** Stockpiles from photographs to measurements, two epochs, as the job makes them. */
export const measure: Check = {
  name: "measure",
  about:
    "20 JPEGs of two epochs to measurements of every pile, RTK and consumer GPS, against truth",
  async run({ print }) {
    return [
      ...(await measureEpochs("rtk", print)),
      ...(await measureEpochs("bias", print)),
      ...(await proposeAndTake(print)),
    ];
  },
};

async function measureEpochs(
  gps: "rtk" | "bias",
  print: (line: string) => void,
): Promise<readonly Expectation[]> {
  const sets = [
    await surveySet({ ...SITE, gps, epoch: 1 }),
    await surveySet({ ...SITE, gps, epoch: 2 }),
  ];
  const bench = await openMeasureBench();
  const found: Expectation[] = [];
  try {
    for (const [i, set] of sets.entries()) {
      const [first, second] = [sets[0] ?? set, set];
      for (const { id, footprint } of pileFootprints(first)) {
        if (i === 0) await bench.add(id, { footprint });
        const { measurement, seconds } = await bench.measure(id, set.images);
        const truthM3 = truthOf(second, id);
        const off = measurement.current_volume_m3 - truthM3;
        print(
          `${gps} epoch ${i + 1} ${id}: ${measurement.current_volume_m3} m3 +-${measurement.uncertainty_95_m3} ` +
            `(truth ${truthM3.toFixed(2)}), ${measurement.alignment}, ${seconds.toFixed(1)} s`,
        );
        const name = `${gps}, epoch ${i + 1}, ${id}`;
        found.push(
          within(
            `${name}: error in stated 95 %`,
            Math.abs(off) / measurement.uncertainty_95_m3,
            0,
            1.3,
          ),
          // Honest, and not merely wide.
          within(
            `${name}: stated 95 %`,
            (100 * measurement.uncertainty_95_m3) / truthM3,
            0.3,
            25,
            "%",
          ),
          holds(
            `${name}: georeferencing`,
            measurement.georeferencing === (gps === "rtk" ? "rtk" : "gps"),
          ),
        );
        if (i > 0) found.push(...changes(name, measurement, truthM3 - truthOf(first, id), print));
      }
    }
    const [pile] = pileFootprints(sets[0] as SurveySet);
    if (pile !== undefined) {
      const again = await bench.measure(pile.id, (sets[1] as SurveySet).images);
      print(`${gps} known images: ${again.seconds.toFixed(2)} s`);
      found.push(
        // The same images against themselves: nothing of them is moved by more than rounding.
        within(
          `${gps}: change between twice the same images`,
          Math.abs(again.measurement.change_m3),
          0,
          0.05,
          "m3",
        ),
        holds(`${gps}: which is not significant`, again.measurement.significant === false),
      );
    }
  } finally {
    await bench.close();
  }
  return found;
}

function changes(
  name: string,
  {
    change_m3: change,
    change_95_m3: range = Number.NaN,
    significant,
    alignment,
  }: StockpileMeasurement,
  truth: number,
  print: (line: string) => void,
): readonly Expectation[] {
  print(
    `  change ${change} +-${range} m3 (truth ${truth.toFixed(2)}), significant: ${significant}`,
  );
  return [
    holds(`${name}: is brought onto the first epoch (${alignment})`, alignment !== "first"),
    within(`${name}: error of the change in stated 95 %`, Math.abs(change - truth) / range, 0, 1.3),
    holds(
      `${name}: the sign of a significant change is right`,
      significant !== true || Math.sign(change) === Math.sign(truth),
    ),
  ];
}

/** Without a footprint one is proposed; a surface that was given is measured as well. */
async function proposeAndTake(print: (line: string) => void): Promise<readonly Expectation[]> {
  const set = await surveySet({ ...SITE, gps: "rtk", epoch: 1 });
  const bench = await openMeasureBench();
  try {
    await bench.add("proposed");
    const proposed = await bench.measure("proposed", set.images);
    const { footprint, footprint_state } = await bench.find("proposed");
    print(`proposed: ${proposed.measurement.current_volume_m3} m3 in ${footprint?.length} corners`);
    const nearest = Math.min(
      ...set.truth.piles.map(({ volumeM3 }) =>
        Math.abs(proposed.measurement.current_volume_m3 / volumeM3 - 1),
      ),
    );
    const [pile] = pileFootprints(set);
    if (pile === undefined) throw new Error("a site without piles");
    await bench.add("given", { footprint: pile.footprint });
    const given = await bench.measure("given", [
      `${set.folder}/${set.truth.rasters.surfaceUtm.file}`,
    ]);
    const truthM3 = truthOf(set, pile.id);
    print(`given: ${given.measurement.current_volume_m3} m3 (truth ${truthM3.toFixed(2)})`);
    return [
      holds("a proposed footprint is stored as such", footprint_state === "proposed"),
      // Toe and all that lies about it: of one of the piles, within a twentieth.
      within("volume in it against the pile's", 100 * nearest, 0, 6, "%"),
      within(
        "a given surface, error",
        100 * Math.abs(given.measurement.current_volume_m3 / truthM3 - 1),
        0,
        4,
        "%",
      ),
      holds("says that it was given", given.measurement.georeferencing === "given"),
    ];
  } finally {
    await bench.close();
  }
}

function truthOf({ truth }: SurveySet, id: string): number {
  return truth.piles.find((pile) => pile.id === id)?.volumeM3 ?? Number.NaN;
}

import pointInPolygon from "point-in-polygon-hao";
import {
  readTruthRaster,
  type SurveySet,
  surveySet,
  type TruthRaster,
} from "../../support/survey-sets.ts";
import { type Check, type Expectation, holds, within } from "./check.ts";

/** The true surfaces agree with the volumes, and an epoch changes what it says it changes. */
export const truthSurfaces: Check = {
  name: "truth-surfaces",
  about: "the simulator's true DSM agrees with its piles' volumes at two epochs",
  async run({ images, print }) {
    const sets = await Promise.all(
      [1, 2].map((epoch) => surveySet({ widthPx: 400, images, gps: "rtk", epoch })),
    );
    const [first, second] = sets;
    if (first === undefined || second === undefined) return [];
    const expectations: Expectation[] = [];
    for (const [i, set] of sets.entries()) {
      for (const { id, shape, volumeM3, volumeM3OfRaster } of await compare(set)) {
        const relative = (100 * volumeM3OfRaster) / volumeM3 - 100;
        print(
          `epoch ${i + 1} ${id} ${shape.kind}: ${volumeM3.toFixed(2)} m3, DSM ${volumeM3OfRaster.toFixed(2)}`,
        );
        // Bilinear patches of 20 cm round a crest off: a few hundredths of a percent; 0.5 % would be a bug.
        expectations.push(
          within(`epoch ${i + 1} ${id}, DSM against formula`, relative, -0.5, 0.5, "%"),
        );
      }
    }
    const changes = first.truth.piles.map(
      (pile, i) => (second.truth.piles[i]?.volumeM3 ?? 0) - pile.volumeM3,
    );
    print(`changes from epoch 1 to 2: ${changes.map((change) => change.toFixed(1)).join(", ")} m3`);
    expectations.push(
      holds(
        "a pile was bitten into by more than 1 m3",
        changes.some((change) => change < -1),
      ),
      holds(
        "a pile did not change at all",
        changes.some((change) => change === 0),
      ),
      holds(
        "every pile has the same polygon at both epochs",
        JSON.stringify(first.truth.piles.map(({ outline }) => outline)) ===
          JSON.stringify(second.truth.piles.map(({ outline }) => outline)),
      ),
      await stableGround(first, second),
    );
    return expectations;
  },
};

/** Volume of each pile from the rasters: surface less ground over the pile's polygon. */
async function compare(set: SurveySet) {
  const surface = await readTruthRaster(set, "surfaceEnu");
  const ground = await readTruthRaster(set, "groundEnu");
  return set.truth.piles.map((pile) => {
    const [start] = pile.outline;
    const ring = [...pile.outline, ...(start === undefined ? [] : [start])].map(([e, n]) => [e, n]);
    let sumM = 0;
    forCells(surface, (cell, e, n) => {
      if (pointInPolygon([e, n], [ring]) !== false) {
        sumM += (surface.elevationM[cell] ?? 0) - (ground.elevationM[cell] ?? 0);
      }
    });
    return { ...pile, volumeM3OfRaster: sumM * surface.cellM ** 2 };
  });
}

function forCells(
  raster: TruthRaster,
  visit: (cell: number, eastM: number, northM: number) => void,
) {
  for (let row = 0; row < raster.height; row += 1) {
    for (let column = 0; column < raster.width; column += 1) {
      const eastM = raster.westM + (column + 0.5) * raster.cellM;
      visit(row * raster.width + column, eastM, raster.northM - (row + 0.5) * raster.cellM);
    }
  }
}

async function stableGround(first: SurveySet, second: SurveySet): Promise<Expectation> {
  const [one, other] = [
    await readTruthRaster(first, "groundEnu"),
    await readTruthRaster(second, "groundEnu"),
  ];
  const differing = one.elevationM.filter(
    (elevation, i) => elevation !== other.elevationM[i],
  ).length;
  return holds(
    `bare ground is the same at both epochs (${differing} cells differ)`,
    differing === 0,
  );
}

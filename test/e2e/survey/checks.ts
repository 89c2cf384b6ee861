import { accuracy } from "./accuracy.ts";
import { boruszyn } from "./boruszyn.ts";
import { brightonBeach } from "./brighton-beach.ts";
import { brightonFull } from "./brighton-full.ts";
import { brightonKiosk } from "./brighton-kiosk.ts";
import { cancel } from "./cancel.ts";
import type { Check } from "./check.ts";
import { control } from "./control.ts";
import { convergence } from "./convergence.ts";
import { coverage } from "./coverage.ts";
import { epochs } from "./epochs.ts";
import { exports } from "./exports.ts";
import { focus } from "./focus.ts";
import { gates } from "./gates.ts";
import { large } from "./large.ts";
import { level } from "./level.ts";
import { marks } from "./marks.ts";
import { matching } from "./matching.ts";
import { measure } from "./measure.ts";
import { nodeodm } from "./nodeodm.ts";
import { photoTextures } from "./photo-textures.ts";
import { reproducible } from "./reproducible.ts";
import { resume } from "./resume.ts";
import { scaleCoverage } from "./scale-coverage.ts";
import { scaleSeeds } from "./scale-seeds.ts";
import { surface } from "./surface.ts";
import { tags } from "./tags.ts";
import { truthSurfaces } from "./truth-surfaces.ts";
import { volumes } from "./volumes.ts";

/** The suite, in the order it runs: one file for each check. */
export const CHECKS: readonly Check[] = [
  reproducible,
  truthSurfaces,
  tags,
  marks,
  scaleCoverage,
  convergence,
  level,
  control,
  scaleSeeds,
  surface,
  coverage,
  photoTextures,
  volumes,
  matching,
  focus,
  gates,
  accuracy,
  exports,
  epochs,
  measure,
  brightonBeach,
  brightonFull,
  brightonKiosk,
  boruszyn,
  resume,
  cancel,
  large,
  nodeodm,
];

import type { GateName } from "../../../processing/gates/gates.ts";
import { parseFaults } from "../../../simulators/survey/options/faults.ts";
import type { SurveyOptions } from "../../../simulators/survey/options/options.ts";

/** A simulated survey and what the gates have to say of it. */
export interface GateCase {
  readonly name: string;
  readonly options: Partial<SurveyOptions>;
  /** Images that are sent, by index; absent: all. */
  readonly pick?: (index: number) => boolean;
  /** The gate that refuses, or those that warn, in their order. */
  readonly expected: { readonly refused: GateName } | { readonly warned: readonly GateName[] };
  /** Images that findings name, by index; absent: not checked. */
  readonly named?: Readonly<Partial<Record<GateName, readonly number[]>>>;
  /** Memory of the pool, bytes; absent: enough. */
  readonly memoryBytes?: number;
  /** Whether piles are measured, which polygons far from all images must not be. */
  readonly measured?: true;
}

/** Large enough for all that is matched, 18 images. */
const USUAL = { widthPx: 800, images: 18 } as const;
/** For what the files alone show. */
const SMALL = { widthPx: 400, images: 12 } as const;

const faulty = (faults: string, options: Partial<SurveyOptions> = USUAL) => ({
  ...options,
  faults: parseFaults(faults, options.images ?? 0),
});

const SOUND: readonly Pick<GateCase, "name" | "options">[] = [
  { name: "RTK and obliques", options: { ...USUAL, gps: "rtk" } },
  { name: "consumer GPS", options: USUAL },
  { name: "drifting GPS", options: { ...USUAL, gps: "ar1", seed: 2 } },
  { name: "nadir only", options: { ...USUAL, obliques: 0 } },
  { name: "small images", options: { ...USUAL, widthPx: 480, gps: "rtk" } },
  // 0.2 m of flight while a frame is read.
  { name: "rolling shutter", options: { ...USUAL, readoutMs: 50 } },
  // 6.4 cm of flight at 6.8 cm a pixel.
  { name: "mild motion blur", options: { ...USUAL, exposureMs: 16 } },
  { name: "epoch 2", options: { ...USUAL, gps: "rtk", epoch: 2 } },
  { name: "no gimbal tags", options: faulty("no-gimbal") },
  { name: "Orientation tags of a phone", options: faulty("orientation=6") },
];
/** Of these no gate may say a word. */
export const GOOD: readonly GateCase[] = SOUND.map((one) => ({ ...one, expected: { warned: [] } }));

/** Each fault of the simulator, and the gate that has to name it. */
export const BAD: readonly GateCase[] = [
  { name: "no GPS", options: faulty("no-gps", SMALL), expected: { refused: "NO_GPS" } },
  { name: "no tags at all", options: faulty("no-tags", SMALL), expected: { refused: "NO_GPS" } },
  {
    name: "some of each",
    options: faulty("lens-cap=#0-2,blurred=#5-6,duplicate=#9,no-gps=#20-21", {
      widthPx: 800,
      images: 24,
    }),
    expected: { warned: ["LENS_CAP", "LOW_SHARPNESS", "DUPLICATE_IMAGES", "NO_GPS"] },
    named: {
      LENS_CAP: [0, 1, 2],
      LOW_SHARPNESS: [5, 6],
      DUPLICATE_IMAGES: [9],
      NO_GPS: [20, 21],
    },
  },
  {
    name: "no focal length",
    options: faulty("no-focal", SMALL),
    expected: { refused: "NO_FOCAL" },
  },
  {
    name: "3 images",
    options: { widthPx: 400, images: 3 },
    expected: { refused: "TOO_FEW_IMAGES" },
  },
  { name: "8 images", options: { ...USUAL, images: 8 }, expected: { warned: ["TOO_FEW_IMAGES"] } },
  {
    name: "601 images",
    options: { widthPx: 160, images: 601, overlap: { forward: 90, side: 90 } },
    expected: { refused: "TOO_MANY_IMAGES" },
  },
  {
    // 18 images of 800 px take 66 MB beside the 410 of the process (pool.ts), one to be read 400 MiB.
    name: "little memory",
    options: { ...USUAL, gps: "rtk" },
    memoryBytes: 430e6,
    expected: { refused: "OUT_OF_MEMORY" },
  },
  { name: "lens cap on", options: faulty("lens-cap", SMALL), expected: { refused: "LENS_CAP" } },
  {
    name: "all blurred",
    options: faulty("blurred", USUAL),
    expected: { refused: "LOW_SHARPNESS" },
  },
  {
    name: "two cameras",
    options: faulty("mixed-cameras=#10-13"),
    expected: { warned: ["MIXED_CAMERAS"] },
    named: { MIXED_CAMERAS: [10, 11, 12, 13] },
  },
  {
    name: "no overlap",
    options: { ...USUAL, obliques: 0, overlap: { forward: 0, side: 0 } },
    expected: { refused: "NO_OVERLAP" },
  },
  {
    name: "thin overlap",
    options: { ...USUAL, obliques: 0, overlap: { forward: 45, side: 30 } },
    expected: { warned: ["COVERAGE"] },
  },
  { name: "blank", options: faulty("blank"), expected: { refused: "WEAK_TEXTURE" } },
  {
    name: "two sites",
    // Three strips, of which the one between is not sent.
    options: { ...USUAL, images: 28, obliques: 0, overlap: { forward: 75, side: 40 } },
    pick: (i) => i < 9 || i >= 19,
    expected: { refused: "DISCONNECTED" },
  },
  {
    name: "two turned by a viewer",
    options: faulty("rotated=#3-4"),
    expected: { warned: ["TAG_CONFLICT"] },
    named: { TAG_CONFLICT: [3, 4] },
  },
  {
    name: "two false gimbal tags",
    options: faulty("wrong-gimbal=#3-4"),
    expected: { warned: ["TAG_CONFLICT"] },
    named: { TAG_CONFLICT: [3, 4] },
  },
  {
    name: "all gimbal tags false",
    options: faulty("wrong-gimbal"),
    expected: { refused: "TAG_CONFLICT" },
  },
  {
    name: "two false positions",
    options: faulty("wrong-gps=#8-9"),
    expected: { warned: ["GPS_INCONSISTENT"] },
    named: { GPS_INCONSISTENT: [8, 9] },
  },
  {
    name: "all positions false",
    options: faulty("wrong-gps"),
    expected: { refused: "GPS_INCONSISTENT" },
  },
  {
    // Tags of a lens a fifth shorter: the adjustment finds the true one, which is beyond the tag's tolerance.
    name: "false focal length",
    options: faulty("wrong-focal", { ...USUAL, gps: "rtk" }),
    expected: { refused: "F_RUNAWAY" },
  },
  {
    // Each image differently: no lens that they share explains that.
    name: "stretched images",
    options: faulty("stretched", { ...USUAL, gps: "rtk" }),
    expected: { refused: "BA_FAILED" },
  },
  {
    name: "poor GPS",
    options: { ...USUAL, gps: "white", gpsSigmaM: 3.5 },
    expected: { warned: ["SCALE_UNCERTAIN"] },
  },
  {
    name: "half a block",
    // What was flown is sound, and says so; the other half is refused polygon by polygon.
    options: faulty("half-block", { widthPx: 800, images: 36 }),
    expected: { warned: [] },
    measured: true,
  },
];

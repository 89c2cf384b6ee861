import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { NETWORK_COUNT } from "../../../../../processing/progress/camera/network/network-count.ts";
import {
  openZoneNetwork,
  zoneNetwork,
} from "../../../../../processing/progress/camera/network/zone-network.ts";
import { shiftedBy } from "../../../../../processing/progress/camera/view/frame-map.ts";
import { pictureLight } from "../../../../../processing/progress/camera/view/picture-light.ts";
import {
  PATCH,
  warpZone,
  type ZonePatch,
} from "../../../../../processing/progress/camera/view/warp-zone.ts";
import { cameraScene, type SceneShot } from "../../../../support/camera-scene.ts";

const FILE = new URL(
  "../../../../../processing/progress/camera/network/zone-network.onnx",
  import.meta.url,
);
const LIGHT = { means: [115, 115, 115] } as const;
/** By onnxruntime 1.32.0 in Python, natively, of {@link waves}: each 96th number, and the length of all. */
const GOLDEN = [4.851, -9.145, -20.556, -4.355, -2.958, -4.474, 3.648, 3.259, -11.993, 19.486];
const GOLDEN_LENGTH = 242.131;
const COUNT = PATCH.width * PATCH.height;

/** Waves of three lengths: no picture file is needed, and no decoder rounds it. */
function waves(): ZonePatch {
  const rgb = new Float32Array(COUNT * 3);
  for (let i = 0; i < COUNT; i++) {
    const [x, y] = [i % PATCH.width, Math.floor(i / PATCH.width)];
    rgb[3 * i] = 128 + 100 * Math.sin(x / 5);
    rgb[3 * i + 1] = 128 + 100 * Math.cos(y / 7);
    rgb[3 * i + 2] = 128 + 100 * Math.sin((x + y) / 3);
  }
  return { rgb, mask: new Uint8Array(COUNT).fill(1), observedFraction: 1 };
}

const distance = (a: Float32Array, b: Float32Array): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0));

describe("the network for zones", () => {
  it("the network for zones yields what another implementation of ONNX does for the same file", async () => {
    const network = await zoneNetwork();
    const [described = new Float32Array()] = await network.describe([waves()], LIGHT);
    expect(described).toHaveLength(NETWORK_COUNT);
    for (const [i, value] of GOLDEN.entries()) expect(described[i * 96]).toBeCloseTo(value, 2);
    expect(distance(described, new Float32Array(NETWORK_COUNT))).toBeCloseTo(GOLDEN_LENGTH, 1);
  });

  it("the network for zones says the same of a patch alone and among more than go through at once", async () => {
    const network = await zoneNetwork();
    const black = { ...waves(), rgb: new Float32Array(COUNT * 3) };
    const many = await network.describe([...new Array(9).fill(black), waves()], LIGHT);
    const [alone = new Float32Array()] = await network.describe([waves()], LIGHT);
    expect(many).toHaveLength(10);
    expect(distance(many.at(-1) ?? new Float32Array(), alone)).toBeLessThan(0.01);
    // Each has memory of its own: a thread that sends one would send all.
    expect(many[3]?.buffer.byteLength).toBe(NETWORK_COUNT * 4);
  });

  it("the network for zones does not depend on white balance and exposure, nor on what lies beside the outline", async () => {
    const scene = cameraScene(5);
    const network = await zoneNetwork();
    const featuresOf = async (shot: SceneShot, outside = 0) => {
      const pixels = scene.shoot(shot);
      const patch = warpZone(pixels, shiftedBy({ dx: 0, dy: 0 }), scene.outline);
      const mask = patch.mask.map((value, i) => (i % PATCH.width < 32 ? 0 : value));
      const rgb = patch.rgb.map((v, i) => (mask[Math.floor(i / 3)] === 1 ? v : v + outside));
      const [described] = await network.describe([{ ...patch, rgb, mask }], pictureLight(pixels));
      return described ?? new Float32Array();
    };
    const plain = await featuresOf({ progress: 40 });
    const built = distance(plain, await featuresOf({ progress: 60 }));
    const warm = await featuresOf({ progress: 40, gains: [1.15, 1, 0.8] });
    const dim = await featuresOf({ progress: 40, gains: [0.7, 0.7, 0.7] });
    expect(distance(plain, warm)).toBeLessThan(built / 4);
    expect(distance(plain, dim)).toBeLessThan(built / 4);
    expect(distance(plain, await featuresOf({ progress: 40 }, 60))).toBe(0);
  });

  it("the network for zones refuses a file that is another one, and one that is not there, in words", async () => {
    const folder = await mkdtemp(join(tmpdir(), "plumbline-network-"));
    try {
      const content = await readFile(FILE);
      content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
      const changed = pathToFileURL(join(folder, "changed.onnx"));
      await writeFile(changed, content);
      await expect(openZoneNetwork(changed)).rejects.toThrow(
        /changed\.onnx is not the network for zones that belongs to this version: its SHA-256 is/,
      );
      await expect(openZoneNetwork(pathToFileURL(join(folder, "none.onnx")))).rejects.toThrow(
        /^the network for zones cannot be read: .*none\.onnx$/,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

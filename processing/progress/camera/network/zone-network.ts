import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { env, InferenceSession, Tensor } from "onnxruntime-web";
import type { PictureLight } from "../view/picture-light.ts";
import { PATCH, type ZonePatch } from "../view/warp-zone.ts";
import { NETWORK_COUNT } from "./network-count.ts";

/** See ORIGIN.md beside it. */
const FILE = new URL("zone-network.onnx", import.meta.url);
const FILE_SHA256 = "0be58522a8e755d79235819ffbe11babf8900ac3902eff4798061337ceffbcff";

/** What the network was trained on: bytes less 127, divided by 128 (efficientnet_lite_builder.py). */
const MIDDLE = 127;
const RANGE = 128;
/**
 * Each channel's mean over the whole picture is brought to this, bytes: near that of the photographs that the
 * network was trained on. Farther from it, patches are darker or brighter than all that it knows.
 */
const USUAL_MEAN = 115;
/**
 * Patches that go through the network at once: eight together take half the time of eight one by one, more
 * are not quicker, and the activations of a hundred would take 500 MB.
 */
const MOST_AT_ONCE = 8;

/** A pretrained network that describes zones, as far as it is needed. */
export interface ZoneNetwork {
  /**
   * What patches of one picture look like, {@link NETWORK_COUNT} numbers each: activations of an early stage of
   * the network, 80 channels by cell of 4 x 3. What lies outside of the outline does not count, nor do white
   * balance and exposure.
   */
  describe(
    patches: readonly ZonePatch[],
    light: PictureLight,
  ): Promise<readonly Float32Array<ArrayBuffer>[]>;
}

let opened: Promise<ZoneNetwork> | undefined;

/**
 * The network of this thread, opened when it is first asked for: 0.5 s of CPU and some 130 MB.
 * @throws Error in words for the operator when its file is missing or is another one than was built in.
 */
export function zoneNetwork(): Promise<ZoneNetwork> {
  opened ??= openZoneNetwork(FILE);
  return opened;
}

/** @throws as {@link zoneNetwork} */
export async function openZoneNetwork(file: URL): Promise<ZoneNetwork> {
  const model = await readModel(file);
  // Without threads of its own: those of the pool are as many as there are cores.
  env.wasm.numThreads = 1;
  const session = await InferenceSession.create(model, { executionProviders: ["wasm"] });
  return {
    async describe(patches, light) {
      const described: Float32Array<ArrayBuffer>[] = [];
      for (let from = 0; from < patches.length; from += MOST_AT_ONCE) {
        const some = patches.slice(from, from + MOST_AT_ONCE);
        const { features } = await session.run({ patches: inputOf(some, light) });
        if (!(features?.data instanceof Float32Array))
          throw new Error("the network yields nothing");
        for (let i = 0; i < some.length; i++) {
          // A copy of its own: what a thread sends is a view's whole buffer.
          described.push(features.data.slice(i * NETWORK_COUNT, (i + 1) * NETWORK_COUNT));
        }
      }
      return described;
    },
  };
}

async function readModel(file: URL): Promise<Uint8Array> {
  const content = await readFile(file).catch((cause: unknown) => {
    throw new Error(`the network for zones cannot be read: ${file.pathname}`, { cause });
  });
  const found = createHash("sha256").update(content).digest("hex");
  if (found === FILE_SHA256) return content;
  throw new Error(
    `${file.pathname} is not the network for zones that belongs to this version: its SHA-256 is ${found}, not ${FILE_SHA256}`,
  );
}

/** Planes of red, green and blue of each patch; the middle of the range outside of the outline. */
function inputOf(patches: readonly ZonePatch[], { means }: PictureLight): Tensor {
  const count = PATCH.width * PATCH.height;
  const input = new Float32Array(patches.length * 3 * count);
  for (const [p, { rgb, mask }] of patches.entries()) {
    for (const [channel, mean] of means.entries()) {
      const plane = (3 * p + channel) * count;
      for (let i = 0; i < count; i++) {
        if (mask[i] !== 1) continue;
        const byte = Math.min(255, ((rgb[3 * i + channel] ?? 0) * USUAL_MEAN) / mean);
        input[plane + i] = (byte - MIDDLE) / RANGE;
      }
    }
  }
  return new Tensor("float32", input, [patches.length, 3, PATCH.height, PATCH.width]);
}

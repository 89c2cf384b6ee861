import { createRandom } from "../../randomness/random.ts";
import { cameraAxes, imagePoint } from "../flight/camera.ts";
import type { Capture } from "../flight/flight.ts";
import type { CameraBody } from "../flight/lenses.ts";
import type { SurveyOptions } from "../options/options.ts";
import type { Scene } from "../scene/scene.ts";
import type { Target } from "../scene/target.ts";
import { type Air, addAir } from "./air.ts";
import { createFrameBuffer, type FrameBuffer } from "./frame-buffer.ts";
import { blurByMotion, blurEvenly } from "./motion-blur.ts";
import { develop } from "./sensor.ts";
import { renderSolids } from "./solid-pass.ts";
import { renderTerrain } from "./terrain-pass.ts";
import { centreAtRow, type View } from "./view.ts";

/** What one image is rendered from. */
export interface RenderInput {
  readonly scene: Scene;
  readonly capture: Capture;
  readonly body: CameraBody;
  /** Rays of the body's lens. */
  readonly rays: Float32Array;
  readonly options: Pick<SurveyOptions, "seed" | "exposureMs" | "readoutMs" | "noise">;
  readonly targets: readonly Target[];
  /** What lies between the camera and the site, and above it; absent: clear air, no sky in sight. */
  readonly air?: Air;
}

/** Where a target is in the stored picture, pixels, (0, 0) the middle of the upper left one. */
export interface TrueMark {
  readonly target: string;
  readonly u: number;
  readonly v: number;
}

export interface RenderedImage {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Red, green, blue by pixel. */
  readonly pixels: Uint8Array;
  readonly marks: readonly TrueMark[];
}

/**
 * Light lost at the corners, as of consumer lenses at f/2.8. More makes matching at the edges harder than it is.
 */
const VIGNETTE = 0.28;
/** Blur of a shaken image, share of the width; three box filters of 2 r + 1 pixels. */
const SHAKE_SHARE = 0.004;
/** How far a stretched image is drawn out or pressed, share of its height. */
const STRETCH = 0.1;
/** A mark within this many pixels of the frame's edge is not given. */
const MARK_EDGE_PX = 12;
/** A target whose ground is this much nearer or farther than what the pixel shows is hidden, metres. */
const HIDDEN_M = 0.25;

/** Renders one image as its camera took it and its faults left it. */
export function renderImage(input: RenderInput): RenderedImage {
  const { scene, capture, body, rays, options } = input;
  const { widthPx, heightPx } = body.lens;
  const picture = createFrameBuffer(widthPx, heightPx);
  const view: View = {
    lens: body.lens,
    rays,
    axes: cameraAxes(capture.attitude),
    centre: capture.centre,
    velocityMps: capture.velocityMps,
    readoutS: options.readoutMs / 1_000,
    exposureS: options.exposureMs / 1_000,
  };
  const isCapped = capture.faults.includes("lens-cap");
  if (!isCapped) {
    renderTerrain(
      { ...scene, frame: scene.heights, terrain: scene.heights.terrain },
      view,
      picture,
    );
    renderSolids(scene, view, picture);
    if (input.air !== undefined) addAir(view, picture, input.air);
    blurByMotion(view, picture);
    if (capture.faults.includes("blurred")) {
      blurEvenly(picture, Math.max(1, Math.round(SHAKE_SHARE * widthPx)));
    }
  }
  const pixels = develop(picture, {
    gain: capture.gain,
    vignette: VIGNETTE,
    noise: options.noise,
    seed: `survey-${options.seed}/sensor-${capture.index}`,
  });
  const marks = isCapped ? [] : findMarks(view, picture, input.targets);
  return alter({ widthPx, heightPx, pixels, marks }, capture, options.seed);
}

/** What programs did to the picture after the camera. */
function alter(taken: RenderedImage, { faults, index }: Capture, seed: number): RenderedImage {
  const { widthPx, heightPx } = taken;
  let image = taken;
  if (faults.includes("stretched")) {
    const share = 1 + STRETCH * createRandom(`survey-${seed}/stretch-${index}`).uniform(-1, 1);
    const middle = (heightPx - 1) / 2;
    image = {
      ...image,
      pixels: stretchHeight(image.pixels, widthPx, share),
      marks: image.marks.map((mark) => ({ ...mark, v: middle + share * (mark.v - middle) })),
    };
  }
  if (faults.includes("rotated")) {
    image = {
      ...image,
      pixels: turnAround(image.pixels),
      marks: image.marks.map(({ target, u, v }) => ({
        ...{ target, u: widthPx - 1 - u, v: heightPx - 1 - v },
      })),
    };
  }
  return image;
}

function findMarks(view: View, picture: FrameBuffer, targets: readonly Target[]): TrueMark[] {
  const { widthPx, heightPx } = picture;
  const marks: TrueMark[] = [];
  for (const target of targets) {
    let centre = view.centre;
    let seen = imagePoint(view.lens, view.axes, centre, target);
    // With a rolling shutter the camera's place depends on the row, and the row on the place.
    for (let i = 0; i < 3 && seen !== undefined && view.readoutS > 0; i += 1) {
      const [eastM, northM, upM] = centreAtRow(view, seen.v);
      centre = { eastM, northM, upM };
      seen = imagePoint(view.lens, view.axes, centre, target);
    }
    if (seen === undefined) continue;
    const { u, v, depthM } = seen;
    const isInside =
      u >= MARK_EDGE_PX &&
      v >= MARK_EDGE_PX &&
      u < widthPx - MARK_EDGE_PX &&
      v < heightPx - MARK_EDGE_PX;
    if (!isInside) continue;
    const shownM = picture.depthM[Math.round(v) * widthPx + Math.round(u)] ?? 0;
    if (Math.abs(shownM - depthM) < HIDDEN_M) marks.push({ target: target.name, u, v });
  }
  return marks;
}

/** Turns a picture by 180 degrees: pixels in reverse order, channels as they were. */
function turnAround(pixels: Uint8Array): Uint8Array {
  const turned = new Uint8Array(pixels.length);
  for (let i = 0; i < pixels.length; i += 3) {
    const j = pixels.length - 3 - i;
    turned[i] = pixels[j] ?? 0;
    turned[i + 1] = pixels[j + 1] ?? 0;
    turned[i + 2] = pixels[j + 2] ?? 0;
  }
  return turned;
}

/**
 * Draws a picture out (`share` above 1) or presses it (below) in height about its middle, rows between rows
 * linearly; the size stays, what is missing repeats the outermost row. RGB, row-major, top row first.
 */
function stretchHeight(pixels: Uint8Array, widthPx: number, share: number): Uint8Array {
  const stride = widthPx * 3;
  const last = pixels.length / stride - 1;
  const stretched = new Uint8Array(pixels.length);
  for (let row = 0; row <= last; row += 1) {
    const from = Math.min(last, Math.max(0, last / 2 + (row - last / 2) / share));
    const above = Math.min(last - 1, Math.floor(from));
    const part = from - above;
    for (let i = 0; i < stride; i += 1) {
      const upper = pixels[above * stride + i] ?? 0;
      const lower = pixels[(above + 1) * stride + i] ?? 0;
      stretched[row * stride + i] = Math.round(upper + part * (lower - upper));
    }
  }
  return stretched;
}

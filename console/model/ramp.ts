/** Viridis at eight even steps (Smith & van der Walt 2015, CC0), as the service's pictures of piles have it. */
const STEPS = [
  0x440154, 0x46327e, 0x365c8d, 0x277f8e, 0x1fa187, 0x4ac16d, 0xa0da39, 0xfde725,
] as const;

/** The ends of the colours as a gradient of CSS. */
export const RAMP_STYLE = `linear-gradient(to right, ${STEPS.map(
  (step) => `#${step.toString(16).padStart(6, "0")}`,
).join(", ")})`;

/** Red, green and blue of a share, 0 to 1 each, as a screen has them (sRGB). Shares beyond the ends have their colour. */
export function rampColour(share: number): readonly [number, number, number] {
  const last = STEPS.length - 1;
  const at = Math.min(1, Math.max(0, share)) * last;
  const i = Math.min(last - 1, Math.floor(at));
  const [low, high] = [STEPS[i] ?? 0, STEPS[i + 1] ?? 0];
  const channel = (shift: number) => {
    const [from, to] = [(low >> shift) & 255, (high >> shift) & 255];
    return (from + (to - from) * (at - i)) / 255;
  };
  return [channel(16), channel(8), channel(0)];
}

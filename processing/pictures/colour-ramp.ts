/** Colours from 0 to 1: red, green, blue, 0 to 255 each. */
export type ColourRamp = (share: number) => readonly [number, number, number];

/**
 * Viridis at 20 even steps (Smith & van der Walt 2015, matplotlib, CC0): equal steps of value look equally
 * far apart, in grey print and to colour-blind eyes as well.
 */
export const viridis = rampOf(
  "440154 481567 482677 453781 404788 39568c 33638d 2d708e 287d8e 238a8d " +
    "1f968b 20a387 29af7f 3cbb75 55c667 73d055 95d840 b8de29 dce319 fde725",
);

/**
 * Red over white (0.5) to blue, nine steps (ColorBrewer RdBu, Harrower & Brewer 2003, Apache-2.0): for what
 * has a middle. Colour-blind eyes distinguish red and blue too.
 */
export const redBlue = rampOf("b2182b d6604d f4a582 fddbc7 f7f7f7 d1e5f0 92c5de 4393c3 2166ac");

/** Viridis with a third of white: dark enough to distinguish heights, light enough to show a relief on it. */
export const paleViridis: ColourRamp = (share) => {
  const [r, g, b] = viridis(share);
  const pale = (c: number) => c + (255 - c) / 3;
  return [pale(r), pale(g), pale(b)];
};

/** Straight between even steps, as hexadecimal numbers. Millions of pixels are coloured: no lists on the way. */
function rampOf(steps: string): ColourRamp {
  const hexes = steps.split(" ");
  const channels = Float64Array.from(hexes.join("").match(/../g) ?? [], (hex) =>
    Number.parseInt(hex, 16),
  );
  const last = hexes.length - 1;
  return (share) => {
    const at = Math.min(1, Math.max(0, share)) * last;
    const i = Math.min(last - 1, Math.floor(at)) * 3;
    const f = at - i / 3;
    const r = (channels[i] ?? 0) * (1 - f) + (channels[i + 3] ?? 0) * f;
    const g = (channels[i + 1] ?? 0) * (1 - f) + (channels[i + 4] ?? 0) * f;
    const b = (channels[i + 2] ?? 0) * (1 - f) + (channels[i + 5] ?? 0) * f;
    return [r, g, b];
  };
}

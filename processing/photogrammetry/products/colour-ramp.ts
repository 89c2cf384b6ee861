/** Colours from 0 to 1: red, green, blue, 0 to 255 each. */
export type ColourRamp = (share: number) => readonly [number, number, number];

/**
 * Viridis at 20 even steps (Smith & van der Walt 2015, matplotlib, CC0): equal steps of value look equally
 * far apart, in grey print and to colour-blind eyes as well.
 */
const VIRIDIS = (
  "440154 481567 482677 453781 404788 39568c 33638d 2d708e 287d8e 238a8d " +
  "1f968b 20a387 29af7f 3cbb75 55c667 73d055 95d840 b8de29 dce319 fde725"
)
  .split(" ")
  .map((hex) => [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)));

export const viridis: ColourRamp = (share) => {
  const at = Math.min(1, Math.max(0, share)) * (VIRIDIS.length - 1);
  const below = Math.min(VIRIDIS.length - 2, Math.floor(at));
  const f = at - below;
  const mix = (channel: number) =>
    (VIRIDIS[below]?.[channel] ?? 0) * (1 - f) + (VIRIDIS[below + 1]?.[channel] ?? 0) * f;
  return [mix(0), mix(1), mix(2)];
};

/** Viridis with a third of white: dark enough to tell heights apart, light enough to show a relief on it. */
export const paleViridis: ColourRamp = (share) => {
  const [r, g, b] = viridis(share);
  const pale = (c: number) => c + (255 - c) / 3;
  return [pale(r), pale(g), pale(b)];
};

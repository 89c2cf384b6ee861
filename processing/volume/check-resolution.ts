import { LIMITS } from "../gates/gate-thresholds.ts";
import type { GateFinding } from "../gates/gates.ts";
import { asPercent } from "../numeric/rounding.ts";

/**
 * Gate RESOLUTION_DEPENDENT of one volume: it changes so much with the resolution of its surface that
 * finer images would change it again.
 * @param changeM3 of `resolutionChange`; `undefined`: not known, and there is no finding
 */
export function checkResolution(
  netM3: number,
  changeM3: number | undefined,
): readonly GateFinding[] {
  const share = changeM3 === undefined ? 0 : Math.abs(changeM3 / netM3);
  if (!(share > LIMITS.resolutionChange)) return [];
  return [
    {
      gate: "RESOLUTION_DEPENDENT",
      severity: "warn",
      value: asPercent(share),
      threshold: asPercent(LIMITS.resolutionChange),
      unit: "% that the volume changes by at half the resolution",
      advice:
        "The pile is small or smooth for these images: its top and its toe are rounded off. The volume has an addition " +
        "for it (rounded_off_m3), and a wider interval. Fly at half the height, in even light, and send the original files.",
      images: [],
    },
  ];
}

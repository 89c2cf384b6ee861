import { PLACE_DASHES } from "../map/place-layers.ts";
import type { MapLayer } from "../state/map-layers.ts";

/** Dashes of each layer's line on the map, in widths of the line. */
const DASHES: Readonly<Record<Exclude<MapLayer, "ground">, readonly number[] | undefined>> = {
  fences: [4, 2],
  ...PLACE_DASHES,
};
const WIDTH = 2;

/** The line that the map draws a layer with; of pictures, that they are under all lines. */
export function LayerLine({ layer }: { readonly layer: MapLayer }) {
  if (layer === "ground") {
    return (
      <svg class="layer-line layer-ground" width="28" height="10" aria-hidden="true">
        <rect x="1" y="1" width="26" height="8" stroke="currentColor" fill="none" />
        <path d="M2 8L10 3L16 7L21 4L26 8Z" fill="currentColor" />
      </svg>
    );
  }
  return (
    <svg class={`layer-line layer-${layer}`} width="28" height="10" aria-hidden="true">
      <line
        x1="0"
        y1="5"
        x2="28"
        y2="5"
        stroke="currentColor"
        stroke-width={WIDTH}
        stroke-dasharray={DASHES[layer]?.map((dash) => dash * WIDTH).join(" ")}
      />
    </svg>
  );
}

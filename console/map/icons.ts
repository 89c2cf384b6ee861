import { MAP_COLOURS } from "./colours.ts";
import { LOOKS, type Look, SHAPES } from "./shapes.ts";

/** Side of an icon, CSS pixels, and pixels of the picture for each: screens of twice the density stay sharp. */
const SIDE = 24;
export const ICON_DENSITY = 2;
/** Of the line around an icon that sets it off from any ground, in the box of the shape. */
const HALO = 3;

/** Pictures of all looks, drawn here: there is no file of icons to load. */
export function drawIcons(theme: "light" | "dark"): ReadonlyMap<Look, ImageData> {
  return new Map(
    LOOKS.flatMap((look) => {
      const picture = drawIcon(look, theme);
      return picture === undefined ? [] : [[look, picture] as const];
    }),
  );
}

function drawIcon(look: Look, theme: "light" | "dark"): ImageData | undefined {
  const canvas = document.createElement("canvas");
  const side = SIDE * ICON_DENSITY;
  canvas.width = side;
  canvas.height = side;
  // Pixels that are read back are drawn by the processor: waiting for the graphics card takes longer.
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return undefined;
  const { halo, status } = MAP_COLOURS[theme];
  const { path, line, dash, colour } = SHAPES[look];
  const drawn = new Path2D(path);
  // The halo needs room within the box.
  context.setTransform(ICON_DENSITY * 0.86, 0, 0, ICON_DENSITY * 0.86, side * 0.07, side * 0.07);
  context.lineJoin = "round";
  context.lineCap = dash === undefined ? "round" : "butt";
  context.strokeStyle = halo;
  context.lineWidth = (line ?? 0) + HALO;
  context.stroke(drawn);
  if (line === undefined) {
    context.fillStyle = status[colour];
    context.fill(drawn);
  } else {
    context.strokeStyle = status[colour];
    context.lineWidth = line;
    context.setLineDash([...(dash ?? [])]);
    context.stroke(drawn);
  }
  return context.getImageData(0, 0, side, side);
}

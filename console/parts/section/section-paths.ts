/** A place of a drawing; `null`: there is none, which breaks the line. */
interface DrawnPoint {
  readonly x: number;
  readonly y: number | null;
}

/** A line as SVG paths draw it, broken at gaps, and the points with a gap on either side, which no line would show. */
export function brokenLine(points: readonly DrawnPoint[]): {
  readonly path: string;
  readonly alone: readonly { readonly x: number; readonly y: number }[];
} {
  const alone: { x: number; y: number }[] = [];
  const steps = points.flatMap(({ x, y }, i) => {
    if (y === null) return [];
    const isStart = (points[i - 1]?.y ?? null) === null;
    if (isStart && (points[i + 1]?.y ?? null) === null) alone.push({ x, y });
    return [`${isStart ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`];
  });
  return { path: steps.join(""), alone };
}

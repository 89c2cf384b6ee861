/**
 * Size that an image is worked on at: its longer edge is `workingWidthPx`, or as it is when it is
 * smaller (enlarging adds no detail). Both edges in pixels, at least 1.
 */
export function workingSize(
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
  workingWidthPx: number,
): { readonly widthPx: number; readonly heightPx: number } {
  const scale = Math.min(1, workingWidthPx / Math.max(widthPx, heightPx));
  return {
    widthPx: Math.max(1, Math.round(widthPx * scale)),
    heightPx: Math.max(1, Math.round(heightPx * scale)),
  };
}

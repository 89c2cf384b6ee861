/** Vertical extent on the screen, CSS pixels. */
interface Extent {
  readonly top: number;
  readonly bottom: number;
}

/** How far a box has to scroll so that a row is in its middle, CSS pixels; 0 where the whole row is in sight already. */
export function scrollBy(row: Extent, box: Extent): number {
  if (row.top >= box.top && row.bottom <= box.bottom) return 0;
  return (row.top + row.bottom - box.top - box.bottom) / 2;
}

/**
 * Brings a row into sight within the nearest box that scrolls, up to `root`. Neither the page nor the focus moves:
 * `scrollIntoView` would also move the map out of the screen of a phone.
 */
export function reveal(row: HTMLElement, root: HTMLElement): void {
  for (let box = row.parentElement; box !== null; box = box.parentElement) {
    if (box.scrollHeight > box.clientHeight && getComputedStyle(box).overflowY !== "visible") {
      box.scrollTop += scrollBy(row.getBoundingClientRect(), box.getBoundingClientRect());
      return;
    }
    if (box === root) return;
  }
}

/** Mirrored first, left to right, then turned clockwise. */
interface UprightTurn {
  readonly degrees: 0 | 90 | 180 | 270;
  readonly isMirrored: boolean;
}

/** By EXIF Orientation (Exif 2.3, 4.6.4). */
const TURNS: Readonly<Record<number, UprightTurn>> = {
  1: { degrees: 0, isMirrored: false },
  2: { degrees: 0, isMirrored: true },
  3: { degrees: 180, isMirrored: false },
  4: { degrees: 180, isMirrored: true },
  5: { degrees: 270, isMirrored: true },
  6: { degrees: 90, isMirrored: false },
  7: { degrees: 90, isMirrored: true },
  8: { degrees: 270, isMirrored: false },
};

/** What brings the pixels of a file to how people see it; any other orientation: nothing. */
export function uprightTurn(orientation: number): UprightTurn {
  return TURNS[orientation] ?? { degrees: 0, isMirrored: false };
}

/** Largest file that a logo is made of, bytes: a drawing of 4,096 pixels as PNG; photographs are larger. */
export const MAX_LOGO_BYTES = 1024 ** 2;
/** Longest side of that file, pixels: a printed sign. More would only be made smaller. */
export const MAX_LOGO_SIDE_PX = 4_096;

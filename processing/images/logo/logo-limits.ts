/** Largest file that a logo is made of, bytes: a drawing of 4,096 pixels as PNG; photographs are larger. */
export const MAX_LOGO_BYTES = 1024 ** 2;
/** Longest side of that file, pixels: a printed sign. More would only be made smaller. */
export const MAX_LOGO_SIDE_PX = 4_096;
/**
 * Box that a logo is made to fit, pixels: 60 x 20 mm on paper at 300 dots an inch. Larger would be in every page that
 * shows it, smaller would blur in print.
 */
export const LOGO_BOX_PX = { width: 720, height: 240 };

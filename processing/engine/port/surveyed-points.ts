/**
 * Standard deviations of points surveyed by RTK, metres: of control points whose list states none. Smaller trusts
 * poor points too much and bends the block to them, larger gives good ones away.
 */
export const SURVEYED_SIGMA_M = { horizontal: 0.02, vertical: 0.03 } as const;

const CHECK = /^check/i;

/** Whether a control point of this name is held back to check the result: OpenDroneMap's lists have no other way. */
export const isCheckName = (name: string): boolean => CHECK.test(name);

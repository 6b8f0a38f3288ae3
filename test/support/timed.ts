/**
 * For a test of how long something takes by the clock on the wall: a machine that pauses for a moment fails one of three
 * runs, and a product that is slow fails all.
 */
export const timed = { retry: 2 } as const;

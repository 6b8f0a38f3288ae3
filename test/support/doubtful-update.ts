/**
 * An older statement and a later one that the update model doubts: too much to supersede, too little to say nothing. The
 * model is the real one, so another training may need other words.
 */
export const old = 'The launch is on March 2.';
export const later = 'The launch is on March 23.';
/** Ends the later one for sure. */
export const cancelled = 'The launch on March 23 is cancelled.';
/** Brings the older one to mind first. */
export const question = 'Is the launch on March 2?';

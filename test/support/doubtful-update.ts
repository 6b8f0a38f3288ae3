/**
 * An older statement and a later one that the update model doubts: too much to supersede, too little to say nothing. The
 * model is the real one, so another training may need other words.
 */
export const old = 'The launch is on March 2.';
export const later = 'Perhaps the launch is on March 23.';
/** Brings the older one to mind first. */
export const question = 'Is the launch in March?';

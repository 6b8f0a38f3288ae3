/** All control characters but tabs and ends of lines: a terminal would obey them. */
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const controls = /[\x00-\x08\v\f\x0e-\x1f\x7f-\x9f]|\r(?!\n)/g;

/**
 * The text as a terminal may be given it: what somebody said is shown and never obeyed. In JSON, which has control
 * characters in its strings only, it says the same as before.
 */
export const printable = (text: string): string =>
  text.replaceAll(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

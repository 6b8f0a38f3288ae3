/**
 * What a terminal would obey: all control characters but tabs and ends of lines, and the bidirectional embeddings,
 * overrides and isolates, which show what stands beside them in another order.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what it finds
const controls = /[\x00-\x08\v\f\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;

/**
 * The text as a terminal may be given it: what somebody said is shown and never obeyed. In JSON, which has these
 * characters in its strings only, it says the same as before.
 */
export const printable = (text: string): string =>
  text.replaceAll(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

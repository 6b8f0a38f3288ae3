import { readFileSync } from 'node:fs';

const read = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** The version of this package, such as "0.1.0". */
export const { version } = JSON.parse(read) as { readonly version: string };

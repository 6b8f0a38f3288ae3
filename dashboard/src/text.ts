import { frameText } from './text/frame.ts';
import { memoryText } from './text/memory.ts';
import { serviceText } from './text/service.ts';
import { setupText } from './text/setup.ts';

/** Every word that the dashboard shows, in English; a translation is another object of this shape. */
export const text = { ...frameText, ...memoryText, ...setupText, ...serviceText } as const;

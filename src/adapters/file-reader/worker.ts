import { limitBufferMemory } from './limit-buffer-memory.ts';

// Each function that this file exports is a task of the threads that read files. The parsers are loaded behind the
// guard, whose limit holds for what they allocate.
limitBufferMemory();

export { readPdf } from './read-pdf.ts';
export { readDocx } from './read-docx.ts';

export { MemoryStream } from './memory-stream.ts';
export type { StreamMemory, StreamOptions, StreamUpdate } from './records.ts';

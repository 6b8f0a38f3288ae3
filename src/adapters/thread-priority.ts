import { setPriority } from 'node:os';

/**
 * The nice value of each kind of thread: the higher, the more it lets others go first. The main thread and that of the
 * database, which everybody waits for, have 0; somebody who fetches may wait for a model, and nobody waits for a long
 * text to be read.
 */
const niceness = { model: 5, reading: 15 } as const;

/**
 * Lets threads of more urgent kinds go first where there are more of them at work than processors. Only Linux gives each
 * thread a priority of its own: elsewhere it would be that of the whole process, and stays as it is.
 */
export function lowerThreadPriority(kind: keyof typeof niceness): void {
  if (process.platform === 'linux') setPriority(niceness[kind]);
}

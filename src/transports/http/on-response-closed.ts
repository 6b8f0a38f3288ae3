import type { ServerResponse } from 'node:http';

/** Does it once nobody waits for the answer any more; at once for one whose peer has left already. */
export function onResponseClosed(answer: ServerResponse, work: () => void): void {
  if (answer.destroyed) work();
  else answer.once('close', work);
}

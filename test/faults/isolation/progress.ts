import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProof } from '../length.ts';
import type { Counts } from './scene.ts';

type Finished = Counts & { sequences: number };

/** Chunks that went well, of a proof that may take hours: the next run of the same seed goes on after them. */
const folder = process.env['PROOF_FOLDER'] ?? '.proof';
const fileOf = (seed: number, chunk: number) => join(folder, `isolation-${seed}-${chunk}.json`);

export function finished(seed: number, chunk: number): Finished | undefined {
  if (!isProof) return undefined;
  try {
    return JSON.parse(readFileSync(fileOf(seed, chunk), 'utf8')) as Finished;
  } catch {
    return undefined;
  }
}

export function remember(seed: number, chunk: number, counts: Finished): void {
  if (!isProof) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(seed, chunk), JSON.stringify(counts));
}

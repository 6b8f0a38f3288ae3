import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One exchange of a vector: see clients/vectors/README.md. */
export interface Exchange {
  /** Undefined: the request before, once more. */
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly headers?: Readonly<Record<string, string | null>>;
  };
  readonly answer: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly text?: string;
    readonly cut?: true;
    readonly silent?: true;
    readonly stalled?: true;
  };
}

export interface ExpectedError extends Readonly<Record<string, unknown>> {
  readonly class: string;
  readonly is?: readonly string[];
  readonly not?: readonly string[];
  readonly fields?: readonly string[];
}

export interface Vector {
  readonly name: string;
  readonly client?: { readonly max_retries?: number; readonly timeout_ms?: number };
  readonly call: {
    readonly method: string;
    readonly args?: readonly unknown[];
    readonly params?: Readonly<Record<string, unknown>>;
    readonly options?: Readonly<Record<string, unknown>>;
  };
  readonly exchanges: readonly Exchange[];
  readonly take?: 'prompt' | 'response' | 'ids' | 'page';
  readonly pauses_ms?: readonly number[];
  readonly result?: unknown;
  readonly error?: ExpectedError;
}

const folder = fileURLToPath(new URL('../../../vectors', import.meta.url));

/** The vectors of every file, by its name. */
export const vectorFiles = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({
    file: file.replace('.json', ''),
    vectors: JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as Vector[],
  }));

import type { z } from 'zod';

/** An answer of this schema, as it is written: nobody changes it, so that what is read-only goes into it as it is. */
export type Wire<S> = DeepReadonly<z.input<S>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

import { subscribe, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { ServedCall } from '../../tracing.ts';

type Results = AsyncGenerator<ExecutionResult, void, void>;

/** Subscribes within a span: also what is done for a later result, whoever asks for that, belongs to it. */
export async function subscribeInSpan({ run }: ServedCall, args: ExecutionArgs): Promise<Results | ExecutionResult> {
  const results = await run(() => subscribe(args));
  return Symbol.asyncIterator in results ? resumedBy(run, results) : results;
}

const resumedBy = (run: ServedCall['run'], results: Results): Results => ({
  next: () => run(() => results.next()),
  return: () => run(() => results.return()),
  throw: (error) => run(() => results.throw(error)),
  [Symbol.asyncDispose]: () => run(() => results[Symbol.asyncDispose]()),
  [Symbol.asyncIterator]() {
    return this;
  },
});

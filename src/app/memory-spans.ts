import type { PredictionInput, Prediction } from '../domain/anticipation/predict-bundle.ts';
import type { Context, ContextQuery } from '../domain/context/context.ts';
import type { NewMessages } from '../domain/conversations/append-messages.ts';
import type { Receipt } from '../domain/erasure/receipt.ts';
import type { Submission } from '../domain/ingestion/ingestion.ts';
import { relevanceOf, type ScoredMemory } from '../domain/memories/scored-memory.ts';
import type { Access } from '../domain/tenancy/access.ts';
import { withTraceSpan, type SpanAttributes } from '../tracing.ts';

/** Operations on memories by the names of OpenTelemetry's conventions for generative AI. */
type MemoryOperation = 'search_memory' | 'create_memory' | 'update_memory' | 'delete_memory';

type UseCase<Given extends readonly unknown[], Result> = (access: Access, ...args: Given) => Promise<Result>;

/** Describes a use case as a span: the operation's name, and the attributes of its input and its result. */
interface MemorySpan<Given extends readonly unknown[], Result> {
  readonly operation: MemoryOperation;
  readonly input?: (...args: Given) => SpanAttributes;
  readonly result?: (result: Result) => SpanAttributes;
}

const traced =
  <Given extends readonly unknown[], Result>(
    useCase: UseCase<Given, Result>,
    { operation, input, result }: MemorySpan<Given, Result>,
  ): UseCase<Given, Result> =>
  (access, ...args) =>
    withTraceSpan(
      operation,
      {
        attributes: () => ({
          'gen_ai.operation.name': operation,
          'gen_ai.memory.store.id': access.instance,
          ...input?.(...args),
        }),
        resultAttributes: result,
      },
      () => useCase(access, ...args),
    );

/** The use cases that make, find, change or remove memories, as far as each is one operation on them. */
interface MemoryUseCases {
  fetchContext(access: Access, query: ContextQuery): Promise<Context>;
  submit(access: Access, submission: Submission): Promise<unknown>;
  submitAndWait(access: Access, submission: Submission, ...more: never[]): Promise<unknown>;
  submitBatch(access: Access, items: readonly (Submission | Error)[], ...more: never[]): Promise<unknown>;
  addMessages(access: Access, input: NewMessages): Promise<unknown>;
  correctMemory(access: Access, id: string, ...more: never[]): Promise<unknown>;
  restoreMemory(access: Access, id: string, ...more: never[]): Promise<unknown>;
  undoSupersede(access: Access, id: string, ...more: never[]): Promise<unknown>;
  confirmOutdated(access: Access, id: string, ...more: never[]): Promise<unknown>;
  rejectOutdated(access: Access, id: string, ...more: never[]): Promise<unknown>;
  forgetMemory(access: Access, id: string, ...more: never[]): Promise<Receipt>;
  forgetDocument(access: Access, ...more: never[]): Promise<Receipt>;
  forgetOwner(access: Access, ...more: never[]): Promise<Receipt>;
}

const oneRecord = (id: string) => ({ 'gen_ai.memory.record.id': id });
const removed = ({ memoryIds }: Receipt) => ({ 'gen_ai.memory.record.count': memoryIds.length });

/** Wraps each use case in a span. `capturesText`: spans also hold requests, messages and results in clear text. */
export function traceMemoryUseCases<T extends MemoryUseCases>(useCases: T, capturesText: boolean): T {
  const recordAttributes = (records: readonly { content: unknown }[]): SpanAttributes =>
    capturesText ? { 'gen_ai.memory.records': JSON.stringify(records) } : {};
  const submitted = (...submissions: readonly (Submission | Error)[]) =>
    recordAttributes(submissions.flatMap((each) => (each instanceof Error ? [] : { content: each.document })));
  const creating = { operation: 'create_memory', input: submitted } as const;
  const updating = { operation: 'update_memory', input: oneRecord } as const;
  const deleting = { operation: 'delete_memory', result: removed } as const;
  return {
    ...useCases,
    fetchContext: traced<[ContextQuery], Context>(useCases.fetchContext, {
      operation: 'search_memory',
      input: ({ searchQueries }) => (capturesText ? { 'gen_ai.memory.query.text': searchQueries.join('\n') } : {}),
      result: ({ memories, mode, source }) => ({
        'presage.mode': mode,
        'presage.source': source,
        ...foundIn(memories, capturesText),
      }),
    }),
    submit: traced(useCases.submit, creating),
    submitAndWait: traced(useCases.submitAndWait, { ...creating, input: (submission) => submitted(submission) }),
    submitBatch: traced(useCases.submitBatch, { ...creating, input: (items) => submitted(...items) }),
    addMessages: traced(useCases.addMessages, { ...creating, input: ({ messages }) => recordAttributes(messages) }),
    correctMemory: traced(useCases.correctMemory, updating),
    restoreMemory: traced(useCases.restoreMemory, updating),
    undoSupersede: traced(useCases.undoSupersede, updating),
    confirmOutdated: traced(useCases.confirmOutdated, updating),
    rejectOutdated: traced(useCases.rejectOutdated, updating),
    forgetMemory: traced(useCases.forgetMemory, { ...deleting, input: oneRecord }),
    forgetDocument: traced(useCases.forgetDocument, deleting),
    forgetOwner: traced(useCases.forgetOwner, deleting),
  };
}

/** Wraps a stream's prediction in a span of its own, since it searches memory too. */
export const tracePrediction = (
  predict: UseCase<[PredictionInput], Prediction>,
  capturesText: boolean,
): UseCase<[PredictionInput], Prediction> =>
  traced(predict, {
    operation: 'search_memory',
    result: ({ memories }) => ({ 'presage.source': 'stream', ...foundIn(memories, capturesText) }),
  });

function foundIn(memories: readonly ScoredMemory[], capturesText: boolean): SpanAttributes {
  const records = () => memories.map(({ id, content, score }) => ({ id, content, score: relevanceOf(score) }));
  return {
    'gen_ai.memory.record.count': memories.length,
    ...(capturesText ? { 'gen_ai.memory.records': JSON.stringify(records()) } : {}),
  };
}

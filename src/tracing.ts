import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { DomainError } from './domain/errors.ts';

export type SpanAttributes = Attributes;

/**
 * Spans of OpenTelemetry, for all of the service. Until `adapters/opentelemetry` is loaded, which happens only where the
 * environment names a collector, nothing is recorded: a span is a call of its work, and attributes are not even computed.
 * None holds a text of a customer, or an id that they made up, unless the environment asks for text.
 */
const tracer = trace.getTracer('presage');

const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

interface SpanOptions<T> {
  /** Default: within this process. */
  readonly kind?: keyof typeof kinds;
  /** The trace that it belongs to, as `currentTraceparent` told it; default: what is under way. */
  readonly traceparent?: string | null | undefined;
  /** Attributes that are known before the work begins; `resultAttributes` gives those of its result. */
  readonly attributes?: () => SpanAttributes;
  readonly resultAttributes?: ((result: T) => SpanAttributes) | undefined;
}

/** Does the work in a span; an error of it ends the span with its code. */
export function withTraceSpan<T>(
  name: string,
  { kind = 'internal', traceparent, attributes, resultAttributes }: SpanOptions<T>,
  work: () => Promise<T>,
): Promise<T> {
  const parent = traceparent ? callerIn({ traceparent }) : context.active();
  return tracer.startActiveSpan(name, { kind: kinds[kind] }, parent, async (span) => {
    if (!span.isRecording()) return work();
    span.setAttributes(attributes?.() ?? {});
    try {
      const result = await work();
      span.setAttributes(resultAttributes?.(result) ?? {});
      return result;
    } catch (error) {
      failed(span, error instanceof DomainError ? error.code : 'internal');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Records an error by its type, without its message, which may quote what somebody said. */
function failed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}

/** The trace that is under way, for log lines. */
export const currentTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

/** Adds to the span that is under way, such as what an API learns of a call while it serves it. */
export const annotateSpan = (attributes: SpanAttributes): void => void trace.getActiveSpan()?.setAttributes(attributes);

/** A call from outside, from its headers to its answer. */
export interface ServedCall {
  /** Does what the call asks for: spans within belong to it. */
  run<T>(work: () => T): T;
  /** Counts once. `error`: what kind of fault of ours it ended with. */
  ended(name: string, attributes: SpanAttributes, error?: string): void;
  /** The id of the trace, for log lines; undefined where nothing is recorded. */
  readonly traceId: string | undefined;
}

/** Begins the span of a call; `headers` may name the caller's own by `traceparent`. */
export function traceServedCall(name: string, headers: object): ServedCall {
  const parent = callerIn(headers);
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, parent);
  const inside = trace.setSpan(parent, span);
  return {
    run: (work) => context.with(inside, work),
    ended(named, attributes, error) {
      if (!span.isRecording()) return; // nothing is traced, or it has ended by another way
      span.updateName(named).setAttributes(attributes);
      if (error !== undefined) failed(span, error);
      span.end();
    },
    traceId: span.isRecording() ? span.spanContext().traceId : undefined,
  };
}

const callerIn = (headers: object): Context => propagation.extract(ROOT_CONTEXT, headers);

/** The headers that let a server which is called continue this trace; none where nothing is traced. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** The W3C `traceparent` of the active span, for a job that is enqueued now; null when nothing is traced. */
export const currentTraceparent = (): string | null => traceHeaders()['traceparent'] ?? null;

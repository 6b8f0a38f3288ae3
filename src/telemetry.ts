import { pino, type Level, type Logger } from 'pino';
import { collectDefaultMetrics, Gauge, Histogram, Registry, type Metric } from 'prom-client';
import { DomainError, hasErrorCode } from './domain/errors.ts';
import { currentTraceId } from './tracing.ts';
import { version } from './version.ts';

/** Logs and metrics for operators. Neither a line nor a label ever holds a customer's text or ids. */
export interface Telemetry {
  readonly log: Logger;
  readonly registry: Registry;
  /** Spans are recorded: APIs begin one for each call. */
  readonly isTraced: boolean;
  /**
   * Logs a failure of what is tried again in a moment. While a store is away that is so each time: the same message is
   * logged once in ten seconds then, as a warning.
   */
  logRecurring(error: unknown, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Runs the work and records how long it took and how it ended: `ok`, the code of a refusal, or `internal`. */
  operation<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Seconds; fine where our budgets lie (10 to 50 ms). */
export const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.02, 0.035, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The metric of this name in the registry, made by whoever asks for it first. */
export const getOrCreateMetric = <M extends Metric, C extends { name: string }>(
  registry: Registry,
  Kind: new (configuration: C) => M,
  configuration: C,
): M =>
  (registry.getSingleMetric(configuration.name) as M | undefined) ??
  new Kind({ ...configuration, registers: [registry] });

/** How often the same message tells that a store is away. */
const outageEveryMs = 10_000;

/** A line waits until so many bytes are together, and no longer than this. */
const [linesTogetherBytes, linesWaitMs] = [8_192, 100];

/**
 * Some lines at once, since a write for each was a quarter of the fastest answers. The write itself is waited for:
 * nothing is on its way in another thread when a process dies, and at its end, also by an error, the rest is written.
 */
function standardOutput() {
  const output = pino.destination({ dest: 1, sync: true, minLength: linesTogetherBytes });
  setInterval(() => output.flush(), linesWaitMs).unref();
  process.once('exit', () => output.flushSync());
  return output;
}

/** The log and metrics of one process; `process` names it in both. */
export function createTelemetry(options: { level: Level | 'silent'; process: string; isTraced?: boolean }): Telemetry {
  const { isTraced = false } = options;
  const settings = {
    level: options.level,
    base: { process: options.process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: describeError, err: describeError },
    ...(isTraced ? { mixin: () => ({ trace_id: currentTraceId() }) } : {}),
  };
  const log = options.level === 'silent' ? pino(settings) : pino(settings, standardOutput());
  const registry = new Registry();
  registry.setDefaultLabels({ process: options.process });
  collectDefaultMetrics({ register: registry });
  const build = { name: 'presage_build_info', help: 'Which version this is.', labelNames: ['version'] };
  new Gauge({ ...build, registers: [registry] }).set({ version }, 1);
  const seconds = new Histogram({
    name: 'presage_operation_seconds',
    help: 'How long a use case took, by how it ended.',
    labelNames: ['operation', 'outcome'],
    buckets: latencyBuckets,
    registers: [registry],
  });
  const outageToldAt = new Map<string, number>();
  return {
    log,
    registry,
    isTraced,
    logRecurring(error, message, fields = {}) {
      if (!hasErrorCode(error, 'unavailable')) return log.error({ error, ...fields }, message);
      const now = performance.now();
      if (now - (outageToldAt.get(message) ?? -Infinity) < outageEveryMs) return;
      outageToldAt.set(message, now);
      log.warn({ error, ...fields }, message);
    },
    async operation(name, work) {
      const end = seconds.startTimer({ operation: name });
      try {
        const result = await work();
        end({ outcome: 'ok' });
        return result;
      } catch (error) {
        end({ outcome: error instanceof DomainError ? error.code : 'internal' });
        throw error;
      }
    },
  };
}

/** Where our own code is: a stack that begins there is of an error that this program threw. */
const ownFolder = new URL('.', import.meta.url).pathname;

/**
 * An unexpected error as it may be logged: class, code and stack frames, and the message only of a plain `Error` that our
 * own code threw. What a driver, a parser or the language itself throws may quote a customer: `Key (…)=(…)`,
 * `Invalid time zone specified: …`, `reading '…'`. So may a message of several lines that look like frames.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name } = error.constructor;
  const stack = framesOf(error);
  return {
    name,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(name === 'Error' && stack[0]?.includes(ownFolder) ? { message: error.message } : {}),
    stack,
    ...(error.cause ? { cause: describeError(error.cause) } : {}),
  };
}

/** The stack begins with the message, as it was when the error was made; where that cannot be cut off, there are none. */
function framesOf({ stack = '', message }: Error): string[] {
  const messageAt = stack.indexOf(message);
  if (messageAt < 0) return [];
  return stack
    .slice(messageAt + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line));
}

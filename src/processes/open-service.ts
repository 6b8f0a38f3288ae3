import { watchCertificate } from '../adapters/certificate-files/watch-certificate.ts';
import type { OpenTelemetrySettings } from '../adapters/opentelemetry/settings.ts';
import { createApp, type App } from '../app.ts';
import { isDiskFull } from '../db/database-connection.ts';
import { openDependencies, type Dependencies } from '../dependencies.ts';
import type { Environment } from '../environment.ts';
import { openAllOrNone } from '../resource-stack.ts';
import { createTelemetry, type Telemetry } from '../telemetry.ts';
import type { Certificate } from '../transports/certificate.ts';
import { TurnDeduplicator } from '../transports/compat/turn-deduplicator.ts';
import { logUncaught } from './log-uncaught.ts';

/** The kinds of process. Any number of each may run on one Postgres; the embedded default is one `all`. */
export type ProcessName = 'all' | 'api' | 'stream' | 'worker';

/** The parts of a process of any kind; functions that take a `Service` open what it serves. */
export interface Service {
  readonly environment: Environment;
  readonly telemetry: Telemetry;
  readonly deps: Dependencies;
  readonly app: App;
  /** Turns that the compatible client library sent by one of its two APIs a moment ago and may repeat by the other. */
  readonly turnDeduplicator: TurnDeduplicator;
  /** The certificate of its servers; undefined: they speak plain text. */
  readonly tls: Certificate | undefined;
  /** Registers what ends a part that serves: all parts stop at once, since each takes its time over what is under way. */
  onStop(stop: () => unknown): void;
  /** Registers an action for the end; actions run in reverse order. */
  onClose(end: () => unknown): void;
  /** Rejects, and says what to do, once this process can serve nothing any more. */
  readonly failed: Promise<never>;
  close(): Promise<void>;
}

const flushEveryMs = 2_000;
/** Usage that was counted since the last flush is lost when the process is killed: no more than a second of it. */
const flushUsageEveryMs = 500;
/** The size of an instance is the sum of all of its owners. */
const raisePeaksEveryMs = 60_000;
const lookForTroubleEveryMs = 500;

export const openService = (name: ProcessName, environment: Environment): Promise<Service> =>
  openAllOrNone(async (opened) => {
    const isTraced = environment.openTelemetry?.sendsTraces ?? false;
    const telemetry = createTelemetry({ level: environment.LOG_LEVEL, process: name, isTraced });
    logUncaught(telemetry);
    const sending = environment.openTelemetry && (await sendTelemetry(environment.openTelemetry, telemetry, name));
    opened.onClose(() => sending?.close());
    const tls = openCertificate(environment, telemetry); // before what takes seconds: its files may be mistaken
    opened.onClose(() => tls?.close());
    const deps = await openDependencies(environment, telemetry, { process: `presage ${name}` });
    opened.onClose(() => deps.close());
    const repeat = (everyMs: number, save: () => Promise<void>, failure: string) => {
      const timer = setInterval(() => void save().catch((error) => telemetry.logRecurring(error, failure)), everyMs);
      opened.onClose(() => clearInterval(timer));
    };
    // Each process adds what it counted itself.
    repeat(flushEveryMs, () => deps.metering.flush(new Date()), 'usage was not saved');
    repeat(flushEveryMs, () => deps.turnAnticipations.flush(), 'what streams pushed was not saved');
    repeat(flushUsageEveryMs, () => deps.metering.flushUsage(), 'usage was not saved');
    repeat(raisePeaksEveryMs, () => deps.metering.raisePeaks(new Date()), 'usage was not saved');
    const stops: (() => unknown)[] = [];
    opened.onClose(() => allAtOnce(stops));
    return {
      environment,
      telemetry,
      deps,
      app: createApp(deps),
      turnDeduplicator: new TurnDeduplicator(),
      tls,
      onStop: (stop) => void stops.push(stop),
      onClose: (end) => opened.onClose(end),
      failed: untilFailed(deps, environment),
      close: () => opened.close(),
    };
  });

/** Waits for all of them, also where one fails; then throws the first failure. */
async function allAtOnce(stops: readonly (() => unknown)[]): Promise<void> {
  const stopped = await Promise.allSettled(stops.map(async (stop) => stop()));
  const failed = stopped.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

/**
 * Opens the certificate of both servers, reloaded when its files change; undefined when they speak plain text. Throws
 * when the files cannot be used.
 */
function openCertificate(environment: Environment, { log }: Telemetry) {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = environment;
  if (!certFile || !keyFile) return undefined;
  try {
    return watchCertificate(
      { certFile, keyFile },
      {
        renewed: (validUntil) => log.info({ valid_until: validUntil }, 'the TLS certificate was renewed'),
        refused: (error) => log.error({ error }, 'the renewed TLS certificate cannot be used; the last one stays'),
      },
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`the files of TLS_CERT_FILE and TLS_KEY_FILE cannot be used: ${reason}`, { cause });
  }
}

/** The exporters are loaded only where a collector is named. */
async function sendTelemetry(settings: OpenTelemetrySettings, { registry, log }: Telemetry, name: ProcessName) {
  const { openTelemetry } = await import('../adapters/opentelemetry/opentelemetry.ts');
  const warn = (complaint: string) => log.warn({ complaint }, 'traces or metrics could not be sent');
  return openTelemetry(settings, { process: name, registry, warn });
}

/** Only another process opens the data of an embedded database that failed. */
const untilFailed = (deps: Dependencies, environment: Environment): Promise<never> =>
  new Promise((_, reject) => {
    const looking = setInterval(() => {
      const trouble = deps.databaseTrouble();
      if (!trouble?.isFinal) return;
      clearInterval(looking);
      reject(reportDatabaseFailure(environment, trouble.reason));
    }, lookForTroubleEveryMs).unref();
  });

/** An embedded database that failed, told to whoever started the process: which folder, why, and what to do. */
function reportDatabaseFailure({ PRESAGE_DATA_DIR: folder }: Environment, reason: string): Error {
  const advice = isDiskFull(reason)
    ? 'Make room on its disk, then start Presage again'
    : 'Start Presage again; if it happens again, copy the folder and report it';
  return new Error(`the embedded database in ${folder} failed: ${reason}. ${advice}: what was accepted is kept.`);
}

import { createApp, type App } from '../app.ts';
import { openDependencies, type Dependencies } from '../dependencies.ts';
import type { Environment } from '../environment.ts';
import { allOrNothing } from '../opened.ts';
import { createTelemetry, type Telemetry } from '../telemetry.ts';
import type { Certificate } from '../transports/certificate.ts';
import { openCertificate } from './open-certificate.ts';

/** The kinds of process. Any number of each may run on one Postgres; the embedded default is one `all`. */
export type ProcessName = 'all' | 'api' | 'stream' | 'worker';

/** What a process of any kind has; what it serves is added by functions that take it. */
export interface Service {
  readonly environment: Environment;
  readonly telemetry: Telemetry;
  readonly d: Dependencies;
  readonly app: App;
  /** What its servers prove themselves with; without it they speak plain text. */
  readonly tls: Certificate | undefined;
  /** What is opened later is closed earlier. */
  onClose(end: () => unknown): void;
  close(): Promise<void>;
}

const flushEveryMs = 2_000;

export const openService = (name: ProcessName, environment: Environment): Promise<Service> =>
  allOrNothing(async (opened) => {
    const telemetry = createTelemetry({ level: environment.LOG_LEVEL, process: name });
    const tls = openCertificate(environment, telemetry); // before what takes seconds: its files may be mistaken
    opened.onClose(() => tls?.close());
    const d = await openDependencies(environment, telemetry, { process: `presage ${name}` });
    opened.onClose(() => d.close());
    const flushing = setInterval(() => void flush(d, telemetry), flushEveryMs);
    opened.onClose(() => clearInterval(flushing));
    return {
      environment,
      telemetry,
      d,
      app: createApp(d),
      tls,
      onClose: (end) => opened.onClose(end),
      close: () => opened.close(),
    };
  });

/** Each process adds what it counted itself. */
const flush = (d: Dependencies, { log }: Telemetry) =>
  d.metering.flush(new Date()).catch((error: unknown) => log.error({ error }, 'usage was not saved'));

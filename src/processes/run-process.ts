import v8 from 'node:v8';
import { readEnvironment, type Environment } from '../environment.ts';
import { openAllOrNone } from '../resource-stack.ts';
import { openService, type ProcessName, type Service } from './open-service.ts';
import { runUntilStopped } from './run-until-stopped.ts';

/**
 * Garbage may reach half of what is in use before it is collected, in percent. V8 lets it reach three times as much where
 * the machine has the memory: eight documents of a mebibyte took 700 MB of it, and with this 300.
 */
const heapGrowth = 50;

/**
 * Runs a process of this kind, from its environment to its end. `serve` opens what it serves; `begin` is called before.
 */
export function runProcess(
  name: ProcessName,
  serve: (service: Service) => Promise<unknown>,
  {
    variables = process.env,
    begin,
  }: { variables?: NodeJS.ProcessEnv; begin?: (environment: Environment) => void } = {},
): Promise<void> {
  v8.setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
  return runUntilStopped(() =>
    openAllOrNone(async (opened) => {
      const environment = readEnvironment(variables);
      begin?.(environment);
      const service = await openService(name, environment);
      opened.onClose(() => service.close());
      await serve(service);
      return service;
    }),
  );
}

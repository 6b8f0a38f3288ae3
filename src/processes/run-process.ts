import { readEnvironment, type Environment } from '../environment.ts';
import { allOrNothing } from '../opened.ts';
import { openService, type ProcessName, type Service } from './open-service.ts';
import { runUntilStopped } from './run-until-stopped.ts';

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
  return runUntilStopped(() =>
    allOrNothing(async (opened) => {
      const environment = readEnvironment(variables);
      begin?.(environment);
      const service = await openService(name, environment);
      opened.onClose(() => service.close());
      await serve(service);
      return service;
    }),
  );
}

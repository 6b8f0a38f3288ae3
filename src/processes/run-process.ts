import { readEnvironment, type Environment } from '../environment.ts';
import { openService, type ProcessName, type Service } from './open-service.ts';
import { runUntilStopped } from './run-until-stopped.ts';

/** A process of this kind, from its environment to its end; `serve` opens what it serves. */
export function runProcess(
  name: ProcessName,
  serve: (service: Service) => Promise<unknown>,
  environment: Environment = readEnvironment(process.env),
): Promise<void> {
  return runUntilStopped(async () => {
    const service = await openService(name, environment);
    try {
      await serve(service);
      return service;
    } catch (error) {
      await service.close();
      throw error;
    }
  });
}

import { status } from '@grpc/grpc-js';
import { Counter, Gauge } from 'prom-client';
import type { InstanceId } from '../../domain/ids.ts';
import { describeError, type Telemetry } from '../../telemetry.ts';

/** One call, from its metadata to its status. */
export interface ObservedCall {
  ended(code: status, more: { instance: InstanceId | undefined; error?: unknown }): void;
}
export type ObserveCall = (method: string, correlationId: string) => ObservedCall;

/** One line and one count a call, and how many are open: a stream's duration is its client's choice, so not measured. */
export function observeCalls({ log, registry }: Pick<Telemetry, 'log' | 'registry'>): ObserveCall {
  const open = new Gauge({
    name: 'presage_grpc_open_calls',
    help: 'Calls that have not ended.',
    registers: [registry],
  });
  const calls = new Counter({
    name: 'presage_grpc_calls_total',
    help: 'Calls that have ended, by their status.',
    labelNames: ['method', 'status'],
    registers: [registry],
  });
  return (method, correlationId) => {
    const startedAt = performance.now();
    open.inc();
    return {
      ended(code, { instance, error }) {
        open.dec();
        calls.inc({ method, status: status[code] });
        const ms = Math.round((performance.now() - startedAt) * 10) / 10;
        const line = {
          method,
          status: status[code],
          ms,
          correlation_id: correlationId,
          ...(instance ? { instance } : {}),
        };
        if (code === status.INTERNAL) log.error({ ...describeError(error), ...line }, 'failed');
        else log.info(line, 'call');
      },
    };
  };
}

import { status, type Metadata } from '@grpc/grpc-js';
import { Counter, Gauge } from 'prom-client';
import type { InstanceId } from '../../domain/ids.ts';
import type { Telemetry } from '../../telemetry.ts';
import { hasHiddenReason } from '../http/problem.ts';
import { traceServedCall } from '../../tracing.ts';

/** One call, from its metadata to its status. */
export interface ObservedCall {
  /** Does what the call asks for, in its trace. */
  run<T>(work: () => T): T;
  ended(code: status, more: { instance: InstanceId | undefined; error?: unknown }): void;
}
export type ObserveCall = (call: { method: string; correlationId: string; metadata: Metadata }) => ObservedCall;

/** The span's name as OpenTelemetry's conventions have it: `package.Service/Method`. */
const spanNameOf = (method: string) => method.replace(/^\//, '');
/** Statuses that are the service's fault and not the caller's. */
const faults: ReadonlySet<status> = new Set([status.INTERNAL, status.UNAVAILABLE, status.UNKNOWN, status.DATA_LOSS]);

/** One line, one span and one count a call, and how many are open: a stream's duration is its client's choice, so not measured. */
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
  return ({ method, correlationId, metadata }) => {
    const startedAt = performance.now();
    open.inc();
    const traced = traceServedCall(spanNameOf(method), metadata.getMap());
    return {
      run: (work) => traced.run(work),
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
          ...(traced.traceId ? { trace_id: traced.traceId } : {}),
        };
        const attributes = {
          'rpc.system': 'grpc',
          'rpc.grpc.status_code': code,
          'presage.correlation_id': correlationId,
          ...(instance ? { 'gen_ai.memory.store.id': instance } : {}),
        };
        traced.ended(spanNameOf(method), attributes, faults.has(code) ? status[code] : undefined);
        if (faults.has(code) && hasHiddenReason(error)) log.error({ error, ...line }, 'failed');
        else log.info(line, 'call');
      },
    };
  };
}

import type { Socket } from 'node:net';
import { DomainError } from '../../domain/errors.ts';
import { correlationIdFrom } from '../../domain/ids.ts';
import type { Telemetry } from '../../telemetry.ts';
import { correlationHeader } from './correlation.ts';
import { problemContentType, toProblem } from './problem.ts';

const byCode: Record<string, { status: string; detail: string }> = {
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', detail: 'the URL or the headers are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', detail: 'the request did not arrive in time' },
};
const otherwise = { status: '400 Bad Request', detail: 'this is not a valid HTTP request' };

/** Answers what is not even HTTP, where there is no request yet: by hand, on the socket. */
export function refuseMalformed({ log }: Telemetry) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    // Nobody is left to be told after a reset, and half an answer must not be followed by another.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
      socket.destroy();
      return;
    }
    const { status, detail } = byCode[error.code ?? ''] ?? otherwise;
    const correlationId = correlationIdFrom();
    const problem = toProblem(new DomainError('invalid_input', detail), correlationId);
    const body = JSON.stringify({ ...problem, status: Number(status.slice(0, 3)) });
    log.info({ status: Number(status.slice(0, 3)), correlation_id: correlationId }, 'malformed request');
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: ${problemContentType}\r\n` +
        `${correlationHeader}: ${correlationId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}

import { Metadata, ServerInterceptingCall, status, type ServerInterceptor } from '@grpc/grpc-js';
import type { ErrorCode } from '../../domain/errors.ts';

const codes: Partial<Record<status, ErrorCode>> = { [status.RESOURCE_EXHAUSTED]: 'payload_too_large' };

/**
 * Gives `presage-error-code` to a status that grpc-js makes by itself, as for a message that is too large. It ends the
 * call directly and asks no interceptor, so the call itself is told how to send a status.
 */
export const addErrorCodes: ServerInterceptor = (_, call) => {
  const send = call.sendStatus.bind(call);
  call.sendStatus = (sent) => {
    const code = codes[sent.code];
    if (!code || sent.metadata?.get('presage-error-code').length) return send(sent);
    const metadata = sent.metadata?.clone() ?? new Metadata();
    metadata.set('presage-error-code', code);
    return send({ ...sent, metadata });
  };
  return new ServerInterceptingCall(call);
};

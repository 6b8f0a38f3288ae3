import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import type { ServerSettings } from './server-settings.ts';

/**
 * The field of each message in which the later protocol tells its version; the earlier one agrees on one at the start.
 */
const versionKey = 'io.modelcontextprotocol/protocolVersion';
/** JSON-RPC: the server could not do it. */
const internalError = -32_603;

interface Message {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly requestId?: RequestId;
    readonly _meta?: Record<string, unknown>;
  };
  readonly result?: { readonly protocolVersion?: string };
}

/**
 * Hands what a client writes on its pipe to the server's own MCP endpoint, and its answers back: the server keeps no
 * session, so each message is a request of its own. `endpoint`: with whom it is about, such as `/mcp?user_id=u-42`.
 */
export function bridgeToServer(transport: Transport, endpoint: URL, { key }: Pick<ServerSettings, 'key'>): void {
  const underWay = new Map<RequestId, AbortController>();
  let agreedVersion: string | undefined;

  const answer = async (message: JSONRPCMessage): Promise<void> => {
    agreedVersion = (message as Message).result?.protocolVersion ?? agreedVersion;
    await transport.send(message);
  };

  const forward = async (message: JSONRPCMessage): Promise<void> => {
    const { id, method, params } = message as Message;
    if (method === 'notifications/cancelled') return underWay.get(params?.requestId ?? '')?.abort();
    const cancelled = new AbortController();
    if (id !== undefined) underWay.set(id, cancelled);
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { ...headersOf(message as Message, agreedVersion), authorization: `Bearer ${key}` },
        body: JSON.stringify(message),
        redirect: 'manual', // the key is for this server and no other
        signal: cancelled.signal,
      });
      for await (const each of messagesOf(response, id)) await answer(each);
    } catch (error) {
      if (cancelled.signal.aborted || id === undefined) return;
      await transport.send(
        failure(id, `${endpoint.origin} cannot be reached (${reasonOf(error)}): is Presage running?`),
      );
    } finally {
      if (id !== undefined) underWay.delete(id);
    }
  };

  Object.assign(transport, {
    onmessage: (message: JSONRPCMessage) => void forward(message),
    onclose: () => underWay.forEach((each) => each.abort()),
  } satisfies Partial<Transport>);
}

function headersOf({ method, params }: Message, agreedVersion: string | undefined): Record<string, string> {
  const version = params?._meta?.[versionKey];
  const head = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  if (typeof version !== 'string') return agreedVersion ? { ...head, 'mcp-protocol-version': agreedVersion } : head;
  return {
    ...head,
    'mcp-protocol-version': version,
    ...(method ? { 'mcp-method': method } : {}),
    ...(params?.name ? { 'mcp-name': params.name } : {}),
  };
}

/** The messages of an answer, as they come; a refusal of the server as the error of the request that it refuses. */
async function* messagesOf(response: Response, id: RequestId | undefined): AsyncIterable<JSONRPCMessage> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream') && response.body) {
    const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { data } of events) if (data) yield JSON.parse(data) as JSONRPCMessage;
    return;
  }
  const body = bodyOf(await response.text());
  if (body && 'jsonrpc' in body) yield body as unknown as JSONRPCMessage;
  else if (!response.ok && id !== undefined) {
    const message = body?.detail ?? `the server answered ${response.status}`;
    yield failure(
      id,
      response.status === 401 ? `${message} (PRESAGE_KEY of this program is not known to the server)` : message,
    );
  }
}

/** A message, or the problem that every route answers; undefined for what is no JSON. */
function bodyOf(text: string): { readonly detail?: string } | undefined {
  try {
    return JSON.parse(text) as { detail?: string };
  } catch {
    return undefined;
  }
}

const failure = (id: RequestId, message: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: internalError, message },
});

const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message : message;
};

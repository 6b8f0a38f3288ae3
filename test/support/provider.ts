import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What a provider does with a request: answers, never answers, or breaks the connection. */
export type Reply = { status?: number; headers?: Record<string, string>; body: unknown } | 'hangs' | 'breaks';

export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  /** The trace that it was asked in. */
  readonly traceparent?: string | undefined;
  readonly body: any;
}

/** A real server that speaks OpenAI's protocol, and answers as a test wants it to. */
export interface Provider {
  readonly baseUrl: string;
  /** Every request so far. */
  readonly asked: Asked[];
  /** What it answers to `/chat/completions` and `/embeddings`; tests change it at any time. */
  chat: (asked: Asked) => Reply | Promise<Reply>;
  embeddings: (asked: Asked) => Reply | Promise<Reply>;
  /** Nobody listens any more, until `listen`. */
  stop(): Promise<void>;
  listen(): Promise<void>;
}

export async function openProvider(): Promise<Provider & AsyncDisposable> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => void answer(request, response));
  let port = 0;
  const provider = {
    asked,
    get baseUrl() {
      return `http://127.0.0.1:${port}/v1`;
    },
    chat: () => completion({ memories: [] }),
    embeddings: wordVectors(64),
    async listen() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    },
    async stop() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
    [Symbol.asyncDispose]: () => provider.stop(),
  } as Provider & AsyncDisposable;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const bytes of request) text += String(bytes);
    const path = request.url!.replace('/v1/', '');
    const { authorization, traceparent } = request.headers as Partial<Record<string, string>>;
    const one: Asked = { path, authorization, traceparent, body: JSON.parse(text) };
    asked.push(one);
    const reply = await (path === 'embeddings' ? provider.embeddings(one) : provider.chat(one));
    if (reply === 'hangs') return;
    if (reply === 'breaks') return void response.destroy();
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  }
  await provider.listen();
  return provider;
}

/** A completion with this JSON, or these words. */
export const completion = (content: unknown, usage = { prompt_tokens: 100, completion_tokens: 20 }): Reply => ({
  body: {
    choices: [
      { message: { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) } },
    ],
    usage,
  },
});

export const embedding = (vectors: readonly (readonly number[])[], tokens = vectors.length): Reply => ({
  body: {
    data: vectors.map((values, index) => ({ object: 'embedding', index, embedding: values })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  },
});

/** Embeddings that tell texts by their words; those of two seeds have nothing in common. */
export const wordVectors =
  (dimensions: number, seed = 1) =>
  ({ body }: Asked): Reply =>
    embedding((body.input as string[]).map((text) => vectorOf(text, dimensions, seed)));

function vectorOf(text: string, dimensions: number, seed: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  vector[0] = 0.1;
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    let slot = seed;
    for (const letter of word) slot = (slot * 31 + letter.codePointAt(0)!) % 1_000_003;
    vector[slot % dimensions]! += 1;
  }
  return vector;
}

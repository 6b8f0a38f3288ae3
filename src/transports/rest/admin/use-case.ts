import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../../domain/errors.ts';
import { limits } from '../../../domain/limits.ts';

/** JSON writes some characters in six. */
export const useCaseBodyLimit = 6 * limits.useCase.max + 65_536;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body of `text/markdown` is the use-case file by itself: what else a route takes stands in the query. */
export function acceptMarkdown(server: FastifyInstance): void {
  const options = { parseAs: 'buffer', bodyLimit: useCaseBodyLimit } as const;
  server.addContentTypeParser<Buffer>(
    /^text\/(?:x-)?markdown\b/i,
    options,
    async (_request: unknown, bytes: Buffer) => {
      try {
        return { use_case: utf8.decode(bytes) };
      } catch {
        throw new DomainError('invalid_input', 'the use-case file is not UTF-8');
      }
    },
  );
}

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DomainError } from '../../../domain/errors.ts';
import { formatLimit, limits } from '../../../domain/limits.ts';
import { storableText } from '../../../domain/plain-text.ts';

/** A use-case file within a JSON body. Its size is checked where it is used: too large is 413, not 400. */
export const useCaseField = z
  .string()
  .overwrite(storableText)
  .meta({
    description: `The use-case file in Markdown, ${formatLimit(limits.useCase)} or less. Or send it alone, as \`text/markdown\`.`,
  });

/** JSON writes some characters in six. */
export const useCaseBodyLimit = 6 * limits.useCase.most + 65_536;

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

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError, invalid } from '../../domain/errors.ts';

/** Takes what the client sends with a file or a text, in this scope only. */
export function acceptForms(scope: FastifyInstance): void {
  const types = ['application/x-www-form-urlencoded', /^multipart\/form-data/];
  for (const type of types)
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      try {
        const headers = { 'content-type': request.headers['content-type'] ?? '' };
        const parts = [...(await new Response(new Uint8Array(body), { headers }).formData())];
        request.bodyHash = await hashOf(parts);
        return Object.fromEntries(parts);
      } catch {
        throw new DomainError('invalid_input', 'the form cannot be read');
      }
    });
}

/** What the form says, and not how it is divided: a client that repeats it draws another boundary. */
async function hashOf(parts: readonly [name: string, value: string | Blob][]): Promise<string> {
  const hash = createHash('sha256');
  for (const [name, value] of parts) {
    const bytes = typeof value === 'string' ? Buffer.from(value) : new Uint8Array(await value.arrayBuffer());
    const type = typeof value === 'string' ? null : value.type;
    hash.update(JSON.stringify([name, type, bytes.length])).update(bytes);
  }
  return hash.digest('base64');
}

/** The text of a form: of its file, or of its field. Throws `unsupported_media_type` for a file that holds none. */
export async function uploadedText(file: unknown, text: string | undefined): Promise<string> {
  if (file === undefined) {
    if (text?.trim()) return text;
    throw invalid('file', 'is required: a file, or a text');
  }
  if (!(file instanceof Blob)) throw invalid('file', 'must be a file');
  try {
    const read = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (!read.includes('\0')) return read;
  } catch {} // bytes that are no text
  throw new DomainError('unsupported_media_type', 'file: only text is read here; send the text of other files');
}

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { MIMEType } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { DomainError, invalidInputError } from '../../domain/errors.ts';
import { formatLimit } from '../../domain/limits.ts';
import { reserveLargeBody } from '../http/accept-json.ts';
import { smallBodyBytes } from '../http/read-json.ts';
import type { Access } from '../../domain/tenancy/access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a form, too. */
    takesForms?: boolean;
  }
}

/** The library sends seven fields at most. */
const partsAtMost = 32;

/** Takes what the library sends with a file or a text, on the routes that say so. */
export function acceptForms(scope: FastifyInstance): void {
  const types = ['application/x-www-form-urlencoded', /^multipart\/form-data/];
  for (const type of types)
    scope.addContentTypeParser(type, async (request: FastifyRequest, body: FastifyRequest['raw']) => {
      const { config, bodyLimit } = request.routeOptions;
      if (!config.takesForms) throw new DomainError('unsupported_media_type', 'send the body as application/json');
      const mimeType = mimeTypeOf(request.headers['content-type'] ?? '');
      const bytes = await bytesOf(body, bodyLimit, () => reserveLargeBody(request));
      refuseManyParts(bytes, mimeType);
      try {
        const headers = { 'content-type': String(mimeType) };
        const parts = [...(await new Response(bytes, { headers }).formData())];
        request.bodyHash = await hashOf(parts);
        return Object.fromEntries(parts);
      } catch {
        throw new DomainError('invalid_input', 'the form cannot be read');
      }
    });
}

/** The bytes of a body, of which no more is kept than may be. `enter` is awaited before much of it is. */
async function bytesOf(body: Readable, max: number, enter: () => Promise<void>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Without `destroyOnReturn` a refusal would end the connection instead of answering on it.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      const isLarge = length > smallBodyBytes;
      length += chunk.length;
      if (length > max)
        throw new DomainError(
          'payload_too_large',
          `the form must have ${formatLimit({ max, unit: 'bytes', of: '' })} or less`,
        );
      if (!isLarge && length > smallBodyBytes) await enter();
      chunks.push(chunk);
    }
  } catch (error) {
    body.resume(); // what else is sent is passed by, so that its sender comes to read the answer
    if (error instanceof DomainError) throw error;
    throw new DomainError('invalid_input', 'the form did not arrive whole', { cause: error });
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * Looked at before anything is made of the parts: eight megabytes have millions of them. They are told apart as
 * `formData` tells them apart, so that no parameter that only looks like a boundary lets more of them through.
 */
function refuseManyParts(bytes: Uint8Array, { essence, params }: MIMEType): void {
  const mark = essence === 'multipart/form-data' ? `--${params.get('boundary') ?? ''}` : '&';
  const body = Buffer.from(bytes.buffer);
  let parts = 0;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    parts += 1;
    if (parts > partsAtMost) throw new DomainError('invalid_input', `the form has more than ${partsAtMost} fields`);
  }
}

/** Throws `invalid_input` for what is no media type. */
function mimeTypeOf(contentType: string): MIMEType {
  try {
    return new MIMEType(contentType);
  } catch {
    throw new DomainError('invalid_input', 'the media type of the form cannot be read');
  }
}

/** Hashes the contents of a form, and not its boundary: an application that repeats the form draws another one. */
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
export async function uploadedText(
  app: Pick<App, 'readFile'>,
  access: Access,
  file: unknown,
  text: string | undefined,
): Promise<string> {
  if (file === undefined) {
    if (text?.trim()) return text;
    throw invalidInputError('file', 'is required: a file, or a text');
  }
  if (!(file instanceof Blob)) throw invalidInputError('file', 'must be a file');
  return app.readFile(access, new Uint8Array(await file.arrayBuffer()), 'file');
}

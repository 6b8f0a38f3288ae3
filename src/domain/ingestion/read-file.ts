import { fieldError, invalidInputError, type DomainError } from '../errors.ts';
import { formatLimit, limits } from '../limits.ts';
import type { Submission } from './ingestion.ts';

/** Why no text could be read from a file. */
export type FileRefusal =
  | 'damaged'
  | 'encrypted'
  | 'no-text'
  | 'too-costly'
  | 'too-long'
  | 'too-many-pages'
  | 'unknown';

/** The text of a file, or why it could not be read. */
export type FileReadResult = { readonly text: string } | { readonly refusal: FileRefusal };

/** Reads the text of PDF, DOCX and text files, within limits of time, memory and length. */
export interface FileReader {
  read(bytes: Uint8Array): Promise<FileReadResult>;
}

/** A document that is sent as a file. */
export interface FileDocument {
  readonly file: Uint8Array;
}
/** A document as a caller sends it, perhaps as a file. */
export interface FileSubmission extends Omit<Submission, 'document'> {
  readonly document: Submission['document'] | FileDocument;
}

/** The submission with the text of its file. Throws what `readFile` throws. */
export async function readSubmittedFile(files: FileReader, submission: FileSubmission): Promise<Submission> {
  const { document } = submission;
  return isFile(document)
    ? { ...submission, document: await readFile(files, document.file, 'document.file') }
    : { ...submission, document };
}

const isFile = (document: FileSubmission['document']): document is FileDocument =>
  typeof document === 'object' && 'file' in document;

/**
 * The text of a file; `field` is where the caller gave it. Throws `unsupported_media_type` for what is no PDF, DOCX or
 * text, `payload_too_large` for what is too long, and `invalid_input` for what cannot be read.
 */
export async function readFile(files: FileReader, bytes: Uint8Array, field: string): Promise<string> {
  if (!bytes.length) throw invalidInputError(field, 'must not be empty');
  if (bytes.length > limits.file.max)
    throw fieldError('payload_too_large', field, `must be ${formatLimit(limits.file)} or less`);
  const reading = await files.read(bytes);
  if ('text' in reading) return reading.text;
  const { code, message } = refusals[reading.refusal];
  throw fieldError(code, field, message);
}

const refusals: Readonly<Record<FileRefusal, Pick<DomainError, 'code' | 'message'>>> = {
  damaged: { code: 'invalid_input', message: 'is damaged: it cannot be read' },
  encrypted: { code: 'invalid_input', message: 'is encrypted: send it without a password' },
  'no-text': { code: 'invalid_input', message: 'holds no text: pages that are pictures of text are not read' },
  'too-costly': { code: 'invalid_input', message: 'takes too long to read: send it in parts, or send its text' },
  'too-long': { code: 'payload_too_large', message: `must hold ${formatLimit(limits.document)} of text or less` },
  'too-many-pages': {
    code: 'payload_too_large',
    message: `must have ${limits.filePages.max.toLocaleString('en')} pages or less`,
  },
  unknown: {
    code: 'unsupported_media_type',
    message: 'must be a PDF, a DOCX or a text in UTF-8: images, recordings and other files are not read',
  },
};

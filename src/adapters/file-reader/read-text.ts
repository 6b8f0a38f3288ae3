import type { FileReadResult } from '../../domain/ingestion/read-file.ts';

/** The text of a file that is nothing but text. */
export function decodeText(bytes: Uint8Array): FileReadResult {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text.trim() ? { text } : { refusal: 'no-text' };
  } catch {} // bytes that are no text
  return { refusal: 'unknown' };
}

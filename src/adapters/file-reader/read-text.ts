import type { FileReadResult } from '../../domain/ingestion/read-file.ts';
import { limits } from '../../domain/limits.ts';

/** The text of a file that is nothing but text. */
export function decodeText(bytes: Uint8Array): FileReadResult {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return { refusal: 'unknown' };
    if (bytes.length > limits.document.max) return { refusal: 'too-long' };
    return text.trim() ? { text } : { refusal: 'no-text' };
  } catch {
    return { refusal: 'unknown' }; // bytes that are no text
  }
}

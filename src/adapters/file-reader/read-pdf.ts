import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { FileReadResult } from '../../domain/ingestion/read-file.ts';
import { limits } from '../../domain/limits.ts';
import { TextBuilder, TooLongError } from './text-builder.ts';

/** The text of a PDF, page by page, as its pages are to be read. */
export async function readPdf(bytes: Uint8Array): Promise<FileReadResult> {
  await getResolvedPDFJS(); // that the parser cannot be loaded is no fault of the file
  try {
    const pdf = await getDocumentProxy(bytes, { verbosity: 0, maxImageSize: 0, useSystemFonts: false });
    if (pdf.numPages > limits.filePages.max) return { refusal: 'too-many-pages' };
    const text = new TextBuilder();
    for (let n = 1; n <= pdf.numPages; n += 1) {
      const page = await pdf.getPage(n);
      const { items } = await page.getTextContent();
      for (const item of items) if ('str' in item) text.add(item.hasEOL ? `${item.str}\n` : item.str);
      text.add('\n\n');
      page.cleanup();
    }
    const read = unwrapped(text.end());
    return read ? { text: read } : { refusal: 'no-text' };
  } catch (error) {
    return { refusal: refusalOf(error) };
  }
}

function refusalOf(error: unknown) {
  if (error instanceof TooLongError) return 'too-long';
  const { name, message } = error as Error;
  if (name === 'PasswordException') return 'encrypted';
  return `${name} ${message}`.includes('TooCostlyError') || message.includes('too much memory')
    ? 'too-costly'
    : 'damaged';
}

/** A line that is as long as its column goes on in the next one; a word that is cut at its end is put together. */
const unwrapped = (text: string): string =>
  text
    .replaceAll(/(?<=\p{Ll})-\n(?=\p{Ll})/gu, '')
    .replaceAll(/(?<=[^\n]{40}[^\n.!?:;])\n(?=[^\n])/gu, ' ')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();

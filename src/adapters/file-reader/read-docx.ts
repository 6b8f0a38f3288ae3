import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import type { FileReadResult } from '../../domain/ingestion/read-file.ts';
import { TooCostlyError } from './limit-buffer-memory.ts';
import { isCompoundFile } from './media-type.ts';
import { TextBuilder, TooLongError } from './text-builder.ts';

/** More parts than a DOCX of people has, more bytes than the markup of a text has that may be sent, and deeper markup. */
const max = { parts: 5_000, bytes: 32 << 20, depth: 200 } as const;

/** The text of a DOCX: its paragraphs with headings and list items marked as in Markdown, and its tables row by row. */
export async function readDocx(bytes: Uint8Array): Promise<FileReadResult> {
  if (isCompoundFile(bytes)) return { refusal: hasText(bytes, 'EncryptedPackage') ? 'encrypted' : 'unknown' };
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
      lazyEntries: true,
    });
    const part = await findDocument(zip);
    if (!part) return { refusal: 'unknown' };
    if (part.isEncrypted()) return { refusal: 'encrypted' };
    const text = await textOf(await zip.openReadStreamPromise(part));
    return text ? { text } : { refusal: 'no-text' };
  } catch (error) {
    if (error instanceof TooLongError) return { refusal: 'too-long' };
    return { refusal: error instanceof TooCostlyError ? 'too-costly' : 'damaged' };
  }
}

/** The names of a compound file are in UTF-16. */
const hasText = (bytes: Uint8Array, text: string): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(Buffer.from(text, 'utf16le'));

async function findDocument(zip: ZipFile): Promise<Entry | null> {
  if (zip.entryCount > max.parts) throw new TooCostlyError();
  for await (const entry of zip.eachEntry()) if (/^word\/document\d*\.xml$/u.test(entry.fileName)) return entry;
  return null;
}

/** Read while it unpacks, so that what is too much was never held. */
async function textOf(part: Readable): Promise<string> {
  const reader = new DocumentReader();
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  for await (const chunk of part as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > max.bytes) throw new TooCostlyError();
    reader.write(utf8.decode(chunk, { stream: true }));
  }
  return reader.end();
}

/** Turns the markup of a Word document into text, as far as it was read. */
class DocumentReader {
  readonly #parser = new SaxesParser();
  readonly #text = new TextBuilder();
  #depth = 0;
  /** The depth of open elements that are not read: a picture has its text twice, once for old versions of Word. */
  #skipped = 0;
  #cells = 0;
  #isText = false;
  #paragraph = { mark: '', hasText: false };

  constructor() {
    this.#parser.on('opentag', ({ name, attributes }) => this.#open(localName(name), attributes));
    this.#parser.on('closetag', ({ name }) => this.#close(localName(name)));
    this.#parser.on('text', (text) => this.#isText && this.#add(text));
  }

  write(markup: string): void {
    this.#parser.write(markup);
  }

  end(): string {
    this.#parser.close();
    return this.#text
      .end()
      .replaceAll(/(?<![ \t])[ \t]+$/gmu, '')
      .replaceAll(/\n{3,}/gu, '\n\n')
      .trim();
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth > max.depth) throw new TooCostlyError();
    if (name === 'Fallback') this.#skipped += 1;
    if (this.#skipped) return;
    if (name === 'p') this.#paragraph = { mark: '', hasText: false };
    else if (name === 'pStyle') this.#paragraph.mark = headingMark(attributes['w:val']) || this.#paragraph.mark;
    else if (name === 'numPr') this.#paragraph.mark ||= '- ';
    else if (name === 'tc') this.#cells += 1;
    else if (name === 't') this.#isText = true;
    else if (name === 'tab') this.#add('\t');
    else if (name === 'br' || name === 'cr') this.#add('\n');
  }

  #close(name: string): void {
    this.#depth -= 1;
    if (name === 'Fallback') this.#skipped -= 1;
    if (this.#skipped) return;
    if (name === 't') this.#isText = false;
    else if (name === 'tc') {
      this.#cells -= 1;
      this.#text.add('\t');
    } else if (name === 'tr') this.#text.add('\n');
    else if (name === 'p') this.#text.add(this.#cells ? ' ' : this.#paragraph.mark === '- ' ? '\n' : '\n\n');
  }

  #add(text: string): void {
    if (this.#skipped || !text) return;
    if (!this.#paragraph.hasText && text.trim()) {
      this.#text.add(this.#paragraph.mark);
      this.#paragraph.hasText = true;
    }
    this.#text.add(text);
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The styles of headings are called so in every language of Word. */
function headingMark(style: string | undefined): string {
  const level = /^Heading([1-6])$/iu.exec(style ?? '')?.[1];
  return level ? `${'#'.repeat(Number(level))} ` : '';
}

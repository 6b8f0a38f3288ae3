/** The first bytes of a file tell its type; what its sender calls it may be wrong. */
const begins = (bytes: Uint8Array, mark: readonly number[]): boolean => mark.every((byte, n) => bytes[n] === byte);

/** Readers of PDF take its mark anywhere in the first kilobyte. */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-');

const zip = [0x50, 0x4b, 0x03, 0x04];
/** An encrypted DOCX is no ZIP but a compound file, as old documents of Word are. */
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** A DOCX is a ZIP archive, or a compound file when encrypted. Only opening it shows whether it has a document. */
export const isDocx = (bytes: Uint8Array): boolean => begins(bytes, zip) || isCompoundFile(bytes);

export const isCompoundFile = (bytes: Uint8Array): boolean => begins(bytes, compoundFile);

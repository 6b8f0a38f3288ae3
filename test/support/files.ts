import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** A PDF of these objects, the first of which is its catalogue. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const at: number[] = [];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [n, object] of objects.entries()) {
    at.push(length());
    parts.push(Buffer.from(`${n + 1} 0 obj\n`), Buffer.from(object as Buffer), Buffer.from('\nendobj\n'));
  }
  const places = at.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places}trailer\n<< /Size ${size} /Root 1 0 R ${trailer}>>\n`;
  return Buffer.concat([...parts, Buffer.from(`${table}startxref\n${length()}\n%%EOF\n`)]);
}

/** A PDF whose pages all draw this. */
export function pdfThatDraws(content: string | Buffer, { pages = 1, trailer = '' } = {}): Buffer {
  const packed = deflateSync(content, { level: 9 });
  const head = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${Array(pages).fill('3 0 R').join(' ')}] /Count ${pages} >>`,
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')]),
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ],
    trailer,
  );
}

/** A PDF with these lines on each of its pages. */
export const pdfWithLines = (lines: readonly string[], pages = 1): Buffer =>
  pdfThatDraws(`BT /F1 12 Tf 72 720 Td ${lines.map((line) => `(${line}) Tj 0 -14 Td`).join(' ')} ET`, { pages });

/** A ZIP of these parts; `flags`: as the format has them, bit 0 for an encrypted part. */
export function zipOf(files: Readonly<Record<string, string | Buffer>>, flags = 0): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as Buffer);
    const packed = deflateRawSync(bytes, { level: 9 });
    const told = Buffer.alloc(26);
    told.writeUInt16LE(20, 0);
    told.writeUInt16LE(flags, 2);
    told.writeUInt16LE(8, 4);
    told.writeUInt32LE(crc32(bytes), 10);
    told.writeUInt32LE(packed.length, 14);
    told.writeUInt32LE(bytes.length, 18);
    told.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14); // comment, disk and attributes: none; then where the part begins
    place.writeUInt32LE(at, 10);
    entries.push(Buffer.from('PK\x01\x02\x14\0'), told, place, Buffer.from(name));
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), told, Buffer.from(name), packed]);
    bodies.push(body);
    at += body.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...bodies, directory, end]);
}

/** A DOCX with this markup as its body. */
export const docxOf = (body: string, flags = 0): Buffer =>
  zipOf(
    {
      '[Content_Types].xml': '<?xml version="1.0"?><Types/>',
      'word/document.xml':
        '<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">' +
        `<w:body>${body}</w:body></w:document>`,
    },
    flags,
  );

/** A paragraph of a DOCX. */
export const paragraph = (text: string, style = ''): string =>
  `<w:p>${style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : ''}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

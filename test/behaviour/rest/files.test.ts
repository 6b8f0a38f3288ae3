import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { docxOf, paragraph, pdfOf, pdfThatDraws, pdfWithLines, zipOf } from '../../support/files.ts';
import { openServer, type Agent } from './open-server.ts';

const server = openServer();
const withinMs = 60_000;

const submit = (agent: Agent, file: Buffer, more: object = {}) =>
  agent.send('POST', '/v1/memories', {
    body: { document: { file: file.toString('base64') }, document_type: 'document', user_id: 'ada', wait: 30, ...more },
  });

async function recalls(agent: Agent, question: string): Promise<string[]> {
  const body = { search_query: question, user_id: 'ada', mode: 'accurate' };
  const fetched = await agent.send('POST', '/v1/context/fetch', { body });
  return fetched.json<{ memories: { content: string }[] }>().memories.map(({ content }) => content);
}

test('the text of a PDF is remembered, its lines put together again', { timeout: withinMs }, async () => {
  const agent = await server.agent();
  const lines = [
    'Priya keeps her passport in the green drawer of the exam-',
    'ination room. It expires in March 2031.',
  ];
  const answer = await submit(agent, pdfWithLines(lines), { metadata: { origin: 'scan' } });
  expect(answer.json()).toMatchObject({ status: 'completed' });
  expect((await recalls(agent, 'Where is the passport?'))[0]).toContain('green drawer of the examination room');
});

test('the text of a DOCX is remembered: headings, lists and tables among it', { timeout: withinMs }, async () => {
  const agent = await server.agent();
  const row = (...cells: string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`;
  const body = [
    paragraph('Allergies', 'Heading2'),
    paragraph('Priya is allergic to walnuts &amp; kiwi.'),
    `<w:tbl>${row('Blood group', 'AB negative')}</w:tbl>`,
    '<mc:AlternateContent><mc:Fallback>' + paragraph('never read') + '</mc:Fallback></mc:AlternateContent>',
  ].join('');
  const answer = await submit(agent, docxOf(body));
  expect(answer.json()).toMatchObject({ status: 'completed' });
  expect((await recalls(agent, 'What is Priya allergic to?')).join('\n')).toContain('allergic to walnuts & kiwi');
  expect((await recalls(agent, 'Which blood group?')).join('\n')).toMatch(/Blood group\s+AB negative/);
  expect((await recalls(agent, 'never read')).join('\n')).not.toContain('never read');
});

test('a file of text is a text', { timeout: withinMs }, async () => {
  const agent = await server.agent();
  await submit(agent, Buffer.from('Priya lives in Setúbal.'));
  expect(await recalls(agent, 'Where does Priya live?')).toContain('Priya lives in Setúbal.');
});

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
const mp3 = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, 0, 0xff, 0xfb]);
const compound = (name: string) =>
  Buffer.concat([
    Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    Buffer.alloc(504),
    Buffer.from(name, 'utf16le'),
  ]);
const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<41> <41>] `;

test.each([
  { case: 'a picture', file: png, status: 415, says: 'images' },
  { case: 'a recording', file: mp3, status: 415, says: 'recordings' },
  { case: 'an archive that is no document', file: zipOf({ 'a.txt': 'a' }), status: 415, says: 'DOCX' },
  { case: 'a document of old Word', file: compound('WordDocument'), status: 415, says: 'DOCX' },
  { case: 'an encrypted DOCX', file: compound('EncryptedPackage'), status: 400, says: 'encrypted' },
  { case: 'a DOCX of encrypted parts', file: docxOf('', 1), status: 400, says: 'encrypted' },
  { case: 'an encrypted PDF', file: pdfThatDraws('', { trailer: encryption }), status: 400, says: 'encrypted' },
  { case: 'a PDF without text', file: pdfThatDraws('0 0 m 9 9 l S'), status: 400, says: 'no text' },
  { case: 'a DOCX without text', file: docxOf(paragraph(' ')), status: 400, says: 'no text' },
  { case: 'a PDF that breaks off', file: Buffer.from('%PDF-1.7\n1 0 obj'), status: 400, says: 'damaged' },
  { case: 'a DOCX that breaks off', file: docxOf('<w:p>').subarray(0, 90), status: 400, says: 'damaged' },
  { case: 'a DOCX whose markup is wrong', file: docxOf('<w:p></w:q>'), status: 400, says: 'damaged' },
  { case: 'a DOCX that defines entities', file: docxOf('<w:p><w:t>&lol;</w:t></w:p>'), status: 400, says: 'damaged' },
])('$case is refused by its field: $says', { timeout: withinMs }, async ({ file, status, says }) => {
  const refused = await submit(await server.agent(), file);
  expect(refused.json()).toMatchObject({
    status,
    errors: [{ field: 'document.file', message: expect.stringContaining(says) }],
  });
});

const hello = 'BT /F1 12 Tf 72 720 Td (hello) Tj ET\n';

// Each is small as it is sent, and asks for more time or memory than its reader has.
test.each([
  { case: 'a PDF of too many pages', make: () => pdfThatDraws(hello, { pages: 2_000 }), status: 413, says: '1,000' },
  { case: 'a PDF whose pages unpack to a gigabyte', make: () => pdfThatDraws(Buffer.alloc(1 << 30, 32)), status: 400 },
  { case: 'a PDF that draws without end', make: () => pdfThatDraws(hello.repeat(3_000_000)), status: 400 },
  { case: 'a PDF of too much text', make: () => pdfThatDraws(hello.repeat(250_000)), status: 413, says: '1 MiB' },
  { case: 'a PDF that is its own page', make: () => pdfOf(['<< /Pages 1 0 R /Kids [1 0 R] >>']), status: 400 },
  { case: 'a PDF of nested lists', make: () => pdfThatDraws('['.repeat(5_000_000)), status: 400 },
  { case: 'a DOCX that unpacks to 200 MiB', make: () => docxOf(' '.repeat(200 << 20)), status: 400, says: 'too long' },
  { case: 'a DOCX of nested elements', make: () => docxOf('<w:p>'.repeat(1_000_000)), status: 400, says: 'too long' },
  { case: 'a DOCX of too much text', make: () => docxOf(paragraph('a'.repeat(2 << 20))), status: 413, says: '1 MiB' },
  { case: 'a text of too much', make: () => Buffer.alloc((1 << 20) + 1, 97), status: 413, says: '1 MiB' },
  { case: 'a file that is too large', make: () => Buffer.alloc((5 << 20) + 1, 97), status: 413, says: '5 MiB' },
])('$case ends in an error, while others are served', { timeout: withinMs }, async ({ make, status, says = '' }) => {
  const [agent, other] = [await server.agent(), await server.agent()];
  const served = new AbortController();
  const refusing = submit(agent, make()).finally(() => served.abort());
  let longestMs = 0;
  do {
    await setTimeout(100); // slower than its rate
    const startedAt = performance.now();
    expect((await other.send('GET', '/v1/memories?user_id=ada')).status).toBe(200);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  } while (!served.signal.aborted);
  const refused = (await refusing).json<{ status: number; detail: string }>();
  expect(refused).toMatchObject({ status, detail: expect.stringContaining(says) });
  expect(longestMs).toBeLessThan(5_000);
});

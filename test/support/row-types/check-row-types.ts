import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { types } from 'pg';
import { root, type SentStatement } from './record-statements.ts';

/** A `$queryRaw<Row[]>` in `src`, which claims that its rows are of that type; `unknown[]` claims nothing. */
export interface Claim {
  readonly file: string;
  /** Where `Row[]` begins and ends in the file. */
  readonly type: readonly [number, number];
  /** The lines on which it does. */
  readonly lines: readonly [number, number];
}

/** Every claim about rows that `src` makes. */
export function rowClaims(): Claim[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.startsWith('generated'))
    .map((path) => join('src', path));
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const lineOf = (at: number) => source.slice(0, at).split('\n').length;
    return [...source.matchAll(/[$]queryRaw<(?!unknown)/g)].map(({ index }): Claim => {
      const type = [source.indexOf('<', index) + 1, endOfType(source, index)] as const;
      return { file, type, lines: [lineOf(index), lineOf(type[1])] };
    });
  });
}

export const isOf = (claim: Claim, { file, line }: SentStatement) =>
  file === claim.file && line >= claim.lines[0] && line <= claim.lines[1];

/** Where the `>` stands that ends the type argument of the call at `start`. */
function endOfType(source: string, start: number): number {
  for (let at = start, depth = 0; ; at++) {
    if (source[at] === '<') depth++;
    if (source[at] === '>' && --depth === 0) return at;
  }
}

/**
 * What the compiler says of each claim when it is told the columns that the database answered with. It compiles a copy
 * of `src` in which `$queryRaw<Row[]>` has become `$queryRaw<RowsOf<{ id: string }, Row>>`.
 */
export async function wrongRowTypes(sent: readonly SentStatement[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'presage-row-types-'));
  try {
    cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true });
    for (const name of ['node_modules', 'package.json']) symlinkSync(join(root, name), join(folder, name));
    writeFileSync(join(folder, 'src/row-types.ts'), rowsOf);
    const options = { rootDir: 'src', noEmit: true, composite: false, sourceMap: false };
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions: options, include: ['src'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const claims = rowClaims();
    for (const file of new Set(claims.map((claim) => claim.file))) {
      const ofFile = claims.filter((claim) => claim.file === file);
      writeFileSync(join(folder, file), withColumns(file, ofFile, sent));
    }
    return await compile(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every declared column has to be there, and to be of a type that the driver makes of it; each may be null. */
const rowsOf = `
export {};
declare global {
  type RowsOf<
    Columns,
    Row extends { readonly [K in keyof Row]: K extends keyof Columns ? Columns[K] | null | undefined : 'no such column' },
  > = Row[];
}
// @ts-expect-error: the column is of another type
export type OfAnotherType = RowsOf<{ count: bigint }, { count: number }>;
// @ts-expect-error: there is no such column
export type OfNoColumn = RowsOf<{ owner_no: number }, { ownerNo: number }>;`;

function withColumns(file: string, claims: readonly Claim[], sent: readonly SentStatement[]): string {
  let source = readFileSync(join(root, file), 'utf8');
  for (const claim of claims.toReversed()) {
    const { type } = claim;
    const answers = sent.filter((statement) => isOf(claim, statement));
    const claimed = source.slice(...type);
    const checked = answers.reduce((rows, { columns }) => `RowsOf<${shapeOf(columns)}, (${rows})[number]>`, claimed);
    source = source.slice(0, type[0]) + checked + source.slice(type[1]);
  }
  return source;
}

const shapeOf = (columns: SentStatement['columns']) =>
  `{ ${Object.entries(columns)
    .map(([name, oid]) => `${JSON.stringify(name)}: ${typeOf(oid)}`)
    .join('; ')} }`;

const { BOOL, BYTEA, DATE, FLOAT4, FLOAT8, INT2, INT4, INT8, JSONB, TEXT, TIMESTAMPTZ, UUID } = types.builtins;
/** The driver has no names for these. */
const [name, bools, byteas, ints, texts] = [19, 1000, 1001, 1007, 1009];
const [bigints, float4s, float8s, uuids] = [1016, 1021, 1022, 2951];

/** What the driver makes of the types of Postgres, as `src/db/direct-statements.ts` has it parse them. */
const made: [string, number[]][] = [
  ['boolean', [BOOL]],
  ['number', [INT2, INT4, FLOAT4, FLOAT8]],
  ['bigint', [INT8]],
  ['string', [TEXT, UUID, name]],
  ['Date', [DATE, TIMESTAMPTZ]],
  ['Uint8Array', [BYTEA]],
  ['any', [JSONB]],
  ['readonly (boolean | null)[]', [bools]],
  ['readonly (number | null)[]', [ints, float4s, float8s]],
  ['readonly (bigint | null)[]', [bigints]],
  ['readonly (string | null)[]', [texts, uuids]],
  ['readonly (Uint8Array | null)[]', [byteas]],
];
const madeOf = new Map(made.flatMap(([type, oids]) => oids.map((oid) => [oid, type])));

function typeOf(oid: number): string {
  const type = madeOf.get(oid);
  if (!type) throw new Error(`nobody said what the driver makes of the type ${oid} of Postgres`);
  return type;
}

async function compile(folder: string): Promise<string[]> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder });
  const printed = await run.then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  return printed.split(/\n(?=\S)/).filter(Boolean);
}

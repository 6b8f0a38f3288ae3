import { chunksOf } from './chunks-of.ts';

/** A statement takes 32,766 values, and Prisma divides a longer list only where it is alone and in no order. */
const mostValues = 10_000;

/** Runs a query for a list of any length, in parts. The rows keep the query's order within each part. */
export async function inParts<Value, Row>(
  values: readonly Value[],
  query: (part: Value[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: (readonly Row[])[] = [];
  for (const part of chunksOf(values, mostValues)) found.push(await query(part));
  return found.flat();
}

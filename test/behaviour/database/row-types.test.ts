import { expect, test } from 'vitest';
import { useEveryStatement } from '../../support/row-types/every-statement.ts';
import { openDoors } from '../../support/open-doors.ts';
import { isOnPostgres } from '../../support/place-database.ts';
import { isOf, rowClaims, wrongRowTypes } from '../../support/row-types/check-row-types.ts';
import { sentDuring } from '../../support/row-types/record-statements.ts';

const doors = openDoors();

/** With pgvector vectors are compared by the database, without it by the process: one of the two has no table here. */
const notHere = isOnPostgres() ? 'compare-in-database.ts' : 'compare-in-process.ts';

test(
  'rows of statements that are sent past Prisma are of the types that the code claims',
  { timeout: 300_000 },
  async () => {
    const sent = await sentDuring(() => useEveryStatement(doors));
    const claims = rowClaims().filter(({ file }) => !file.endsWith(notHere));
    expect(claims.length).toBeGreaterThan(100);
    const unsent = claims.filter((claim) => !sent.some((each) => isOf(claim, each)));
    const places = unsent.map(({ file, lines }) => `${file}:${lines[0]} was not sent: call it in every-statement.ts`);
    expect(places).toEqual([]);
    expect(await wrongRowTypes(sent)).toEqual([]);
  },
);

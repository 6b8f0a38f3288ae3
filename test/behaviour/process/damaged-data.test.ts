import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/db/database.ts';
import { isOnPostgres } from '../../support/place-database.ts';
import { migratedPlace, startInVain, startService, type Place } from '../../support/service-process.ts';
import { canMount } from '../../support/small-disk.ts';
import { emptyFolder } from '../../support/world.ts';

const folder = emptyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const newPlace = (): Promise<Place> => migratedPlace(emptyFolder(folder));

/** One line that names the folder and ends with advice, and nothing that only a programmer reads. */
const oneLine = (words: string) => new RegExp(`^presage: .*${words}.*\\n$`);

describe.skipIf(isOnPostgres())('data that cannot be used are refused, with which, why and what to do', () => {
  const walOf = (postgres: string) =>
    readdirSync(join(postgres, 'pg_wal'))
      .filter((name) => name.startsWith('0'))
      .map((name) => join(postgres, 'pg_wal', name));
  const cutOffLog = (postgres: string) => walOf(postgres).forEach((path) => truncateSync(path, 1_000));
  const toldOf = (postgres: string, said: string) =>
    `${postgres} cannot be opened: .*${said}.* put back a copy .* or set PRESAGE_DATA_DIR`;

  test('a start on them ends', async () => {
    const place = await newPlace();
    const postgres = join(place.folder, 'data', 'postgres');
    cutOffLog(postgres);
    const told = oneLine(toldOf(postgres, 'could not locate a valid checkpoint record'));
    expect(await startInVain(place)).toEqual({ code: 1, said: expect.stringMatching(told) });
  });

  test.each<{ case: string; harm: (postgres: string) => void; said: string }>([
    {
      case: 'of another version',
      harm: (postgres) => writeFileSync(join(postgres, 'PG_VERSION'), '9\n'),
      said: 'database files are incompatible with server',
    },
    {
      case: 'without its control file',
      harm: (postgres) => rmSync(join(postgres, 'global', 'pg_control')),
      said: 'global/pg_control',
    },
    {
      case: 'with a log that was cut off',
      harm: cutOffLog,
      said: 'could not locate a valid checkpoint record',
    },
    {
      case: 'with tables that were cut off',
      harm(postgres) {
        const tables = join(postgres, 'base', '5');
        for (const name of readdirSync(tables).filter((each) => /^\d+$/.test(each)))
          truncateSync(join(tables, name), 0);
      },
      said: 'could not open',
    },
    {
      case: 'that is no database',
      harm(postgres) {
        rmSync(postgres, { recursive: true });
        mkdirSync(postgres);
        writeFileSync(join(postgres, 'holiday.txt'), 'Hydra');
      },
      said: 'it holds files, and no database',
    },
    {
      case: 'that is a file',
      harm(postgres) {
        rmSync(postgres, { recursive: true });
        writeFileSync(postgres, 'Hydra');
      },
      said: 'it is a file, and no folder',
    },
  ])('$case', async ({ harm, said }) => {
    const { folder: own } = await newPlace();
    const postgres = join(own, 'data', 'postgres');
    harm(postgres);
    await expect(openDatabase({ dataFolder: postgres })).rejects.toThrow(
      new RegExp(`^[^\\n]*${toldOf(postgres, said)}[^\\n]*$`),
    );
  });

  test('in a place that is a file', async () => {
    const place = await newPlace();
    rmSync(join(place.folder, 'data'), { recursive: true });
    writeFileSync(join(place.folder, 'data'), 'Hydra');
    const { code, said } = await startInVain(place);
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(oneLine('PRESAGE_DATA_DIR')) });
  });

  test.runIf(canMount)('on a disk that can only be read', async () => {
    const place = await newPlace();
    const data = join(place.folder, 'data');
    const within = (command: readonly string[]): [string, ...string[]] => {
      const readOnly = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$1" && shift && exec "$@"';
      return ['unshare', '--mount', 'sh', '-c', readOnly, data, process.cwd(), ...command];
    };
    const { code, said } = await startInVain({ ...place, within });
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(oneLine(`${data} cannot be written`)) });
  });
});

describe.skipIf(isOnPostgres())('the master key of a data folder', () => {
  let place: Place;
  let path: string;
  beforeAll(async () => {
    place = await newPlace();
    await (await startService(place)).stop();
    const config = join(place.folder, 'config', 'presage');
    path = join(config, readdirSync(config)[0]!, 'master.key');
  });

  test('that was cut off is told with its file', async () => {
    truncateSync(path, 10);
    const { code, said } = await startInVain(place);
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringMatching(oneLine(`the master key file ${path} cannot be used: .*32 bytes`)),
    });
  });

  test('that is gone is not replaced: the start ends and names its file', async () => {
    rmSync(path);
    const { code, said } = await startInVain(place);
    expect({ code, said }).toEqual({
      code: 1,
      said: expect.stringMatching(oneLine(`the file ${path} that should hold it is not there: .*put its file back`)),
    });
    expect(existsSync(path)).toBe(false);
  });

  test('whose file is named and not there is told with it', async () => {
    const nowhere = join(folder, 'nowhere.key');
    const { code, said } = await startInVain({ ...(await newPlace()), variables: { MASTER_KEY_FILE: nowhere } });
    expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(oneLine(`${nowhere} cannot be read`)) });
  });
});

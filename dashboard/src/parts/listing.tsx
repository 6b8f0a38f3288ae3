import { useState, type ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { text } from '../text.ts';
import { Button, Failed, Loading } from './parts.tsx';
import type { List, More as LoadMore } from './use-list.ts';

export function More({ more }: { more: LoadMore | undefined }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CombinedError>();
  if (!more) return null;
  const load = async () => {
    setBusy(true);
    setError(await more());
    setBusy(false);
  };
  return (
    <div className="stack">
      {error && <Failed error={error} />}
      <div>
        <Button disabled={isBusy} onClick={() => void load()}>
          {isBusy ? `${text.common.loading}…` : text.common.more}
        </Button>
      </div>
    </div>
  );
}

export interface Column<Row> {
  readonly name: string;
  readonly isWide?: boolean;
  readonly isNumber?: boolean;
  readonly show: (row: Row) => ReactNode;
}

/** Rows under named columns; on a narrow screen it scrolls by itself and not with the page. */
export function Table<Row>({
  label,
  columns,
  rows,
  idOf,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
}) {
  return (
    <div className="table-wrap" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name || <span className="hidden">{text.common.apply}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
              {columns.map(({ name, isWide, isNumber, show }) => (
                <td key={name} className={isWide ? 'grow' : isNumber ? 'tight number' : 'tight'}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A list as a table with what stands in its place while it loads, when it failed and when there is nothing in it. */
export function Listing<Row>({
  list,
  empty,
  ...table
}: {
  list: List<Row>;
  empty: ReactNode;
  label: string;
  columns: readonly Column<Row>[];
  idOf: (row: Row) => string;
}) {
  if (list.error) return <Failed error={list.error} />;
  if (list.isLoading) return <Loading />;
  if (!list.nodes.length) return empty;
  return (
    <>
      <Table rows={list.nodes} {...table} />
      <More more={list.more} />
    </>
  );
}

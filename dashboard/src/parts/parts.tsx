import { useEffect, useId, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { Link } from 'wouter';
import { messageOf } from '../api/outcome.ts';
import { text } from '../text.ts';
import { formatDateTime, formatDistance, inWords } from './format.ts';

/** A page with its heading, which names the window too. */
export function Page({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${text.product}`;
  }, [title]);
  return (
    <div className="page">
      <div className="page-head">
        <h1>{title}</h1>
        {actions && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export function Button({
  kind,
  ...rest
}: { kind?: 'primary' | 'danger' | 'quiet' } & Omit<ComponentProps<'button'>, 'className'>) {
  return <button type="button" className="button fades" data-kind={kind} {...rest} />;
}

export type Tone = 'accent' | 'good' | 'warn' | 'bad';

export function Badge({ tone, children }: { tone?: Tone | undefined; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

const toneOf: Readonly<Record<string, Tone>> = {
  ACTIVE: 'good',
  COMPLETED: 'good',
  APPROVED: 'accent',
  PENDING_REVIEW: 'warn',
  FAILED: 'bad',
  REJECTED: 'bad',
  SUSPENDED: 'warn',
};

/** The state of something, in words and in colour. */
export function State({ of }: { of: string }) {
  return <Badge tone={toneOf[of]}>{inWords(of)}</Badge>;
}

export function Notice({ tone, children }: { tone?: Tone | undefined; children: ReactNode }) {
  return (
    <div className="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

export const Failed = ({ error }: { error: CombinedError }) => <Notice tone="bad">{messageOf(error)}</Notice>;

export const Loading = () => (
  <p className="muted" role="status">
    {text.common.loading}…
  </p>
);

/** A time as how long ago it is; the time itself on hover. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="muted">{text.common.never}</span>;
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatDistance(at)}
    </time>
  );
}

/** What is not there yet, what would bring it, and a command that does. */
export function Empty({ title, help, children }: { title: string; help?: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {help && <p>{help}</p>}
      {children}
    </div>
  );
}

/** A text to copy: a command, or a secret that is shown once. */
export function Copyable({ value, label }: { value: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await navigator.clipboard.writeText(value);
    setCopied(true);
  }
  return (
    <div className="command">
      <pre tabIndex={0} aria-label={label}>
        {value}
      </pre>
      <Button onClick={() => void copy()}>{isCopied ? text.common.copied : text.common.copy}</Button>
    </div>
  );
}

/** The command that makes the first memories of an instance. */
export const TellCommand = () => (
  <Copyable
    label={text.common.copy}
    value={[
      `curl ${location.origin}/v1/memories -H "Authorization: Bearer $PRESAGE_KEY" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"document": "I live in Leeds.", "document_type": "ai-chat-conversation", "user_id": "ada"}'`,
    ].join('\n')}
  />
);

export function Field({
  label,
  help,
  wide,
  children,
}: {
  label: string;
  help?: string;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <label className={wide ? 'field wide' : 'field'}>
      <span>{label}</span>
      {children}
      {help && <small>{help}</small>}
    </label>
  );
}

/** A choice among names of the API, or none. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
  any = text.memories.any,
}: {
  label: string;
  value: T | '';
  options: readonly T[];
  onChange: (value: T | '') => void;
  any?: string | null;
}) {
  return (
    <Field label={label}>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value as T | '')}>
        {any !== null && <option value="">{any}</option>}
        {options.map((each) => (
          <option key={each} value={each}>
            {inWords(each)}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A window of its own over the page; the browser holds the focus inside and gives it back. */
export function Dialog({
  title,
  isOpen,
  onClose,
  children,
}: {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    if (isOpen && !dialog.current?.open) dialog.current?.showModal();
    if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
      {isOpen && (
        <div className="stack">
          <h2 id={heading}>{title}</h2>
          {children}
        </div>
      )}
    </dialog>
  );
}

export function More({ more }: { more: (() => Promise<void>) | undefined }) {
  const [isBusy, setBusy] = useState(false);
  if (!more) return null;
  return (
    <div>
      <Button
        disabled={isBusy}
        onClick={() => {
          setBusy(true);
          void more().finally(() => setBusy(false));
        }}
      >
        {text.common.more}
      </Button>
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

export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <p>
    <Link href={to}>← {children}</Link>
  </p>
);

/** A name and what it is, one under another. Those without a value are left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A file that is read as text when somebody chooses it. */
export function FileChoice({
  label,
  accept,
  onText,
}: {
  label: string;
  accept: string;
  onText: (text: string) => void;
}) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        type="file"
        accept={accept}
        className="input"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void file.text().then(onText);
          event.target.value = '';
        }}
      />
    </label>
  );
}

import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import type { CombinedError } from 'urql';
import { Link } from 'wouter';
import { messageOf } from '../api/outcome.ts';
import { text } from '../text.ts';
import { formatDateTime, formatDistance, inWords } from './format.ts';

/** A page with its heading, which names the window too. */
export function Page({
  title,
  back,
  children,
  actions,
}: {
  title: string;
  /** The way back to the list that it is of. */
  back?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · ${text.product}`;
  }, [title]);
  return (
    <div className="page">
      {back}
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

/** Who did something, by what the API names them: a user of the dashboard, an admin token, a key, or the service. */
export function Actor({ of, self }: { of: string | undefined; self?: string | null }) {
  if (!of) return null;
  const [kind = '', id = ''] = of.split(':');
  const name = text.actors[kind as keyof typeof text.actors] ?? kind;
  if (kind === 'user' && id === self) return <span title={of}>{text.actors.self}</span>;
  return (
    <span title={of}>
      {name} {id && <code className="muted">…{id.slice(-6)}</code>}
    </span>
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

/** Stands where an address leads to nothing. */
export const Missing = ({ back }: { back: ReactNode }) => (
  <Page back={back} title={text.common.notFound}>
    <p className="muted">{text.common.notFoundHelp}</p>
  </Page>
);

/** The way to the overview leads through the whole service: the instance of the address may be none. */
export const NoSuchPage = () => (
  <Missing
    back={
      <p className="back">
        <a href="/dashboard/">← {text.common.home}</a>
      </p>
    }
  />
);

/** A figure with its name, and the page that it leads to. */
export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note?: string | undefined;
  readonly to?: string | undefined;
}

export const Tiles = ({ of }: { of: readonly Tile[] }) => (
  <div className="tiles">
    {of.map(({ name, value, note, to }) => {
      const inside = (
        <>
          <div className="name">{name}</div>
          <div className="value">{value}</div>
          <small>{note}</small>
        </>
      );
      return to ? (
        <Link key={name} href={to} className="tile">
          {inside}
        </Link>
      ) : (
        <div key={name} className="tile">
          {inside}
        </div>
      );
    })}
  </div>
);

/** A text to copy: a command, or a secret that is shown once. */
export function Copyable({ value, label }: { value: string; label?: string }) {
  const shown = useRef<HTMLPreElement>(null);
  const [done, setDone] = useState<{ value: string; by: string }>();
  async function copy() {
    try {
      await navigator.clipboard.writeText(value);
      setDone({ value, by: text.common.copied });
    } catch {
      // Over plain HTTP a browser has no clipboard for us: what is selected can be copied by hand.
      getSelection()?.selectAllChildren(shown.current!);
      setDone({ value, by: text.common.selected });
    }
  }
  return (
    <div className="command">
      <pre ref={shown} tabIndex={0} aria-label={label}>
        {value}
      </pre>
      <Button onClick={() => void copy()}>{done?.value === value ? done.by : text.common.copy}</Button>
    </div>
  );
}

/** A secret that was just made and is told nowhere else. */
export function ShownOnce({ title, help, value }: { title: string; help: string; value: string }) {
  return (
    <section className="card stack">
      <h2>{title}</h2>
      <p className="muted">{help}</p>
      <Copyable label={title} value={value} />
    </section>
  );
}

/** The command that makes the first memories of an instance. */
export const TellCommand = ({ document = 'I live in Leeds.' }: { document?: string }) => (
  <Copyable
    label={text.common.copy}
    value={[
      `curl ${location.origin}/v1/memories -H "Authorization: Bearer $PRESAGE_KEY" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{"document": "${document}", "document_type": "ai-chat-conversation", "user_id": "ada"}'`,
    ].join('\n')}
  />
);

export const BackLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <p className="back">
    <Link href={to}>← {children}</Link>
  </p>
);

/** A name and what it is, one under another. Those without a value are left out. */
export function Facts({ of }: { of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

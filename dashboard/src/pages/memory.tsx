import { Fragment, useState, type ReactNode } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useMemoryChanges } from '../api/live.ts';
import type { MemoryDetailQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatDateTime, inWords } from '../parts/format.ts';
import { BackLink, Badge, Facts, Failed, Loading, Missing, Notice, Page, State } from '../parts/parts.tsx';
import { ReceiptPage, type ReceiptFields } from '../parts/receipt.tsx';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
import { MemoryActions } from './memory-actions.tsx';
import { MemoryDetail, TurnsOfEvidence } from './memory-operations.ts';

type Memory = NonNullable<MemoryDetailQuery['memory']>;

export default function MemoryPage({ id }: { id: string }) {
  const instance = useInstance();
  const viewer = useViewer();
  const [receipt, setReceipt] = useState<ReceiptFields>();
  const [{ data, error }, ask] = useQuery({
    query: MemoryDetail,
    variables: { instance, id, content: viewer.readsContent },
    pause: receipt !== undefined,
  });
  useMemoryChanges({ instance }, () => receipt || ask({ requestPolicy: 'network-only' }));
  if (receipt) return <ReceiptPage of={receipt} back={<BackLink to="/memories">{text.memories.back}</BackLink>} />;
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const { memory } = data;
  if (!memory) return <Missing back={<BackLink to="/memories">{text.memories.back}</BackLink>} />;
  return (
    <Page
      back={<BackLink to="/memories">{text.memories.back}</BackLink>}
      title={text.memories.one[memory.type]}
      actions={
        <>
          <State of={memory.status} />
          {mayEdit(viewer) && (
            <MemoryActions
              memory={memory}
              onChange={() => ask({ requestPolicy: 'network-only' })}
              onForgotten={setReceipt}
            />
          )}
        </>
      }
    >
      {viewer.readsContent ? (
        <p className="memory-content">{memory.content}</p>
      ) : (
        <Notice>{text.common.noContent}</Notice>
      )}
      <div className="columns">
        <div className="stack">
          <Provenance memory={memory} />
          <Details memory={memory} />
        </div>
        <Timeline memory={memory} />
      </div>
    </Page>
  );
}

/** Where it was said: the turns of a conversation with the quoted words marked, or the quotes alone. */
function Provenance({ memory }: { memory: Memory }) {
  return (
    <section className="card">
      <h2>{text.memories.evidence}</h2>
      {memory.evidence.map(({ documentId, turns, quote, conversationTurns: said }) => (
        <Fragment key={`${documentId}/${turns.join()}`}>
          {said && quote && <TurnsAround said={said} quote={quote} />}
          <div className="turn">
            <span>{text.memories.turns((said ?? { turns }).turns)}</span>
            <div>
              {!said && quote && <p className="quote">{quote}</p>}
              <code className="muted">{said?.conversationId ?? documentId}</code>
            </div>
          </div>
        </Fragment>
      ))}
    </section>
  );
}

type ConversationTurns = NonNullable<Memory['evidence'][number]['conversationTurns']>;

/** Turns of a conversation, with the one before and after them. */
function TurnsAround({ said: { conversationId, turns }, quote }: { said: ConversationTurns; quote: string }) {
  const instance = useInstance();
  const from = Math.max(0, Math.min(...turns) - 1);
  const to = Math.min(Math.max(...turns) + 1, from + 199); // no more are read at once
  const [{ data, error }] = useQuery({ query: TurnsOfEvidence, variables: { instance, conversationId, from, to } });
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  return data.conversationTurns.map(({ message: { id, role, name, content } }) => (
    <div key={id} className="turn">
      <span>{name ?? role}</span>
      <p>
        <Marked text={content} quote={quote} />
      </p>
    </div>
  ));
}

/** A text with the quote in it marked. */
function Marked({ text: whole, quote }: { text: string; quote: string }) {
  const at = whole.indexOf(quote);
  if (at < 0) return whole;
  return (
    <>
      {whole.slice(0, at)}
      <mark>{quote}</mark>
      {whole.slice(at + quote.length)}
    </>
  );
}

interface Moment {
  readonly at: string;
  readonly name: string;
  readonly what?: ReactNode;
}

/** The memory's life in the order of time, what is to come too. */
function momentsOf(memory: Memory): readonly Moment[] {
  const told = text.memories.timeline;
  const at = (time: string | null, name: string, what?: ReactNode): Moment[] =>
    time ? [{ at: time, name, what }] : [];
  const { supersededBy, supersededReason } = memory;
  return [
    ...at(memory.validFrom, told.said),
    ...at(memory.createdAt, told.stored),
    ...(memory.supersedes.length ? at(memory.createdAt, told.replaced, <Replaced of={memory.supersedes} />) : []),
    ...at(memory.lastAccessedAt, told.fetched(memory.accessCount)),
    ...(supersededBy
      ? at(
          supersededBy.createdAt,
          told.replacedBy,
          <OtherMemory id={supersededBy.id} content={supersededBy.content} reason={supersededReason} />,
        )
      : at(memory.validUntil, told.ended)),
    ...at(memory.eventStart, told.event),
    ...at(memory.dueAt, told.due),
    ...at(memory.expiresAt, told.expires),
  ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** The memories that were replaced; a reason that they share is told once. */
const Replaced = ({ of }: { of: Memory['supersedes'] }) => (
  <>
    {of.map(({ id, content, supersededReason: reason }, n) => (
      <OtherMemory
        key={id}
        id={id}
        content={content}
        reason={of.findLastIndex((other) => other.supersededReason === reason) === n ? reason : null}
      />
    ))}
  </>
);

const OtherMemory = ({ id, content, reason }: { id: string; content?: string; reason?: string | null | undefined }) => (
  <>
    <div>
      <Link href={`/memories/${id}`}>{content ?? id}</Link>
    </div>
    {reason && <p className="muted">{reason}</p>}
  </>
);

const Timeline = ({ memory }: { memory: Memory }) => (
  <section className="card">
    <h2>{text.memories.history}</h2>
    <ol className="timeline">
      {momentsOf(memory).map(({ at, name, what }) => (
        <li key={name + at} data-future={Date.parse(at) > Date.now()}>
          <time dateTime={at}>{formatDateTime(at)}</time>
          <div>
            <span>{name}</span>
            {what && <div>{what}</div>}
          </div>
        </li>
      ))}
    </ol>
  </section>
);

const Details = ({ memory }: { memory: Memory }) => (
  <section className="card stack">
    <h2>{text.memories.details}</h2>
    <Facts
      of={[
        [
          text.memories.maybeReplacedBy,
          memory.possiblyOutdatedBy && (
            <Link href={`/memories/${memory.possiblyOutdatedBy.id}`}>
              {memory.possiblyOutdatedBy.content ?? memory.possiblyOutdatedBy.id}
            </Link>
          ),
        ],
        [text.memories.correctedWhy, memory.correctionReason],
        [text.memories.category, memory.category],
        [text.memories.confidence, memory.confidence.toFixed(2)],
        [text.memories.scope, inWords(memory.scope)],
        [
          text.memories.user,
          memory.userId && <Link href={`/users/${encodeURIComponent(memory.userId)}`}>{memory.userId}</Link>,
        ],
        [text.memories.customer, memory.customerId],
        [
          text.memories.version,
          <Link key="version" href={`/configurations/${memory.configurationVersion}`}>
            {text.memories.versionOf(memory.configurationVersion)}
          </Link>,
        ],
        [text.memories.conversation, memory.conversation && (memory.conversation.externalId ?? memory.conversation.id)],
        [text.memories.metadata, memory.metadata ? <code>{JSON.stringify(memory.metadata)}</code> : null],
        [
          text.memories.entities,
          memory.entities.length > 0 && (
            <div className="badges">
              {memory.entities.map(({ id, kind, name }) => (
                <Badge key={id} tone="accent">
                  <Link href={`/entities/${id}`}>{name ?? kind}</Link>
                </Badge>
              ))}
            </div>
          ),
        ],
      ]}
    />
  </section>
);

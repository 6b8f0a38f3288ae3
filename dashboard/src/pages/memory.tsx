import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import type { MemoryDetailQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatDateTime, inWords } from '../parts/format.ts';
import { BackLink, Badge, Empty, Facts, Failed, Loading, Notice, Page, State, Time } from '../parts/parts.tsx';
import { ReceiptPage, type ReceiptFields } from '../parts/receipt.tsx';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
import { MemoryActions } from './memory-actions.tsx';
import { MemoryDetail } from './memory-operations.ts';

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
  if (receipt) return <ReceiptPage of={receipt} back={<BackLink to="/memories">{text.memories.back}</BackLink>} />;
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const { memory } = data;
  if (!memory) return <Empty title={text.common.notFound} />;
  return (
    <Page
      title={inWords(memory.type)}
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
      <BackLink to="/memories">{text.memories.back}</BackLink>
      {viewer.readsContent ? (
        <p className="memory-content">{memory.content}</p>
      ) : (
        <Notice>{text.common.noContent}</Notice>
      )}
      <div className="cards">
        <Provenance memory={memory} />
        <History memory={memory} />
      </div>
    </Page>
  );
}

/** Where it was said: the turns of its conversation with the quoted words marked, or the quotes alone. */
function Provenance({ memory }: { memory: Memory }) {
  const messages = memory.conversation?.recentMessages ?? [];
  const quotes = memory.evidence.flatMap(({ quote }) => quote ?? []);
  const around = quotes.length ? turnsAround(messages, quotes) : [];
  return (
    <section className="card">
      <h2>{text.memories.evidence}</h2>
      {around.map(({ id, role, name, content }) => (
        <div key={id} className="turn">
          <span>{name ?? role}</span>
          <p>
            <Marked text={content} quotes={quotes} />
          </p>
        </div>
      ))}
      {memory.evidence.map(({ documentId, turns, quote }) => (
        <div key={`${documentId}/${turns.join()}`} className="turn">
          <span>{text.memories.turns(turns)}</span>
          <div>
            {!around.length && quote && <p className="quote">{quote}</p>}
            <code>{documentId}</code>
          </div>
        </div>
      ))}
    </section>
  );
}

interface Said {
  readonly id: string;
  readonly role: string;
  readonly name: string | null;
  readonly content: string;
}

/** The turns that hold a quote, each with the one before and after it. */
function turnsAround(messages: readonly Said[], quotes: readonly string[]): readonly Said[] {
  const holds = messages.map(({ content }) => quotes.some((quote) => content.includes(quote)));
  return messages.filter((_, n) => holds[n - 1] || holds[n] || holds[n + 1]);
}

/** A text with each quote in it marked. */
function Marked({ text: whole, quotes }: { text: string; quotes: readonly string[] }) {
  const quote = quotes.find((each) => whole.includes(each));
  if (!quote) return whole;
  const at = whole.indexOf(quote);
  return (
    <>
      {whole.slice(0, at)}
      <mark>{quote}</mark>
      {whole.slice(at + quote.length)}
    </>
  );
}

const History = ({ memory }: { memory: Memory }) => (
  <section className="card stack">
    <h2>{text.memories.history}</h2>
    <Facts
      of={[
        [text.memories.holdsSince, formatDateTime(memory.validFrom)],
        [
          text.memories.replacedBy,
          memory.supersededBy && (
            <Link href={`/memories/${memory.supersededBy.id}`}>
              {memory.supersededBy.content ?? memory.supersededBy.id}
            </Link>
          ),
        ],
        [text.memories.replacedWhy, memory.supersededReason],
        [
          text.memories.maybeReplacedBy,
          memory.possiblyOutdatedBy && (
            <Link href={`/memories/${memory.possiblyOutdatedBy.id}`}>
              {memory.possiblyOutdatedBy.content ?? memory.possiblyOutdatedBy.id}
            </Link>
          ),
        ],
        [
          text.memories.replaced,
          memory.supersedes.length > 0 &&
            memory.supersedes.map(({ id, content, supersededReason }) => (
              <div key={id}>
                <Link href={`/memories/${id}`}>{content ?? id}</Link>
                {supersededReason && <div className="muted">{supersededReason}</div>}
              </div>
            )),
        ],
        [text.memories.stored, <Time key="stored" at={memory.createdAt} />],
        [text.memories.used, text.memories.times(memory.accessCount)],
        [text.memories.expires, memory.expiresAt && formatDateTime(memory.expiresAt)],
        [text.memories.due, memory.dueAt && formatDateTime(memory.dueAt)],
        [text.memories.event, memory.eventStart && formatDateTime(memory.eventStart)],
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
            {memory.configurationVersion}
          </Link>,
        ],
        [text.memories.conversation, memory.conversation && (memory.conversation.externalId ?? memory.conversation.id)],
        [text.memories.metadata, memory.metadata ? <code>{JSON.stringify(memory.metadata)}</code> : null],
      ]}
    />
    {memory.entities.length > 0 && (
      <div className="actions">
        {memory.entities.map(({ id, kind, name }) => (
          <Badge key={id} tone="accent">
            <Link href={`/entities/${id}`}>{name ?? kind}</Link>
          </Badge>
        ))}
      </div>
    )}
  </section>
);

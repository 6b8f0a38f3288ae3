import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { Link } from 'wouter';
import { problemOf } from '../api/outcome.ts';
import { graphql } from '../generated/index.ts';
import type { ForgetMutation, MemoryDetailQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatCount, formatDateTime, inWords } from '../parts/format.ts';
import {
  BackLink,
  Badge,
  Button,
  Dialog,
  Empty,
  Facts,
  Failed,
  Loading,
  Notice,
  Page,
  State,
  Time,
} from '../parts/parts.tsx';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';

const MemoryDetail = graphql(`
  query MemoryDetail($instance: ID!, $id: ID!, $content: Boolean!) {
    memory(id: $id, instanceId: $instance) {
      id
      type
      category
      content @include(if: $content)
      confidence
      scope
      userId
      customerId
      status
      createdAt
      validFrom
      validUntil
      dueAt
      eventStart
      expiresAt
      accessCount
      lastAccessedAt
      configurationVersion
      metadata @include(if: $content)
      supersededReason @include(if: $content)
      supersededBy {
        id
        content @include(if: $content)
        createdAt
      }
      evidence {
        documentId
        turns
        quote @include(if: $content)
      }
      entities {
        id
        kind
        name @include(if: $content)
      }
      conversation {
        id
        externalId
        recentMessages(last: 100) @include(if: $content) {
          id
          role
          name
          content
        }
      }
    }
  }
`);

const Undo = graphql(`
  mutation UndoSupersede($instance: ID!, $id: ID!) {
    undoSupersede(memoryId: $id, instanceId: $instance) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

const Restore = graphql(`
  mutation RestoreMemory($instance: ID!, $id: ID!) {
    restoreMemory(memoryId: $id, instanceId: $instance) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

const Forget = graphql(`
  mutation Forget($instance: ID!, $id: ID!, $cascade: Boolean!) {
    forget(memoryId: $id, instanceId: $instance, cascade: $cascade) {
      __typename
      ... on Problem {
        message
      }
      ... on Receipt {
        id
        deletedAt
        memoryIds
        documentIds
        removed {
          rows
          vectors
          terms
          graphLinks
          bundles
          compactions
          turns
        }
        remaining {
          rows
          vectors
          terms
          graphLinks
        }
        alsoStatedIn {
          memoryIds
        }
        pending
      }
    }
  }
`);

type Memory = NonNullable<MemoryDetailQuery['memory']>;
type ForgottenReceipt = Extract<ForgetMutation['forget'], { __typename: 'Receipt' }>;

export default function MemoryPage({ id }: { id: string }) {
  const instance = useInstance();
  const viewer = useViewer();
  const [receipt, setReceipt] = useState<ForgottenReceipt>();
  const [{ data, error }, ask] = useQuery({
    query: MemoryDetail,
    variables: { instance, id, content: viewer.readsContent },
    pause: receipt !== undefined,
  });
  if (receipt) return <Receipt of={receipt} />;
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
            <Actions memory={memory} onChange={() => ask({ requestPolicy: 'network-only' })} onForgotten={setReceipt} />
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

function Actions({
  memory,
  onChange,
  onForgotten,
}: {
  memory: Memory;
  onChange: () => void;
  onForgotten: (receipt: ForgottenReceipt) => void;
}) {
  const instance = useInstance();
  const [, undo] = useMutation(Undo);
  const [, restore] = useMutation(Restore);
  const [, forget] = useMutation(Forget);
  const [isAsking, setAsking] = useState(false);
  const [cascade, setCascade] = useState(false);
  const [problem, setProblem] = useState<string>();
  const of = { instance, id: memory.id };

  async function bringBack() {
    const answer = memory.status === 'ARCHIVED' ? await restore(of) : await undo(of);
    setProblem(problemOf(answer, 'Memory'));
    onChange();
  }
  async function forgetForGood() {
    const answer = await forget({ ...of, cascade });
    setProblem(problemOf(answer, 'Receipt'));
    setAsking(false);
    if (answer.data?.forget.__typename === 'Receipt') onForgotten(answer.data.forget);
  }
  return (
    <>
      {memory.status === 'SUPERSEDED' && <Button onClick={() => void bringBack()}>{text.memories.undo}</Button>}
      {memory.status === 'ARCHIVED' && <Button onClick={() => void bringBack()}>{text.memories.restore}</Button>}
      <Button kind="danger" onClick={() => setAsking(true)}>
        {text.memories.forget}
      </Button>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <Dialog title={text.memories.forgetTitle} isOpen={isAsking} onClose={() => setAsking(false)}>
        <p>{text.memories.forgetHelp}</p>
        <label>
          <input type="checkbox" checked={cascade} onChange={(event) => setCascade(event.target.checked)} />{' '}
          {text.memories.cascade}
        </label>
        <div className="actions">
          <Button kind="danger" onClick={() => void forgetForGood()}>
            {text.memories.forgetSubmit}
          </Button>
          <Button onClick={() => setAsking(false)}>{text.common.cancel}</Button>
        </div>
      </Dialog>
    </>
  );
}

const Receipt = ({ of }: { of: ForgottenReceipt }) => (
  <Page title={text.memories.forgotten}>
    <BackLink to="/memories">{text.memories.back}</BackLink>
    <section className="card stack">
      <h2>{text.memories.receipt}</h2>
      <Facts
        of={[
          [text.memories.receipt, <code key="id">{of.id}</code>],
          [text.memories.forgotten, formatDateTime(of.deletedAt)],
          ...counts(text.memories.removed, of.removed),
          ...counts(text.memories.remaining, of.remaining),
          [text.memories.alsoStated, of.alsoStatedIn.memoryIds.join(', ')],
        ]}
      />
      <Notice tone={of.pending.length ? 'warn' : 'good'}>
        {of.pending.length ? `${text.memories.pending} ${of.pending.join(', ')}` : text.memories.pendingNone}
      </Notice>
    </section>
  </Page>
);

const counts = (label: string, of: object): (readonly [string, string])[] => {
  const told = Object.entries(of as Record<string, unknown>).filter(
    (each): each is [string, number] => typeof each[1] === 'number' && each[1] > 0,
  );
  return [[label, told.map(([name, count]) => `${formatCount(count)} ${name}`).join(', ') || '0']];
};

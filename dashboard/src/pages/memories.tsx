import { useDeferredValue } from 'react';
import { Link, useSearchParams } from 'wouter';
import { graphql } from '../generated/index.ts';
import type { MemoriesQuery, MemoryFilter, MemoryStatus, MemoryType, TimeOrder } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { inWords } from '../parts/format.ts';
import { Choice, Field, MultiChoice, SearchField } from '../parts/fields.tsx';
import { useFresh } from '../parts/fresh.tsx';
import { Listing } from '../parts/listing.tsx';
import { Badge, Empty, Page, TellCommand, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { useViewer } from '../viewer.tsx';

const Memories = graphql(`
  query Memories(
    $instance: ID!
    $filter: MemoryFilter
    $orderBy: TimeOrder!
    $first: Int!
    $after: String
    $content: Boolean!
  ) {
    memories(instanceId: $instance, filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
      nodes {
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
        accessCount
        evidence {
          documentId
          turns
          conversationTurns {
            turns
          }
          quote @include(if: $content)
        }
        entities {
          id
          kind
          name @include(if: $content)
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
      isTotalCapped
    }
  }
`);

export type MemoryRow = MemoriesQuery['memories']['nodes'][number];

const types = ['FACTS', 'PREFERENCES', 'EPISODES', 'EMOTIONS', 'TEMPORAL_EVENTS'] as const satisfies MemoryType[];
const statuses = ['ACTIVE', 'SUPERSEDED', 'ARCHIVED'] as const satisfies MemoryStatus[];
const pageSize = 50;

/** Every filter stands in the address, so that a link shows what its sender saw. */
export default function MemoriesPage() {
  const { readsContent } = useViewer();
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        if (value) after.set(name, value);
        else after.delete(name);
        return after;
      },
      { replace: true },
    );
  const chosen = <T extends string>(name: string, options: readonly T[]) => {
    const given = (search.get(name) ?? '').split(',');
    return options.filter((each) => given.includes(each));
  };
  const [type, status] = [chosen('type', types), chosen('status', statuses)];
  const filter = {
    q: search.get('q') || null,
    types: type.length ? type : null,
    statuses: status.length ? status : null,
    category: search.get('category') || null,
    userId: search.get('user') || null,
    customerId: search.get('customer') || null,
  };
  const order: TimeOrder = search.get('order') === 'OLDEST_FIRST' ? 'OLDEST_FIRST' : 'NEWEST_FIRST';
  return (
    <Page title={text.memories.title}>
      <div className="filters" role="search">
        {readsContent && (
          <SearchField label={text.memories.search} value={filter.q ?? ''} onChange={(value) => set('q', value)} />
        )}
        <MultiChoice
          label={text.memories.type}
          value={type}
          options={types}
          onChange={(value) => set('type', value.join(','))}
        />
        <MultiChoice
          label={text.memories.status}
          value={status}
          options={statuses}
          onChange={(value) => set('status', value.join(','))}
        />
        {(['category', 'user', 'customer'] as const).map((name) => (
          <Field key={name} label={text.memories[name]}>
            <input
              className="input"
              value={search.get(name) ?? ''}
              onChange={(event) => set(name, event.target.value)}
            />
          </Field>
        ))}
        <Choice
          label={text.memories.order}
          value={order}
          options={['NEWEST_FIRST', 'OLDEST_FIRST']}
          any={null}
          onChange={(value) => set('order', value === 'NEWEST_FIRST' ? '' : value)}
        />
      </div>
      <MemoryList filter={useDeferredValue(filter)} order={order} />
    </Page>
  );
}

type Filter = { [name in keyof MemoryFilter]?: MemoryFilter[name] };

/** The memories that a filter fits. */
export function MemoryList({ filter, order = 'NEWEST_FIRST' }: { filter: Filter; order?: TimeOrder }) {
  const instance = useInstance();
  const { readsContent } = useViewer();
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));
  const variables = { instance, filter: given, orderBy: order, first: pageSize, content: readsContent };
  const list = useList(Memories, variables, (data) => data.memories);
  const watched = { instance, user: filter.userId ?? null };
  const stale = useFresh(watched, { isHeld: list.nodes.length > pageSize, reload: list.reload });
  return (
    <>
      {list.nodes.length > 0 && (
        <div className="actions">
          <p className="muted number" role="status">
            {text.memories.count(list.nodes.length, list.total ?? '')}
          </p>
          {stale}
        </div>
      )}
      <Listing
        list={list}
        label={text.memories.title}
        empty={
          <Empty title={text.memories.empty} help={text.memories.emptyHelp}>
            <TellCommand />
          </Empty>
        }
        idOf={({ id }) => id}
        columns={[
          { name: text.memories.content, isWide: true, show: (memory) => <MemoryCell memory={memory} /> },
          { name: text.memories.type, show: ({ type }) => <Badge>{inWords(type)}</Badge> },
          { name: text.memories.confidence, isNumber: true, show: ({ confidence }) => confidence.toFixed(2) },
          { name: text.memories.used, isNumber: true, show: ({ accessCount }) => text.memories.times(accessCount) },
          { name: text.memories.stored, show: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </>
  );
}

const MemoryCell = ({ memory }: { memory: MemoryRow }) => (
  <>
    <Link className="memory-link" data-ended={memory.status !== 'ACTIVE'} href={`/memories/${memory.id}`}>
      {memory.content ?? <code>{memory.id}</code>}
    </Link>
    <Quote memory={memory} />
    <div className="memory-meta">
      <span>{memory.userId ?? memory.customerId ?? inWords(memory.scope)}</span>
      <span>{memory.category}</span>
      <Turns memory={memory} />
      {memory.status !== 'ACTIVE' && <span>{inWords(memory.status)}</span>}
      {memory.entities.map(({ id, kind, name }) => (
        <Link key={id} href={`/entities/${id}`}>
          {name ?? kind}
        </Link>
      ))}
    </div>
  </>
);

/** The words that state a memory, where they are not the memory itself. */
function Quote({ memory: { evidence, content } }: { memory: MemoryRow }) {
  const quote = evidence[0]?.quote;
  if (!quote || quote === content) return null;
  return (
    <q className="said" title={quote}>
      {quote}
    </q>
  );
}

/** The turn that states a memory, and in how many others it is stated. */
function Turns({ memory: { evidence } }: { memory: MemoryRow }) {
  const [first, ...others] = evidence;
  if (!first) return null;
  return (
    <span title={first.documentId}>
      {text.memories.turns((first.conversationTurns ?? first).turns)}
      {others.length > 0 && `, ${text.memories.alsoIn(others.length)}`}
    </span>
  );
}

import { lazy, Suspense, useMemo } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../generated/index.ts';
import type { OverviewQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatCount, formatMs, formatShare, inWords } from '../parts/format.ts';
import { Empty, Failed, Loading, Notice, Page, State, Table, TellCommand, Time } from '../parts/parts.tsx';
import { text } from '../text.ts';

const StackedBars = lazy(() => import('../parts/chart.tsx'));

const Overview = graphql(`
  query Overview($instance: ID!) {
    instance(id: $instance) {
      name
      state
      stats {
        memories {
          active
          superseded
          archived
        }
        documents
        users
        conversations
        entities
        openReviews
        ingestionsUnderWay
        ingestionsFailed
      }
      memoriesByDay(days: 30) {
        day
        type
        count
      }
      anticipation {
        total {
          coverage
          precision
          bundles
          streams
          staleServes
          latency {
            p95Ms
          }
          lead {
            p50Ms
          }
        }
      }
      vectorIndex {
        memories
        vectors
      }
      embedding {
        model
      }
      ingestions(first: 8) {
        nodes {
          id
          status
          queuedAt
          discarded
          memoryIds
          error
        }
      }
    }
  }
`);

type InstanceOverview = NonNullable<OverviewQuery['instance']>;

export default function OverviewPage() {
  const instance = useInstance();
  const [{ data, error }] = useQuery({ query: Overview, variables: { instance } });
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  if (!data.instance?.stats) return <Empty title={text.common.notFound} />;
  const { stats, memoriesByDay, anticipation, vectorIndex, embedding, ingestions } = data.instance;
  return (
    <Page title={text.overview.title} actions={<State of={data.instance.state} />}>
      <Tiles stats={stats} />
      {stats.documents === 0 && (
        <Empty title={text.overview.empty} help={text.overview.emptyHelp}>
          <TellCommand />
        </Empty>
      )}
      {memoriesByDay.length > 0 && (
        <section className="card">
          <h2>{text.overview.byDay}</h2>
          <p className="muted">{text.overview.byDayHelp}</p>
          <Suspense fallback={<Loading />}>
            <Growth of={memoriesByDay} />
          </Suspense>
        </section>
      )}
      <div className="cards">
        <Anticipation of={anticipation.total} />
        <section className="card">
          <h2>{text.overview.index}</h2>
          <p className="muted">
            {formatCount(vectorIndex.vectors)} {text.common.of} {formatCount(vectorIndex.memories)}{' '}
            {text.overview.indexed}
          </p>
          <progress
            aria-label={text.overview.index}
            value={vectorIndex.vectors}
            max={Math.max(1, vectorIndex.memories)}
          />
          <p className="muted">
            {text.overview.model}: {embedding.model}
          </p>
        </section>
      </div>
      {ingestions.nodes.length > 0 && <Ingestions of={ingestions.nodes} />}
    </Page>
  );
}

function Tiles({ stats }: { stats: NonNullable<InstanceOverview['stats']> }) {
  const { memories } = stats;
  const told = text.overview;
  const ended = `${formatCount(memories.superseded)} ${told.superseded}, ${formatCount(memories.archived)} ${told.archived}`;
  const ingestions = stats.ingestionsFailed ? `${stats.ingestionsFailed} ${told.failed}` : told.underWay;
  const tiles = [
    ['/memories', told.memories, memories.active, ended],
    ['/users', told.users, stats.users, ''],
    [undefined, told.conversations, stats.conversations, ''],
    [undefined, told.documents, stats.documents, ''],
    ['/entities', told.entities, stats.entities, ''],
    ['/reviews', told.openReviews, stats.openReviews, ''],
    [undefined, told.ingestions, stats.ingestionsUnderWay, ingestions],
  ] as const;
  return (
    <div className="tiles">
      {tiles.map(([to, name, value, more]) => {
        const inside = (
          <>
            <div className="name">{name}</div>
            <div className="value">{formatCount(value)}</div>
            <small>{more}</small>
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
}

const types = ['FACTS', 'PREFERENCES', 'EPISODES', 'EMOTIONS', 'TEMPORAL_EVENTS'] as const;
const dayMs = 86_400_000;

/** Every one of the last thirty days, those without memories too. */
function Growth({ of }: { of: InstanceOverview['memoriesByDay'] }) {
  const { days, series } = useMemo(() => {
    const today = Math.floor(Date.now() / dayMs) * dayMs;
    const all = Array.from({ length: 30 }, (_, n) => new Date(today - (29 - n) * dayMs).toISOString());
    const counts = new Map(of.map(({ day, type, count }) => [`${day}/${type}`, count]));
    const values = (type: string) => all.map((day) => counts.get(`${day}/${type}`) ?? 0);
    return { days: all, series: types.map((type) => ({ name: inWords(type), values: values(type) })) };
  }, [of]);
  return <StackedBars days={days} series={series} label={text.overview.byDay} />;
}

function Anticipation({ of }: { of: InstanceOverview['anticipation']['total'] }) {
  const told = text.overview;
  return (
    <section className="card">
      <h2>{told.anticipation}</h2>
      <p className="muted">{told.anticipationHelp}</p>
      {of.streams === 0 ? (
        <Notice>{told.noAnticipation}</Notice>
      ) : (
        <dl className="facts number">
          <dt>{told.coverage}</dt>
          <dd>{formatShare(of.coverage)}</dd>
          <dt>{told.precision}</dt>
          <dd>{formatShare(of.precision)}</dd>
          <dt>{told.latency}</dt>
          <dd>{formatMs(of.latency.p95Ms)}</dd>
          <dt>{told.lead}</dt>
          <dd>{formatMs(of.lead.p50Ms)}</dd>
          <dt>{told.streams}</dt>
          <dd>{formatCount(of.streams)}</dd>
          <dt>{told.bundles}</dt>
          <dd>{formatCount(of.bundles)}</dd>
          <dt>{told.stale}</dt>
          <dd>{formatCount(of.staleServes)}</dd>
        </dl>
      )}
    </section>
  );
}

const Ingestions = ({ of }: { of: InstanceOverview['ingestions']['nodes'] }) => (
  <section className="stack">
    <h2>{text.overview.recent}</h2>
    <Table
      label={text.overview.recent}
      rows={of}
      idOf={({ id }) => id}
      columns={[
        { name: text.clients.state, show: ({ status }) => <State of={status} /> },
        { name: text.memories.stored, show: ({ queuedAt }) => <Time at={queuedAt} /> },
        {
          name: text.memories.title,
          isWide: true,
          show: ({ memoryIds, discarded, error }) =>
            error ?? `${memoryIds.length} ${text.overview.stored}, ${discarded} ${text.overview.discarded}`,
        },
      ]}
    />
  </section>
);

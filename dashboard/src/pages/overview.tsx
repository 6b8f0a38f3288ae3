import { lazy, Suspense } from 'react';
import { useQuery } from 'urql';
import { useMemoryChanges } from '../api/live.ts';
import { graphql } from '../generated/index.ts';
import type { OverviewQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatCount, formatMs, formatShare, inWords } from '../parts/format.ts';
import { Table } from '../parts/listing.tsx';
import {
  Badge,
  Empty,
  Failed,
  Loading,
  NoSuchPage,
  Notice,
  Page,
  State,
  TellCommand,
  Tiles,
  Time,
} from '../parts/parts.tsx';
import { text } from '../text.ts';

// Charts come after the figures, so that the page is there before they are.
const Growth = lazy(async () => ({ default: (await import('./overview-charts.tsx')).Growth }));
const ForesightByDay = lazy(async () => ({ default: (await import('./overview-charts.tsx')).ForesightByDay }));
const LatencyChart = lazy(async () => ({ default: (await import('./overview-charts.tsx')).LatencyChart }));
const WriteGate = lazy(async () => ({ default: (await import('./overview-charts.tsx')).WriteGate }));

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
            p95
          }
          leadTime {
            p50
          }
        }
        days {
          day
          figures {
            coverage
            precision
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
  const [{ data, error }, ask] = useQuery({ query: Overview, variables: { instance } });
  useMemoryChanges({ instance }, () => ask({ requestPolicy: 'network-only' }));
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  if (!data.instance?.stats) return <NoSuchPage />;
  const { stats, memoriesByDay, anticipation, ingestions } = data.instance;
  return (
    <Page title={text.overview.title} actions={<State of={data.instance.state} />}>
      <Counts stats={stats} />
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
      <Suspense fallback={<Loading />}>
        <LatencyChart />
        <WriteGate />
      </Suspense>
      <div className="cards">
        <Anticipation of={anticipation} />
        <Health of={data.instance} />
      </div>
      {ingestions.nodes.length > 0 && <Ingestions of={ingestions.nodes} />}
    </Page>
  );
}

function Counts({ stats }: { stats: NonNullable<InstanceOverview['stats']> }) {
  const { memories } = stats;
  const told = text.overview;
  const ended = `${formatCount(memories.superseded)} ${told.superseded}, ${formatCount(memories.archived)} ${told.archived}`;
  const ingestions = stats.ingestionsFailed ? `${stats.ingestionsFailed} ${told.failed}` : told.underWay;
  return (
    <Tiles
      of={[
        { to: '/memories', name: told.memories, value: formatCount(memories.active), note: ended },
        { to: '/users', name: told.users, value: formatCount(stats.users) },
        { name: told.conversations, value: formatCount(stats.conversations) },
        { name: told.documents, value: formatCount(stats.documents) },
        { to: '/entities', name: told.entities, value: formatCount(stats.entities) },
        { to: '/reviews', name: told.openReviews, value: formatCount(stats.openReviews) },
        { name: told.ingestions, value: formatCount(stats.ingestionsUnderWay), note: ingestions },
      ]}
    />
  );
}

function Anticipation({ of: { total: of, days } }: { of: InstanceOverview['anticipation'] }) {
  const told = text.overview;
  return (
    <section className="card">
      <h2>{told.anticipation}</h2>
      <p className="muted">{told.anticipationHelp}</p>
      {of.streams === 0 ? (
        <Notice>{told.noAnticipation}</Notice>
      ) : (
        <div className="stack">
          <Suspense fallback={<Loading />}>
            <ForesightByDay of={days} />
          </Suspense>
          <dl className="facts number">
            <dt>{told.coverage}</dt>
            <dd>{formatShare(of.coverage)}</dd>
            <dt>{told.precision}</dt>
            <dd>{formatShare(of.precision)}</dd>
            <dt>{told.latency}</dt>
            <dd>{formatMs(of.latency.p95)}</dd>
            <dt>{told.leadTime}</dt>
            <dd>{formatMs(of.leadTime.p50)}</dd>
            <dt>{told.streams}</dt>
            <dd>{formatCount(of.streams)}</dd>
            <dt>{told.bundles}</dt>
            <dd>{formatCount(of.bundles)}</dd>
            <dt>{told.stale}</dt>
            <dd>{formatCount(of.staleServes)}</dd>
          </dl>
        </div>
      )}
    </section>
  );
}

/** Whether what is said is taken and found: each line is well, or says what is not. */
function Health({ of: { state, stats, vectorIndex, embedding } }: { of: InstanceOverview }) {
  const told = text.overview.health;
  const [missing, failed] = [vectorIndex.memories - vectorIndex.vectors, stats?.ingestionsFailed ?? 0];
  const lines: readonly { name: string; isWell: boolean; what: string }[] = [
    { name: told.instance, isWell: state === 'ACTIVE', what: inWords(state) },
    { name: told.ingestions, isWell: failed === 0, what: failed ? told.failed(failed) : told.noneFailed },
    { name: told.index, isWell: missing <= 0, what: missing > 0 ? told.missing(missing) : told.complete },
  ];
  return (
    <section className="card stack">
      <h2>{told.title}</h2>
      <ul className="health">
        {lines.map(({ name, isWell, what }) => (
          <li key={name}>
            <Badge tone={isWell ? 'good' : 'bad'}>{isWell ? told.well : told.unwell}</Badge>
            <span>{name}</span>
            <span className="muted">{what}</span>
          </li>
        ))}
      </ul>
      <p className="muted">
        {text.overview.model}: {embedding.model}
      </p>
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

import { useState } from 'react';
import { graphql } from '../generated/index.ts';
import { formatCount, formatMonth } from '../parts/format.ts';
import { Empty, Failed, Field, Loading, More, Page, Table, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { useInstances } from '../instance.tsx';

const ClientNames = graphql(`
  query ClientNames {
    clients(first: 100) {
      nodes {
        id
        name
      }
    }
  }
`);

const Usage = graphql(`
  query Usage($client: ID!, $first: Int!, $after: String) {
    client(id: $client) {
      usage(first: $first, after: $after) {
        nodes {
          instanceId
          month
          apiCalls
          tokensIn
          tokensOut
          embeddingTokens
          memoriesPeak
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

const Audit = graphql(`
  query Audit($client: ID!, $first: Int!, $after: String) {
    client(id: $client) {
      audit(first: $first, after: $after) {
        nodes {
          id
          at
          actor
          action
          target
          before
          after
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export default function ActivityPage() {
  const { nodes, isLoading, error } = useList(ClientNames, {}, (data) => ({
    ...data.clients,
    pageInfo: { hasNextPage: false },
  }));
  const [chosen, setChosen] = useState('');
  const client = chosen || nodes[0]?.id;
  return (
    <Page title={text.activity.title}>
      {error && <Failed error={error} />}
      {isLoading && <Loading />}
      {nodes.length > 1 && (
        <div className="filters">
          <Field label={text.team.client}>
            <select className="input" value={client} onChange={(event) => setChosen(event.target.value)}>
              {nodes.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </div>
      )}
      {client && (
        <>
          <MonthlyUsage client={client} />
          <AuditTrail client={client} />
        </>
      )}
    </Page>
  );
}

function MonthlyUsage({ client }: { client: string }) {
  const { instances } = useInstances();
  const { nodes, isLoading, error, more } = useList(Usage, { client, first: 24 }, (data) => data.client?.usage);
  const nameOf = (id: string) => instances.find((each) => each.id === id)?.name ?? id;
  return (
    <section className="stack">
      <h2>{text.activity.usage}</h2>
      {error && <Failed error={error} />}
      {isLoading && <Loading />}
      {!isLoading && !error && !nodes.length && (
        <Empty title={text.activity.emptyUsage} help={text.activity.emptyUsageHelp} />
      )}
      {nodes.length > 0 && (
        <Table
          label={text.activity.usage}
          rows={nodes}
          idOf={({ instanceId, month }) => instanceId + month}
          columns={[
            { name: text.activity.month, show: ({ month }) => formatMonth(month) },
            { name: text.activity.instance, isWide: true, show: ({ instanceId }) => nameOf(instanceId) },
            { name: text.activity.calls, isNumber: true, show: ({ apiCalls }) => formatCount(apiCalls) },
            { name: text.activity.tokensIn, isNumber: true, show: ({ tokensIn }) => formatCount(tokensIn) },
            { name: text.activity.tokensOut, isNumber: true, show: ({ tokensOut }) => formatCount(tokensOut) },
            {
              name: text.activity.embedding,
              isNumber: true,
              show: ({ embeddingTokens }) => formatCount(embeddingTokens),
            },
            { name: text.activity.peak, isNumber: true, show: ({ memoriesPeak }) => formatCount(memoriesPeak) },
          ]}
        />
      )}
      <More more={more} />
    </section>
  );
}

function AuditTrail({ client }: { client: string }) {
  const { nodes, isLoading, error, more } = useList(Audit, { client, first: 50 }, (data) => data.client?.audit);
  return (
    <section className="stack">
      <h2>{text.activity.audit}</h2>
      {error && <Failed error={error} />}
      {isLoading && <Loading />}
      {!isLoading && !error && !nodes.length && (
        <Empty title={text.activity.emptyAudit} help={text.activity.emptyAuditHelp} />
      )}
      {nodes.length > 0 && (
        <Table
          label={text.activity.audit}
          rows={nodes}
          idOf={({ id }) => id}
          columns={[
            { name: text.activity.when, show: ({ at }) => <Time at={at} /> },
            { name: text.activity.what, show: ({ action }) => action },
            { name: text.activity.who, show: ({ actor }) => <code>{actor}</code> },
            {
              name: text.activity.target,
              isWide: true,
              show: ({ target, before, after }) => (
                <details>
                  <summary>
                    <code>{target}</code>
                  </summary>
                  <pre>{JSON.stringify({ before, after }, null, 2)}</pre>
                </details>
              ),
            },
          ]}
        />
      )}
      <More more={more} />
    </section>
  );
}

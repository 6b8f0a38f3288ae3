import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../generated/index.ts';
import type { MonthOfClientQuery } from '../generated/graphql.ts';
import { useInstances } from '../instance.tsx';
import { useClientChoice } from '../parts/client-choice.tsx';
import { Field } from '../parts/fields.tsx';
import { formatCount, formatMonth, inWords } from '../parts/format.ts';
import { Listing, Table } from '../parts/listing.tsx';
import { Empty, Failed, Page, TellCommand, Tiles } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';

const MonthOfClient = graphql(`
  query MonthOfClient($client: ID!, $month: String) {
    client(id: $client) {
      monthlyUsage(month: $month) {
        month
        apiCalls
        adminCalls
        tokensIn
        tokensOut
        embeddingTokens
        tokens {
          provider
          purpose
          isBackground
          tokensIn
          tokensOut
        }
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

export default function UsagePage() {
  const { client, choice, isNone } = useClientChoice();
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7));
  return (
    <Page
      title={text.usage.title}
      actions={
        <>
          {choice}
          <Field label={text.usage.month}>
            <input
              className="input"
              type="month"
              value={month}
              max={new Date().toISOString().slice(0, 7)}
              onChange={(event) => setMonth(event.target.value)}
            />
          </Field>
        </>
      }
    >
      {isNone && <NoUsage />}
      {client && (
        <>
          <Month client={client} month={month} />
          <ByInstance client={client} />
        </>
      )}
    </Page>
  );
}

/** What the instances of a client used together in one month. */
function Month({ client, month }: { client: string; month: string }) {
  const [{ data, error }] = useQuery({ query: MonthOfClient, variables: { client, month: month || null } });
  if (error) return <Failed error={error} />;
  const used = data?.client?.monthlyUsage;
  if (!used) return null;
  return (
    <>
      <Tiles
        of={[
          { name: text.usage.calls, value: formatCount(used.apiCalls) },
          { name: text.usage.adminCalls, value: formatCount(used.adminCalls) },
          { name: text.usage.tokensIn, value: formatCount(used.tokensIn) },
          { name: text.usage.tokensOut, value: formatCount(used.tokensOut) },
          { name: text.usage.embedding, value: formatCount(used.embeddingTokens) },
        ]}
      />
      <section className="stack">
        <h2>{text.usage.byPurpose}</h2>
        {used.tokens.length ? <Tokens of={used.tokens} /> : <p className="muted">{text.usage.noTokens}</p>}
      </section>
    </>
  );
}

type TokenUse = NonNullable<MonthOfClientQuery['client']>['monthlyUsage']['tokens'][number];

const Tokens = ({ of }: { of: readonly TokenUse[] }) => (
  <Table
    label={text.usage.byPurpose}
    rows={of}
    idOf={({ provider, purpose, isBackground }) => `${provider}/${purpose}/${isBackground}`}
    columns={[
      {
        name: text.usage.purpose,
        isWide: true,
        show: ({ purpose, isBackground }) => (
          <>
            {inWords(purpose)} {isBackground && <span className="muted">{text.usage.background}</span>}
          </>
        ),
      },
      { name: text.usage.provider, show: ({ provider }) => <code>{provider}</code> },
      { name: text.usage.tokensIn, isNumber: true, show: ({ tokensIn }) => formatCount(tokensIn) },
      { name: text.usage.tokensOut, isNumber: true, show: ({ tokensOut }) => formatCount(tokensOut) },
    ]}
  />
);

const NoUsage = () => (
  <Empty title={text.usage.empty} help={text.usage.emptyHelp}>
    <TellCommand />
  </Empty>
);

function ByInstance({ client }: { client: string }) {
  const { instances } = useInstances();
  const list = useList(Usage, { client, first: 24 }, (data) => data.client?.usage);
  const nameOf = (id: string) => instances.find((each) => each.id === id)?.name ?? id;
  return (
    <section className="stack">
      <h2>{text.usage.byInstance}</h2>
      <Listing
        list={list}
        label={text.usage.byInstance}
        empty={<NoUsage />}
        idOf={({ instanceId, month }) => instanceId + month}
        columns={[
          { name: text.usage.month, show: ({ month }) => formatMonth(month) },
          { name: text.usage.instance, isWide: true, show: ({ instanceId }) => nameOf(instanceId) },
          { name: text.usage.calls, isNumber: true, show: ({ apiCalls }) => formatCount(apiCalls) },
          { name: text.usage.tokensIn, isNumber: true, show: ({ tokensIn }) => formatCount(tokensIn) },
          { name: text.usage.tokensOut, isNumber: true, show: ({ tokensOut }) => formatCount(tokensOut) },
          {
            name: text.usage.embedding,
            isNumber: true,
            show: ({ embeddingTokens }) => formatCount(embeddingTokens),
          },
          { name: text.usage.peak, isNumber: true, show: ({ memoriesPeak }) => formatCount(memoriesPeak) },
        ]}
      />
    </section>
  );
}

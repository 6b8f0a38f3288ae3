import { useState } from 'react';
import { useMutation } from 'urql';
import { Link, useLocation } from 'wouter';
import { problemOf } from '../api/outcome.ts';
import { graphql } from '../generated/index.ts';
import { useInstance } from '../instance.tsx';
import { FileChoice } from '../parts/fields.tsx';
import { Listing } from '../parts/listing.tsx';
import { Actor, Empty, Notice, Page, State, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';

const Configurations = graphql(`
  query Configurations($instance: ID!, $first: Int!, $after: String) {
    configurations(instanceId: $instance, first: $first, after: $after) {
      nodes {
        version
        semanticVersion
        state
        createdAt
        baseVersion
        restoredVersion
        history {
          step
          actor
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const Init = graphql(`
  mutation InitConfiguration($input: InitConfigurationInput!) {
    initConfiguration(input: $input) {
      __typename
      ... on Configuration {
        version
      }
      ... on Problem {
        message
      }
    }
  }
`);

export default function ConfigurationsPage() {
  const instance = useInstance();
  const viewer = useViewer();
  const [, go] = useLocation();
  const [problem, setProblem] = useState<string>();
  const [, init] = useMutation(Init);
  const list = useList(Configurations, { instance, first: 20 }, (data) => data.configurations);

  async function draft(useCase: string) {
    const answer = await init({ input: { instanceId: instance, useCase } });
    setProblem(problemOf(answer, 'Configuration'));
    const made = answer.data?.initConfiguration;
    if (made?.__typename === 'Configuration') go(`/configurations/${made.version}`);
  }
  return (
    <Page title={text.configurations.title}>
      {mayEdit(viewer) && (
        <section className="card stack">
          <h2>{text.configurations.upload}</h2>
          <p className="muted">{text.configurations.uploadHelp}</p>
          <FileChoice
            label={text.configurations.choose}
            accept=".md,.markdown,.txt"
            onText={(file) => void draft(file)}
          />
          {problem && <Notice tone="bad">{problem}</Notice>}
        </section>
      )}
      <Listing
        list={list}
        label={text.configurations.title}
        empty={<Empty title={text.common.notFound} />}
        idOf={({ version }) => String(version)}
        columns={[
          {
            name: text.configurations.version,
            show: ({ version, semanticVersion }) => <Link href={`/configurations/${version}`}>{semanticVersion}</Link>,
          },
          { name: text.configurations.state, show: ({ state }) => <State of={state} /> },
          { name: text.configurations.created, show: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: text.configurations.by,
            isWide: true,
            show: ({ history }) => <Actor of={history[0]?.actor} self={viewer.userId} />,
          },
        ]}
      />
    </Page>
  );
}

import { useSeenAgain } from '../api/live.ts';
import { graphql } from '../generated/index.ts';
import { useInstances } from '../instance.tsx';
import { useClientChoice } from '../parts/client-choice.tsx';
import { Listing } from '../parts/listing.tsx';
import { Actor, Copyable, Empty, Page, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { useViewer } from '../viewer.tsx';

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

export default function AuditPage() {
  const { client, choice, isNone } = useClientChoice();
  return (
    <Page title={text.audit.title} actions={choice}>
      {isNone && <NoAudit />}
      {client && <AuditTrail client={client} />}
    </Page>
  );
}

const NoAudit = () => (
  <Empty title={text.audit.empty} help={text.audit.emptyHelp}>
    <Copyable label={text.common.copy} value={'npx presage keys create --label "support bot"'} />
  </Empty>
);

function AuditTrail({ client }: { client: string }) {
  const viewer = useViewer();
  const { instances } = useInstances();
  /** An instance by its name, with what follows its id; anything else by its id. */
  function nameOf(target: string) {
    const instance = instances.find(({ id }) => target === id || target.startsWith(`${id}/`));
    if (!instance) return <code>{target}</code>;
    return `${instance.name}${target.slice(instance.id.length).replaceAll('/', ' ')}`;
  }
  const list = useList(Audit, { client, first: 50 }, (data) => data.client?.audit);
  useSeenAgain(list.reload);
  return (
    <Listing
      list={list}
      label={text.audit.title}
      empty={<NoAudit />}
      idOf={({ id }) => id}
      columns={[
        { name: text.audit.when, show: ({ at }) => <Time at={at} /> },
        { name: text.audit.what, show: ({ action }) => action.replaceAll(/[._]/g, ' ') },
        { name: text.audit.who, show: ({ actor }) => <Actor of={actor} self={viewer.userId} /> },
        {
          name: text.audit.target,
          isWide: true,
          show: ({ target, before, after }) => (
            <details>
              <summary>{nameOf(target)}</summary>
              <pre>{JSON.stringify({ before, after }, null, 2)}</pre>
            </details>
          ),
        },
      ]}
    />
  );
}

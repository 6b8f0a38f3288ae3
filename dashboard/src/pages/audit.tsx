import { graphql } from '../generated/index.ts';
import { useClientChoice } from '../parts/client-choice.tsx';
import { Listing } from '../parts/listing.tsx';
import { Empty, Page, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';

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
  const { client, choice } = useClientChoice();
  return (
    <Page title={text.audit.title} actions={choice}>
      {client && <AuditTrail client={client} />}
    </Page>
  );
}

function AuditTrail({ client }: { client: string }) {
  const list = useList(Audit, { client, first: 50 }, (data) => data.client?.audit);
  return (
    <Listing
      list={list}
      label={text.audit.title}
      empty={<Empty title={text.audit.empty} help={text.audit.emptyHelp} />}
      idOf={({ id }) => id}
      columns={[
        { name: text.audit.when, show: ({ at }) => <Time at={at} /> },
        { name: text.audit.what, show: ({ action }) => action },
        { name: text.audit.who, show: ({ actor }) => <code>{actor}</code> },
        {
          name: text.audit.target,
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
  );
}

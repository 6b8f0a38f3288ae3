import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../generated/index.ts';
import { useInstance } from '../instance.tsx';
import { formatDate, inWords } from '../parts/format.ts';
import { Field } from '../parts/fields.tsx';
import { Listing } from '../parts/listing.tsx';
import { Badge, Copyable, Empty, Facts, Page, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { useViewer } from '../viewer.tsx';

const Retention = graphql(`
  query Retention($instance: ID!, $at: DateTime, $first: Int!, $after: String, $content: Boolean!) {
    expiringMemories(instanceId: $instance, at: $at, first: $first, after: $after) {
      at
      nodes {
        id
        type
        category
        createdAt
        lastAccess
        accessCount
        memory {
          content @include(if: $content)
          expiresAt
          userId
          customerId
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const Rule = graphql(`
  query RetentionRule($instance: ID!) {
    configuration(instanceId: $instance) {
      retention {
        policy
        baseDays
        onExpiry
      }
    }
  }
`);

export default function RetentionPage() {
  const instance = useInstance();
  const { readsContent } = useViewer();
  const [day, setDay] = useState('');
  const [{ data }] = useQuery({ query: Rule, variables: { instance } });
  const at = day ? `${day}T00:00:00Z` : null;
  const list = useList(
    Retention,
    { instance, at, first: 50, content: readsContent },
    (found) => found.expiringMemories,
  );
  const rule = data?.configuration?.retention;
  return (
    <Page title={text.retention.title}>
      <div className="card stack">
        {rule && (
          <Facts
            of={[
              [text.retention.policy, inWords(rule.policy)],
              [text.retention.days, String(rule.baseDays)],
              [text.retention.onExpiry, inWords(rule.onExpiry)],
            ]}
          />
        )}
        <p className="muted">{text.retention.help}</p>
        <div className="filters">
          <Field label={text.retention.at}>
            <input className="input" type="date" value={day} onChange={(event) => setDay(event.target.value)} />
          </Field>
        </div>
      </div>
      <Listing
        list={list}
        label={text.retention.title}
        empty={
          <Empty title={text.retention.empty} help={text.retention.emptyHelp}>
            <Copyable label={text.common.copy} value="npx presage retention --dry-run" />
          </Empty>
        }
        idOf={({ id }) => id}
        columns={[
          {
            name: text.memories.content,
            isWide: true,
            show: ({ id, category, memory }) => (
              <>
                <Link className="memory-link" href={`/memories/${id}`}>
                  {memory?.content ?? <code>{id}</code>}
                </Link>
                <div className="memory-meta">
                  <span>{memory?.userId ?? memory?.customerId}</span>
                  <span>{category}</span>
                </div>
              </>
            ),
          },
          { name: text.memories.type, show: ({ type }) => <Badge>{inWords(type)}</Badge> },
          { name: text.retention.lastAccess, show: ({ lastAccess }) => <Time at={lastAccess} /> },
          {
            name: text.retention.goes,
            show: ({ memory }) => (memory?.expiresAt ? formatDate(memory.expiresAt) : text.common.none),
          },
          { name: text.memories.used, isNumber: true, show: ({ accessCount }) => text.memories.times(accessCount) },
        ]}
      />
    </Page>
  );
}

import { Link, useSearchParams } from 'wouter';
import { graphql } from '../generated/index.ts';
import { useInstance } from '../instance.tsx';
import { formatCount, inWords } from '../parts/format.ts';
import { SearchField } from '../parts/fields.tsx';
import { useFresh } from '../parts/fresh.tsx';
import { Listing } from '../parts/listing.tsx';
import { Badge, Empty, Page, TellCommand, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { useViewer } from '../viewer.tsx';

const Entities = graphql(`
  query Entities($instance: ID!, $filter: EntityFilter, $first: Int!, $after: String, $content: Boolean!) {
    entities(instanceId: $instance, filter: $filter, first: $first, after: $after) {
      nodes {
        id
        kind
        name @include(if: $content)
        aliases @include(if: $content)
        scope
        userId
        customerId
        mentions
        createdAt
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

const pageSize = 50;

export default function EntitiesPage() {
  const instance = useInstance();
  const { readsContent } = useViewer();
  const [search, setSearch] = useSearchParams();
  const q = search.get('q') ?? '';
  const variables = { instance, filter: q ? { q } : {}, first: pageSize, content: readsContent };
  const list = useList(Entities, variables, (data) => data.entities);
  const stale = useFresh({ instance }, { isHeld: list.nodes.length > pageSize, reload: list.reload });
  return (
    <Page title={text.entities.title}>
      {readsContent && (
        <div className="filters" role="search">
          <SearchField
            label={text.entities.search}
            value={q}
            onChange={(value) => setSearch(value ? { q: value } : {}, { replace: true })}
          />
        </div>
      )}
      {list.nodes.length > 0 && (
        <div className="actions">
          <p className="muted number">{text.memories.count(list.nodes.length, list.total ?? '')}</p>
          {stale}
        </div>
      )}
      <Listing
        list={list}
        label={text.entities.title}
        empty={
          q ? (
            <Empty title={text.entities.none} help={text.entities.noneHelp} />
          ) : (
            <Empty title={text.entities.empty} help={text.entities.emptyHelp}>
              <TellCommand />
            </Empty>
          )
        }
        idOf={({ id }) => id}
        columns={[
          {
            name: text.entities.name,
            isWide: true,
            show: ({ id, name, aliases }) => (
              <>
                <Link href={`/entities/${id}`}>{name ?? <code>{id}</code>}</Link>
                {aliases && aliases.length > 0 && (
                  <div className="memory-meta">
                    {text.entities.aliases} {aliases.join(', ')}
                  </div>
                )}
              </>
            ),
          },
          {
            name: text.entities.owner,
            show: ({ scope, userId, customerId }) => userId ?? customerId ?? inWords(scope),
          },
          { name: text.entities.kind, show: ({ kind }) => <Badge>{kind}</Badge> },
          { name: text.entities.mentions, isNumber: true, show: ({ mentions }) => formatCount(mentions) },
          { name: text.memories.stored, show: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Page>
  );
}

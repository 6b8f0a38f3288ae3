import { Link, useSearchParams } from 'wouter';
import { graphql } from '../generated/index.ts';
import { useInstance } from '../instance.tsx';
import { SearchField } from '../parts/fields.tsx';
import { formatCount } from '../parts/format.ts';
import { useFresh } from '../parts/fresh.tsx';
import { Listing } from '../parts/listing.tsx';
import { Empty, Page, TellCommand, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';

const UsersOf = graphql(`
  query Users($instance: ID!, $prefix: String, $first: Int!, $after: String) {
    instance(id: $instance) {
      users(prefix: $prefix, first: $first, after: $after) {
        nodes {
          userId
          customerId
          lastActiveAt
          memoryCounts {
            active
            superseded
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
  }
`);

const pageSize = 50;

export default function UsersPage() {
  const instance = useInstance();
  const [search, setSearch] = useSearchParams();
  const prefix = search.get('prefix') ?? '';
  const variables = { instance, prefix: prefix || null, first: pageSize };
  const list = useList(UsersOf, variables, (data) => data.instance?.users);
  const stale = useFresh({ instance }, { isHeld: list.nodes.length > pageSize, reload: list.reload });
  return (
    <Page title={text.users.title}>
      <div className="filters" role="search">
        <SearchField
          label={text.users.search}
          value={prefix}
          onChange={(value) => setSearch(value ? { prefix: value } : {}, { replace: true })}
        />
      </div>
      {list.nodes.length > 0 && (
        <div className="actions">
          <p className="muted number">{text.memories.count(list.nodes.length, list.total ?? '')}</p>
          {stale}
        </div>
      )}
      <Listing
        list={list}
        label={text.users.title}
        empty={
          prefix ? (
            <Empty title={text.users.none} help={text.users.noneHelp} />
          ) : (
            <Empty title={text.users.empty} help={text.users.emptyHelp}>
              <TellCommand />
            </Empty>
          )
        }
        idOf={({ userId, customerId }) => `${customerId ?? ''}/${userId}`}
        columns={[
          {
            name: text.users.user,
            isWide: true,
            show: ({ userId }) => <Link href={`/users/${encodeURIComponent(userId)}`}>{userId}</Link>,
          },
          {
            name: text.users.memories,
            isNumber: true,
            show: ({ memoryCounts }) => formatCount(memoryCounts.active),
          },
          { name: text.users.lastActive, show: ({ lastActiveAt }) => <Time at={lastActiveAt} /> },
        ]}
      />
    </Page>
  );
}

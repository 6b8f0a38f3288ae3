import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../generated/index.ts';
import type { UserDetailQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatCount } from '../parts/format.ts';
import { Listing } from '../parts/listing.tsx';
import { BackLink, Button, Empty, Facts, Failed, Loading, Page, State, TellCommand, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { useViewer } from '../viewer.tsx';
import { MemoryList } from './memories.tsx';

const UsersOf = graphql(`
  query Users($instance: ID!, $first: Int!, $after: String) {
    instance(id: $instance) {
      users(first: $first, after: $after) {
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

const UserDetail = graphql(`
  query UserDetail($instance: ID!, $user: String!, $content: Boolean!) {
    instance(id: $instance) {
      user(userId: $user) {
        userId
        lastActiveAt
        memoryCounts {
          active
          superseded
          archived
        }
        conversations(first: 20) {
          nodes {
            id
            externalId
            state
            startedAt
            lastMessageAt
            messageCount
            recentMessages(last: 20) @include(if: $content) {
              id
              role
              name
              content
            }
          }
        }
      }
    }
  }
`);

export default function UsersPage({ userId }: { userId?: string }) {
  return userId ? <UserPage userId={userId} /> : <AllUsers />;
}

function AllUsers() {
  const instance = useInstance();
  const list = useList(UsersOf, { instance, first: 50 }, (data) => data.instance?.users);
  return (
    <Page title={text.users.title}>
      {list.nodes.length > 0 && (
        <p className="muted number">{text.memories.count(list.nodes.length, list.total ?? '')}</p>
      )}
      <Listing
        list={list}
        label={text.users.title}
        empty={
          <Empty title={text.users.empty} help={text.users.emptyHelp}>
            <TellCommand />
          </Empty>
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

type User = NonNullable<NonNullable<UserDetailQuery['instance']>['user']>;

function UserPage({ userId }: { userId: string }) {
  const instance = useInstance();
  const { readsContent } = useViewer();
  const [{ data, error }] = useQuery({
    query: UserDetail,
    variables: { instance, user: userId, content: readsContent },
  });
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const user = data.instance?.user;
  if (!user) return <Empty title={text.common.notFound} />;
  const { active, superseded, archived } = user.memoryCounts;
  return (
    <Page title={user.userId}>
      <BackLink to="/users">{text.users.back}</BackLink>
      <Facts
        of={[
          [text.users.lastActive, <Time key="at" at={user.lastActiveAt} />],
          [
            text.users.memories,
            `${formatCount(active)}, ${formatCount(superseded)} ${text.overview.superseded}, ${formatCount(archived)} ${text.overview.archived}`,
          ],
        ]}
      />
      <h2>{text.users.conversations}</h2>
      <Conversations of={user.conversations.nodes} />
      <h2>{text.users.memories}</h2>
      <MemoryList filter={{ userId }} />
    </Page>
  );
}

function Conversations({ of }: { of: User['conversations']['nodes'] }) {
  const [open, setOpen] = useState<string>();
  if (!of.length) return <p className="muted">{text.users.noConversations}</p>;
  return (
    <div className="card">
      {of.map(({ id, externalId, state, lastMessageAt, messageCount, recentMessages }) => (
        <div key={id} className="choice">
          <div className="actions">
            <Button kind="quiet" aria-expanded={open === id} onClick={() => setOpen(open === id ? undefined : id)}>
              {externalId ?? id}
            </Button>
            <State of={state} />
            <span className="muted">
              {text.users.messages(messageCount)}, <Time at={lastMessageAt} />
            </span>
          </div>
          {open === id &&
            (recentMessages ?? []).map((message) => (
              <div key={message.id} className="turn">
                <span>{message.name ?? message.role}</span>
                <p>{message.content}</p>
              </div>
            ))}
          {open === id && !recentMessages && <p className="muted">{text.common.noContent}</p>}
        </div>
      ))}
    </div>
  );
}

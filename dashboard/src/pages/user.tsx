import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useMemoryChanges } from '../api/live.ts';
import { graphql } from '../generated/index.ts';
import { useInstance } from '../instance.tsx';
import { formatCount, formatDateTime, formatDistance } from '../parts/format.ts';
import { useFresh } from '../parts/fresh.tsx';
import { More } from '../parts/listing.tsx';
import { BackLink, Badge, Button, Failed, Loading, Missing, Page, State, Tiles, Time } from '../parts/parts.tsx';
import { ReceiptPage, type ReceiptFields } from '../parts/receipt.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
import { ConversationTurns } from './conversation-turns.tsx';
import { MemoryList } from './memories.tsx';
import { UserActions } from './user-actions.tsx';

const UserDetail = graphql(`
  query UserDetail($instance: ID!, $user: String!) {
    instance(id: $instance) {
      user(userId: $user) {
        userId
        lastActiveAt
        memoryCounts {
          active
          superseded
          archived
        }
        documents(first: 1) {
          totalCount
          isTotalCapped
        }
        conversations(first: 1) {
          totalCount
          isTotalCapped
        }
      }
    }
  }
`);

const EntitiesOfUser = graphql(`
  query EntitiesOfUser($instance: ID!, $user: String!, $first: Int!, $after: String, $content: Boolean!) {
    instance(id: $instance) {
      user(userId: $user) {
        entities(first: $first, after: $after) {
          nodes {
            id
            kind
            name @include(if: $content)
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`);

const ConversationsOfUser = graphql(`
  query ConversationsOfUser($instance: ID!, $user: String!, $first: Int!, $after: String) {
    instance(id: $instance) {
      user(userId: $user) {
        conversations(first: $first, after: $after) {
          nodes {
            id
            externalId
            state
            startedAt
            lastMessageAt
            messageCount
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`);

const [entitiesAtOnce, conversationsAtOnce] = [12, 20];

export default function UserPage({ userId }: { userId: string }) {
  const instance = useInstance();
  const viewer = useViewer();
  const [receipt, setReceipt] = useState<ReceiptFields>();
  const [{ data, error }, ask] = useQuery({
    query: UserDetail,
    variables: { instance, user: userId },
    pause: receipt !== undefined,
  });
  useMemoryChanges({ instance, user: userId }, () => receipt || ask({ requestPolicy: 'network-only' }));
  if (receipt) return <ReceiptPage of={receipt} back={<BackLink to="/users">{text.users.back}</BackLink>} />;
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const user = data.instance?.user;
  if (!user) return <Missing back={<BackLink to="/users">{text.users.back}</BackLink>} />;
  const { active, superseded, archived } = user.memoryCounts;
  return (
    <Page
      back={<BackLink to="/users">{text.users.back}</BackLink>}
      title={user.userId}
      actions={mayEdit(viewer) && <UserActions userId={userId} onForgotten={setReceipt} />}
    >
      <Tiles
        of={[
          {
            name: text.users.memories,
            value: formatCount(active),
            note: `${formatCount(superseded)} ${text.overview.superseded}, ${formatCount(archived)} ${text.overview.archived}`,
          },
          { name: text.users.conversations, value: totalOf(user.conversations) },
          { name: text.users.documents, value: totalOf(user.documents) },
          {
            name: text.users.lastActive,
            value: user.lastActiveAt ? formatDistance(user.lastActiveAt) : text.common.never,
            note: user.lastActiveAt ? formatDateTime(user.lastActiveAt) : undefined,
          },
        ]}
      />
      <Mentions userId={userId} />
      <h2>{text.users.conversations}</h2>
      <Conversations userId={userId} />
      <h2>{text.users.memories}</h2>
      <MemoryList filter={{ userId }} />
    </Page>
  );
}

const totalOf = ({ totalCount, isTotalCapped }: { totalCount: number; isTotalCapped: boolean }) =>
  `${formatCount(totalCount)}${isTotalCapped ? '+' : ''}`;

/** Whom and what their memories mention. */
function Mentions({ userId }: { userId: string }) {
  const instance = useInstance();
  const { readsContent } = useViewer();
  const variables = { instance, user: userId, first: entitiesAtOnce, content: readsContent };
  const list = useList(EntitiesOfUser, variables, (data) => data.instance?.user?.entities);
  const isHeld = list.nodes.length > entitiesAtOnce;
  const stale = useFresh({ instance, user: userId }, { isHeld, reload: list.reload });
  if (list.error) return <Failed error={list.error} />;
  if (!list.nodes.length) return null;
  return (
    <section className="stack">
      <h2>{text.users.mentions}</h2>
      {stale && <div className="actions">{stale}</div>}
      <div className="badges">
        {list.nodes.map(({ id, kind, name }) => (
          <Badge key={id} tone="accent">
            <Link href={`/entities/${id}`}>{name ?? kind}</Link>
          </Badge>
        ))}
      </div>
      <More more={list.more} />
    </section>
  );
}

function Conversations({ userId }: { userId: string }) {
  const instance = useInstance();
  const { readsContent } = useViewer();
  const [open, setOpen] = useState<string>();
  const variables = { instance, user: userId, first: conversationsAtOnce };
  const list = useList(ConversationsOfUser, variables, (data) => data.instance?.user?.conversations);
  const isHeld = list.nodes.length > conversationsAtOnce;
  const stale = useFresh({ instance, user: userId }, { isHeld, reload: list.reload });
  if (list.error) return <Failed error={list.error} />;
  if (list.isLoading) return <Loading />;
  if (!list.nodes.length) return <p className="muted">{text.users.noConversations}</p>;
  return (
    <>
      {stale && <div className="actions">{stale}</div>}
      <div className="card">
        {list.nodes.map(({ id, externalId, state, startedAt, lastMessageAt, messageCount }) => (
          <div key={id} className="choice">
            <div className="actions">
              <Button kind="quiet" aria-expanded={open === id} onClick={() => setOpen(open === id ? undefined : id)}>
                {externalId ?? (startedAt ? text.users.conversationOf(formatDateTime(startedAt)) : id)}
              </Button>
              <State of={state} />
              <span className="muted">
                {text.users.messages(messageCount)}, <Time at={lastMessageAt} />
              </span>
            </div>
            {open === id && readsContent && <ConversationTurns id={id} messageCount={messageCount} />}
            {open === id && !readsContent && <p className="muted">{text.common.noContent}</p>}
          </div>
        ))}
      </div>
      <More more={list.more} />
    </>
  );
}

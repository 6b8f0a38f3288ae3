import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { useMemoryChanges } from '../api/live.ts';
import { graphql } from '../generated/index.ts';
import type { UserDetailQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatCount, formatDateTime, formatDistance } from '../parts/format.ts';
import { BackLink, Badge, Button, Empty, Failed, Loading, Page, State, Tiles, Time } from '../parts/parts.tsx';
import { ReceiptPage, type ReceiptFields } from '../parts/receipt.tsx';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
import { ConversationTurns } from './conversation-turns.tsx';
import { MemoryList } from './memories.tsx';
import { UserActions } from './user-actions.tsx';

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
        entities(first: 12) {
          nodes {
            id
            kind
            name @include(if: $content)
          }
          pageInfo {
            hasNextPage
          }
        }
        documents(first: 1) {
          totalCount
          isTotalCapped
        }
        conversations(first: 20) {
          totalCount
          isTotalCapped
          nodes {
            id
            externalId
            state
            startedAt
            lastMessageAt
            messageCount
          }
        }
      }
    }
  }
`);

type User = NonNullable<NonNullable<UserDetailQuery['instance']>['user']>;

export default function UserPage({ userId }: { userId: string }) {
  const instance = useInstance();
  const viewer = useViewer();
  const { readsContent } = viewer;
  const [receipt, setReceipt] = useState<ReceiptFields>();
  const [{ data, error }, ask] = useQuery({
    query: UserDetail,
    variables: { instance, user: userId, content: readsContent },
    pause: receipt !== undefined,
  });
  useMemoryChanges({ instance, user: userId }, () => receipt || ask({ requestPolicy: 'network-only' }));
  if (receipt) return <ReceiptPage of={receipt} back={<BackLink to="/users">{text.users.back}</BackLink>} />;
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const user = data.instance?.user;
  if (!user) return <Empty title={text.common.notFound} />;
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
      {user.entities.nodes.length > 0 && (
        <section className="stack">
          <h2>{text.users.mentions}</h2>
          <div className="badges">
            {user.entities.nodes.map(({ id, kind, name }) => (
              <Badge key={id} tone="accent">
                <Link href={`/entities/${id}`}>{name ?? kind}</Link>
              </Badge>
            ))}
          </div>
        </section>
      )}
      <h2>{text.users.conversations}</h2>
      <Conversations of={user.conversations.nodes} />
      <h2>{text.users.memories}</h2>
      <MemoryList filter={{ userId }} />
    </Page>
  );
}

const totalOf = ({ totalCount, isTotalCapped }: { totalCount: number; isTotalCapped: boolean }) =>
  `${formatCount(totalCount)}${isTotalCapped ? '+' : ''}`;

function Conversations({ of }: { of: User['conversations']['nodes'] }) {
  const { readsContent } = useViewer();
  const [open, setOpen] = useState<string>();
  if (!of.length) return <p className="muted">{text.users.noConversations}</p>;
  return (
    <div className="card">
      {of.map(({ id, externalId, state, startedAt, lastMessageAt, messageCount }) => (
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
  );
}

import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../generated/index.ts';
import type { UserDetailQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatCount } from '../parts/format.ts';
import { BackLink, Button, Empty, Facts, Failed, Loading, Page, State, Time } from '../parts/parts.tsx';
import { ReceiptPage, type ReceiptFields } from '../parts/receipt.tsx';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
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

type User = NonNullable<NonNullable<UserDetailQuery['instance']>['user']>;

export default function UserPage({ userId }: { userId: string }) {
  const instance = useInstance();
  const viewer = useViewer();
  const { readsContent } = viewer;
  const [receipt, setReceipt] = useState<ReceiptFields>();
  const [{ data, error }] = useQuery({
    query: UserDetail,
    variables: { instance, user: userId, content: readsContent },
    pause: receipt !== undefined,
  });
  if (receipt) return <ReceiptPage of={receipt} back={<BackLink to="/users">{text.users.back}</BackLink>} />;
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const user = data.instance?.user;
  if (!user) return <Empty title={text.common.notFound} />;
  const { active, superseded, archived } = user.memoryCounts;
  return (
    <Page title={user.userId} actions={mayEdit(viewer) && <UserActions userId={userId} onForgotten={setReceipt} />}>
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

import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { graphql } from '../generated/index.ts';
import type { ConversationTurnsQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatMs } from '../parts/format.ts';
import { Badge, Button, Copyable, Empty, Failed, Loading } from '../parts/parts.tsx';
import { text } from '../text.ts';

const Turns = graphql(`
  query ConversationTurns($instance: ID!, $id: ID!, $from: Int!, $to: Int!) {
    conversationTurns(instanceId: $instance, conversationId: $id, from: $from, to: $to) {
      number
      message {
        id
        role
        name
        content
      }
      anticipated {
        leadTimeMs
        isUsed
        memory {
          id
          content
          status
        }
      }
    }
  }
`);

type Turn = ConversationTurnsQuery['conversationTurns'][number];
type Anticipated = NonNullable<Turn['anticipated']>;

const turnsAtOnce = 20;
/** Memories of a turn that are shown at first. */
const shownAtFirst = 4;

/** What was said in a conversation, the latest turns first to come, each beside what was anticipated for it. */
export function ConversationTurns({ id, messageCount }: { id: string; messageCount: number }) {
  const [stretches, setStretches] = useState(1);
  const max = Math.ceil(messageCount / turnsAtOnce);
  const shown = Math.min(stretches, max);
  if (!messageCount) return <p className="muted">{text.users.nothingSaid}</p>;
  return (
    <div>
      {shown < max && <Button onClick={() => setStretches(shown + 1)}>{text.users.earlier}</Button>}
      {Array.from({ length: shown }, (_, n) => shown - 1 - n).map((stretch) => {
        const to = messageCount - 1 - stretch * turnsAtOnce;
        const from = Math.max(0, to - turnsAtOnce + 1);
        return <Stretch key={to} id={id} from={from} to={to} isLatest={stretch === 0} />;
      })}
    </div>
  );
}

function Stretch({ id, from, to, isLatest }: { id: string; from: number; to: number; isLatest: boolean }) {
  const instance = useInstance();
  const [{ data, error }] = useQuery({ query: Turns, variables: { instance, id, from, to } });
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const turns = data.conversationTurns;
  return (
    <>
      {turns.map(({ number, message, anticipated }) => (
        <div key={number} className="turn">
          <span>{message.name ?? message.role}</span>
          <div>
            <p>{message.content}</p>
            {anticipated && <WhatWasAnticipated of={anticipated} />}
          </div>
        </div>
      ))}
      {isLatest && turns.every(({ anticipated }) => anticipated === null) && (
        <Empty title={text.users.noStream} help={text.users.noStreamHelp}>
          <Copyable
            label={text.common.copy}
            value={[
              `curl -N ${location.origin}/v1/conversations/${id}/anticipated \\`,
              `  -H "Authorization: Bearer $PRESAGE_KEY"`,
            ].join('\n')}
          />
        </Empty>
      )}
    </>
  );
}

function WhatWasAnticipated({ of }: { of: Anticipated }) {
  if (!of.length) return <p className="muted">{text.users.nothingAnticipated}</p>;
  const used = of.filter(({ isUsed }) => isUsed).length;
  const [first, rest] = [of.slice(0, shownAtFirst), of.slice(shownAtFirst)];
  return (
    <div className="anticipated">
      <p className="muted number">{text.users.anticipated(of.length, used)}</p>
      <Memories of={first} />
      {rest.length > 0 && (
        <details>
          <summary>{text.users.moreAnticipated(rest.length)}</summary>
          <Memories of={rest} />
        </details>
      )}
    </div>
  );
}

const Memories = ({ of }: { of: Anticipated }) => (
  <ul>
    {of.map(({ memory, leadTimeMs, isUsed }) => (
      <li key={memory.id}>
        <Link className="memory-link" data-ended={memory.status !== 'ACTIVE'} href={`/memories/${memory.id}`}>
          {memory.content}
        </Link>{' '}
        <Badge tone={isUsed ? 'good' : undefined}>{isUsed ? text.users.used : text.users.notUsed}</Badge>{' '}
        <small className="muted">
          {leadTimeMs >= 0 ? text.users.ahead(formatMs(leadTimeMs)) : text.users.after(formatMs(-leadTimeMs))}
        </small>
      </li>
    ))}
  </ul>
);

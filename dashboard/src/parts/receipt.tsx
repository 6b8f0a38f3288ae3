import type { ReactNode } from 'react';
import { graphql } from '../generated/index.ts';
import type { ReceiptFieldsFragment } from '../generated/graphql.ts';
import { text } from '../text.ts';
import { formatCount, formatDateTime } from './format.ts';
import { Facts, Notice, Page } from './parts.tsx';

export type ReceiptFields = ReceiptFieldsFragment;

graphql(`
  fragment ReceiptFields on DeletionReceipt {
    id
    requestedAt
    memoryIds
    documentIds
    removed {
      rows
      vectors
      terms
      graphLinks
      prefetchedContexts
      compactions
      turns
    }
    remaining {
      rows
      vectors
      terms
      graphLinks
    }
    alsoStatedIn {
      memoryIds
    }
    pending
  }
`);

/** The page that takes the place of what was forgotten: what was removed, and from where it still has to go. */
export const ReceiptPage = ({ of, back }: { of: ReceiptFields; back: ReactNode }) => (
  <Page title={text.memories.forgotten} back={back}>
    <section className="card stack">
      <h2>{text.memories.receipt}</h2>
      <Facts
        of={[
          [text.memories.receipt, <code key="id">{of.id}</code>],
          [text.memories.forgotten, formatDateTime(of.requestedAt)],
          ...counts(text.memories.removed, of.removed),
          ...counts(text.memories.remaining, of.remaining),
          [text.memories.alsoStated, of.alsoStatedIn.memoryIds.join(', ')],
        ]}
      />
      <Notice tone={of.pending.length ? 'warn' : 'good'}>
        {of.pending.length ? `${text.memories.pending} ${of.pending.join(', ')}` : text.memories.pendingNone}
      </Notice>
    </section>
  </Page>
);

const counts = (label: string, of: object): (readonly [string, string])[] => {
  const told = Object.entries(of as Record<string, unknown>).filter(
    (each): each is [string, number] => typeof each[1] === 'number' && each[1] > 0,
  );
  return [
    [
      label,
      told
        .map(
          ([name, count]) =>
            `${formatCount(count)} ${text.memories.stores[name as keyof typeof text.memories.stores] ?? name}`,
        )
        .join(', ') || '0',
    ],
  ];
};

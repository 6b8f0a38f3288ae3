import { useCallback, useEffect, useMemo, useState } from 'react';
import { useMutation } from 'urql';
import { problemOf } from '../api/outcome.ts';
import { graphql } from '../generated/index.ts';
import type { ReviewsQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { More } from '../parts/listing.tsx';
import { Badge, Button, Empty, Failed, Loading, Notice, Page, TellCommand } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';

const Reviews = graphql(`
  query Reviews($instance: ID!, $first: Int!, $after: String, $content: Boolean!) {
    reviewQueue(instanceId: $instance, first: $first, after: $after) {
      nodes {
        id
        score
        features {
          name
          value
          weight
        }
        left {
          ...Side
        }
        right {
          ...Side
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
  fragment Side on ReviewSide {
    entity {
      id
      kind
      name @include(if: $content)
    }
    evidence {
      documentId
      turns
      quote @include(if: $content)
    }
  }
`);

const Confirm = graphql(`
  mutation ConfirmReview($instance: ID!, $id: ID!) {
    confirmReview(instanceId: $instance, id: $id) {
      __typename
      ... on Merge {
        id
      }
      ... on Problem {
        message
      }
    }
  }
`);

const Reject = graphql(`
  mutation RejectReview($instance: ID!, $id: ID!) {
    rejectReview(instanceId: $instance, id: $id) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

const Undo = graphql(`
  mutation UndoReview($instance: ID!, $id: ID!) {
    undoMerge(instanceId: $instance, id: $id) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

type Review = ReviewsQuery['reviewQueue']['nodes'][number];
type Told = { readonly tone: 'good' | 'bad'; readonly message: string };

/** Pairs that wait for a person. A decision shows at once and the next pair comes; the server hears it meanwhile. */
export default function ReviewsPage() {
  const instance = useInstance();
  const viewer = useViewer();
  const variables = { instance, first: 50, content: viewer.readsContent };
  const { nodes, isLoading, error, more, reload } = useList(Reviews, variables, (data) => data.reviewQueue);
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const [merges, setMerges] = useState<readonly { review: string; merge: string }[]>([]);
  const [told, setTold] = useState<Told>();
  const [, confirm] = useMutation(Confirm);
  const [, reject] = useMutation(Reject);
  const [, undoMerge] = useMutation(Undo);
  const open = useMemo(() => nodes.filter(({ id }) => !decided.has(id)), [nodes, decided]);
  const place = Math.min(at, open.length - 1);
  const review = open[place];

  const decide = useCallback(
    async (isSame: boolean) => {
      if (!review) return;
      const of = { instance, id: review.id };
      setDecided((before) => new Set(before).add(review.id));
      const answer = isSame ? await confirm(of) : await reject(of);
      const problem = problemOf(answer, isSame ? 'Merge' : 'Review');
      if (problem) {
        setDecided((before) => new Set([...before].filter((id) => id !== review.id)));
        return setTold({ tone: 'bad', message: problem });
      }
      const merged = answer.data && 'confirmReview' in answer.data ? answer.data.confirmReview : undefined;
      if (merged?.__typename === 'Merge') setMerges((before) => [...before, { review: review.id, merge: merged.id }]);
      setTold({ tone: 'good', message: isSame ? text.reviews.merged : text.reviews.kept });
    },
    [review, instance, confirm, reject],
  );

  const undo = useCallback(async () => {
    const last = merges.at(-1);
    if (!last) return setTold({ tone: 'bad', message: text.reviews.nothingToUndo });
    setMerges(merges.slice(0, -1));
    const problem = problemOf(await undoMerge({ instance, id: last.merge }), 'Merge');
    if (problem) return setTold({ tone: 'bad', message: problem });
    setTold({ tone: 'good', message: text.reviews.undone });
    reload();
  }, [merges, instance, undoMerge, reload]);

  useKeys(
    mayEdit(viewer)
      ? {
          j: () => setAt(Math.min(place + 1, open.length - 1)),
          k: () => setAt(Math.max(place - 1, 0)),
          y: () => void decide(true),
          n: () => void decide(false),
          u: () => void undo(),
        }
      : {},
  );

  return (
    <Page
      title={text.reviews.title}
      actions={open.length > 0 && <Badge tone="accent">{text.reviews.left(String(open.length))}</Badge>}
    >
      {told && <Notice tone={told.tone}>{told.message}</Notice>}
      {error && <Failed error={error} />}
      {isLoading && <Loading />}
      {!isLoading && !error && !review && (
        <Empty title={text.reviews.empty} help={text.reviews.emptyHelp}>
          <TellCommand />
        </Empty>
      )}
      {review && (
        <div className="reviews">
          <div className="review-list" role="list">
            {open.map(({ id, left, right }, n) => (
              <div key={id} role="listitem">
                <button type="button" aria-current={n === place} onClick={() => setAt(n)}>
                  {nameOf(left)} / {nameOf(right)}
                </button>
              </div>
            ))}
          </div>
          <Pair review={review} mayDecide={mayEdit(viewer)} onDecide={(isSame) => void decide(isSame)} />
        </div>
      )}
      <More more={more} />
    </Page>
  );
}

const nameOf = ({ entity }: Review['left']) => entity.name ?? entity.id;

function Pair({
  review,
  mayDecide,
  onDecide,
}: {
  review: Review;
  mayDecide: boolean;
  onDecide: (isSame: boolean) => void;
}) {
  return (
    <div className="stack">
      <p className="muted">
        {text.reviews.question} {text.reviews.help}
      </p>
      <div className="pair">
        {[review.left, review.right].map((side) => (
          <section key={side.entity.id} className="card stack">
            <h2>{nameOf(side)}</h2>
            <div>
              <Badge>{side.entity.kind}</Badge>
            </div>
            {side.evidence.map(({ documentId, turns, quote }) => (
              <blockquote key={`${documentId}/${turns.join()}`} className="quote">
                {quote ?? text.memories.turns(turns)}
              </blockquote>
            ))}
          </section>
        ))}
      </div>
      {mayDecide && (
        <div className="actions">
          <Button kind="primary" onClick={() => onDecide(true)}>
            {text.reviews.same} <kbd>y</kbd>
          </Button>
          <Button onClick={() => onDecide(false)}>
            {text.reviews.different} <kbd>n</kbd>
          </Button>
        </div>
      )}
      <section className="card stack">
        <h2>{text.reviews.features}</h2>
        <div className="features number">
          {review.score !== null && <Feature name={text.reviews.score} value={review.score} />}
          {review.features.map(({ name, value }) => (
            <Feature key={name} name={name.replaceAll('_', ' ')} value={value} />
          ))}
        </div>
      </section>
    </div>
  );
}

const Feature = ({ name, value }: { name: string; value: number }) => (
  <>
    <span>{name}</span>
    <meter min={0} max={1} value={value} aria-label={name} />
    <span>{value.toFixed(2)}</span>
  </>
);

/** What single keys do while nobody types into a field. */
function useKeys(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest('input, textarea, select, dialog')) return;
      const act = actions[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}

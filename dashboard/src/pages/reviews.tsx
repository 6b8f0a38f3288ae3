import { Tabs } from 'radix-ui';
import { useEffect, useMemo, useState } from 'react';
import { useMutation } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { useSeenAgain } from '../api/live.ts';
import { messageOf, problemOf } from '../api/outcome.ts';
import type { AnsweredReviewsQuery, ReviewsQuery, EntityMatchReviewStatus } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { useFresh } from '../parts/fresh.tsx';
import { Listing, More } from '../parts/listing.tsx';
import { Badge, Button, Empty, Failed, Loading, Notice, Page, TellCommand, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
import {
  AnsweredReviews,
  ConfirmEntityMatch,
  OpenReviews,
  RejectEntityMatch,
  UndoEntityMatch,
} from './review-operations.ts';

type Review = ReviewsQuery['entityMatchReviews']['nodes'][number];
type Told = { readonly tone: 'good' | 'bad'; readonly message: string };
/** A decision that can be undone: its reviews, each with the merge that it made. */
type Decision = readonly { readonly review: string; readonly merge: string }[];

export default function ReviewsPage() {
  const [search, setSearch] = useSearchParams();
  const shown = states.find((each) => each === search.get('state')) ?? 'OPEN';
  return (
    <Page title={text.reviews.title}>
      <Tabs.Root
        value={shown}
        className="stack"
        onValueChange={(state) => setSearch(state === 'OPEN' ? {} : { state }, { replace: true })}
      >
        <Tabs.List className="tabs" aria-label={text.reviews.title}>
          {states.map((each) => (
            <Tabs.Trigger key={each} value={each}>
              {text.reviews.states[each]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value={shown} className="stack">
          {shown === 'OPEN' ? <Queue /> : <AnsweredReviewList status={shown} />}
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  );
}

const states = ['OPEN', 'CONFIRMED', 'REJECTED'] as const satisfies EntityMatchReviewStatus[];

/**
 * Pairs that wait for a person. A decision shows at once and the next pair comes; the server hears it meanwhile. Where
 * pairs are chosen, it is about all of them.
 */
function Queue() {
  const instance = useInstance();
  const viewer = useViewer();
  const variables = { instance, first: 50, content: viewer.readsContent };
  const { nodes, isLoading, error, more, reload } = useList(OpenReviews, variables, (data) => data.entityMatchReviews);
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  const [decisions, setDecisions] = useState<readonly Decision[]>([]);
  const [told, setTold] = useState<Told>();
  const [, confirm] = useMutation(ConfirmEntityMatch);
  const [, reject] = useMutation(RejectEntityMatch);
  const [, undoMerge] = useMutation(UndoEntityMatch);
  const open = useMemo(() => nodes.filter(({ id }) => !decided.has(id)), [nodes, decided]);
  const place = Math.min(at, open.length - 1);
  const review = open[place];

  // A pair that somebody looks at stays under their fingers.
  const stale = useFresh({ instance }, { isHeld: open.length > 0 || more !== undefined, reload });
  const isDone = !open.length && more !== undefined;
  useEffect(() => {
    // The next pairs come by themselves.
    if (isDone) void more?.().then((failed) => failed && setTold({ tone: 'bad', message: messageOf(failed) }));
  }, [isDone]);

  /** Sends one decision. Returns the merge that it made, or what is wrong. */
  async function send(id: string, isSame: boolean): Promise<{ merge?: string; problem?: string | undefined }> {
    if (!isSame) return { problem: problemOf(await reject({ instance, id }), 'EntityMatchReview') };
    const answer = await confirm({ instance, id });
    const merged = answer.data?.confirmEntityMatch;
    return merged?.__typename === 'Merge' ? { merge: merged.id } : { problem: problemOf(answer, 'Merge') };
  }

  async function decide(isSame: boolean) {
    const ids = chosen.size ? open.flatMap(({ id }) => (chosen.has(id) ? id : [])) : review ? [review.id] : [];
    if (!ids.length) return;
    setDecided((before) => new Set([...before, ...ids]));
    setChosen(new Set());
    const made: { review: string; merge: string }[] = [];
    for (const id of ids) {
      const { merge, problem } = await send(id, isSame);
      if (problem) {
        setDecided((before) => new Set([...before].filter((each) => each !== id)));
        setTold({ tone: 'bad', message: problem });
      } else {
        if (merge) made.push({ review: id, merge });
        setTold({ tone: 'good', message: isSame ? text.reviews.merged : text.reviews.kept });
      }
    }
    if (made.length) setDecisions((before) => [...before, made]);
  }

  async function undo() {
    const last = decisions.at(-1);
    if (!last) return setTold({ tone: 'bad', message: text.reviews.nothingToUndo });
    setDecisions(decisions.slice(0, -1));
    for (const { merge } of last) {
      const problem = problemOf(await undoMerge({ instance, id: merge }), 'Merge');
      if (problem) return setTold({ tone: 'bad', message: problem });
    }
    setTold({ tone: 'good', message: text.reviews.undone });
    reload();
  }

  function choose(id: string) {
    const after = new Set(chosen);
    if (!after.delete(id)) after.add(id);
    setChosen(after);
  }

  useKeys(
    mayEdit(viewer)
      ? {
          j: () => setAt(Math.min(place + 1, open.length - 1)),
          k: () => setAt(Math.max(place - 1, 0)),
          x: () => review && choose(review.id),
          y: () => void decide(true),
          n: () => void decide(false),
          u: () => void undo(),
        }
      : {},
  );

  return (
    <>
      {open.length > 0 && (
        <p className="muted number">
          {text.reviews.left(String(open.length))}
          {chosen.size > 0 && `, ${text.reviews.chosen(String(chosen.size))}`}
        </p>
      )}
      {stale && <div className="actions">{stale}</div>}
      {told && <Notice tone={told.tone}>{told.message}</Notice>}
      {error && <Failed error={error} />}
      {isLoading && <Loading />}
      {!isLoading && !error && !review && !isDone && (
        <Empty title={text.reviews.empty} help={text.reviews.emptyHelp}>
          <TellCommand />
        </Empty>
      )}
      {review && (
        <div className="reviews">
          <div className="review-list" role="list">
            {open.map(({ id, left, right }, n) => (
              <div key={id} role="listitem">
                {mayEdit(viewer) && (
                  <input
                    type="checkbox"
                    aria-label={text.reviews.choose(nameOf(left), nameOf(right))}
                    checked={chosen.has(id)}
                    onChange={() => choose(id)}
                  />
                )}
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
    </>
  );
}

type AnsweredReview = AnsweredReviewsQuery['entityMatchReviews']['nodes'][number];

/** What was decided before, the latest pairs first. */
function AnsweredReviewList({ status }: { status: Exclude<(typeof states)[number], 'OPEN'> }) {
  const instance = useInstance();
  const { readsContent } = useViewer();
  const variables = { instance, status, first: 50, content: readsContent };
  const list = useList(AnsweredReviews, variables, (data) => data.entityMatchReviews);
  useSeenAgain(list.reload);
  const link = ({ entity, evidence }: AnsweredReview['left']) => (
    <Link href={`/entities/${entity.id}`}>{evidence[0]?.name ?? entity.name ?? entity.id}</Link>
  );
  return (
    <Listing
      list={list}
      label={text.reviews.states[status]}
      empty={<Empty title={text.reviews.noneAnswered} help={text.reviews.noneAnsweredHelp[status]} />}
      idOf={({ id }) => id}
      columns={[
        {
          name: text.reviews.pair,
          isWide: true,
          show: ({ left, right }) => (
            <>
              {link(left)} / {link(right)}
            </>
          ),
        },
        { name: text.reviews.score, isNumber: true, show: ({ score }) => score?.toFixed(2) ?? text.common.none },
        { name: text.reviews.decided, show: ({ decidedAt }) => <Time at={decidedAt} /> },
      ]}
    />
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
            <Feature key={name} name={name.replaceAll(/[_-]/g, ' ')} value={value} />
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

const takesKeys = 'input:not([type=checkbox]), textarea, select, dialog, [role=menu]';

/** What single keys do while nobody types into a field or chooses from a menu. */
function useKeys(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if ((event.target as HTMLElement).closest(takesKeys)) return;
      const act = actions[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}

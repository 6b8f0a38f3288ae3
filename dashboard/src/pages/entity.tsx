import { useDeferredValue, useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { problemOf } from '../api/outcome.ts';
import { graphql } from '../generated/index.ts';
import type { EntityDetailQuery, MemoriesOfEntityQuery } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { formatDateTime, inWords } from '../parts/format.ts';
import { Confirmation } from '../parts/dialog.tsx';
import { Field, SearchField } from '../parts/fields.tsx';
import { useFresh } from '../parts/fresh.tsx';
import { More } from '../parts/listing.tsx';
import { BackLink, Badge, Button, Facts, Failed, Loading, Missing, Notice, Page, Time } from '../parts/parts.tsx';
import { useList, type List } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';

const EntityDetail = graphql(`
  query EntityDetail($instance: ID!, $id: ID!, $content: Boolean!) {
    entity(id: $id, instanceId: $instance) {
      id
      kind
      name @include(if: $content)
      aliases @include(if: $content)
      scope
      mentions
      createdAt
      merges {
        id
        reason
        score
        createdAt
        undoneAt
        sourceEntityId
        sourceName @include(if: $content)
      }
    }
  }
`);

const MemoriesOfEntity = graphql(`
  query MemoriesOfEntity($instance: ID!, $id: ID!, $first: Int!, $after: String, $content: Boolean!) {
    entity(id: $id, instanceId: $instance) {
      memories(first: $first, after: $after) {
        nodes {
          id
          content @include(if: $content)
          entities {
            id
            kind
            name @include(if: $content)
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

const MergeEntities = graphql(`
  mutation MergeEntities($instance: ID!, $source: ID!, $target: ID!) {
    mergeEntities(instanceId: $instance, sourceEntityId: $source, targetEntityId: $target) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

const UndoMerge = graphql(`
  mutation UndoMerge($instance: ID!, $id: ID!) {
    undoMerge(instanceId: $instance, id: $id) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

const SplitEntity = graphql(`
  mutation SplitEntity($instance: ID!, $id: ID!, $memories: [ID!]!) {
    splitEntity(instanceId: $instance, entityId: $id, memoryIds: $memories) {
      __typename
      ... on EntitySplit {
        newEntity {
          id
        }
      }
      ... on Problem {
        message
      }
    }
  }
`);

type Entity = NonNullable<EntityDetailQuery['entity']>;
type Memory = NonNullable<MemoriesOfEntityQuery['entity']>['memories']['nodes'][number];

const pageSize = 40;

export default function EntityPage({ id }: { id: string }) {
  const instance = useInstance();
  const viewer = useViewer();
  const [{ data, error }, ask] = useQuery({
    query: EntityDetail,
    variables: { instance, id, content: viewer.readsContent },
  });
  const variables = { instance, id, first: pageSize, content: viewer.readsContent };
  const memories = useList(MemoriesOfEntity, variables, (found) => found.entity?.memories);
  const again = () => {
    ask({ requestPolicy: 'network-only' });
    memories.reload();
  };
  const stale = useFresh({ instance }, { isHeld: memories.nodes.length > pageSize, reload: again });
  const [, undoMerge] = useMutation(UndoMerge);
  const [problem, setProblem] = useState<string>();
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const { entity } = data;
  if (!entity) return <Missing back={<BackLink to="/entities">{text.entities.back}</BackLink>} />;
  return (
    <Page
      back={<BackLink to="/entities">{text.entities.back}</BackLink>}
      title={entity.name ?? entity.id}
      actions={<Badge>{entity.kind}</Badge>}
    >
      {problem && <Notice tone="bad">{problem}</Notice>}
      {stale && <div className="actions">{stale}</div>}
      <Facts
        of={[
          [text.entities.aliases, entity.aliases?.join(', ')],
          [text.entities.mentions, String(entity.mentions)],
          [text.memories.scope, inWords(entity.scope)],
          [text.memories.stored, formatDateTime(entity.createdAt)],
        ]}
      />
      <div className="cards">
        <section className="card">
          <h2>{text.entities.graph}</h2>
          {!memories.isLoading && <Neighbourhood of={entity} memories={memories.nodes} />}
        </section>
        <Mentioned of={entity} memories={memories} onProblem={setProblem} />
      </div>
      {entity.merges.length > 0 && (
        <section className="card">
          <h2>{text.entities.merges}</h2>
          <ul className="list">
            {entity.merges.map((merge) => (
              <li key={merge.id} className="actions">
                <span>
                  <strong>{merge.sourceName ?? merge.sourceEntityId}</strong>{' '}
                  <span className="muted">
                    {text.entities.reasons[merge.reason]}
                    {merge.score !== null && `, ${text.reviews.score.toLowerCase()} ${merge.score.toFixed(2)}`},{' '}
                    <Time at={merge.createdAt} />
                  </span>
                </span>
                {merge.undoneAt ? (
                  <Badge>{text.entities.undone}</Badge>
                ) : (
                  mayEdit(viewer) && (
                    <Button
                      onClick={() =>
                        void undoMerge({ instance, id: merge.id }).then((answer) => {
                          setProblem(problemOf(answer, 'Merge'));
                          again();
                        })
                      }
                    >
                      {text.entities.undoMerge}
                    </Button>
                  )
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {mayEdit(viewer) && viewer.readsContent && <MergeInto source={entity} onDone={again} onProblem={setProblem} />}
    </Page>
  );
}

/** The memories that mention it; those that mean another are chosen and become an entity of their own. */
function Mentioned({
  of,
  memories: { nodes, isLoading, error, more },
  onProblem,
}: {
  of: Entity;
  memories: List<Memory>;
  onProblem: (problem: string | undefined) => void;
}) {
  const instance = useInstance();
  const viewer = useViewer();
  const [, go] = useLocation();
  const [, split] = useMutation(SplitEntity);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const ids = nodes.flatMap(({ id }) => (chosen.has(id) ? id : [])); // of those that are still there
  const maySplit = mayEdit(viewer) && nodes.length > 1;

  function choose(id: string, isChosen: boolean) {
    const after = new Set(chosen);
    if (isChosen) after.add(id);
    else after.delete(id);
    setChosen(after);
  }
  async function divide() {
    const answer = await split({ instance, id: of.id, memories: ids });
    onProblem(problemOf(answer, 'EntitySplit'));
    const divided = answer.data?.splitEntity;
    if (divided?.__typename !== 'EntitySplit') return;
    setChosen(new Set());
    go(`/entities/${divided.newEntity.id}`);
  }
  return (
    <section className="card stack">
      <h2>{text.entities.evidence}</h2>
      {error && <Failed error={error} />}
      {isLoading && <Loading />}
      <ul className="list">
        {nodes.map(({ id, content }) => (
          <li key={id} className="choosable">
            {maySplit && (
              <input
                type="checkbox"
                aria-label={text.entities.choose(content ?? id)}
                checked={chosen.has(id)}
                onChange={(event) => choose(id, event.target.checked)}
              />
            )}
            <Link href={`/memories/${id}`}>{content ?? id}</Link>
          </li>
        ))}
      </ul>
      <More more={more} />
      {maySplit && (
        <div className="actions">
          <Button disabled={!ids.length} onClick={() => void divide()}>
            {text.entities.split}
          </Button>
          <span className="muted">{text.entities.splitHelp}</span>
        </div>
      )}
    </section>
  );
}

const Likely = graphql(`
  query LikelySame($instance: ID!, $q: String!) {
    entities(instanceId: $instance, filter: { q: $q }, first: 20) {
      nodes {
        id
        kind
        name
        mentions
      }
    }
  }
`);

/** Makes the entity part of another, which is looked for by its name and chosen; nothing is merged before both are named. */
function MergeInto({
  source,
  onDone,
  onProblem,
}: {
  source: Entity;
  onDone: () => void;
  onProblem: (problem: string | undefined) => void;
}) {
  const instance = useInstance();
  const [, go] = useLocation();
  const [q, setQ] = useState('');
  const [target, setTarget] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [, merge] = useMutation(MergeEntities);
  const name = useDeferredValue(q.trim());
  const [{ data, fetching, stale }] = useQuery({ query: Likely, variables: { instance, q: name }, pause: !name });
  // While another name is asked for, `data` is still what the one before it found.
  const isFound = name !== '' && name === q.trim() && !fetching && !stale;
  const found = isFound ? (data?.entities.nodes ?? []).filter(({ id }) => id !== source.id) : [];
  const chosen = found.find(({ id }) => id === target);
  async function mergeInto(id: string) {
    const problem = problemOf(await merge({ instance, source: source.id, target: id }), 'Merge');
    onProblem(problem);
    if (problem) return onDone();
    go(`/entities/${id}`);
  }
  return (
    <section className="card stack">
      <h2>{text.entities.mergeTitle}</h2>
      <p className="muted">{text.entities.mergeHelp}</p>
      <div className="filters">
        <SearchField
          label={text.entities.mergeSearch}
          value={q}
          onChange={(value) => {
            setQ(value);
            setTarget('');
          }}
        />
        <Field label={text.entities.mergeInto} wide>
          <select
            className="input"
            disabled={!found.length}
            value={chosen?.id ?? ''}
            onChange={(event) => setTarget(event.target.value)}
          >
            <option value="">{found.length ? text.entities.mergeChoose : text.entities.noneFound}</option>
            {found.map((each) => (
              <option key={each.id} value={each.id}>
                {describe(each)}
              </option>
            ))}
          </select>
        </Field>
        <Button disabled={!chosen} onClick={() => setAsking(true)}>
          {text.entities.mergeSubmit}
        </Button>
      </div>
      {chosen && (
        <Confirmation
          title={text.entities.mergeConfirm(describe(source), describe(chosen))}
          help={text.entities.mergeHelp}
          label={text.entities.mergeSubmit}
          isOpen={isAsking}
          onConfirm={() => void mergeInto(chosen.id)}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

const describe = ({ id, name, kind, mentions }: Pick<Entity, 'id' | 'name' | 'kind' | 'mentions'>) =>
  text.entities.optionOf(name ?? id, kind, mentions);

const [width, height, max] = [560, 380, 14];

/** The entity in the middle, and around it those that its memories mention too; a thicker line is more memories. */
function Neighbourhood({ of, memories }: { of: Entity; memories: readonly Memory[] }) {
  const near = neighboursOf(of, memories);
  const name = of.name ?? of.kind;
  if (!near.length) return <p className="muted">{text.entities.noneNear}</p>;
  const placed = near.map((each, n) => {
    const angle = (n / near.length) * 2 * Math.PI - Math.PI / 2;
    const reach = n % 2 ? 0.72 : 1;
    return {
      ...each,
      x: width / 2 + Math.cos(angle) * (width / 2 - 70) * reach,
      y: height / 2 + Math.sin(angle) * (height / 2 - 34) * reach,
    };
  });
  return (
    <svg
      className="graph"
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label={text.entities.graphHelp(name, near.length)}
    >
      {placed.map(({ id, x, y, shared }) => (
        <line key={id} x1={width / 2} y1={height / 2} x2={x} y2={y} strokeWidth={Math.min(5, shared)} />
      ))}
      <g className="centre">
        <circle cx={width / 2} cy={height / 2} r={9} />
        <text x={width / 2} y={height / 2 - 15}>
          {name}
        </text>
      </g>
      {placed.map(({ id, x, y, label }) => (
        <Link key={id} href={`/entities/${id}`}>
          <circle cx={x} cy={y} r={6} />
          <text x={x} y={y - 11}>
            {label}
          </text>
        </Link>
      ))}
    </svg>
  );
}

function neighboursOf({ id: own }: Entity, memories: readonly Memory[]) {
  const near = new Map<string, { id: string; label: string; shared: number }>();
  for (const { entities } of memories) {
    for (const { id, kind, name } of entities) {
      if (id === own) continue;
      near.set(id, { id, label: name ?? kind, shared: (near.get(id)?.shared ?? 0) + 1 });
    }
  }
  return [...near.values()].toSorted((one, other) => other.shared - one.shared).slice(0, max);
}

import { useEffect, useMemo, useRef, useState, type FormEvent } from 'react';
import { Provider, useMutation, useQuery, useSubscription } from 'urql';
import { Link } from 'wouter';
import { asLastRequest, createKeyClient } from '../api/client.ts';
import { messageOf, problemOf } from '../api/outcome.ts';
import type { PlaygroundAnticipatedSubscription, RetrievalMode } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { Choice, Field, valueOf } from '../parts/fields.tsx';
import { Badge, Button, Failed, Loading, Notice, Page } from '../parts/parts.tsx';
import { inWords } from '../parts/format.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
import { CreateKey, RevokeKey } from './keys.tsx';
import { Anticipated, Ask, PublishPartial, Say, Send, Start } from './playground-operations.ts';

interface HeldKey {
  readonly secret: string;
  /** Of a key that was made for this tab: given back when its holder is done, or leaves the page. */
  readonly id?: string;
}

export default function PlaygroundPage() {
  const [key, setKey] = useState<HeldKey>();
  const [problem, setProblem] = useState<string>();
  const client = useMemo(() => key && createKeyClient(key.secret), [key]);
  const { giveBack, isGiving } = useGivingBack(key?.id);
  if (!key || !client) return <Begin onKey={setKey} />;
  async function end() {
    const refused = await giveBack();
    setProblem(refused);
    if (!refused) setKey(undefined);
  }
  return (
    <Page
      title={text.playground.title}
      actions={
        <Button disabled={isGiving} onClick={() => void end()}>
          {text.playground.end}
        </Button>
      }
    >
      {problem && <Notice tone="bad">{problem}</Notice>}
      <Provider value={client}>
        <Talk />
      </Provider>
    </Page>
  );
}

/** Gives this key back, once: when asked, with the problem if there is one, or else when the page or its window is left. */
function useGivingBack(id: string | undefined) {
  const instance = useInstance();
  const [{ fetching: isGiving }, revoke] = useMutation(RevokeKey);
  const held = useRef<string>(undefined);
  async function giveBack() {
    const given = held.current;
    if (!given) return undefined;
    held.current = undefined;
    const problem = problemOf(await revoke({ instance, id: given }, asLastRequest), 'Key');
    if (problem) held.current = given;
    return problem;
  }
  useEffect(() => {
    held.current = id;
    const leave = () => void giveBack();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [id]);
  return { giveBack, isGiving };
}

function Begin({ onKey }: { onKey: (key: HeldKey) => void }) {
  const instance = useInstance();
  const viewer = useViewer();
  const [pasted, setPasted] = useState('');
  const [problem, setProblem] = useState<string>();
  const [{ fetching }, create] = useMutation(CreateKey);
  async function make() {
    const answer = await create({ input: { instanceId: instance, label: 'playground' } });
    setProblem(problemOf(answer, 'KeyCreated'));
    const made = answer.data?.createKey;
    if (made?.__typename === 'KeyCreated') onKey({ secret: made.secret, id: made.key.id });
  }
  return (
    <Page title={text.playground.title}>
      <section className="card stack">
        <h2>{text.playground.keyTitle}</h2>
        <p className="muted">{text.playground.keyHelp}</p>
        {problem && <Notice tone="bad">{problem}</Notice>}
        {mayEdit(viewer) && (
          <div>
            <Button kind="primary" disabled={fetching} onClick={() => void make()}>
              {text.playground.makeKey}
            </Button>
          </div>
        )}
        <form
          className="filters"
          onSubmit={(event) => {
            event.preventDefault();
            onKey({ secret: pasted.trim() });
          }}
        >
          <Field label={text.playground.paste} wide>
            <input
              className="input"
              type="password"
              autoComplete="off"
              required
              value={pasted}
              onChange={(event) => setPasted(event.target.value)}
            />
          </Field>
          <Button type="submit">{text.playground.useKey}</Button>
        </form>
      </section>
    </Page>
  );
}

function Talk() {
  const [user, setUser] = useState('playground');
  return (
    <>
      <div className="filters">
        <Field label={text.playground.user}>
          <input className="input" value={user} onChange={(event) => setUser(event.target.value)} />
        </Field>
      </div>
      <div className="columns">
        <div className="stack">
          <Telling user={user} />
          <Live user={user} />
        </div>
        <Asking user={user} />
      </div>
    </>
  );
}

function Telling({ user }: { user: string }) {
  const [{ data, error, fetching }, say] = useMutation(Say);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const words = valueOf(new FormData(event.currentTarget), 'words');
    void say({
      input: { document: { text: words }, documentType: 'AI_CHAT_CONVERSATION', userId: user, mode: 'FAST' },
    });
  };
  const told = data?.submitDocument;
  return (
    <section className="card stack">
      <h2>{text.playground.say}</h2>
      <form className="stack" onSubmit={submit}>
        <label>
          <span className="hidden">{text.playground.say}</span>
          <textarea className="input" name="words" required placeholder={text.playground.sayHint} />
        </label>
        <div>
          <Button kind="primary" type="submit" disabled={fetching}>
            {text.playground.saySubmit}
          </Button>
        </div>
      </form>
      {error && <Failed error={error} />}
      {fetching && <Loading />}
      {told?.__typename === 'Ingestion' ? (
        <div role="status">
          <h3>{text.playground.extracted}</h3>
          <ul className="list">
            {told.memories.map(({ id, type, category, content, confidence, evidence }) => (
              <li key={id}>
                <Link href={`/memories/${id}`}>{content}</Link>
                <div className="memory-meta number">
                  <Badge>{inWords(type)}</Badge>
                  <span>{category}</span>
                  <span>{confidence.toFixed(2)}</span>
                  <span>“{evidence[0]?.quote}”</span>
                </div>
              </li>
            ))}
          </ul>
          {!told.memories.length && <p className="muted">{told.error ?? text.playground.nothing}</p>}
          {told.discarded > 0 && <p className="muted">{text.playground.discarded(told.discarded)}</p>}
          {told.warnings.map((warning) => (
            <p key={warning} className="muted">
              {warning}
            </p>
          ))}
        </div>
      ) : (
        told && <Notice tone="bad">{told.message}</Notice>
      )}
    </section>
  );
}

const modes = ['FAST', 'ACCURATE'] as const satisfies RetrievalMode[];

function Asking({ user }: { user: string }) {
  // As it was asked: whoever types another user asks nothing by it.
  const [asked, setAsked] = useState<{ words: string; user: string; mode: RetrievalMode }>();
  const [mode, setMode] = useState<RetrievalMode>('ACCURATE');
  const [{ data, error, fetching }] = useQuery({
    query: Ask,
    variables: {
      query: {
        searchQueries: [asked?.words ?? ''],
        userId: asked?.user ?? user,
        mode: asked?.mode ?? mode,
        explain: true,
        maxResults: 10,
        format: 'JSON',
      },
    },
    pause: !asked,
    requestPolicy: 'network-only',
  });
  return (
    <section className="card stack">
      <h2>{text.playground.ask}</h2>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault();
          setAsked({ words: valueOf(new FormData(event.currentTarget), 'words'), user, mode });
        }}
      >
        <Field label={text.playground.ask} wide>
          <input className="input" name="words" required placeholder={text.playground.askHint} />
        </Field>
        <Choice
          label={text.playground.mode}
          value={mode}
          options={modes}
          any={null}
          onChange={(value) => setMode(value || 'FAST')}
        />
        <Button kind="primary" type="submit">
          {text.playground.askSubmit}
        </Button>
      </form>
      {error && <Failed error={error} />}
      {fetching && <Loading />}
      {data && (
        <div role="status">
          <p className="muted number">
            {data.context.totalTokens} {text.playground.tokens}, {text.playground.source} {inWords(data.context.source)}
          </p>
          <ol className="list">
            {data.context.memories.map(({ score, scoreParts, memory }) => (
              <li key={memory.id}>
                <Link href={`/memories/${memory.id}`}>{memory.content}</Link>
                <details>
                  <summary className="muted number">
                    {text.playground.score} {score.toFixed(3)}
                  </summary>
                  <div className="features number">
                    {(scoreParts ?? []).map(({ name, value }) => (
                      <PartOfScore key={name} name={name} value={value} />
                    ))}
                  </div>
                </details>
              </li>
            ))}
          </ol>
          {data.context.warnings.map((warning) => (
            <Notice key={warning}>{warning}</Notice>
          ))}
        </div>
      )}
    </section>
  );
}

const PartOfScore = ({ name, value }: { name: string; value: number }) => (
  <>
    <span>{name.replaceAll('_', ' ')}</span>
    <meter min={0} max={1} value={value} aria-label={name} />
    <span>{value.toFixed(3)}</span>
  </>
);

/** A conversation whose next needs are pushed while it is held. */
function Live({ user }: { user: string }) {
  const [conversation, setConversation] = useState<{ id: string; user: string }>();
  const [problem, setProblem] = useState<string>();
  const [, start] = useMutation(Start);
  async function begin() {
    const answer = await start({ input: { userId: user } });
    setProblem(problemOf(answer, 'Conversation'));
    const begun = answer.data?.startConversation;
    if (begun?.__typename === 'Conversation') setConversation({ id: begun.id, user });
  }
  return (
    <section className="card stack">
      <h2>{text.playground.live}</h2>
      <p className="muted">{text.playground.liveHelp}</p>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {conversation ? (
        <LiveConversation {...conversation} />
      ) : (
        <div>
          <Button onClick={() => void begin()}>{text.playground.liveStart}</Button>
        </div>
      )}
    </section>
  );
}

type Standing = Extract<PlaygroundAnticipatedSubscription['anticipated'], { __typename: 'Bundle' }>['memories'];

/** How long after a key what was typed is told. */
const typedAfterMs = 150;

function LiveConversation({ id, user }: { id: string; user: string }) {
  const [, send] = useMutation(Send);
  const [, publishPartial] = useMutation(PublishPartial);
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [problem, setProblem] = useState<string>();
  const [{ data: standing, error }] = useSubscription(
    { query: Anticipated, variables: { conversation: id, user } },
    (before: Standing = [], { anticipated }: PlaygroundAnticipatedSubscription): Standing =>
      anticipated.__typename === 'Bundle'
        ? anticipated.memories
        : before.filter(({ memory }) => !anticipated.memoryIds.includes(memory.id)),
  );
  /** Tells what stands in the field soon after the last key. */
  function typed(content: string) {
    clearTimeout(typing.current);
    typing.current = setTimeout(() => {
      void publishPartial({ input: { conversationId: id, userId: user, role: 'user', content } }).then((answer) =>
        setProblem(problemOf(answer, 'PartialMessagePublished')),
      );
    }, typedAfterMs);
  }
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    clearTimeout(typing.current);
    const form = event.currentTarget;
    const content = valueOf(new FormData(form), 'words');
    form.reset();
    const answer = await send({ input: { conversationId: id, userId: user, messages: [{ role: 'user', content }] } });
    setProblem(problemOf(answer, 'MessagesAdded'));
  }
  return (
    <>
      <form className="filters" onSubmit={(event) => void submit(event)}>
        <Field label={text.playground.say} wide>
          <input
            className="input"
            name="words"
            required
            autoComplete="off"
            placeholder={text.playground.liveHint}
            onChange={(event) => typed(event.target.value)}
          />
        </Field>
        <Button type="submit">{text.playground.liveSay}</Button>
      </form>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {error && <Notice tone="bad">{messageOf(error)}</Notice>}
      {standing?.length ? (
        <ul className="list" aria-live="polite">
          {standing.map(({ memory, score, reason }) => (
            <li key={memory.id}>
              <Link href={`/memories/${memory.id}`}>{memory.content}</Link>
              <div className="memory-meta number">
                <span>{inWords(reason)}</span>
                <span>{score.toFixed(2)}</span>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted">{text.playground.liveEmpty}</p>
      )}
    </>
  );
}

import { useState, type FormEvent } from 'react';
import { useMutation } from 'urql';
import { problemOf } from '../api/outcome.ts';
import { graphql } from '../generated/index.ts';
import { useInstance } from '../instance.tsx';
import { Confirmation, Dialog } from '../parts/dialog.tsx';
import { Field, valueOf } from '../parts/fields.tsx';
import { Listing } from '../parts/listing.tsx';
import { Badge, Button, Copyable, Empty, Notice, Page, ShownOnce, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';

const Keys = graphql(`
  query Keys($instance: ID!, $first: Int!, $after: String) {
    instance(id: $instance) {
      keys(first: $first, after: $after) {
        nodes {
          id
          label
          last4
          requestsPerMinute
          createdAt
          lastUsedAt
          revokedAt
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export const CreateKey = graphql(`
  mutation CreateKey($input: CreateKeyInput!) {
    createKey(input: $input) {
      __typename
      ... on KeyCreated {
        secret
        key {
          id
        }
      }
      ... on Problem {
        message
      }
    }
  }
`);

export const RevokeKey = graphql(`
  mutation RevokeKey($instance: ID!, $id: ID!) {
    revokeKey(instanceId: $instance, id: $id) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

export default function KeysPage() {
  const instance = useInstance();
  const viewer = useViewer();
  const list = useList(Keys, { instance, first: 50 }, (data) => data.instance?.keys);
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [{ fetching }, create] = useMutation(CreateKey);
  const [, revoke] = useMutation(RevokeKey);

  async function make(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [label, perMinute] = [valueOf(form, 'label'), Number(valueOf(form, 'rate'))];
    const rate = perMinute ? { requestsPerMinute: perMinute, burst: perMinute } : null;
    const answer = await create({ input: { instanceId: instance, label: label || null, rate } });
    setProblem(problemOf(answer, 'KeyCreated'));
    const made = answer.data?.createKey;
    if (made?.__typename !== 'KeyCreated') return;
    setSecret(made.secret);
    setMaking(false);
    list.reload();
  }
  /** Opens the dialog, or closes it, without what was refused in the one before. */
  function ask(isOpen: boolean) {
    setProblem(undefined);
    setMaking(isOpen);
  }
  async function end(id: string) {
    setProblem(problemOf(await revoke({ instance, id }), 'Key'));
    list.reload();
  }
  return (
    <Page
      title={text.keys.title}
      actions={
        mayEdit(viewer) && (
          <Button kind="primary" onClick={() => ask(true)}>
            {text.keys.create}
          </Button>
        )
      }
    >
      {problem && !isMaking && <Notice tone="bad">{problem}</Notice>}
      {secret && <ShownOnce title={text.keys.shown} help={text.keys.shownHelp} value={secret} />}
      <Listing
        list={list}
        label={text.keys.title}
        empty={
          <Empty title={text.keys.empty} help={text.keys.emptyHelp}>
            <Copyable label={text.common.copy} value={'npx presage keys create --label "support bot"'} />
          </Empty>
        }
        idOf={({ id }) => id}
        columns={[
          {
            name: text.keys.key,
            isWide: true,
            show: ({ label, last4 }) => (
              <>
                {label} <code className="muted">…{last4}</code>
              </>
            ),
          },
          {
            name: text.keys.rate,
            isNumber: true,
            show: ({ requestsPerMinute }) => requestsPerMinute ?? text.keys.defaultRate,
          },
          { name: text.keys.created, show: ({ createdAt }) => <Time at={createdAt} /> },
          { name: text.keys.lastUsed, show: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          {
            name: text.clients.state,
            show: ({ revokedAt }) =>
              revokedAt ? <Badge>{text.keys.revoked}</Badge> : <Badge tone="good">{text.keys.active}</Badge>,
          },
          {
            name: '',
            show: ({ id, revokedAt }) =>
              !revokedAt &&
              mayEdit(viewer) && (
                <Button kind="danger" onClick={() => setRevoking(id)}>
                  {text.keys.revoke}
                </Button>
              ),
          },
        ]}
      />
      <Dialog title={text.keys.create} isOpen={isMaking} onClose={() => ask(false)}>
        <form className="stack" onSubmit={(event) => void make(event)}>
          {problem && <Notice tone="bad">{problem}</Notice>}
          <Field label={text.keys.label} help={text.keys.labelHelp}>
            <input className="input" name="label" maxLength={128} />
          </Field>
          <Field label={text.keys.rate}>
            <input
              className="input"
              name="rate"
              type="number"
              min={1}
              max={1_000_000}
              placeholder={text.keys.defaultRate}
            />
          </Field>
          <div className="actions">
            <Button kind="primary" type="submit" disabled={fetching}>
              {text.clients.create}
            </Button>
            <Button onClick={() => ask(false)}>{text.common.cancel}</Button>
          </div>
        </form>
      </Dialog>
      <Confirmation
        title={text.keys.revokeTitle}
        help={text.keys.revokeHelp}
        label={text.keys.revoke}
        isOpen={revoking !== undefined}
        onConfirm={() => void end(revoking!)}
        onClose={() => setRevoking(undefined)}
      />
    </Page>
  );
}

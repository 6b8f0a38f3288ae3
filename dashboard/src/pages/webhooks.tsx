import { useState, type FormEvent } from 'react';
import { useMutation } from 'urql';
import { Link } from 'wouter';
import { useSeenAgain } from '../api/live.ts';
import { problemOf } from '../api/outcome.ts';
import type { EventType } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, valueOf } from '../parts/fields.tsx';
import { inWords } from '../parts/format.ts';
import { Listing } from '../parts/listing.tsx';
import { Badge, Button, Copyable, Empty, Notice, Page, ShownOnce, State, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
import { CreateWebhook, Webhooks } from './webhook-operations.ts';

const eventTypes = [
  'CONVERSATION_STARTED',
  'CONVERSATION_ENDED',
  'CONTEXT_RETRIEVED',
  'CONFIG_APPLIED',
  'COMPACTION_COMPLETED',
] as const satisfies EventType[];

export default function WebhooksPage() {
  const instance = useInstance();
  const viewer = useViewer();
  const list = useList(Webhooks, { instance, first: 50 }, (data) => data.webhooks);
  useSeenAgain(list.reload);
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [{ fetching }, create] = useMutation(CreateWebhook);

  async function make(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const input = {
      url: valueOf(form, 'url').trim(),
      description: valueOf(form, 'description') || null,
      eventTypes: form.getAll('event') as EventType[],
    };
    const answer = await create({ instance, input });
    setProblem(problemOf(answer, 'WebhookWithSecret'));
    const made = answer.data?.createWebhook;
    if (made?.__typename !== 'WebhookWithSecret') return;
    setSecret(made.secret);
    setMaking(false);
    list.reload();
  }
  return (
    <Page
      title={text.webhooks.title}
      actions={
        mayEdit(viewer) && (
          <Button kind="primary" onClick={() => setMaking(true)}>
            {text.webhooks.create}
          </Button>
        )
      }
    >
      {secret && <ShownOnce title={text.webhooks.secret} help={text.webhooks.secretHelp} value={secret} />}
      <Listing
        list={list}
        label={text.webhooks.title}
        empty={
          <Empty title={text.webhooks.empty} help={text.webhooks.emptyHelp}>
            <Copyable
              label={text.common.copy}
              value="npx presage webhooks create https://example.com/hooks --events conversation.ended"
            />
          </Empty>
        }
        idOf={({ id }) => id}
        columns={[
          {
            name: text.webhooks.url,
            isWide: true,
            show: ({ id, url, description }) => (
              <>
                <Link href={`/webhooks/${id}`}>{url}</Link>
                {description && <div className="memory-meta">{description}</div>}
              </>
            ),
          },
          {
            name: text.webhooks.events,
            isWide: true,
            show: (webhook) => (
              <div className="badges">
                {webhook.eventTypes.map((each) => (
                  <Badge key={each}>{inWords(each)}</Badge>
                ))}
              </div>
            ),
          },
          {
            name: text.clients.state,
            show: ({ state, failingSince }) =>
              failingSince && state === 'ACTIVE' ? (
                <Badge tone="warn">{text.webhooks.failing}</Badge>
              ) : (
                <State of={state} />
              ),
          },
          { name: text.keys.created, show: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
      <Dialog title={text.webhooks.create} isOpen={isMaking} onClose={() => setMaking(false)}>
        <form className="stack" onSubmit={(event) => void make(event)}>
          {problem && <Notice tone="bad">{problem}</Notice>}
          <Field label={text.webhooks.url} help={text.webhooks.urlHelp}>
            <input className="input" name="url" type="url" required placeholder="https://" />
          </Field>
          <Field label={text.webhooks.description}>
            <input className="input" name="description" />
          </Field>
          <fieldset className="stack">
            <legend>{text.webhooks.events}</legend>
            {eventTypes.map((each) => (
              <label key={each}>
                <input type="checkbox" name="event" value={each} defaultChecked /> {inWords(each)}
              </label>
            ))}
          </fieldset>
          <div className="actions">
            <Button kind="primary" type="submit" disabled={fetching}>
              {text.clients.create}
            </Button>
            <Button onClick={() => setMaking(false)}>{text.common.cancel}</Button>
          </div>
        </form>
      </Dialog>
    </Page>
  );
}

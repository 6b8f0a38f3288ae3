import { useState } from 'react';
import { useMutation, useQuery } from 'urql';
import { useLocation } from 'wouter';
import { useSeenAgain } from '../api/live.ts';
import { problemOf } from '../api/outcome.ts';
import type { WebhookDeliveriesQuery, WebhookDeliveryState } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { Confirmation } from '../parts/dialog.tsx';
import { Choice } from '../parts/fields.tsx';
import { formatDateTime, formatMs, inWords } from '../parts/format.ts';
import { Listing } from '../parts/listing.tsx';
import {
  BackLink,
  Button,
  Empty,
  Facts,
  Failed,
  Loading,
  Missing,
  Notice,
  Page,
  ShownOnce,
  State,
  Time,
} from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
import {
  DeleteWebhook,
  Deliveries,
  Redeliver,
  RotateSecret,
  TestWebhook,
  UpdateWebhook,
  WebhookDetail,
} from './webhook-operations.ts';

export default function WebhookPage({ id }: { id: string }) {
  const instance = useInstance();
  const viewer = useViewer();
  const [, go] = useLocation();
  const [{ data, error }, ask] = useQuery({ query: WebhookDetail, variables: { instance, id } });
  const [state, setState] = useState<WebhookDeliveryState | ''>('');
  const deliveries = useList(
    Deliveries,
    { instance, id, state: state || null, first: 50 },
    (found) => found.webhook?.deliveries,
  );
  useSeenAgain(() => {
    ask({ requestPolicy: 'network-only' });
    deliveries.reload();
  });
  const [asked, setAsked] = useState<'rotate' | 'delete'>();
  const [secret, setSecret] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [, update] = useMutation(UpdateWebhook);
  const [, remove] = useMutation(DeleteWebhook);
  const [, rotate] = useMutation(RotateSecret);
  const [, test] = useMutation(TestWebhook);
  const [, redeliver] = useMutation(Redeliver);
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const { webhook } = data;
  if (!webhook) return <Missing back={<BackLink to="/webhooks">{text.webhooks.back}</BackLink>} />;

  const of = { instance, id };
  const isActive = webhook.state === 'ACTIVE';
  function shown(failed: string | undefined) {
    setProblem(failed);
    ask({ requestPolicy: 'network-only' });
    deliveries.reload();
  }
  async function rotateSecret() {
    const answer = await rotate(of);
    shown(problemOf(answer, 'WebhookWithSecret'));
    const rotated = answer.data?.rotateWebhookSecret;
    if (rotated?.__typename === 'WebhookWithSecret') setSecret(rotated.secret);
  }
  async function deleteForGood() {
    const failed = problemOf(await remove(of), 'WebhookDeleted');
    if (failed) return setProblem(failed);
    go('/webhooks');
  }
  return (
    <Page
      back={<BackLink to="/webhooks">{text.webhooks.back}</BackLink>}
      title={text.webhooks.one}
      actions={<State of={webhook.state} />}
    >
      {problem && <Notice tone="bad">{problem}</Notice>}
      {secret && <ShownOnce title={text.webhooks.secret} help={text.webhooks.rotatedHelp} value={secret} />}
      <section className="card stack">
        <Facts
          of={[
            [text.webhooks.url, webhook.url],
            [text.webhooks.description, webhook.description],
            [text.webhooks.events, webhook.eventTypes.map(inWords).join(', ')],
            [text.webhooks.disabled, webhook.disabledReason && text.webhooks.reasons[webhook.disabledReason]],
            [text.webhooks.failingSince, webhook.failingSince && formatDateTime(webhook.failingSince)],
            [
              text.webhooks.previousSecret,
              webhook.previousSecretExpiresAt && formatDateTime(webhook.previousSecretExpiresAt),
            ],
            [text.keys.created, <Time key="made" at={webhook.createdAt} />],
          ]}
        />
        {mayEdit(viewer) && (
          <div className="actions">
            <Button
              disabled={!isActive}
              onClick={() => void test(of).then((answer) => shown(problemOf(answer, 'WebhookDelivery')))}
            >
              {text.webhooks.test}
            </Button>
            <Button
              onClick={() =>
                void update({ ...of, input: { state: isActive ? 'DISABLED' : 'ACTIVE' } }).then((answer) =>
                  shown(problemOf(answer, 'Webhook')),
                )
              }
            >
              {isActive ? text.webhooks.disable : text.webhooks.enable}
            </Button>
            <Button onClick={() => setAsked('rotate')}>{text.webhooks.rotate}</Button>
            <Button kind="danger" onClick={() => setAsked('delete')}>
              {text.webhooks.delete}
            </Button>
          </div>
        )}
      </section>
      <div className="page-head">
        <h2>{text.webhooks.deliveries}</h2>
        <div className="actions end">
          <Button onClick={deliveries.reload}>{text.common.refresh}</Button>
          <Choice
            label={text.clients.state}
            value={state}
            options={['PENDING', 'DELIVERED', 'DEAD_LETTER']}
            onChange={setState}
          />
        </div>
      </div>
      <Listing
        list={deliveries}
        label={text.webhooks.deliveries}
        empty={<Empty title={text.webhooks.noDeliveries} help={text.webhooks.noDeliveriesHelp} />}
        idOf={(delivery) => delivery.id}
        columns={[
          { name: text.webhooks.event, show: ({ eventType }) => inWords(eventType) },
          { name: text.clients.state, show: (delivery) => <State of={delivery.state} /> },
          { name: text.webhooks.attempts, isWide: true, show: (delivery) => <Attempts of={delivery} /> },
          { name: text.webhooks.happened, show: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: '',
            show: (delivery) =>
              mayEdit(viewer) && (
                <Button
                  onClick={() =>
                    void redeliver({ instance, id: delivery.id }).then((answer) =>
                      shown(problemOf(answer, 'WebhookDelivery')),
                    )
                  }
                >
                  {text.webhooks.redeliver}
                </Button>
              ),
          },
        ]}
      />
      <Confirmation
        title={text.webhooks.rotateTitle}
        help={text.webhooks.rotateHelp}
        label={text.webhooks.rotateSubmit}
        isOpen={asked === 'rotate'}
        onConfirm={() => void rotateSecret()}
        onClose={() => setAsked(undefined)}
      />
      <Confirmation
        title={text.webhooks.deleteTitle}
        help={text.webhooks.deleteHelp}
        label={text.webhooks.delete}
        isOpen={asked === 'delete'}
        onConfirm={() => void deleteForGood()}
        onClose={() => setAsked(undefined)}
      />
    </Page>
  );
}

type Delivery = NonNullable<WebhookDeliveriesQuery['webhook']>['deliveries']['nodes'][number];

/** Each attempt with what came of it; the next one where one is due. */
const Attempts = ({ of: { attempts, nextAttemptAt } }: { of: Delivery }) => (
  <>
    {attempts.map(({ at, status, failure, milliseconds }) => (
      <div key={at} className="number">
        {status ?? ''} {failure && inWords(failure)} <span className="muted">{formatMs(milliseconds)}, </span>
        <Time at={at} />
      </div>
    ))}
    {nextAttemptAt && (
      <div className="muted">
        {text.webhooks.next} <Time at={nextAttemptAt} />
      </div>
    )}
  </>
);

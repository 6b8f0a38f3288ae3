import { useState, type FormEvent } from 'react';
import { useMutation } from 'urql';
import { Link } from 'wouter';
import { problemOf } from '../api/outcome.ts';
import { graphql } from '../generated/index.ts';
import { Confirmation, Dialog } from '../parts/dialog.tsx';
import { Field, valueOf } from '../parts/fields.tsx';
import { More, Table } from '../parts/listing.tsx';
import { Button, Copyable, Empty, Failed, Loading, Notice, Page, State, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';

const Clients = graphql(`
  query Clients($first: Int!, $after: String) {
    clients(first: $first, after: $after) {
      nodes {
        id
        name
        state
        createdAt
        instances(first: 100) {
          nodes {
            id
            name
            state
            region
            createdAt
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const CreateClient = graphql(`
  mutation CreateClient($name: String!) {
    createClient(name: $name) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

const CreateInstance = graphql(`
  mutation CreateInstance($name: String!, $clientId: ID!) {
    createInstance(input: { name: $name, clientId: $clientId }) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

const ChangeInstanceState = graphql(`
  mutation ChangeInstanceState($id: ID!, $event: InstanceEvent!) {
    changeInstanceState(id: $id, event: $event) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

/** Where a new thing is made: a client, or an instance of one. */
type Making = { readonly clientId?: string };

export default function ClientsPage() {
  const viewer = useViewer();
  const { nodes, isLoading, error, more, reload } = useList(Clients, { first: 20 }, (data) => data.clients);
  const [making, setMaking] = useState<Making>();
  const [suspending, setSuspending] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [newClient, createClient] = useMutation(CreateClient);
  const [newInstance, createInstance] = useMutation(CreateInstance);
  const [, move] = useMutation(ChangeInstanceState);
  const isOfAll = viewer.clientId === null && mayEdit(viewer);

  async function make(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = valueOf(new FormData(event.currentTarget), 'name');
    const clientId = making?.clientId;
    const refused = clientId
      ? problemOf(await createInstance({ name, clientId }), 'Instance')
      : problemOf(await createClient({ name }), 'Client');
    setProblem(refused);
    if (!refused) viewer.renew(); // all is loaded anew, also the choice of instances
  }
  /** Opens the dialog, or closes it, without what was refused in the one before. */
  function ask(what?: Making) {
    setProblem(undefined);
    setMaking(what);
  }
  async function change(id: string, event: 'SUSPEND' | 'RESUME') {
    setProblem(problemOf(await move({ id, event }), 'Instance'));
    reload();
  }
  return (
    <Page
      title={text.clients.title}
      actions={
        isOfAll && (
          <Button kind="primary" onClick={() => ask({})}>
            {text.clients.newClient}
          </Button>
        )
      }
    >
      {problem && !making && <Notice tone="bad">{problem}</Notice>}
      {error && <Failed error={error} />}
      {isLoading && <Loading />}
      {!isLoading && !error && !nodes.length && (
        <Empty title={text.clients.empty} help={text.clients.emptyHelp}>
          <Copyable label={text.common.copy} value="npx presage init use-case.md" />
        </Empty>
      )}
      {nodes.map((client) => (
        <section key={client.id} className="stack">
          <div className="page-head">
            <div className="actions">
              <h2>{client.name}</h2>
              <State of={client.state} />
            </div>
            {isOfAll && <Button onClick={() => ask({ clientId: client.id })}>{text.clients.newInstance}</Button>}
          </div>
          <Table
            label={`${text.clients.instances}: ${client.name}`}
            rows={client.instances.nodes}
            idOf={({ id }) => id}
            columns={[
              {
                name: text.clients.name,
                isWide: true,
                show: ({ id, name, state }) => (state === 'PURGED' ? name : <Link href={`/i/${id}`}>{name}</Link>),
              },
              { name: text.clients.state, show: ({ state }) => <State of={state} /> },
              { name: text.clients.region, show: ({ region }) => region },
              { name: text.clients.created, show: ({ createdAt }) => <Time at={createdAt} /> },
              {
                name: '',
                show: ({ id, state }) => {
                  if (!mayEdit(viewer)) return null;
                  if (state === 'ACTIVE')
                    return <Button onClick={() => setSuspending(id)}>{text.clients.suspend}</Button>;
                  if (state !== 'SUSPENDED') return null;
                  return <Button onClick={() => void change(id, 'RESUME')}>{text.clients.resume}</Button>;
                },
              },
            ]}
          />
        </section>
      ))}
      <More more={more} />
      <Dialog
        title={making?.clientId ? text.clients.newInstance : text.clients.newClient}
        isOpen={making !== undefined}
        onClose={() => ask()}
      >
        <form className="stack" onSubmit={(event) => void make(event)}>
          {problem && <Notice tone="bad">{problem}</Notice>}
          <Field label={text.clients.name}>
            <input className="input" name="name" required maxLength={128} />
          </Field>
          <div className="actions">
            <Button kind="primary" type="submit" disabled={newClient.fetching || newInstance.fetching}>
              {text.clients.create}
            </Button>
            <Button onClick={() => ask()}>{text.common.cancel}</Button>
          </div>
        </form>
      </Dialog>
      <Confirmation
        title={text.clients.suspendTitle}
        help={text.clients.suspendHelp}
        label={text.clients.suspend}
        isOpen={suspending !== undefined}
        onConfirm={() => void change(suspending!, 'SUSPEND')}
        onClose={() => setSuspending(undefined)}
      />
    </Page>
  );
}

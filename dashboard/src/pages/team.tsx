import { useState, type FormEvent } from 'react';
import { useMutation } from 'urql';
import { useClients } from '../api/clients.ts';
import { useSeenAgain } from '../api/live.ts';
import { problemOf } from '../api/outcome.ts';
import { graphql } from '../generated/index.ts';
import type { AdminRole } from '../generated/graphql.ts';
import { inWords } from '../parts/format.ts';
import { Confirmation, Dialog } from '../parts/dialog.tsx';
import { Field, valueOf } from '../parts/fields.tsx';
import { Listing } from '../parts/listing.tsx';
import { Badge, Button, Copyable, Empty, Notice, Page, ShownOnce, Time } from '../parts/parts.tsx';
import { useList } from '../parts/use-list.ts';
import { text } from '../text.ts';
import { useViewer } from '../viewer.tsx';

const Members = graphql(`
  query Members($client: ID, $first: Int!, $after: String) {
    members(clientId: $client, first: $first, after: $after) {
      nodes {
        userId
        email
        role
        createdAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const Invitations = graphql(`
  query Invitations($client: ID, $first: Int!, $after: String) {
    invitations(clientId: $client, first: $first, after: $after) {
      nodes {
        id
        email
        role
        expiresAt
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const Invite = graphql(`
  mutation InviteMember($email: String!, $role: AdminRole!, $client: ID) {
    inviteMember(email: $email, role: $role, clientId: $client) {
      __typename
      ... on InvitationCreated {
        path
      }
      ... on Problem {
        message
      }
    }
  }
`);

const RevokeInvitation = graphql(`
  mutation RevokeInvitation($id: ID!, $client: ID) {
    revokeInvitation(id: $id, clientId: $client) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

const ChangeMember = graphql(`
  mutation ChangeMember($user: ID!, $role: AdminRole, $client: ID) {
    changeMember(userId: $user, role: $role, clientId: $client) {
      __typename
      ... on Problem {
        message
      }
    }
  }
`);

const CreatePasswordReset = graphql(`
  mutation CreatePasswordReset($user: ID!, $client: ID) {
    createPasswordReset(userId: $user, clientId: $client) {
      __typename
      ... on DashboardLink {
        path
      }
      ... on Problem {
        message
      }
    }
  }
`);

const roles = ['OWNER', 'ADMIN', 'VIEWER'] as const satisfies AdminRole[];

export default function TeamPage() {
  const viewer = useViewer();
  const [client, setClient] = useState(viewer.clientId);
  if (viewer.role !== 'OWNER') return <Empty title={text.team.title} help={text.team.onlyOwners} />;
  return <Team key={client ?? ''} client={client} onClient={setClient} />;
}

function Team({ client, onClient }: { client: string | null; onClient: (client: string | null) => void }) {
  const viewer = useViewer();
  const members = useList(Members, { client, first: 100 }, (data) => data.members);
  const invitations = useList(Invitations, { client, first: 100 }, (data) => data.invitations);
  const { clients } = useClients();
  const [, invite] = useMutation(Invite);
  const [, takeBack] = useMutation(RevokeInvitation);
  const [, change] = useMutation(ChangeMember);
  const [isInviting, setInviting] = useState(false);
  /** A member with the role that is chosen for them, null to remove them, until that is confirmed. */
  const [changing, setChanging] = useState<{ userId: string; email: string; role: AdminRole | null }>();
  const [resetLink, setResetLink] = useState<string>();
  const [, createReset] = useMutation(CreatePasswordReset);
  const [link, setLink] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useSeenAgain(() => {
    members.reload();
    invitations.reload();
  });

  async function working<T>(work: Promise<T>): Promise<T> {
    setBusy(true);
    return work.finally(() => setBusy(false));
  }
  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setInviting(false);
    const answer = await working(
      invite({ email: valueOf(form, 'email'), role: form.get('role') as AdminRole, client }),
    );
    setProblem(problemOf(answer, 'InvitationCreated'));
    const made = answer.data?.inviteMember;
    if (made?.__typename === 'InvitationCreated') setLink(location.origin + made.path);
    invitations.reload();
  }
  async function changeRole(user: string, role: AdminRole | null) {
    setProblem(problemOf(await working(change({ user, role, client })), 'MemberChanged'));
    members.reload();
  }
  async function resetPassword(user: string) {
    const answer = await working(createReset({ user, client }));
    setProblem(problemOf(answer, 'DashboardLink'));
    const made = answer.data?.createPasswordReset;
    if (made?.__typename === 'DashboardLink') setResetLink(location.origin + made.path);
  }
  async function revoke(id: string) {
    setProblem(problemOf(await working(takeBack({ id, client })), 'InvitationRevoked'));
    invitations.reload();
  }
  return (
    <Page
      title={text.team.title}
      actions={
        <Button kind="primary" onClick={() => setInviting(true)}>
          {text.team.invite}
        </Button>
      }
    >
      {viewer.clientId === null && (
        <div className="filters">
          <Field label={text.team.client}>
            <select className="input" value={client ?? ''} onChange={(event) => onClient(event.target.value || null)}>
              <option value="">{text.team.everyClient}</option>
              {clients.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </div>
      )}
      {isBusy && (
        <p className="muted" role="status">
          {text.team.sending}
        </p>
      )}
      {problem && <Notice tone="bad">{problem}</Notice>}
      {resetLink && <ShownOnce title={text.team.resetLink} help={text.team.resetLinkHelp} value={resetLink} />}
      {link && <ShownOnce title={text.team.link} help={text.team.linkHelp} value={link} />}
      <Listing
        list={members}
        label={text.team.title}
        empty={
          <Empty title={text.team.empty} help={text.team.emptyHelp}>
            <Copyable label={text.common.copy} value="npx presage dashboard" />
          </Empty>
        }
        idOf={({ userId }) => userId}
        columns={[
          { name: text.team.email, isWide: true, show: ({ email }) => email },
          {
            name: text.team.role,
            show: ({ userId, email, role }) =>
              userId === viewer.userId ? (
                <Badge tone="accent">{inWords(role)}</Badge>
              ) : (
                <select
                  className="input"
                  aria-label={`${text.team.role}: ${email}`}
                  value={role}
                  disabled={isBusy}
                  onChange={(event) => setChanging({ userId, email, role: event.target.value as AdminRole })}
                >
                  {roles.map((each) => (
                    <option key={each} value={each}>
                      {inWords(each)}
                    </option>
                  ))}
                </select>
              ),
          },
          { name: text.team.since, show: ({ createdAt }) => <Time at={createdAt} /> },
          {
            name: '',
            show: ({ userId, email }) =>
              userId !== viewer.userId && (
                <div className="actions nowrap">
                  <Button disabled={isBusy} onClick={() => void resetPassword(userId)}>
                    {text.team.reset}
                  </Button>
                  <Button kind="danger" disabled={isBusy} onClick={() => setChanging({ userId, email, role: null })}>
                    {text.team.remove}
                  </Button>
                </div>
              ),
          },
        ]}
      />
      <section className="stack">
        <h2>{text.team.invitations}</h2>
        <Listing
          list={invitations}
          label={text.team.invitations}
          empty={<p className="muted">{text.team.noInvitations}</p>}
          idOf={({ id }) => id}
          columns={[
            { name: text.team.email, isWide: true, show: ({ email }) => email },
            { name: text.team.role, show: ({ role }) => <Badge>{inWords(role)}</Badge> },
            { name: text.team.expires, show: ({ expiresAt }) => <Time at={expiresAt} /> },
            {
              name: '',
              show: ({ id }) => (
                <Button disabled={isBusy} onClick={() => void revoke(id)}>
                  {text.team.takeBack}
                </Button>
              ),
            },
          ]}
        />
      </section>
      <Confirmation
        title={changing?.role ? text.team.roleTitle(changing.email) : text.team.removeTitle(changing?.email ?? '')}
        help={changing?.role ? text.team.roles[changing.role] : text.team.removeHelp}
        label={changing?.role ? text.team.giveRole : text.team.remove}
        isOpen={changing !== undefined}
        onConfirm={() => void changeRole(changing!.userId, changing!.role)}
        onClose={() => setChanging(undefined)}
      />
      <Dialog title={text.team.invite} isOpen={isInviting} onClose={() => setInviting(false)}>
        <form className="stack" onSubmit={(event) => void send(event)}>
          <Field label={text.team.email}>
            <input className="input" name="email" type="email" required />
          </Field>
          <Field label={text.team.role}>
            <select className="input" name="role" defaultValue="ADMIN">
              {roles.map((each) => (
                <option key={each} value={each}>
                  {text.team.roles[each]}
                </option>
              ))}
            </select>
          </Field>
          <div className="actions">
            <Button kind="primary" type="submit">
              {text.team.invite}
            </Button>
            <Button onClick={() => setInviting(false)}>{text.common.cancel}</Button>
          </div>
        </form>
      </Dialog>
    </Page>
  );
}

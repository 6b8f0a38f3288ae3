import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { Provider, useQuery } from 'urql';
import { Redirect, Route, Router, Switch } from 'wouter';
import { usePathname } from 'wouter/use-browser-location';
import { createSessionClient } from './api/client.ts';
import { graphql } from './generated/index.ts';
import { Frame } from './frame.tsx';
import { firstInstance, InstanceProvider } from './instance.tsx';
import { Join, Open, Reset, SignInPage } from './pages/sign-in.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { Failed, Loading, NoSuchPage } from './parts/parts.tsx';
import { ViewerProvider } from './viewer.tsx';

const Overview = lazy(() => import('./pages/overview.tsx'));
const Memories = lazy(() => import('./pages/memories.tsx'));
const MemoryPage = lazy(() => import('./pages/memory.tsx'));
const Users = lazy(() => import('./pages/users.tsx'));
const UserPage = lazy(() => import('./pages/user.tsx'));
const Entities = lazy(() => import('./pages/entities.tsx'));
const EntityPage = lazy(() => import('./pages/entity.tsx'));
const Reviews = lazy(() => import('./pages/reviews.tsx'));
const Configurations = lazy(() => import('./pages/configurations.tsx'));
const ConfigurationPage = lazy(() => import('./pages/configuration.tsx'));
const RetentionPage = lazy(() => import('./pages/retention.tsx'));
const Keys = lazy(() => import('./pages/keys.tsx'));
const Playground = lazy(() => import('./pages/playground.tsx'));
const Clients = lazy(() => import('./pages/clients.tsx'));
const Team = lazy(() => import('./pages/team.tsx'));
const Webhooks = lazy(() => import('./pages/webhooks.tsx'));
const WebhookPage = lazy(() => import('./pages/webhook.tsx'));
const UsagePage = lazy(() => import('./pages/usage.tsx'));
const AuditPage = lazy(() => import('./pages/audit.tsx'));

const ViewerQuery = graphql(`
  query Viewer {
    viewer {
      role
      clientId
      userId
      email
      readsContent
      memberships {
        clientId
        clientName
        role
      }
    }
    instances(first: 100) {
      nodes {
        id
        name
        state
        clientId
      }
    }
  }
`);

export function App() {
  // A new client for whoever signs in, so that nothing of the one before is left in its cache.
  const [session, setSession] = useState(0);
  const [ended, setEnded] = useState<number>();
  const client = useMemo(() => createSessionClient(() => setEnded(session)), [session]);
  const renew = () => setSession((before) => before + 1);
  return (
    <Router base="/dashboard">
      <Provider value={client}>
        <Switch>
          <Route path="/open">
            <Open onSignedIn={renew} />
          </Route>
          <Route path="/join">
            <Join onSignedIn={renew} />
          </Route>
          <Route path="/reset">
            <Reset onSignedIn={renew} />
          </Route>
          <Route>
            {ended === session ? <SignInPage onSignedIn={renew} /> : <SignedIn key={session} renew={renew} />}
          </Route>
        </Switch>
      </Provider>
    </Router>
  );
}

function SignedIn({ renew }: { renew: () => void }) {
  const [{ data, error }] = useQuery({ query: ViewerQuery });
  if (error) return <Failed error={error} />;
  if (!data) return <Loading />;
  return (
    <ViewerProvider value={{ ...data.viewer, renew }}>
      <Switch>
        <Route path="/i/:instance" nest>
          {({ instance }) => (
            <InstanceProvider id={instance} instances={data.instances.nodes}>
              <Frame>
                <Pages>
                  <InstancePages />
                </Pages>
              </Frame>
            </InstanceProvider>
          )}
        </Route>
        <Route>
          <InstanceProvider id={undefined} instances={data.instances.nodes}>
            <Frame>
              <Pages>
                <ServicePages first={firstInstance(data.instances.nodes)} />
              </Pages>
            </Frame>
          </InstanceProvider>
        </Route>
      </Switch>
    </ViewerProvider>
  );
}

/** Every address has a page of its own: neither its state nor its failure is there on the next. */
const Pages = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary key={usePathname()}>
    <Suspense fallback={<Loading />}>{children}</Suspense>
  </ErrorBoundary>
);

const InstancePages = () => (
  <Switch>
    <Route path="/" component={Overview} />
    <Route path="/memories" component={Memories} />
    <Route path="/memories/:id">{({ id }) => <MemoryPage id={id} />}</Route>
    <Route path="/users" component={Users} />
    <Route path="/users/:userId">
      <UserOfAddress />
    </Route>
    <Route path="/entities" component={Entities} />
    <Route path="/entities/:id">{({ id }) => <EntityPage id={id} />}</Route>
    <Route path="/reviews" component={Reviews} />
    <Route path="/configurations" component={Configurations} />
    <Route path="/configurations/:version">{({ version }) => <ConfigurationPage version={Number(version)} />}</Route>
    <Route path="/retention" component={RetentionPage} />
    <Route path="/keys" component={Keys} />
    <Route path="/webhooks" component={Webhooks} />
    <Route path="/webhooks/:id">{({ id }) => <WebhookPage id={id} />}</Route>
    <Route path="/playground" component={Playground} />
    <Route>
      <NoSuchPage />
    </Route>
  </Switch>
);

/** The router decodes an address by half: the ids `a/b` and `a%2Fb` would be one. So this decodes it from the start. */
const UserOfAddress = () => <UserPage userId={decodeURIComponent(/\/users\/([^/]+)/i.exec(usePathname())![1]!)} />;

const ServicePages = ({ first }: { first: string | undefined }) => (
  <Switch>
    <Route path="/">{first ? <Redirect to={`/i/${first}`} replace /> : <Redirect to="/clients" replace />}</Route>
    <Route path="/clients" component={Clients} />
    <Route path="/team" component={Team} />
    <Route path="/usage" component={UsagePage} />
    <Route path="/audit" component={AuditPage} />
    <Route>
      <NoSuchPage />
    </Route>
  </Switch>
);

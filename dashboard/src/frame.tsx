import { DropdownMenu } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { Link, useLocation, useRouter } from 'wouter';
import icon from './assets/icon.svg';
import { chooseClient, readChosenClient } from './api/client.ts';
import { useIsLive } from './api/live.ts';
import { messageOf } from './api/outcome.ts';
import { signOut } from './api/session.ts';
import { graphql } from './generated/index.ts';
import { firstInstance, useInstances } from './instance.tsx';
import { Button, Notice } from './parts/parts.tsx';
import { chooseTheme, themeChoice, type ThemeChoice } from './parts/theme.ts';
import { text } from './text.ts';
import { useViewer } from './viewer.tsx';
import { useMutation } from 'urql';

const ofInstance = [
  {
    name: text.nav.knowledge,
    links: [
      ['/', text.nav.overview],
      ['/memories', text.nav.memories],
      ['/users', text.nav.users],
      ['/entities', text.nav.entities],
      ['/reviews', text.nav.reviews],
      ['/playground', text.nav.playground],
    ],
  },
  {
    name: text.nav.setup,
    links: [
      ['/configurations', text.nav.configurations],
      ['/retention', text.nav.retention],
      ['/keys', text.nav.keys],
      ['/webhooks', text.nav.webhooks],
    ],
  },
] as const;

const ofService = [
  ['/clients', text.nav.clients],
  ['/team', text.nav.team],
  ['/usage', text.nav.usage],
  ['/audit', text.nav.audit],
] as const;

/** What stands around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const { id, instances } = useInstances();
  const isLive = useIsLive();
  const shown = id ?? firstInstance(instances);
  return (
    <div className="frame">
      <a className="skip" href="#content">
        {text.nav.skip}
      </a>
      <header className="side" data-open={isOpen}>
        <div className="top">
          <a className="brand" href="/dashboard/">
            <img src={icon} alt="" />
            {text.product}
          </a>
          <span className="menu-button">
            <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {text.nav.menu}
            </Button>
          </span>
        </div>
        {instances.length > 0 && <InstanceChoice />}
        <nav aria-label={text.nav.main} onClick={() => setOpen(false)}>
          {shown &&
            ofInstance.map(({ name, links }) => (
              <div key={name}>
                <p>{name}</p>
                {links.map(([path, label]) => (
                  <NavLink
                    key={path}
                    to={`/i/${shown}${path === '/' ? '' : path}`}
                    label={label}
                    isExact={path === '/'}
                  />
                ))}
              </div>
            ))}
          <div>
            <p>{text.nav.service}</p>
            {ofService.map(([path, label]) => (
              <NavLink key={path} to={path} label={label} />
            ))}
          </div>
        </nav>
        <div className="foot">
          <Account />
        </div>
      </header>
      <main id="content" className="content" tabIndex={-1}>
        {children}
      </main>
      {!isLive && (
        <p className="not-live" role="status">
          {text.common.notLive}
        </p>
      )}
    </div>
  );
}

/** The address as a whole, also within the pages of an instance, whose own addresses are relative. */
function usePath(): string {
  const { base } = useRouter();
  const [location] = useLocation();
  return `${base}${location}`.replace(/^\/dashboard/, '').replace(/(.)\/$/, '$1');
}

function NavLink({ to, label, isExact = false }: { to: string; label: string; isExact?: boolean }) {
  const path = usePath();
  const isCurrent = path === to || (!isExact && path.startsWith(`${to}/`));
  return (
    <Link href={`~/dashboard${to}`} aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </Link>
  );
}

function InstanceChoice() {
  const { id, instances } = useInstances();
  const [, go] = useLocation();
  return (
    <select
      className="input"
      aria-label={text.nav.instance}
      value={id ?? ''}
      onChange={(event) => go(`~/dashboard/i/${event.target.value}`)}
    >
      {!id && <option value="">{text.nav.instance}…</option>}
      {instances.map(({ id: each, name }) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
  );
}

const SignOutEverywhere = graphql(`
  mutation SignOutEverywhere {
    signOutEverywhere {
      sessions
    }
  }
`);

function Account() {
  const viewer = useViewer();
  const [, endAll] = useMutation(SignOutEverywhere);
  const [theme, setTheme] = useState(themeChoice);
  const [problem, setProblem] = useState<string>();
  const leave = async (end: () => Promise<void>) => {
    try {
      await end();
      viewer.renew();
    } catch (error) {
      setProblem(`${text.account.stillSignedIn} ${(error as Error).message}`);
    }
  };
  const endEverywhere = async () => {
    const { error } = await endAll({});
    if (error) throw new Error(messageOf(error));
  };
  const actIn = (clientId: string) => {
    chooseClient(clientId);
    location.assign('/dashboard/');
  };
  return (
    <>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className="button"
          data-kind="quiet"
          aria-label={`${text.account.label}: ${viewer.email ?? text.account.token}`}
        >
          {viewer.email ?? text.account.token}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="start" sideOffset={6}>
            <DropdownMenu.RadioGroup
              value={theme}
              onValueChange={(choice) => {
                chooseTheme(choice as ThemeChoice);
                setTheme(choice as ThemeChoice);
              }}
            >
              {(['system', 'light', 'dark'] as const).map((each) => (
                <DropdownMenu.RadioItem key={each} value={each}>
                  {theme === each ? '✓ ' : ''}
                  {text.theme[each]}
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
            {viewer.memberships.length > 1 && (
              <>
                <DropdownMenu.Label className="label">{text.account.actAs}</DropdownMenu.Label>
                <DropdownMenu.RadioGroup value={readChosenClient()} onValueChange={actIn}>
                  {viewer.memberships.map(({ clientId, clientName }) => (
                    <DropdownMenu.RadioItem key={clientId ?? ''} value={clientId ?? ''}>
                      {clientName ?? text.account.everyClient}
                    </DropdownMenu.RadioItem>
                  ))}
                </DropdownMenu.RadioGroup>
              </>
            )}
            <DropdownMenu.Item onSelect={() => void leave(signOut)}>{text.account.signOut}</DropdownMenu.Item>
            <DropdownMenu.Item onSelect={() => void leave(endEverywhere)}>
              {text.account.signOutEverywhere}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </>
  );
}

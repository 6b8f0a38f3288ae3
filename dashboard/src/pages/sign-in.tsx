import { useEffect, useState, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import icon from '../assets/icon.svg';
import { join, resetPassword, signIn, type SignIn } from '../api/session.ts';
import { Field, valueOf } from '../parts/fields.tsx';
import { Button, Notice } from '../parts/parts.tsx';
import { text } from '../text.ts';

interface Props {
  readonly onSignedIn: () => void;
}

function Card({ title, problem, children }: { title: string; problem: string | undefined; children: ReactNode }) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className="sign-in">
      <div className="card">
        <img src={icon} alt="" />
        <h1>{title}</h1>
        {problem && <Notice tone="bad">{problem}</Notice>}
        {children}
      </div>
    </main>
  );
}

/** What a form does, its refusal in words, and whether it is under way. */
function useSubmit(work: (form: FormData) => Promise<void>) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    try {
      await work(new FormData(event.currentTarget));
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return { problem, isBusy, submit };
}

/** For whoever is not signed in, at whatever page they asked for: they see it next. */
export function SignInPage({ onSignedIn }: Props) {
  const [isByToken, setByToken] = useState(false);
  const { problem, isBusy, submit } = useSubmit(async (form) => {
    const given: SignIn = isByToken
      ? { token: valueOf(form, 'token').trim() }
      : { email: valueOf(form, 'email').trim(), password: valueOf(form, 'password') };
    await signIn(given);
    onSignedIn();
  });
  return (
    <Card title={text.signIn.title} problem={problem}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        {isByToken ? (
          <Field label={text.signIn.token} help={text.signIn.tokenHelp}>
            <input className="input" name="token" type="password" autoComplete="off" required />
          </Field>
        ) : (
          <>
            <Field label={text.signIn.email}>
              <input className="input" name="email" type="email" autoComplete="username" required />
            </Field>
            <Field label={text.signIn.password}>
              <input className="input" name="password" type="password" autoComplete="current-password" required />
            </Field>
          </>
        )}
        <Button kind="primary" type="submit" disabled={isBusy}>
          {text.signIn.submit}
        </Button>
        <Button kind="quiet" onClick={() => setByToken(!isByToken)}>
          {isByToken ? text.signIn.byPassword : text.signIn.byToken}
        </Button>
      </form>
    </Card>
  );
}

/** The secret of a link stands behind its `#`, which browsers send to nobody; it leaves the address at once. */
function takeSecret(): string {
  const secret = location.hash.slice(1);
  if (secret) history.replaceState(null, '', location.pathname);
  return secret;
}

/** Opens the dashboard by a link that does so once. */
export function Open({ onSignedIn }: Props) {
  const [, go] = useLocation();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const instance = new URLSearchParams(location.search).get('instance');
    const link = takeSecret();
    if (!link) return; // a development build runs effects twice
    signIn({ link }).then(
      () => {
        onSignedIn();
        go(instance ? `/i/${encodeURIComponent(instance)}` : '/', { replace: true });
      },
      (error: Error) => setProblem(error.message),
    );
  }, []);
  return (
    <Card title={text.signIn.title} problem={problem}>
      {problem ? <a href="/dashboard/">{text.signIn.submit}</a> : <p className="muted">{text.signIn.opening}</p>}
    </Card>
  );
}

/** Makes an account by an invitation. */
export function Join({ onSignedIn }: Props) {
  const [, go] = useLocation();
  const [link] = useState(takeSecret);
  const { problem, isBusy, submit } = useSubmit(async (form) => {
    await join({ link, email: valueOf(form, 'email').trim(), password: valueOf(form, 'password') });
    onSignedIn();
    go('/', { replace: true });
  });
  return (
    <Card title={text.signIn.join} problem={problem}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <p className="muted">{text.signIn.joinHelp}</p>
        <Field label={text.signIn.email}>
          <input className="input" name="email" type="email" autoComplete="username" required />
        </Field>
        <NewPassword />
        <Button kind="primary" type="submit" disabled={isBusy}>
          {text.signIn.joinSubmit}
        </Button>
      </form>
    </Card>
  );
}

/** Chooses another password by a link of an owner. */
export function Reset({ onSignedIn }: Props) {
  const [, go] = useLocation();
  const [link] = useState(takeSecret);
  const { problem, isBusy, submit } = useSubmit(async (form) => {
    await resetPassword({ link, password: valueOf(form, 'password') });
    onSignedIn();
    go('/', { replace: true });
  });
  return (
    <Card title={text.signIn.reset} problem={problem}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <p className="muted">{text.signIn.resetHelp}</p>
        <NewPassword />
        <Button kind="primary" type="submit" disabled={isBusy}>
          {text.signIn.resetSubmit}
        </Button>
      </form>
    </Card>
  );
}

const NewPassword = () => (
  <Field label={text.signIn.password}>
    <input className="input" name="password" type="password" autoComplete="new-password" minLength={12} required />
  </Field>
);

import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { useMutation, useQuery, type UseQueryState } from 'urql';
import { Link, useLocation } from 'wouter';
import { problemOf } from '../api/outcome.ts';
import type { ConfigurationDetailQuery, ConfigurationInput } from '../generated/graphql.ts';
import { useInstance } from '../instance.tsx';
import { inWords } from '../parts/format.ts';
import { Dialog } from '../parts/dialog.tsx';
import {
  Actor,
  BackLink,
  Button,
  Empty,
  Facts,
  Failed,
  Loading,
  Missing,
  Notice,
  Page,
  State,
  Time,
} from '../parts/parts.tsx';
import { text } from '../text.ts';
import { mayEdit, useViewer } from '../viewer.tsx';
import {
  Apply,
  ConfigurationDetail,
  Difference,
  Expiring,
  ReviewConfiguration,
  RollBack,
  Submit,
  Update,
} from './configuration-operations.ts';

type Configuration = NonNullable<ConfigurationDetailQuery['configuration']>;

export default function ConfigurationPage({ version }: { version: number }) {
  const instance = useInstance();
  const viewer = useViewer();
  const { readsContent } = viewer;
  const [{ data, error }, ask] = useQuery({
    query: ConfigurationDetail,
    variables: { instance, version, content: readsContent },
  });
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  const { configuration, inForce } = data;
  if (!configuration) return <Missing back={<BackLink to="/configurations">{text.configurations.back}</BackLink>} />;
  const again = () => ask({ requestPolicy: 'network-only' });
  const from = inForce && inForce.version !== version ? inForce.version : configuration.baseVersion;
  return (
    <Page
      back={<BackLink to="/configurations">{text.configurations.back}</BackLink>}
      title={`${text.configurations.version} ${configuration.semanticVersion}`}
      actions={<State of={configuration.state} />}
    >
      <Steps of={configuration} inForce={inForce?.version} onDone={again} />
      <Tabs.Root defaultValue="settings" className="stack">
        <Tabs.List className="tabs" aria-label={text.configurations.title}>
          {(['settings', 'derivedSettings', 'history'] as const).map((each) => (
            <Tabs.Trigger key={each} value={each}>
              {text.configurations[each]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="settings" className="stack">
          {from !== null && from !== undefined && <Changes from={from} to={version} />}
          <Settings of={configuration} onDone={again} />
        </Tabs.Content>
        <Tabs.Content value="derivedSettings">
          <Choices of={configuration.explanation} />
        </Tabs.Content>
        <Tabs.Content value="history">
          <section className="card">
            <ol className="list">
              {configuration.history.map(({ step, actor, at, comment }) => (
                <li key={`${step}${at}`}>
                  {inWords(step)} <Time at={at} /> <Actor of={actor} self={viewer.userId} />
                  {comment && <p className="muted">{comment}</p>}
                </li>
              ))}
            </ol>
          </section>
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  );
}

/** What may be done with a version in its state. */
function Steps({ of, inForce, onDone }: { of: Configuration; inForce: number | undefined; onDone: () => void }) {
  const instance = useInstance();
  const viewer = useViewer();
  const [, go] = useLocation();
  const [, submit] = useMutation(Submit);
  const [, review] = useMutation(ReviewConfiguration);
  const [, apply] = useMutation(Apply);
  const [, rollBack] = useMutation(RollBack);
  const [isApplying, setApplying] = useState(false);
  const [problem, setProblem] = useState<string>();
  const seen = { instanceId: instance, version: of.version, revision: of.revision };

  async function take(work: () => Promise<{ data?: { result: { __typename: string; version?: number } } }>) {
    const answer = await work();
    const failed = problemOf(answer, 'Configuration');
    setProblem(failed);
    const version = answer.data?.result.version;
    if (!failed && version !== undefined && version !== of.version) return go(`/configurations/${version}`);
    onDone();
  }
  const decide = (decision: 'APPROVE' | 'REJECT') => void take(() => review({ input: { ...seen, decision } }));
  if (!mayEdit(viewer)) return null;
  return (
    <>
      <div className="actions">
        {(of.state === 'DRAFT' || of.state === 'REJECTED') && (
          <Button kind="primary" onClick={() => void take(() => submit({ input: seen }))}>
            {text.configurations.submit}
          </Button>
        )}
        {of.state === 'PENDING_REVIEW' && (
          <>
            <Button kind="primary" onClick={() => decide('APPROVE')}>
              {text.configurations.approve}
            </Button>
            <Button onClick={() => decide('REJECT')}>{text.configurations.reject}</Button>
          </>
        )}
        {of.state === 'APPROVED' && (
          <Button kind="primary" onClick={() => setApplying(true)}>
            {text.configurations.apply}
          </Button>
        )}
        {of.state === 'SUPERSEDED' && (
          <Button
            onClick={() =>
              void take(() =>
                rollBack({ input: { instanceId: instance, to: of.version, expectedActiveVersion: inForce ?? null } }),
              )
            }
          >
            {text.configurations.rollBack}
          </Button>
        )}
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <Dialog title={text.configurations.applyTitle(of.version)} isOpen={isApplying} onClose={() => setApplying(false)}>
        <Application
          from={inForce}
          to={of.version}
          onConfirm={() => {
            setApplying(false);
            void take(() => apply({ input: { ...seen, expectedActiveVersion: inForce ?? null } }));
          }}
          onClose={() => setApplying(false)}
        />
      </Dialog>
    </>
  );
}

/** What a version changes and what would expire under it; it is applied by nobody who could not see both. */
function Application({
  from,
  to,
  onConfirm,
  onClose,
}: {
  from: number | undefined;
  to: number;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const instance = useInstance();
  // The same as `Changes` and `WouldExpire` ask, which is sent once.
  const [changes] = useQuery({
    query: Difference,
    variables: { instance, from: from ?? to, to },
    pause: from === undefined,
  });
  const [expiring] = useQuery({ query: Expiring, variables: { instance, version: to } });
  const isKnown = (from === undefined || isAnswered(changes)) && isAnswered(expiring);
  return (
    <>
      <p>{text.configurations.applyHelp}</p>
      {from !== undefined && <Changes from={from} to={to} />}
      <WouldExpire version={to} />
      <div className="actions">
        <Button kind="primary" disabled={!isKnown} onClick={onConfirm}>
          {text.configurations.apply}
        </Button>
        <Button onClick={onClose}>{text.common.cancel}</Button>
      </div>
    </>
  );
}

const isAnswered = ({ data, error, fetching, stale }: UseQueryState) => data && !error && !fetching && !stale;

/** What the next sweep takes once this version is in force: how many, what becomes of them, and the first of them. */
function WouldExpire({ version }: { version: number }) {
  const instance = useInstance();
  const [{ data, error }] = useQuery({ query: Expiring, variables: { instance, version } });
  if (error) return <Failed error={error} />;
  if (!data) return <Loading />;
  const { nodes, pageInfo, retention } = data.expiringMemories;
  if (!nodes.length) return <p className="muted">{text.configurations.nothingExpires}</p>;
  const count = `${nodes.length}${pageInfo.hasNextPage ? '+' : ''}`;
  return (
    <Notice tone={retention.onExpiry === 'EVICT' ? 'bad' : 'warn'}>
      <p>{text.configurations.wouldExpire[retention.onExpiry](count)}</p>
      <ul>
        {nodes.slice(0, 5).map(({ id, type, category, lastAccess }) => (
          <li key={id}>
            <Link href={`/memories/${id}`}>{id}</Link> {inWords(type)}, {category}, <Time at={lastAccess} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Changes({ from, to }: { from: number; to: number }) {
  const instance = useInstance();
  const [{ data, error }] = useQuery({ query: Difference, variables: { instance, from, to } });
  if (error) return <Failed error={error} />;
  if (!data) return <Loading />;
  const difference = data.configurationDifference;
  if (!difference) return null;
  return (
    <section className="card stack">
      <h2>{text.configurations.differences(from)}</h2>
      {difference.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      <ul className="changes">
        {difference.changes.map((change) => (
          <li key={change.path}>
            <code>{change.text}</code>
          </li>
        ))}
      </ul>
      {!difference.changes.length && <p className="muted">{text.configurations.noDifferences}</p>}
    </section>
  );
}

/** The settings as they are given to be changed. */
function settingsOf(of: Configuration): ConfigurationInput {
  const { primaryScope, customerDocuments, isolation, confidenceThreshold, memoryTypes, categories, excluded } = of;
  const { entityMatchThresholds, retention, retrieval, compaction, inference } = of;
  return {
    primaryScope,
    customerDocuments,
    isolation,
    confidenceThreshold,
    memoryTypes,
    categories,
    excluded,
    entityMatchThresholds,
    retention,
    retrieval,
    compaction,
    inference,
  } as ConfigurationInput;
}

function Settings({ of, onDone }: { of: Configuration; onDone: () => void }) {
  const instance = useInstance();
  const viewer = useViewer();
  const [, update] = useMutation(Update);
  const [edited, setEdited] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const settings = JSON.stringify(settingsOf(of), withoutTypenames, 2);

  async function save() {
    let configuration: ConfigurationInput;
    try {
      configuration = JSON.parse(edited ?? '') as ConfigurationInput;
    } catch {
      return setProblem(text.configurations.notJson);
    }
    const input = { instanceId: instance, version: of.version, revision: of.revision, configuration };
    const failed = problemOf(await update({ input }), 'Configuration');
    setProblem(failed);
    if (failed) return;
    setEdited(undefined);
    onDone();
  }
  const mayChange = mayEdit(viewer) && (of.state === 'DRAFT' || of.state === 'REJECTED');
  return (
    <section className="card stack">
      {edited === undefined ? (
        <>
          {mayChange && (
            <div>
              <Button onClick={() => setEdited(settings)}>{text.configurations.edit}</Button>
            </div>
          )}
          <SettingsInWords of={of} />
        </>
      ) : (
        <>
          <label className="field">
            <span>{text.configurations.edit}</span>
            <textarea
              className="input code mono"
              spellCheck={false}
              value={edited}
              onChange={(event) => setEdited(event.target.value)}
            />
            <small>{text.configurations.editHelp}</small>
          </label>
          {problem && <Notice tone="bad">{problem}</Notice>}
          <div className="actions">
            <Button kind="primary" onClick={() => void save()}>
              {text.common.save}
            </Button>
            <Button onClick={() => setEdited(undefined)}>{text.common.cancel}</Button>
          </div>
        </>
      )}
    </section>
  );
}

/** Each setting with its name; those that say nothing are left out. */
function SettingsInWords({ of }: { of: Configuration }) {
  const told = text.configurations.names;
  const named = (each: { name: string; description?: string | null }) => (
    <div key={each.name}>
      {each.name} {each.description && <span className="muted">{each.description}</span>}
    </div>
  );
  const { retention, retrieval, compaction, inference, entityMatchThresholds } = of;
  return (
    <Facts
      of={[
        [told.primaryScope, inWords(of.primaryScope)],
        [told.isolation, inWords(of.isolation)],
        [told.customerDocuments, of.customerDocuments.map(inWords).join(', ')],
        [told.confidenceThreshold, of.confidenceThreshold.toFixed(2)],
        [told.memoryTypes, of.memoryTypes.map(inWords).join(', ')],
        [told.categories, of.categories.map(named)],
        [told.excluded, of.excluded.length > 0 && of.excluded.map(named)],
        [told.entityMatchThresholds, told.matchThresholds(entityMatchThresholds.merge, entityMatchThresholds.review)],
        [told.retention, told.keeps(inWords(retention.policy), retention.baseDays, inWords(retention.onExpiry))],
        [told.retrieval, told.finds(inWords(retrieval.mode), retrieval.maxResults, retrieval.contextBudget)],
        [told.compaction, `${inWords(compaction.strategy)}, ${inWords(compaction.outputFormat)}`],
        [told.inference, told.models(inference.extraction, inference.embedding)],
      ]}
    />
  );
}

/** A setting as a person would write it. */
const valueInWords = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length ? value.map(valueInWords).join(', ') : text.configurations.nothing;
};

const withoutTypenames = (name: string, value: unknown) => (name === '__typename' ? undefined : value);

/** Each setting that a use-case file led to, beside the lines that did. */
function Choices({ of }: { of: Configuration['explanation'] | undefined }) {
  if (!of) return <Empty title={text.configurations.derivedSettings} help={text.configurations.uploadHelp} />;
  return (
    <section className="card">
      {of.warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          {warning}
        </Notice>
      ))}
      {of.derivedSettings.map(({ setting, value, reason, lines }) => (
        <div key={setting + JSON.stringify(value)} className="choice">
          <p>
            <code>{setting}</code> {valueInWords(value)}
          </p>
          <p className="muted">{reason}</p>
          {lines.map(({ line, text: words }) => (
            <p key={line} className="line">
              <span className="number">{text.configurations.line(line)}</span> <mark>{words}</mark>
            </p>
          ))}
        </div>
      ))}
      {of.defaultedSettings.length > 0 && <h2>{text.configurations.defaultedSettings}</h2>}
      {of.defaultedSettings.map(({ setting, value, reason }) => (
        <div key={setting} className="choice">
          <p>
            <code>{setting}</code> {valueInWords(value)}
          </p>
          <p className="muted">{reason}</p>
        </div>
      ))}
    </section>
  );
}

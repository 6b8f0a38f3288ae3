import type { Command } from 'commander';
import type { z } from 'zod';
import type {
  AdminInstanceRecord,
  ClientRecord,
  InstanceStatsRecord,
  KeyRecord,
  NewKeyRecord,
  RetentionPage,
} from '../transports/rest/admin/records.ts';
import { toQueryString } from './api.ts';
import { readPages } from './pages.ts';
import type { RunCommand } from './command-session.ts';
import { formatTable } from './table.ts';

type Instance = z.output<typeof AdminInstanceRecord>;
type Key = z.output<typeof KeyRecord>;
type Retention = z.output<typeof RetentionPage>;

const day = (time: string | null) => time && time.slice(0, 10);

/** Instances, their keys, and what retention would take of them. */
export function addInstanceCommands(program: Command, run: RunCommand): void {
  const instances = program.command('instances').description('list, suspend, resume and purge instances');
  instances
    .command('list', { isDefault: true })
    .description('list instances')
    .action(() =>
      run(async ({ admin, tell }) => {
        const [page, clients] = await Promise.all([
          readPages<Instance>(admin, '/instances'),
          readPages<z.output<typeof ClientRecord>>(admin, '/clients'),
        ]);
        const names = new Map(clients.data.map((client) => [client.client_id, client.name]));
        const rows = page.data.map((each) => ({
          instance: each.instance_id,
          name: each.name,
          state: each.state,
          configuration: `${each.active_version}.0.0`,
          client: names.get(each.client_id) ?? each.client_id,
        }));
        tell(page, () => formatTable(rows, 'There is no instance yet.'));
      }),
    );
  addInstanceSteps(instances, run);
  addKeyCommands(program, run);
  program
    .command('retention')
    .description('show what the hourly sweep would take; it runs by itself')
    .requiredOption('--dry-run', 'required: nothing is changed, since the sweep itself runs by the hour')
    .option('--at <time>', 'as if the sweep were at this time, such as 2030-01-01')
    .action(({ at }: { at?: string }) =>
      run(async ({ admin, tell, progress, instance }) => {
        const path = `/instances/${await instance()}/retention`;
        progress('memories that would go are being counted …');
        const first = await admin.get<Retention>(`${path}${toQueryString({ limit: 1, at })}`);
        const { data } = await readPages<Retention['data'][number]>(admin, `${path}${toQueryString({ at })}`);
        const rows = data.map((each) => ({
          memory: each.memory_id,
          type: each.type,
          category: each.category,
          user: each.user_id,
          'last accessed': day(each.last_accessed_at),
        }));
        const what = first.on_expiry === 'archive' ? 'archived' : 'evicted';
        const sum = `${data.length} would be ${what} on ${day(first.at)}.`;
        const rule = `A memory is kept for ${first.base_days} days (retention.base_days) after its last access, and up to four times as long the more often it is accessed.`;
        tell({ ...first, data, next_cursor: null }, () =>
          [...(rows.length ? [formatTable(rows)] : []), sum, rule].join('\n'),
        );
      }),
    );
}

/** The steps of an instance's life: each is named by its id, and never guessed. */
function addInstanceSteps(instances: Command, run: RunCommand): void {
  const steps = {
    suspend: 'refuse its keys until it is resumed',
    resume: 'let its keys open it again',
  } as const;
  for (const [step, does] of Object.entries(steps)) {
    instances
      .command(`${step} <instance-id>`)
      .description(does)
      .action((id: string) =>
        run(async ({ admin, tell }) => {
          const moved = await admin.send<Instance>('POST', `${pathOf(id)}/${step}`);
          tell(moved, () => `${moved.instance_id} is ${moved.state}`);
        }),
      );
  }
  instances
    .command('purge <instance-id>')
    .description('destroy its data key and remove its rows; nothing brings it back')
    .action((id: string) =>
      run(async ({ admin, tell, progress, confirm }) => {
        const { name, state } = await admin.get<Instance>(pathOf(id));
        const { memories } = await admin.get<z.output<typeof InstanceStatsRecord>>(`${pathOf(id)}/stats`);
        const count = Object.values(memories).reduce((sum, each) => sum + each, 0);
        await confirm(`Purge the instance ${id} ("${name}") with ${count} memories? Nothing brings it back.`);
        progress(`${id} is being purged …`);
        if (state !== 'archived') await admin.send('POST', `${pathOf(id)}/archive`); // only an archived one is purged
        const purged = await admin.send<Instance>('DELETE', pathOf(id));
        tell(purged, () => `${purged.instance_id} is ${purged.state}: its rows are removed within minutes`);
      }),
    );
}

const pathOf = (id: string) => `/instances/${encodeURIComponent(id)}`;

function addKeyCommands(program: Command, run: RunCommand): void {
  const keys = program.command('keys').description('list, create and revoke API keys of an instance');
  keys
    .command('list')
    .description('list keys by their last characters; the keys themselves were shown once')
    .action(() =>
      run(async ({ admin, tell, instance }) => {
        const page = await readPages<Key>(admin, `/instances/${await instance()}/keys`);
        const rows = page.data.map((key) => ({
          key: key.key_id,
          label: key.label,
          'ends in': `…${key.last4}`,
          made: day(key.created_at),
          used: day(key.last_used_at),
          revoked: day(key.revoked_at),
        }));
        tell(page, () => formatTable(rows, 'There is no key yet.'));
      }),
    );
  keys
    .command('create')
    .description('create a key, and print it once')
    .option('--label <text>', 'what it is for')
    .action((options: { label?: string }) =>
      run(async ({ admin, tell, instance }) => {
        const key = await admin.send<z.output<typeof NewKeyRecord>>(
          'POST',
          `/instances/${await instance()}/keys`,
          options,
        );
        tell(key, () => `${key.api_key}\n${key.key_id}: shown once, keep it`);
      }),
    );
  keys
    .command('revoke <key-id>')
    .description('revoke a key: it is invalid from its next call on')
    .action((id: string) =>
      run(async ({ admin, tell, instance }) => {
        const path = `/instances/${await instance()}/keys/${encodeURIComponent(id)}`;
        const key = await admin.send<Key>('DELETE', path);
        tell(key, () => `${key.key_id} is revoked`);
      }),
    );
}

import type { z } from 'zod';
import type { VersionRecord } from '../transports/rest/admin/configuration-records.ts';
import type { RetentionPage } from '../transports/rest/admin/records.ts';
import { toQueryString } from './api.ts';
import type { CommandSession } from './command-session.ts';

type Version = z.output<typeof VersionRecord>;

const shown = 100;

/**
 * Asks before a version is put in force that keeps memories for less long than the one in force, or removes for good
 * what that would put away; tells how many go with the next sweep.
 */
export async function confirmRetention(
  { admin, confirm }: CommandSession,
  { instance, version }: { readonly instance: string; readonly version: string },
): Promise<void> {
  const path = `/instances/${encodeURIComponent(instance)}`;
  const [active, next] = await Promise.all([
    admin.get<Version>(`${path}/configurations/active`),
    admin.get<Version>(`${path}/configurations/${encodeURIComponent(version)}`),
  ]);
  const [before, after] = [active.configuration.retention, next.configuration.retention];
  const isShorter = after.base_days < before.base_days;
  const removes = before.on_expiry === 'archive' && after.on_expiry === 'evict';
  if (!isShorter && !removes) return;
  const preview = await admin.get<z.output<typeof RetentionPage>>(
    `${path}/retention${toQueryString({ version: next.version, limit: shown })}`,
  );
  const count = `${preview.data.length}${preview.next_cursor ? ' or more' : ''}`;
  const went = after.on_expiry === 'evict' ? 'removed for good' : 'archived';
  await confirm(
    [
      `Retention changes from ${inWords(before)} to ${inWords(after)}.`,
      `The next hourly sweep: ${count} memories ${went}. Put version ${next.version} in force?`,
    ].join('\n'),
  );
}

const inWords = ({ base_days: days, on_expiry: then }: Version['configuration']['retention']) =>
  `${days} days (then ${then})`;

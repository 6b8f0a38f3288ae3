import { beforeAll } from 'vitest';
import { newUuid } from '../../../src/domain/ids.ts';
import type { AdminRole } from '../../../src/domain/tenancy/access.ts';
import { hashSecret, newSecret } from '../../../src/domain/tenancy/credentials.ts';
import { openDoors, type Doors, type Told } from '../../support/open-doors.ts';

/** The service with administrators of each role, for the tests of one file. */
export interface Administered extends Doors {
  as(role: AdminRole): Sender;
  tokenOf(role: AdminRole): string;
  /** Sends a use-case file alone, as `text/markdown`. */
  upload(path: string, markdown: string | Buffer): Promise<Told>;
}

/** Sends under `/v1/admin`. */
export type Sender = (method: string, path: string, body?: unknown) => Promise<Told>;

export function openAdmin(): Administered {
  const doors = openDoors();
  const tokens = {} as Record<AdminRole, string>;
  beforeAll(async () => {
    for (const role of ['owner', 'admin', 'viewer'] as const) {
      tokens[role] = newSecret('admin');
      const row = { id: newUuid(), hash: hashSecret(tokens[role]), role };
      await doors.world.deps.db.adminToken.create({ data: row });
    }
  });
  return Object.assign(Object.create(doors) as Doors, {
    tokenOf: (role: AdminRole) => tokens[role],
    as: (role: AdminRole) => (method: string, path: string, body?: unknown) =>
      doors.send(tokens[role], method, `/v1/admin${path}`, body),
    async upload(path: string, markdown: string | Buffer) {
      const response = await fetch(`${doors.baseUrl}/v1/admin${path}`, {
        method: path.includes('use-case') ? 'PUT' : 'POST',
        headers: { authorization: `Bearer ${tokens.admin}`, 'content-type': 'text/markdown; charset=utf-8' },
        body: markdown as string,
      });
      const text = await response.text();
      return { status: response.status, text, json: () => JSON.parse(text) };
    },
  });
}

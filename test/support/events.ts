import type { Access } from '../../src/domain/tenancy/access.ts';
import { eventTypes } from '../../src/domain/webhooks/event.ts';
import type { World } from './world.ts';

/** An event as it is recorded. */
export interface RecordedEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** Subscribes a receiver that is not there to the events of the instance; what is returned reads those since, in order. */
export async function recordEvents(world: World, access: Access): Promise<() => Promise<RecordedEvent[]>> {
  await world.app.webhooks.create(access, { url: 'http://127.0.0.1:9/', description: null, eventTypes });
  return async () => {
    const rows = await world.deps.db.event.findMany({
      where: { instanceNumber: access.instanceNumber },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ id, type, data }) => ({ type, data: JSON.parse(access.keys.open('event.data', id, data)) }));
  };
}

import { currentConfiguration } from '../configurations/store.ts';
import { resolveSubject } from '../conversations/resolve-subject.ts';
import type { Retrieving } from '../retrieval/search.ts';
import type { Access } from '../tenancy/access.ts';
import { narrow } from '../tenancy/authenticate.ts';
import type { Session } from './anticipation.ts';

/** Read anew each time: a configuration or an owner may have changed since the session began. */
export async function readerOf({ db, readers }: Pick<Retrieving, 'db' | 'readers'>, access: Access, session: Session) {
  const { named } = await resolveSubject(db, access, session);
  const configuration = await currentConfiguration(db, access);
  return { configuration, reader: await narrow(readers, access, named, configuration.isolation) };
}

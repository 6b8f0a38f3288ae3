import type { App } from '../../app.ts';
import type { Access, Admin } from '../../domain/tenancy/access.ts';
import { requireContentReader } from '../../domain/tenancy/roles.ts';

/** Notes the content that an administrator's request reads. */
export interface ContentReads {
  /** Throws `forbidden` for who may not read content. */
  note(kind: string, source: unknown): void;
  /** Leaves a row in the audit of each instance that was read. To be awaited before an answer is sent. */
  save(): Promise<void>;
}

/** Records nothing: agents and browsers read content of their own. */
export const unrecordedContentReads: ContentReads = { note() {}, async save() {} };

interface Administrator {
  readonly admin: Admin;
  readonly correlationId: string;
  /** The instances that the request has named so far, as the administrator reads them. */
  readonly opened: () => Promise<readonly Access[]>;
}

/** Notes what an administrator reads, and refuses content to a role that may not read it. */
export function createContentReads(
  app: Pick<App, 'recordContentRead'>,
  { admin, correlationId, opened }: Administrator,
): ContentReads {
  let read = new Map<string, RecordedRead>();
  return {
    note(kind, source) {
      requireContentReader(admin);
      const noted = { kind, ...placeOf(source) };
      read.set(`${kind}/${noted.instance}/${noted.id}`, noted);
    },
    async save() {
      const all = [...read.values()];
      read = new Map();
      if (!all.length) return;
      for (const access of await opened()) {
        const own = all.filter(({ instance }) => instance === undefined || instance === access.instance);
        if (own.length) await app.recordContentRead(access, { request: correlationId, ids: idsByKind(own) });
      }
    },
  };
}

/** A record that was read; without an instance where the record itself does not tell it. */
interface RecordedRead {
  readonly kind: string;
  readonly id: string;
  readonly instance: string | undefined;
}

/**
 * The id under which a record's reading is noted: evidence by its document, a mention by its memory, a configuration by
 * its version, a pin by its compaction, and a profile by its user.
 */
function placeOf(source: unknown): Pick<RecordedRead, 'id' | 'instance'> {
  const { id, memoryId, documentId, version, reader } = source as Readonly<Record<string, string>> & {
    readonly reader?: { readonly access: Access };
  };
  return { id: String(id ?? memoryId ?? documentId ?? version), instance: reader?.access.instance };
}

function idsByKind(noted: readonly RecordedRead[]): Record<string, string[]> {
  const ids: Record<string, string[]> = {};
  for (const { kind, id } of noted) (ids[kind] ??= []).push(id);
  return ids;
}

import { z } from 'zod';
import type { App } from '../../app.ts';
import { DomainError, invalidInputError, hasErrorCode } from '../../domain/errors.ts';
import type { Receipt } from '../../domain/erasure/receipt.ts';
import type { ContextMemory } from '../../domain/memories/scored-memory.ts';
import type { Access, SubjectIds } from '../../domain/tenancy/access.ts';
import { validate } from '../http/validate.ts';
import {
  withoutIdPrefix,
  optionalCallerId,
  subjectFields,
  withIdPrefix,
  requireCustomer,
  textField,
  toSubjectIds,
} from './fields.ts';
import { optionalField, type CompatRoute } from './route.ts';

const Forget = z.object({
  ...subjectFields,
  description: textField(500).refine((value) => value.length >= 3, 'must have 3 characters or more'),
  mode: optionalField(z.enum(['preview', 'direct'])),
});

const Delete = z.object({
  user_id: optionalCallerId,
  customer_id: optionalCallerId,
  conversation_id: optionalCallerId,
  scope: z.enum(['user', 'conversation', 'customer']),
  instance_id: optionalCallerId,
  dry_run: optionalField(z.boolean()),
  confirm: optionalCallerId,
});

/** The least relevance of a memory that a description means. */
const matchingFrom = 0.5;
const [matchedAtMost, roundsAtMost] = [20, 10];

/** The routes by which later releases of the library forget, over our own deletion. */
export const deletions: readonly CompatRoute[] = [
  {
    method: 'POST',
    url: '/api/v1/memories/forget',
    useCase: 'forgetMemory',
    async handle(app, { access, body }) {
      const asked = validate(Forget, body, 'the body');
      const subject = toSubjectIds(asked);
      if (!subject.userId)
        throw invalidInputError('user_id', 'is required: what is forgotten by its description is one user’s');
      await requireCustomer(app, access, subject);
      const matching = await matchingMemories(app, access, subject, asked.description);
      if (!matching.length) return { status: 'nothing_matches', candidates: [], may_be_incomplete: false };
      if (asked.mode === 'direct') return forgetMatching(app, access, subject, { ...asked, matching });
      const isIncomplete = matching.length === matchedAtMost;
      return { status: 'preview', candidates: matching.map(toCandidate), may_be_incomplete: isIncomplete };
    },
  },
  {
    method: 'POST',
    url: '/v1/data/delete',
    useCase: 'forgetOwner',
    async handle(app, { access, body }) {
      const asked = validate(Delete, body, 'the body');
      const subject = await ownerOf(app, access, asked);
      const counted = await countsOf(app, access, subject);
      const found = Object.values(counted).some((count) => count > 0);
      if (asked.dry_run) return { status: 'dry_run', scope: asked.scope, dry_run: true, found, counts: counted };
      const id = asked.scope === 'user' ? subject.userId : subject.customerId;
      if (asked.confirm !== id)
        throw invalidInputError('confirm', `must be the id of the ${asked.scope} that is to be deleted`);
      try {
        const receipt = await app.forgetOwner(access, subject);
        return { ...presentDeletion(receipt), scope: asked.scope, counts: { ...counted, ...receipt.removed } };
      } catch (error) {
        if (!hasErrorCode(error, 'not_found')) throw error;
        return {
          status: 'complete',
          scope: asked.scope,
          dry_run: false,
          found: false,
          fully_removed: true,
          counts: {},
        };
      }
    },
  },
  {
    method: 'GET',
    url: '/v1/data/delete/:deletion_id',
    useCase: 'receipt',
    handle: async (app, { access, params }) => {
      const receipt = await app.receipt(access, withIdPrefix('receipt', params['deletion_id']!));
      return { ...presentDeletion(receipt), counts: receipt.removed };
    },
  },
];

const toCandidate = ({ uuid, content, type }: ContextMemory) => ({ memory_id: uuid, content, memory_type: type });

/** The memories of this user that a description is about, the nearest first. */
async function matchingMemories(app: App, access: Access, subject: SubjectIds, description: string) {
  const { memories } = await app.fetchContext(access, {
    ...subject,
    searchQueries: [description],
    scopes: ['USER'],
    mode: 'accurate',
    maxResults: matchedAtMost,
    minRelevance: matchingFrom,
    explain: false,
  });
  return memories;
}

/**
 * Forgets what a description is about, and then what else is found by it: a fetch tells no passage twice, so that one
 * shows only once the statement that was read out of it is gone. A document that tells it keeps its words, which is told
 * as a copy that is still there.
 */
async function forgetMatching(
  app: App,
  access: Access,
  subject: SubjectIds,
  { description, matching }: { description: string; matching: readonly ContextMemory[] },
) {
  const [candidates, deleted, failed, present] = [[...matching], [] as string[], [] as string[], new Set<string>()];
  let found = matching;
  for (let round = 1; found.length && round <= roundsAtMost; round += 1) {
    for (const { id, uuid } of found) {
      try {
        const { pending, alsoStatedIn } = await app.forgetMemory(access, id, { ...subject, cascade: false });
        deleted.push(uuid);
        for (const store of pending) present.add(store);
        if (alsoStatedIn.documentIds.length) present.add('documents');
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        failed.push(uuid);
      }
    }
    const existing = new Set(candidates.map(({ uuid }) => uuid));
    found = (await matchingMemories(app, access, subject, description)).filter(({ uuid }) => !existing.has(uuid));
    candidates.push(...found);
  }
  return {
    status: present.size || failed.length ? 'partial' : 'deleted',
    candidates: candidates.map(toCandidate),
    deleted_ids: deleted,
    failed_ids: failed,
    still_present_in: [...present],
    may_be_incomplete: found.length > 0,
  };
}

async function ownerOf(app: App, access: Access, asked: z.output<typeof Delete>): Promise<SubjectIds> {
  const { scope, user_id: userId, customer_id: customerId, instance_id: instance } = asked;
  if (instance && instance !== access.instance)
    throw invalidInputError('instance_id', 'is not the instance of this key');
  if (scope === 'conversation')
    throw invalidInputError('scope', 'must be user or customer: a conversation is forgotten with its user');
  if (scope === 'user' && !userId) throw invalidInputError('user_id', 'is required');
  if (scope === 'customer' && !customerId) throw invalidInputError('customer_id', 'is required');
  const subject = scope === 'user' ? { userId, customerId } : { customerId };
  await requireCustomer(app, access, subject);
  return subject;
}

async function countsOf(app: App, access: Access, subject: SubjectIds): Promise<Record<string, number>> {
  const [memories, documents] = await Promise.all([
    app.lists.countMemories(access, [subject], {}),
    app.lists.countDocuments(access, [subject]),
  ]);
  return { memories: memories[0]!, documents: documents[0]! };
}

const presentDeletion = ({ id, pending }: Receipt) => ({
  deletion_id: withoutIdPrefix('receipt', id),
  status: pending.length ? 'partial' : 'complete',
  dry_run: false,
  found: true,
  still_present_in: pending,
  fully_removed: !pending.length,
});

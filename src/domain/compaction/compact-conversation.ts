import { transaction, type Db } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { findConversation, subjectOfConversation, type ConversationRow } from '../conversations/conversation-store.ts';
import type { ConversationReference } from '../conversations/conversation.ts';
import { lockTurns, readNewestTurns, type NewestTurns } from '../conversations/turn-store.ts';
import { DomainError, unavailableError } from '../errors.ts';
import { saveEvent } from '../webhooks/event-store.ts';
import type { LanguageModel } from '../extraction/language-model.ts';
import type { StatementClassifier } from '../extraction/statement-classifier.ts';
import { conversationUuid, newUuid, toPublicId } from '../ids.ts';
import { mapYielding } from '../flow/map-yielding.ts';
import { findIncompleteIngestions } from '../ingestion/ingestion-store.ts';
import { countTokens } from '../language/count-tokens.ts';
import { lockUnchangedMemories, memoriesStatedIn, type SeenMemory } from '../memories/stated-memory-store.ts';
import type { MemoryStatus } from '../memories/memory.ts';
import { retryOnConflict } from '../memories/optimistic-lock.ts';
import type { Metering } from '../metering/metering.ts';
import { measureWork } from '../metering/measure.ts';
import type { ReaderCache } from '../reader-cache/reader-cache.ts';
import { mayReadOwner, type Access } from '../tenancy/access.ts';
import { compactTurns, type CompactionInput, type CompactionTarget, type Extractions } from './compact-turns.ts';
import type { Compaction, CompactionStrategy, PlacedPin } from './compaction.ts';
import {
  memoriesToldIn,
  readCompaction,
  saveCompaction,
  type StoredCompaction,
  type NewCompaction,
} from './compaction-store.ts';
import { classifySentences } from './classify-sentences.ts';
import { compactionSourcesOf } from './compaction-sources.ts';
import { mostUningestedTokens } from './pins.ts';
import { ingestPendingTurns, type PendingTurnDependencies } from './ingest-pending-turns.ts';
import { VerbatimText } from './verbatim.ts';
import { narrativeWriter } from './write-narrative.ts';

export interface CompactionDependencies extends PendingTurnDependencies {
  readonly readers: Pick<ReaderCache, 'dropSummary'>;
  /** By the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, LanguageModel>;
  readonly statementClassifier: StatementClassifier;
  readonly metering: Pick<Metering, 'countTokens' | 'measure'>;
}

/** Which conversation is compacted, and how far; as the configuration says where it is left out. */
export interface CompactionRequest extends ConversationReference {
  readonly strategy?: CompactionStrategy | undefined;
  readonly targetTokens?: number | undefined;
}

/** A compaction reads so much at most, as it is stored: what was said before stands in the versions before. */
const mostRead = { turns: 5_000, bytes: 2 << 20 } as const;
/** How long a language model may take over one narrative. */
const writtenWithinMs = 60_000;

/**
 * Compacts a conversation, and returns the version that says it: the one before, where nothing is to be added to that.
 * Waits for what is not ingested yet. Throws `context_not_found` for one without messages, and for who may not read it.
 */
export async function compactConversation(
  deps: CompactionDependencies,
  access: Access,
  request: CompactionRequest,
): Promise<Compaction> {
  const { id } = await requireCompactableConversation(deps.db, access, request);
  await ingestPendingTurns(deps, access, id);
  return compactIngestedTurns(deps, access, request);
}

/** Compacts a conversation as `compactConversation` does, and waits for nothing. */
export async function compactIngestedTurns(
  deps: CompactionDependencies,
  access: Access,
  request: CompactionRequest,
): Promise<Compaction> {
  const configuration = await currentConfiguration(deps.db, access);
  const { strategy = configuration.compaction.strategy, targetTokens = null } = request;
  const aim = { strategy, targetTokens: targetTokens ?? configuration.compaction.target_tokens };
  return measureWork(
    deps.metering,
    { instanceNumber: access.instanceNumber, operation: 'compact', variant: strategy },
    () =>
      retryOnConflict(async () => {
        const row = await requireCompactableConversation(deps.db, access, request);
        return compactOnce(deps, access, { row, aim, configuration });
      }),
  );
}

/** The conversation, if the caller may read it and something was said in it. Throws `context_not_found`. */
export async function requireCompactableConversation(
  db: Db,
  access: Access,
  input: ConversationReference,
): Promise<ConversationRow> {
  const reader = await narrowIfSubjectGiven(db, access, input);
  const row = await findConversation(db, access, conversationUuid(access.instance, input.conversationId).id);
  if (!row || row.messageCount === 0 || !mayReadOwner(reader, row.ownerNo)) throw nothingSaid();
  return row;
}

const nothingSaid = () =>
  new DomainError(
    'context_not_found',
    'there is nothing to compact: this conversation is unknown or has no messages. Add messages or a transcript to it; a document that only names its conversation_id does not count',
  );

/** Whether enough was said since a conversation was compacted last for its configuration to ask for that again. */
export async function isDueForCompaction(
  deps: Pick<CompactionDependencies, 'db'>,
  access: Access,
  conversationId: string,
): Promise<boolean> {
  const { automatic_tokens: threshold } = (await currentConfiguration(deps.db, access)).compaction;
  if (threshold === null) return false;
  const previous = await readCompaction(deps.db, access, { conversationId });
  return isLongSince(deps, access, { conversationId, through: previous?.throughTurn ?? -1, threshold });
}

/** Whether so many tokens were said after a turn, or more than a compaction reads. */
async function isLongSince(
  { db }: Pick<CompactionDependencies, 'db'>,
  access: Access,
  { conversationId, through, threshold }: { conversationId: string; through: number; threshold: number },
): Promise<boolean> {
  const { turns, count } = await readNewestTurns(db, access, { conversationId, from: through + 1, max: mostRead });
  return turns.length < count || (await countTokensFrom(turns, through + 1)) >= threshold;
}

/** The tokens of the turns from a number on. */
async function countTokensFrom(turns: NewestTurns['turns'], from: number): Promise<number> {
  const tokens = await mapYielding(turns, ({ n, content }) => (n < from ? 0 : countTokens(content)));
  return tokens.reduce((sum, each) => sum + each, 0);
}

/** Null when something it rests on was removed meanwhile, or another version was kept. */
async function compactOnce(
  deps: CompactionDependencies,
  access: Access,
  { row, aim, configuration }: { row: ConversationRow; aim: CompactionTarget; configuration: Configuration },
): Promise<Compaction | null> {
  const { id: conversationId } = row;
  const newest = await readCompaction(deps.db, access, { conversationId });
  const read = await readNewestTurns(deps.db, access, { conversationId, max: mostRead });
  const { turns } = read;
  if (!turns.length) throw nothingSaid();
  const incomplete = await findIncompleteIngestions(deps.db, access, conversationId); // before their memories are read
  const documentIds = [...new Set(turns.flatMap(({ documentId }) => documentId ?? []))];
  const stated = await memoriesStatedIn(deps.db, access, documentIds);
  const hasFailed = new Map(incomplete.map((each) => [each.documentId, each.hasFailed]));
  const said = await compactionSourcesOf(turns, stated, hasFailed);
  if (
    said.firstUningestedTurn !== null &&
    (await countTokensFrom(turns, said.firstUningestedTurn)) > mostUningestedTokens
  )
    throw unavailableError('this conversation is still being ingested: compact it when that is done');
  const judgements = await classifySentences(deps.statementClassifier, said);
  const isCutOff = turns.length < read.count;
  const told = newest ? await memoriesToldIn(deps.db, access, newest) : [];
  const holding = told.filter(({ status }) => status !== 'superseded');
  const isReplaced = holding.length < told.length;
  const earlier = newest && isCutOff ? extractionsBefore(turns[0]!.n, newest, holding) : { pins: [], memories: [] };
  const span = { ...said, earlier, judgements };
  // Neither what is told of earlier turns nor what a model wrote can be searched for words that were replaced.
  const isToldOn = !isReplaced || !(isCutOff || newest?.isWritten);
  const previous = newest && isToldOn && isContinued(newest, aim, span) ? newest : null;
  const failures: string[] = [];
  const write = writerOf(deps, access, { configuration, span, failed: (why) => failures.push(why) });
  const compact = (base: typeof previous) => compactTurns(span, aim, { previous: base, ...(write ? { write } : {}) });
  // A version is withheld for a memory that was replaced, also where its text has no word of that.
  const made = (await compact(previous)) ?? (isReplaced ? await compact(null) : null);
  if (!made) return newest;
  const warnings = [
    ...new Set(failures),
    ...(isCutOff && !made.extendsPrevious ? [`nothing before turn ${turns[0]!.n} was read: it is too long ago`] : []),
    ...(made.qualityWarning === null ? [] : [made.qualityWarning]),
  ];
  const worded = new Set(span.memories.flatMap(({ id, status }) => (status === 'superseded' ? [] : id)));
  const held = [...stated.filter(({ id }) => worded.has(id)), ...(isCutOff ? holding : [])];
  const compaction: NewCompaction = {
    ...made,
    ...aim,
    qualityWarning: warnings.join('; ') || null,
    id: toPublicId('compaction', newUuid()),
    conversationId,
    version: (newest?.version ?? 0) + 1,
    memoryIds: [...new Set(held.map(({ id }) => id))],
    createdAt: deps.now(),
  };
  const isKept = await keep(deps, access, { row, read, held, compaction });
  deps.readers.dropSummary({ instanceNumber: access.instanceNumber, conversationId });
  return isKept ? readCompaction(deps.db, access, { conversationId, version: compaction.version }) : null;
}

/**
 * The pins and memories of a version from turns before this one that still hold: memories that are still active, and pins
 * that contain no words of a memory that is not.
 */
function extractionsBefore(
  turn: number,
  { pins, memories }: StoredCompaction,
  holding: readonly { readonly id: string; readonly status: MemoryStatus }[],
): Extractions {
  const current = new Set(holding.flatMap(({ id, status }) => (status === 'active' ? id : [])));
  const isEarlier = ({ turns }: { readonly turns: readonly number[] }) => turns.at(-1)! < turn;
  const earlier = memories.filter(isEarlier);
  // A pin of several memories has the id of one.
  const outdated = earlier.filter(({ memoryId }) => !current.has(memoryId)).map(({ content }) => content);
  const holds = ({ memoryId, text }: PlacedPin) => {
    if (memoryId !== null && !current.has(memoryId)) return false;
    const pinned = new VerbatimText(text);
    return !outdated.some((words) => pinned.holds(words));
  };
  return {
    pins: pins.filter((pin) => isEarlier(pin) && holds(pin)),
    memories: earlier.filter(({ memoryId }) => current.has(memoryId)),
  };
}

/** Another strategy begins anew, and so does another target of the same turns, and what follows a text of nothing. */
const isContinued = (
  newest: StoredCompaction,
  { strategy, targetTokens }: CompactionTarget,
  { turns }: CompactionInput,
): boolean =>
  newest.narrative !== '' &&
  newest.strategy === strategy &&
  (newest.targetTokens === targetTokens || newest.throughTurn < (turns.at(-1)?.n ?? -1));

function writerOf(
  deps: CompactionDependencies,
  access: Access,
  {
    configuration,
    span,
    failed,
  }: { configuration: Configuration; span: CompactionInput; failed: (why: string) => void },
) {
  const { extraction } = configuration.inference;
  const model = extraction === 'none' ? undefined : deps.languageModels.get(extraction);
  return (
    model &&
    narrativeWriter(model, span.turns, {
      signal: AbortSignal.timeout(writtenWithinMs),
      used: (tokens) =>
        deps.metering.countTokens(access.instanceNumber, { provider: extraction, purpose: 'compaction', ...tokens }),
      failed,
    })
  );
}

/** Keeps the version with its event, unless what it rests on is not there any more. */
function keep(
  deps: Pick<CompactionDependencies, 'db'>,
  access: Access,
  {
    row,
    read,
    held,
    compaction,
  }: { row: ConversationRow; read: NewestTurns; held: readonly SeenMemory[]; compaction: NewCompaction },
): Promise<boolean> {
  const { conversationId, throughTurn: through } = compaction;
  return transaction(deps.db, async (tx) => {
    // Whoever forgets or corrects changes the words first and removes their compactions then: these locks let one of the
    // two see the other.
    if (!(await lockUnchangedMemories(tx, access, held))) return false;
    if ((await lockTurns(tx, access, { conversationId, through })) !== read.count) return false;
    // As many turns may have been said anew by somebody else.
    if ((await findConversation(tx, access, conversationId))?.ownerNo !== row.ownerNo) return false;
    if (!(await saveCompaction(tx, access, compaction))) return false;
    const data = compactionEventData(compaction);
    await saveEvent(tx, access, {
      type: 'compaction.completed',
      at: compaction.createdAt,
      about: subjectOfConversation(row),
      data: { ...data, external_id: row.externalId, user_id: row.userId || null, customer_id: row.customerId || null },
    });
    return true;
  });
}

const compactionEventData = ({ id, conversationId, version, strategy, ...compaction }: NewCompaction) => ({
  compaction_id: id,
  conversation_id: conversationId,
  version,
  strategy,
  original_tokens: compaction.originalTokens,
  compacted_tokens: compaction.compactedTokens,
  validation_score: compaction.validationScore,
});

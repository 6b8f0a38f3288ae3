import type { Db } from '../../db/database.ts';
import type { Configuration } from '../configurations/configuration.ts';
import { currentConfiguration } from '../configurations/configuration-store.ts';
import { narrowIfSubjectGiven } from '../configurations/narrow-to-subject.ts';
import { findConversation, type ConversationRow } from '../conversations/conversation-store.ts';
import type { ConversationReference } from '../conversations/conversation.ts';
import { readNewestTurns } from '../conversations/turn-store.ts';
import { DomainError, unavailableError } from '../errors.ts';
import type { LanguageModel } from '../extraction/language-model.ts';
import type { StatementClassifier } from '../extraction/statement-classifier.ts';
import { conversationUuid, newUuid, toPublicId } from '../ids.ts';
import { findIncompleteIngestions } from '../ingestion/ingestion-store.ts';
import { memoriesStatedIn } from '../memories/stated-memory-store.ts';
import type { MemoryStatus, StatedMemory } from '../memories/memory.ts';
import { retryOnConflict } from '../memories/optimistic-lock.ts';
import type { Metering } from '../metering/metering.ts';
import { measureWork } from '../metering/measure.ts';
import type { ReaderCache } from '../reader-cache/reader-cache.ts';
import { mayReadOwner, type Access } from '../tenancy/access.ts';
import { compactTurns, countTurnTokens, type CompactionTarget, type Extractions } from './compact-turns.ts';
import type { Compaction, CompactionStrategy, CompactionTurn, Pin } from './compaction.ts';
import { memoriesToldIn, readCompaction, type StoredCompaction, type NewCompaction } from './compaction-store.ts';
import { classifySentences } from './classify-sentences.ts';
import { compactionSourcesOf, type CompactionSources } from './compaction-sources.ts';
import { mostUningestedTokens } from './pins.ts';
import { ingestPendingTurns, type PendingTurnDependencies } from './ingest-pending-turns.ts';
import { VerbatimText } from './verbatim.ts';
import { narrativeWriter, type NarrativeWriter } from './write-narrative.ts';
import { saveUnlessChanged } from './save-unless-changed.ts';

export interface CompactionDependencies extends PendingTurnDependencies {
  readonly readers: Pick<ReaderCache, 'dropSummary'>;
  /** By the name that configurations use. */
  readonly languageModels: ReadonlyMap<string, LanguageModel>;
  readonly statementClassifier: StatementClassifier;
  readonly metering: Pick<Metering, 'countTokens' | 'measure'>;
}

/** The conversation to compact, and how far; omitted fields default to the configuration. */
export interface CompactionRequest extends ConversationReference {
  readonly strategy?: CompactionStrategy | undefined;
  readonly targetTokens?: number | undefined;
}

/** The most of a conversation that a compaction reads, as it is stored: versions before tell what was said before. */
export const readLimit = { turns: 5_000, bytes: 2 << 20 } as const;
/** Time for a language model to write one narrative. */
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

/** Compacts a conversation as it is now. Null when what it rests on was removed, or another version was kept. */
async function compactOnce(
  deps: CompactionDependencies,
  access: Access,
  { row, aim, configuration }: { row: ConversationRow; aim: CompactionTarget; configuration: Configuration },
): Promise<Compaction | null> {
  const { id: conversationId } = row;
  const newest = await readCompaction(deps.db, access, { conversationId });
  const { sources, stated, turnCount } = await readSources(deps.db, access, conversationId);
  const told = newest ? await memoriesToldIn(deps.db, access, newest) : [];
  const firstTurn = sources.turns[0]!.n;
  const isCutOff = sources.turns.length < turnCount;
  const holding = told.filter(({ status }) => status !== 'superseded');
  const isReplaced = holding.length < told.length;
  const earlier = newest && isCutOff ? extractionsBefore(firstTurn, newest, holding) : { pins: [], memories: [] };
  // Neither what is told of earlier turns nor what a model wrote can be searched for words that were replaced.
  const isReusable = !isReplaced || !(isCutOff || newest?.isWritten);
  const failures: string[] = [];
  const made = await compactTurns({ ...sources, earlier }, aim, {
    classify: (input) => classifySentences(deps.statementClassifier, input),
    write: writerOf(deps, access, { configuration, turns: sources.turns, failed: (why) => failures.push(why) }),
    previous: newest && isReusable && isContinued(newest, aim, sources) ? newest : null,
    isWithheld: isReplaced, // also where its text has no word of the memory that was replaced
  });
  if (!made) return newest;
  const warnings = [
    ...new Set(failures),
    ...(isCutOff && !made.extendsPrevious ? [`nothing before turn ${firstTurn} was read: it is too long ago`] : []),
    ...(made.qualityWarning === null ? [] : [made.qualityWarning]),
  ];
  const currentIds = new Set(sources.memories.flatMap(({ id, status }) => (status === 'superseded' ? [] : id)));
  const held = [...stated.filter(({ id }) => currentIds.has(id)), ...(isCutOff ? holding : [])];
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
  const isSaved = await saveUnlessChanged(deps.db, access, { row, turnCount, held, compaction });
  deps.readers.dropSummary({ instanceNumber: access.instanceNumber, conversationId });
  return isSaved ? readCompaction(deps.db, access, { conversationId, version: compaction.version }) : null;
}

/**
 * Reads the newest turns of a conversation and their memories. Throws `unavailable` while more is being ingested than a
 * text could keep as it was said.
 */
async function readSources(
  db: Db,
  access: Access,
  conversationId: string,
): Promise<{ sources: CompactionSources; stated: readonly StatedMemory[]; turnCount: number }> {
  const { turns, count: turnCount } = await readNewestTurns(db, access, { conversationId, max: readLimit });
  if (!turns.length) throw nothingSaid();
  const incomplete = await findIncompleteIngestions(db, access, conversationId); // before their memories are read
  const documentIds = [...new Set(turns.flatMap(({ documentId }) => documentId ?? []))];
  const stated = await memoriesStatedIn(db, access, documentIds);
  const hasFailed = new Map(incomplete.map((each) => [each.documentId, each.hasFailed]));
  const sources = compactionSourcesOf(turns, stated, hasFailed);
  const from = sources.firstUningestedTurn ?? Infinity;
  if ((await countTurnTokens(turns.filter(({ n }) => n >= from))) > mostUningestedTokens)
    throw unavailableError('this conversation is still being ingested: compact it when that is done');
  return { sources, stated, turnCount };
}

/**
 * The pins and memories of a version from turns before this one that still hold: memories that are still active, and
 * pins that contain no words of a memory that is not.
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
  const holds = ({ memoryId, text }: Pin) => {
    if (memoryId !== null && !current.has(memoryId)) return false;
    const pinned = new VerbatimText(text);
    return !outdated.some((words) => pinned.holds(words));
  };
  return {
    pins: pins.filter((pin) => isEarlier(pin) && holds(pin)),
    memories: earlier.filter(({ memoryId }) => current.has(memoryId)),
  };
}

/** Another strategy, another target for the same turns, or an empty text begins anew. */
const isContinued = (
  newest: StoredCompaction,
  { strategy, targetTokens }: CompactionTarget,
  { turns }: CompactionSources,
): boolean =>
  newest.narrative !== '' &&
  newest.strategy === strategy &&
  (newest.targetTokens === targetTokens || newest.throughTurn < (turns.at(-1)?.n ?? -1));

function writerOf(
  deps: CompactionDependencies,
  access: Access,
  {
    configuration,
    turns,
    failed,
  }: { configuration: Configuration; turns: readonly CompactionTurn[]; failed: (why: string) => void },
): NarrativeWriter | undefined {
  const { extraction } = configuration.inference;
  const model = extraction === 'none' ? undefined : deps.languageModels.get(extraction);
  return (
    model &&
    narrativeWriter(model, turns, {
      signal: AbortSignal.timeout(writtenWithinMs),
      used: (tokens) =>
        deps.metering.countTokens(access.instanceNumber, { provider: extraction, purpose: 'compaction', ...tokens }),
      failed,
    })
  );
}

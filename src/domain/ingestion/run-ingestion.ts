import type { Job } from '../../jobs/queue.ts';
import { annotateSpan, withTraceSpan } from '../../tracing.ts';
import { configurationOf } from '../configurations/configuration-store.ts';
import type { Candidate, Turn } from '../extraction/candidate.ts';
import { indexedText } from '../vectors/vector-recipe.ts';
import type { Access } from '../tenancy/access.ts';
import { categorizeCandidates } from './categorize.ts';
import { quotedTurnOf } from './draft-memories.ts';
import { extractByRules, extractDocument } from './extract-document.ts';
import type { IngestionDependencies } from './ingestion-dependencies.ts';
import type { IngestionStage, IngestionResult } from './ingestion.ts';
import { planReplacement } from './replace-document.ts';
import { emptyResolution, type EntityResolution, type ResolutionInput } from './resolve-entities.ts';
import { storeMemories } from './store-memories.ts';
import { readIngestionWork, saveStage, type IngestionWork } from './ingestion-store.ts';
import type { AcceptedDocument } from './accept-document.ts';

/**
 * extraction -> categorization -> entity resolution -> storage. The first three read and decide, storage alone writes
 * product rows, and ids derive from (ingestion, ordinal): so any of it may run twice. `existing`: what has to be done,
 * where it was accepted a moment ago. `gone`: it has ended, or its document was forgotten, and the job is left to be
 * removed.
 */
export async function runIngestion(
  deps: IngestionDependencies,
  access: Access,
  job: Job<'ingest-document'>,
  existing?: Pick<AcceptedDocument, 'work' | 'ruled'>,
): Promise<'stored' | 'gone'> {
  const found = existing?.work ?? (await readIngestionWork(deps.db, access, job.payload.ingestionId));
  if (!found) return 'gone';
  const startedAt = deps.now();
  const enter = stageKeeper(deps, access, found, startedAt);
  const { configuration, turns, extracted } = await enter('extracting', async () => {
    const valid = await configurationOf(deps.db, access, found.configurationVersion);
    const ruled = await (existing?.ruled ?? extractByRules(deps, found, valid));
    return { configuration: valid, ...ruled, extracted: await extractDocument(deps, access, valid, found, ruled) };
  });
  const { candidates, discarded, warnings: misses } = extracted;
  // Storage meets the same error and tells it.
  if (found.mode !== 'verbatim') void embedAhead(deps, access, turns, candidates).catch(() => undefined);
  for (
    let work: IngestionWork | null = found;
    work;
    work = await readIngestionWork(deps.db, access, work.ingestionId)
  ) {
    const current = work;
    const { replacement, decided } = await enter('categorizing', async () => {
      const planned = await planReplacement(deps.db, access, current);
      const extract = { configuration, work: current, turns, candidates, replacement: planned };
      return { replacement: planned, decided: await categorizeCandidates(deps, access, extract) };
    });
    const resolution = await enter('resolving', () =>
      resolve(deps, access, { work: current, configuration, memories: decided.memories }),
    );
    const outcome = await enter('storing', () => {
      const mayBeLong = configuration.compaction.automatic_tokens !== null;
      const warnings = [...misses, ...resolution.warnings];
      const decisions = { decided, replacement, resolution, warnings, discarded };
      return storeMemories(deps, access, { job, work: current, ...decisions, startedAt, mayBeLong });
    });
    if (outcome === 'stale') continue;
    if (outcome !== 'gone') measure(deps, access, work, outcome);
    deps.reportProgress(work.ingestionId, outcome === 'gone' ? undefined : outcome);
    return outcome === 'gone' ? 'gone' : 'stored';
  }
  return 'gone';
}

/** The duration of an ingestion as its sender sees it: from the acceptance until its memories can be recalled. */
function measure(
  deps: IngestionDependencies,
  access: Access,
  { mode, queuedAt }: IngestionWork,
  stored: IngestionResult,
): void {
  const { memoryIds, discarded, superseded } = stored;
  const ms = Math.max(0, deps.now().getTime() - queuedAt.getTime());
  deps.metering.measure(access.instanceNumber, 'ingest', {
    variant: mode,
    ms,
    items: memoryIds.length,
    discarded,
    superseded,
  });
  deps.metering.noteStorage(access.instanceNumber);
  annotateSpan({
    'gen_ai.operation.name': 'upsert_memory', // for its caller did not choose what becomes of it
    'gen_ai.memory.record.count': memoryIds.length,
    'presage.mode': mode,
    'presage.superseded': superseded,
  });
}

/** The most candidates that are embedded ahead: more would push the first vectors out of the embedder's cache. */
const embeddedAhead = 64;

/** Lets the embedder begin while the stages between still read: storage asks for the same texts and finds them done. */
async function embedAhead(
  { embedding }: IngestionDependencies,
  access: Access,
  turns: readonly Turn[],
  candidates: readonly Candidate[],
): Promise<void> {
  if (candidates.length > embeddedAhead) return;
  const texts = candidates.map((candidate) => indexedText(candidate.content, quotedTurnOf(candidate, turns).name));
  await (await embedding.serving(access)).meanings(texts);
}

/** A run that is over within this time shows no stages: writing four of them would take as long as the work. */
const shownAfterMs = 100;

/** Does the work of a stage in a span, and records that a longer run is in it, for those who ask or watch. */
function stageKeeper(deps: IngestionDependencies, access: Access, { ingestionId }: IngestionWork, startedAt: Date) {
  const began = performance.now();
  return <T>(stage: IngestionStage, work: () => Promise<T>): Promise<T> =>
    withTraceSpan(stage, {}, async () => {
      if (performance.now() - began >= shownAfterMs) {
        await saveStage(deps.db, access, ingestionId, stage, startedAt);
        deps.reportProgress(ingestionId);
      }
      return work();
    });
}

/** Never keeps a document from being stored: without entities it is still worth having. */
async function resolve(
  deps: IngestionDependencies,
  access: Access,
  unresolved: ResolutionInput,
): Promise<EntityResolution> {
  try {
    return await deps.resolveEntities(deps, access, unresolved);
  } catch (error) {
    deps.warn('entity resolution was unavailable', error);
    const warnings = ['entity resolution was unavailable; names are not linked'];
    return { ...emptyResolution(unresolved.work), warnings };
  }
}

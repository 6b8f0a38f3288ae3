import type { Job } from '../../jobs/queue.ts';
import { configurationOf } from '../configurations/store.ts';
import type { Candidate, Turn } from '../extraction/candidate.ts';
import { indexedText } from '../language/vector-recipe.ts';
import type { Access } from '../tenancy/access.ts';
import { categorize, homeOf } from './categorize.ts';
import { extractByRules, extractDocument } from './extract-document.ts';
import type { Ingesting } from './ingesting.ts';
import type { Stage, Stored } from './ingestion.ts';
import { noNames, type Resolution, type Unresolved } from './resolve.ts';
import { storeMemories } from './store-memories.ts';
import { findWork, saveStage, type IngestionWork } from './store.ts';
import type { Accepted } from './submit.ts';

/**
 * extraction -> categorization -> entity resolution -> storage. The first three read and decide, storage alone writes
 * product rows, and ids derive from (ingestion, ordinal): so any of it may run twice. `known`: what has to be done, where
 * it was accepted a moment ago. `gone`: it has ended, or its document was forgotten, and the job is left to be removed.
 */
export async function runIngestion(
  d: Ingesting,
  access: Access,
  job: Job<'ingest-document'>,
  known?: Pick<Accepted, 'work' | 'ruled'>,
): Promise<'stored' | 'gone'> {
  let work = known?.work ?? (await findWork(d.db, access, job.payload.ingestionId));
  if (!work) return 'gone';
  const startedAt = d.now();
  const enter = stageKeeper(d, access, work, startedAt);
  await enter('extracting');
  const configuration = await configurationOf(d.db, access, work.configurationVersion);
  const ruled = await (known?.ruled ?? extractByRules(d, work, configuration));
  const { turns } = ruled;
  const { candidates, discarded, warnings: misses } = await extractDocument(d, access, configuration, work, ruled);
  if (work.mode !== 'verbatim') void embedAhead(d, access, turns, candidates).catch(() => undefined); // storage meets the same error and tells it
  for (;;) {
    await enter('categorizing');
    const decided = await categorize(d.db, access, { configuration, work, turns, candidates });
    await enter('resolving');
    const resolution = await resolve(d, access, { work, configuration, memories: decided.memories });
    await enter('storing');
    const mayBeLong = configuration.compaction.automatic_tokens !== null;
    const found = { resolution, warnings: [...misses, ...resolution.warnings], discarded, startedAt, mayBeLong };
    const outcome = await storeMemories(d, access, { job, work, decided, ...found });
    if (outcome === 'stale') work = await findWork(d.db, access, work.ingestionId);
    else {
      if (outcome !== 'gone') measure(d, access, work, outcome);
      d.progress(work.ingestionId, outcome === 'gone' ? undefined : outcome);
      return outcome === 'gone' ? 'gone' : 'stored';
    }
    if (!work) return 'gone';
  }
}

/** As its sender sees it: from the acceptance until its memories can be recalled. */
function measure(d: Ingesting, access: Access, { mode, queuedAt }: IngestionWork, stored: Stored): void {
  const { memoryIds, discarded, superseded } = stored;
  const ms = Math.max(0, d.now().getTime() - queuedAt.getTime());
  d.metering.measure(access.i, 'ingest', { variant: mode, ms, items: memoryIds.length, discarded, superseded });
  d.metering.noteStorage(access.i);
}

/** Of a short document: a longer one would push its own first vectors out of the embedder's cache. */
const embeddedAhead = 64;

/** Lets the embedder begin while the stages between still read: storage asks for the same texts and finds them done. */
async function embedAhead(
  { embedding }: Ingesting,
  access: Access,
  turns: readonly Turn[],
  candidates: readonly Candidate[],
): Promise<void> {
  if (candidates.length > embeddedAhead) return;
  const texts = candidates.map((candidate) => indexedText(candidate.content, homeOf(candidate, turns).name));
  await (await embedding.serving(access)).meanings(texts);
}

/** A run that is over within this time shows no stages: writing four of them would take as long as the work. */
const shownAfterMs = 100;

/** Records the stage that a longer run is in, for those who ask or watch. */
function stageKeeper(d: Ingesting, access: Access, work: IngestionWork, startedAt: Date) {
  const began = performance.now();
  return async (stage: Stage) => {
    if (performance.now() - began < shownAfterMs) return;
    await saveStage(d.db, access, work.ingestionId, stage, startedAt);
    d.progress(work.ingestionId);
  };
}

/** Never keeps a document from being stored: without entities it is still worth having. */
async function resolve(d: Ingesting, access: Access, unresolved: Unresolved): Promise<Resolution> {
  try {
    return await d.resolve(d, access, unresolved);
  } catch (error) {
    d.warn('entity resolution was unavailable', error);
    const warnings = ['entity resolution was unavailable; names are not linked'];
    return { ...noNames(unresolved.work), warnings };
  }
}

import type { Command } from 'commander';
import type { z } from 'zod';
import type { MergeResultRecord, ReviewRecord } from '../transports/rest/records.ts';
import { toQueryString } from './api.ts';
import { addSubjectOptions, parseCount, subjectParameters, type SubjectOptions } from './options.ts';
import { readPages } from './pages.ts';
import type { RunCommand } from './command-session.ts';
import { formatTable } from './table.ts';

type Review = z.output<typeof ReviewRecord>;

/** Pairs of entities that may be one: a person decides. */
export function addReviewCommands(program: Command, run: RunCommand): void {
  const reviews = program
    .command('reviews')
    .description('decide whether two entities are the same: list, confirm and reject');
  addSubjectOptions(reviews.command('list'))
    .description('list pairs that wait for a decision, newest first')
    .option('--limit <count>', 'how many at most', parseCount, 20)
    .action(({ limit, ...about }: SubjectOptions & { limit: number }) =>
      run(async ({ agent, tell }) => {
        const page = await readPages<Review>(
          agent,
          `/v1/review-queue${toQueryString(subjectParameters(about))}`,
          limit,
        );
        const rows = page.data.map(({ review_id: review, score, left, right }) => ({
          review,
          score,
          one: left.entity.name,
          other: right.entity.name,
          kind: left.entity.kind,
        }));
        tell(page, () => formatTable(rows, 'Nothing waits for a decision.'));
      }),
    );
  reviews
    .command('confirm <review-id>')
    .description('say that they are the same, and merge them; this can be undone')
    .action((id: string) =>
      run(async ({ agent, tell }) => {
        const merged = await agent.send<z.output<typeof MergeResultRecord>>('POST', `${pathOf(id)}/confirm`);
        tell(
          merged,
          () => `${merged.entity.name} (${merged.entity.entity_id}) is one now, by ${merged.merge.merge_id}`,
        );
      }),
    );
  reviews
    .command('reject <review-id>')
    .description('say that they are two; they are not asked about again')
    .action((id: string) =>
      run(async ({ agent, tell }) => {
        const review = await agent.send<Review>('POST', `${pathOf(id)}/reject`);
        tell(review, () => `${review.left.entity.name} and ${review.right.entity.name} stay two`);
      }),
    );
}

const pathOf = (id: string) => `/v1/review-queue/${encodeURIComponent(id)}`;

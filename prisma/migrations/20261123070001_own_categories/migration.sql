-- A category that a configuration has of its own is its owner's word: sealed, and found by its keyed hash. A row whose
-- category is one of those that extraction knows has neither.
ALTER TABLE "memory" ADD COLUMN "own_category" BYTEA, ADD COLUMN "own_category_key" BYTEA;

-- What stands in clear is sealed by a worker, which has the keys; once processes of the release before, which write more
-- of it, have been replaced.
INSERT INTO "job" ("id", "queue", "i", "payload", "run_at")
SELECT gen_random_uuid(), 'seal-clear-text', i, '{}', now() + interval '10 minutes' FROM (
  SELECT DISTINCT i FROM "memory" WHERE "category" NOT IN (
    'identity', 'relations', 'work', 'places', 'possessions', 'health', 'plans', 'habits', 'likes', 'dislikes',
    'instruction', 'other')
) AS instances;

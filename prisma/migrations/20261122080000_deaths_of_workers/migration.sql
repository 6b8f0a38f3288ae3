-- How many workers ended while they had the job, without a word: a try that failed, or waits for a store, is none.
ALTER TABLE "job" ADD COLUMN "deaths" INTEGER NOT NULL DEFAULT 0;

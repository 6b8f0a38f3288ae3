-- Jobs are taken in turn by instance: its oldest job, how many it has leased, and those at which a worker died.
DROP INDEX "job_queue_run_at_idx";
CREATE INDEX "job_queue_i_run_at_idx" ON "job"("queue", "i", "run_at");
CREATE INDEX "job_queue_locked_until_idx" ON "job"("queue", "locked_until");
CREATE INDEX "job_queue_deaths_idx" ON "job"("queue", "deaths");

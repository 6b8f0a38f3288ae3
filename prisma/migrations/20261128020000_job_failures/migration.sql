-- The tries of a job that failed of themselves, by which it is given up: `attempt` also counts those that a stop or an
-- outage ended.
ALTER TABLE job ADD COLUMN failures integer NOT NULL DEFAULT 0;

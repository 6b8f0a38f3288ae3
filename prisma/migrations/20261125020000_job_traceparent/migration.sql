-- The trace of what asked for a job, by W3C's Trace Context, for the worker to continue it. Null where nothing is traced.
ALTER TABLE job ADD COLUMN traceparent text;

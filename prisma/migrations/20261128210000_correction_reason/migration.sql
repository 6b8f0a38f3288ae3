-- Why a memory was corrected last, sealed. It stands in the row of the memory, and so goes with it.
ALTER TABLE "memory" ADD COLUMN "correction_reason" BYTEA;

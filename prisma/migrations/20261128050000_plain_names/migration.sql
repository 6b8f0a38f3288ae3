-- By the field's words: leases of subscriptions, blocking keys of names, crashes of workers, and columns named as their fields.
ALTER TABLE "interest" RENAME TO "subscription_lease";
ALTER TABLE "subscription_lease" RENAME CONSTRAINT "interest_pkey" TO "subscription_lease_pkey";
ALTER TABLE "subscription_lease" RENAME CONSTRAINT "interest_process_id_fkey" TO "subscription_lease_process_id_fkey";
ALTER INDEX "interest_process_id_idx" RENAME TO "subscription_lease_process_id_idx";

ALTER TABLE "entity_block" RENAME TO "entity_blocking_key";
ALTER TABLE "entity_blocking_key" RENAME COLUMN "block" TO "key";
ALTER TABLE "entity_blocking_key" RENAME CONSTRAINT "entity_block_pkey" TO "entity_blocking_key_pkey";
ALTER INDEX "entity_block_i_entity_id_idx" RENAME TO "entity_blocking_key_i_entity_id_idx";

ALTER TABLE "job" RENAME COLUMN "deaths" TO "worker_crashes";
ALTER INDEX "job_queue_deaths_idx" RENAME TO "job_queue_worker_crashes_idx";

ALTER TABLE "document" RENAME COLUMN "claimed_id" TO "reserved_external_id";
ALTER INDEX "document_i_claimed_id_key" RENAME TO "document_i_reserved_external_id_key";

ALTER TABLE "turn_anticipation" RENAME COLUMN "heard_at" TO "received_at";
ALTER INDEX "turn_anticipation_heard_at_idx" RENAME TO "turn_anticipation_received_at_idx";

ALTER TABLE "storage_peak" RENAME COLUMN "held" TO "last_sample";
ALTER TABLE "conversation" RENAME COLUMN "remembered" TO "ingested_message_count";

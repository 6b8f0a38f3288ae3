-- By the words of the service: a context that was prefetched for a conversation, and the options of its last fetch.
ALTER TABLE "ready_answer" RENAME TO "prefetched_context";
ALTER TABLE "prefetched_context" RENAME COLUMN "asked_key" TO "query_key";
ALTER TABLE "prefetched_context" RENAME CONSTRAINT "ready_answer_pkey" TO "prefetched_context_pkey";
ALTER TABLE "prefetched_context" RENAME CONSTRAINT "ready_answer_i_conversation_id_fkey" TO "prefetched_context_i_conversation_id_fkey";
ALTER INDEX "ready_answer_expires_at_idx" RENAME TO "prefetched_context_expires_at_idx";

ALTER TABLE "conversation_manner" RENAME TO "conversation_fetch_options";
ALTER TABLE "conversation_fetch_options" RENAME COLUMN "manner" TO "options";
ALTER TABLE "conversation_fetch_options" RENAME COLUMN "asked_at" TO "fetched_at";
ALTER TABLE "conversation_fetch_options" RENAME CONSTRAINT "conversation_manner_pkey" TO "conversation_fetch_options_pkey";
ALTER TABLE "conversation_fetch_options" RENAME CONSTRAINT "conversation_manner_i_conversation_id_fkey" TO "conversation_fetch_options_i_conversation_id_fkey";
ALTER INDEX "conversation_manner_asked_at_idx" RENAME TO "conversation_fetch_options_fetched_at_idx";

-- Sealed under its former name.
DELETE FROM "prefetched_context";

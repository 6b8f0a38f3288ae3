-- By the field's words: the scope of an owner, the version of a content, vectors that may be stale, learned associations.
ALTER TABLE "owner" RENAME COLUMN "level" TO "scope";
ALTER INDEX "owner_i_level_user_id_customer_id_key" RENAME TO "owner_i_scope_user_id_customer_id_key";
ALTER INDEX "owner_i_customer_id_level_user_id_idx" RENAME TO "owner_i_customer_id_scope_user_id_idx";

ALTER TABLE "memory" RENAME COLUMN "edition" TO "content_version";

ALTER TABLE "vector_mark" RENAME TO "stale_vector";
ALTER TABLE "stale_vector" RENAME CONSTRAINT "vector_mark_pkey" TO "stale_vector_pkey";
ALTER INDEX "vector_mark_due_at_idx" RENAME TO "stale_vector_due_at_idx";

ALTER TABLE "transition" RENAME TO "learned_association";
ALTER TABLE "learned_association" RENAME CONSTRAINT "transition_pkey" TO "learned_association_pkey";
ALTER TABLE "learned_association" RENAME CONSTRAINT "transition_i_memory_id_fkey" TO "learned_association_i_memory_id_fkey";
ALTER TABLE "learned_association" RENAME CONSTRAINT "transition_i_owner_no_fkey" TO "learned_association_i_owner_no_fkey";
ALTER INDEX "transition_i_memory_id_idx" RENAME TO "learned_association_i_memory_id_idx";
ALTER INDEX "transition_used_last_at_idx" RENAME TO "learned_association_used_last_at_idx";

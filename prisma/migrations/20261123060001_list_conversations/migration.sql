-- An instance lists its conversations, all of them, or those of a state where there may be few among many, or a user's.
CREATE INDEX "conversation_i_created_at_id_idx" ON "conversation"("i", "created_at", "id");
CREATE INDEX "conversation_i_ended_at_idx" ON "conversation"("i", "ended_at");
CREATE INDEX "conversation_i_owner_no_created_at_id_idx" ON "conversation"("i", "owner_no", "created_at", "id");
DROP INDEX "conversation_i_owner_no_idx";

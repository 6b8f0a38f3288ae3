-- An instance lists its customers, each with its users. With the level: without it, the look-up of one owner takes this
-- index too, and filters what it finds.
CREATE INDEX "owner_i_customer_id_level_user_id_idx" ON "owner"("i", "customer_id", "level", "user_id");

-- It lists its conversations, all of them, or those of a state where there may be few among many; and documents and
-- conversations of a user, newest first.
CREATE INDEX "conversation_i_created_at_id_idx" ON "conversation"("i", "created_at", "id");
CREATE INDEX "conversation_i_ended_at_idx" ON "conversation"("i", "ended_at");
CREATE INDEX "conversation_i_owner_no_created_at_id_idx" ON "conversation"("i", "owner_no", "created_at", "id");
DROP INDEX "conversation_i_owner_no_idx";
CREATE INDEX "document_i_owner_no_id_idx" ON "document"("i", "owner_no", "id");
DROP INDEX "document_i_owner_no_idx";

-- And a client lists its instances.
CREATE INDEX "instance_client_id_created_at_i_idx" ON "instance"("client_id", "created_at", "i");
DROP INDEX "instance_client_id_idx";

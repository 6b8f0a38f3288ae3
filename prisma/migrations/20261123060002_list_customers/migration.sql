-- An instance lists its customers, each with its users. With the level: without it, the look-up of one owner takes this
-- index too, and filters what it finds.
CREATE INDEX "owner_i_customer_id_level_user_id_idx" ON "owner"("i", "customer_id", "level", "user_id");

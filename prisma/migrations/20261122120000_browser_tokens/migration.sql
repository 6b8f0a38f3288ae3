-- Short-lived credentials of browsers, each bound to one owner and perhaps to one conversation.
CREATE TABLE "browser_token" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "key_id" UUID NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "conversation_id" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "browser_token_pkey" PRIMARY KEY ("i","id")
);

CREATE UNIQUE INDEX "browser_token_hash_key" ON "browser_token"("hash");
CREATE INDEX "browser_token_key_id_idx" ON "browser_token"("key_id");
CREATE INDEX "browser_token_i_owner_no_idx" ON "browser_token"("i", "owner_no");
CREATE INDEX "browser_token_expires_at_idx" ON "browser_token"("expires_at");

-- It dies with the key that made it, and with those it is bound to.
ALTER TABLE "browser_token" ADD CONSTRAINT "browser_token_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_key"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "browser_token" ADD CONSTRAINT "browser_token_i_owner_no_fkey" FOREIGN KEY ("i", "owner_no") REFERENCES "owner"("i", "owner_no") ON DELETE CASCADE ON UPDATE CASCADE;

-- What conversations were condensed to, by version.
CREATE TABLE "compaction" (
    "i" BIGINT NOT NULL,
    "conversation_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "strategy" TEXT NOT NULL,
    "target_tokens" INTEGER,
    "through_turn" INTEGER NOT NULL,
    "original_tokens" INTEGER NOT NULL,
    "compacted_tokens" INTEGER NOT NULL,
    "score" REAL NOT NULL,
    "extends_former" BOOLEAN NOT NULL,
    "memory_ids" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "compaction_pkey" PRIMARY KEY ("i","conversation_id","version")
);

CREATE INDEX "compaction_memory_ids_idx" ON "compaction" USING GIN ("memory_ids");

-- Whoever removes a conversation removes its compactions.
ALTER TABLE "compaction" ADD CONSTRAINT "compaction_i_conversation_id_fkey" FOREIGN KEY ("i", "conversation_id") REFERENCES "conversation"("i", "id") ON DELETE CASCADE ON UPDATE CASCADE;

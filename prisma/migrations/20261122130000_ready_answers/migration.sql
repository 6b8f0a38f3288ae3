-- What a conversation is likely to ask next, answered by one process and asked at another. Nothing is lost with it, so
-- it is not worth a log.
CREATE UNLOGGED TABLE "ready_answer" (
    "i" BIGINT NOT NULL,
    "conversation_id" UUID NOT NULL,
    "asked_key" BYTEA NOT NULL,
    "owner_nos" INTEGER[],
    "body" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ready_answer_pkey" PRIMARY KEY ("i","conversation_id","asked_key")
);

CREATE INDEX "ready_answer_expires_at_idx" ON "ready_answer"("expires_at");

-- How a conversation asked last, so that what is made ready is what it will ask for.
CREATE UNLOGGED TABLE "conversation_manner" (
    "i" BIGINT NOT NULL,
    "conversation_id" UUID NOT NULL,
    "manner" JSONB NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "conversation_manner_pkey" PRIMARY KEY ("i","conversation_id")
);

CREATE INDEX "conversation_manner_asked_at_idx" ON "conversation_manner"("asked_at");

-- Whoever removes a conversation removes both.
ALTER TABLE "ready_answer" ADD CONSTRAINT "ready_answer_i_conversation_id_fkey" FOREIGN KEY ("i", "conversation_id") REFERENCES "conversation"("i", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "conversation_manner" ADD CONSTRAINT "conversation_manner_i_conversation_id_fkey" FOREIGN KEY ("i", "conversation_id") REFERENCES "conversation"("i", "id") ON DELETE CASCADE ON UPDATE CASCADE;

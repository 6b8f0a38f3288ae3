-- Where a conversation stands: begun, ended, how much was said in it, and how much of that is remembered.
ALTER TABLE "conversation"
  ADD COLUMN "started_at" TIMESTAMPTZ(3),
  ADD COLUMN "ended_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_at" TIMESTAMPTZ(3),
  ADD COLUMN "message_count" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "remembered" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "due_at" TIMESTAMPTZ(3),
  ADD COLUMN "metadata" BYTEA;

CREATE INDEX "conversation_due_at_idx" ON "conversation"("due_at");

-- What was said in a conversation, in order.
CREATE TABLE "message" (
    "i" BIGINT NOT NULL,
    "conversation_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "said_at" TIMESTAMPTZ(3) NOT NULL,
    "origin" UUID,
    "document_id" UUID,
    "turn" INTEGER,
    "body" BYTEA NOT NULL,

    CONSTRAINT "message_pkey" PRIMARY KEY ("i","conversation_id","n")
);
CREATE INDEX "message_i_document_id_idx" ON "message"("i", "document_id");

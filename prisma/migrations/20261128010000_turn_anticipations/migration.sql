-- What streams pushed for each message of people that they heard: ids and numbers only. It goes with its message.
CREATE TABLE "turn_anticipation" (
    "i" BIGINT NOT NULL,
    "conversation_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "heard_at" TIMESTAMPTZ(3) NOT NULL,
    "memory_ids" UUID[],
    "lead_ms" INTEGER[],
    "used" BOOLEAN[],

    CONSTRAINT "turn_anticipation_pkey" PRIMARY KEY ("i","conversation_id","n")
);
CREATE INDEX "turn_anticipation_memory_ids_idx" ON "turn_anticipation" USING GIN ("memory_ids");
CREATE INDEX "turn_anticipation_heard_at_idx" ON "turn_anticipation"("heard_at");
ALTER TABLE "turn_anticipation" ADD CONSTRAINT "turn_anticipation_i_conversation_id_n_fkey"
    FOREIGN KEY ("i", "conversation_id", "n") REFERENCES "message"("i", "conversation_id", "n") ON DELETE CASCADE ON UPDATE CASCADE;

-- Memories that a later statement may have replaced, though not surely enough to supersede them.
CREATE TABLE "possible_supersession" (
    "i" BIGINT NOT NULL,
    "old_id" UUID NOT NULL,
    "new_id" UUID NOT NULL,
    "confidence" REAL NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "possible_supersession_pkey" PRIMARY KEY ("i","old_id","new_id")
);
CREATE INDEX "possible_supersession_i_new_id_idx" ON "possible_supersession"("i", "new_id");

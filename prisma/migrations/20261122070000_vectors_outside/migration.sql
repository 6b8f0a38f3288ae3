-- Vectors that live outside of this database follow it by marks; a receipt says which store has yet to follow.
CREATE TABLE "vector_mark" (
    "i" BIGINT NOT NULL,
    "memory_id" UUID NOT NULL,
    "mark" UUID NOT NULL,
    "is_unsure" BOOLEAN NOT NULL,
    "is_behind" BOOLEAN NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "vector_mark_pkey" PRIMARY KEY ("i","memory_id")
);

CREATE INDEX "vector_mark_due_at_idx" ON "vector_mark"("due_at");

ALTER TABLE "receipt" ADD COLUMN "is_pending" BOOLEAN NOT NULL DEFAULT false;

CREATE INDEX "receipt_i_is_pending_idx" ON "receipt"("i", "is_pending");

-- An archived memory shows none of its entities, and has them back when it is restored.
ALTER TABLE "mention" ADD COLUMN "is_archived" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "instance" ADD COLUMN "next_sweep_at" TIMESTAMPTZ(3) NOT NULL DEFAULT (now() + '01:00:00'::interval);

-- When each user last called; the empty user stands for every call.
CREATE TABLE "user_activity" (
    "i" BIGINT NOT NULL,
    "user_id" TEXT NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_activity_pkey" PRIMARY KEY ("i","user_id")
);

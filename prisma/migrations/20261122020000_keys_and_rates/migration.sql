-- Which master key wraps an instance's data key; empty: from before it was kept.
ALTER TABLE "instance" ADD COLUMN "master_key_id" TEXT NOT NULL DEFAULT '';

-- A rate of its own; null: the usual one.
ALTER TABLE "api_key" ADD COLUMN "requests_per_minute" INTEGER, ADD COLUMN "burst" INTEGER;

-- What is left of each key's rate, as the processes settle it. UNLOGGED: after a crash every key begins anew.
CREATE UNLOGGED TABLE "rate_limit" (
    "i" BIGINT NOT NULL,
    "key_id" UUID NOT NULL,
    "per_minute" INTEGER NOT NULL,
    "burst" INTEGER NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("i","key_id")
);

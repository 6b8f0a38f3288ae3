-- What processes measured within a minute, as they wrote it: a job adds it to the buckets and removes it here.
CREATE TABLE "operation_sample" (
    "i" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "operation" TEXT NOT NULL,
    "variant" TEXT NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,
    "errors" INTEGER NOT NULL,
    "items" INTEGER NOT NULL,
    "discarded" INTEGER NOT NULL,
    "superseded" INTEGER NOT NULL,
    "max_ms" DOUBLE PRECISION NOT NULL,
    "sketch" BYTEA,
    "label" BYTEA,

    CONSTRAINT "operation_sample_pkey" PRIMARY KEY ("i","id")
);

CREATE INDEX "operation_sample_id_idx" ON "operation_sample"("id");

-- The same by minute, hour and day.
CREATE TABLE "operation_bucket" (
    "i" BIGINT NOT NULL,
    "bucket" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "variant" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "items" BIGINT NOT NULL,
    "discarded" BIGINT NOT NULL,
    "superseded" BIGINT NOT NULL,
    "max_ms" DOUBLE PRECISION NOT NULL,
    "sketch" BYTEA,
    "label" BYTEA,

    CONSTRAINT "operation_bucket_pkey" PRIMARY KEY ("i","bucket","operation","start","variant")
);

CREATE INDEX "operation_bucket_bucket_start_idx" ON "operation_bucket"("bucket","start");

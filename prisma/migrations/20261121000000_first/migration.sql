-- CreateTable
CREATE TABLE "client" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'active',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "instance" (
    "i" BIGINT NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'active',
    "data_key" BYTEA NOT NULL,
    "active_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "instance_pkey" PRIMARY KEY ("i")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "i" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,
    "last4" TEXT NOT NULL,
    "label" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "admin_token" (
    "id" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "admin_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit" (
    "id" UUID NOT NULL,
    "i" BIGINT,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "before" BYTEA,
    "after" BYTEA,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency" (
    "actor" TEXT NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "status" INTEGER,
    "response" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_pkey" PRIMARY KEY ("actor","key_hash")
);

-- CreateTable
CREATE TABLE "configuration" (
    "i" BIGINT NOT NULL,
    "version" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "configuration_pkey" PRIMARY KEY ("i","version")
);

-- CreateTable
CREATE TABLE "owner" (
    "i" BIGINT NOT NULL,
    "owner_no" SERIAL NOT NULL,
    "level" TEXT NOT NULL,
    "customer_id" TEXT NOT NULL DEFAULT '',
    "user_id" TEXT NOT NULL DEFAULT '',
    "revision" BIGINT NOT NULL DEFAULT 0,
    "memory_count" INTEGER NOT NULL DEFAULT 0,
    "term_total" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "owner_pkey" PRIMARY KEY ("i","owner_no")
);

-- CreateTable
CREATE TABLE "job" (
    "id" UUID NOT NULL,
    "queue" TEXT NOT NULL,
    "i" BIGINT NOT NULL,
    "payload" JSONB NOT NULL,
    "run_at" TIMESTAMPTZ(3) NOT NULL,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),

    CONSTRAINT "job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "external_id" TEXT,
    "claimed_id" TEXT,
    "type" TEXT NOT NULL,
    "conversation_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "body" BYTEA NOT NULL,
    "metadata" BYTEA,

    CONSTRAINT "document_pkey" PRIMARY KEY ("i","id")
);

-- CreateTable
CREATE TABLE "ingestion" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "external_id" TEXT,
    "owner_no" INTEGER NOT NULL,
    "batch_id" UUID,
    "batch_index" INTEGER,
    "mode" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "configuration_version" INTEGER NOT NULL,
    "queued_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "memory_ids" UUID[],
    "discarded" INTEGER NOT NULL DEFAULT 0,
    "warnings" TEXT[],
    "error" TEXT,
    "checkpoint" BYTEA,

    CONSTRAINT "ingestion_pkey" PRIMARY KEY ("i","id")
);

-- CreateTable
CREATE TABLE "batch" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "total" INTEGER NOT NULL,
    "refused" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "batch_pkey" PRIMARY KEY ("i","id")
);

-- CreateTable
CREATE TABLE "conversation" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_pkey" PRIMARY KEY ("i","id")
);

-- CreateTable
CREATE TABLE "memory" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "confidence" REAL NOT NULL,
    "content_key" BYTEA NOT NULL,
    "attribute_key" BYTEA,
    "attribute_value" BYTEA,
    "attribute_only" BOOLEAN NOT NULL DEFAULT false,
    "event_start" TIMESTAMPTZ(3),
    "event_end" TIMESTAMPTZ(3),
    "event_precision" TEXT,
    "due_at" TIMESTAMPTZ(3),
    "valid_from" TIMESTAMPTZ(3) NOT NULL,
    "valid_until" TIMESTAMPTZ(3),
    "superseded_by" UUID,
    "superseded_reason" BYTEA,
    "document_id" UUID NOT NULL,
    "turn" INTEGER NOT NULL,
    "passage" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "speaker" BYTEA,
    "conversation_id" UUID,
    "ingestion_id" UUID NOT NULL,
    "configuration_version" INTEGER NOT NULL,
    "metadata" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memory_pkey" PRIMARY KEY ("i","id")
);

-- CreateTable
CREATE TABLE "memory_evidence" (
    "i" BIGINT NOT NULL,
    "memory_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "document_id" UUID NOT NULL,
    "turns" INTEGER[],
    "quote" BYTEA NOT NULL,
    "said_at" TIMESTAMPTZ(3) NOT NULL,
    "confidence" REAL NOT NULL,

    CONSTRAINT "memory_evidence_pkey" PRIMARY KEY ("i","memory_id","n")
);

-- CreateTable
CREATE TABLE "supersession_undone" (
    "i" BIGINT NOT NULL,
    "old_id" UUID NOT NULL,
    "new_id" UUID NOT NULL,
    "undone_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "supersession_undone_pkey" PRIMARY KEY ("i","old_id","new_id")
);

-- CreateTable
CREATE TABLE "memory_access" (
    "i" BIGINT NOT NULL,
    "memory_id" UUID NOT NULL,
    "count" INTEGER NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memory_access_pkey" PRIMARY KEY ("i","memory_id")
);

-- CreateTable
CREATE TABLE "memory_term" (
    "i" BIGINT NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "term" BIGINT NOT NULL,
    "memory_id" UUID NOT NULL,
    "tf" SMALLINT NOT NULL,
    "len" SMALLINT NOT NULL,

    CONSTRAINT "memory_term_pkey" PRIMARY KEY ("i","owner_no","term","memory_id")
);

-- CreateTable
CREATE TABLE "vector_space" (
    "i" BIGINT NOT NULL,
    "serving" TEXT NOT NULL,
    "building" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "switched_at" TIMESTAMPTZ(3),

    CONSTRAINT "vector_space_pkey" PRIMARY KEY ("i")
);

-- CreateTable
CREATE TABLE "entity" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "customer_id" TEXT NOT NULL DEFAULT '',
    "name" BYTEA NOT NULL,
    "name_key" BYTEA NOT NULL,
    "variant" INTEGER NOT NULL DEFAULT 0,
    "root_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "entity_pkey" PRIMARY KEY ("i","id")
);

-- CreateTable
CREATE TABLE "entity_block" (
    "i" BIGINT NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "block" BYTEA NOT NULL,
    "entity_id" UUID NOT NULL,

    CONSTRAINT "entity_block_pkey" PRIMARY KEY ("i","owner_no","block","entity_id")
);

-- CreateTable
CREATE TABLE "mention" (
    "i" BIGINT NOT NULL,
    "memory_id" UUID NOT NULL,
    "entity_id" UUID NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" BYTEA NOT NULL,

    CONSTRAINT "mention_pkey" PRIMARY KEY ("i","memory_id","entity_id")
);

-- CreateTable
CREATE TABLE "entity_merge" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "source_id" UUID NOT NULL,
    "target_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "score" REAL,
    "features" BYTEA NOT NULL,
    "evidence" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "undone_at" TIMESTAMPTZ(3),

    CONSTRAINT "entity_merge_pkey" PRIMARY KEY ("i","id")
);

-- CreateTable
CREATE TABLE "entity_review" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "owner_no" INTEGER NOT NULL,
    "left_id" UUID NOT NULL,
    "right_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "score" REAL,
    "features" BYTEA NOT NULL,
    "evidence" UUID[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "entity_review_pkey" PRIMARY KEY ("i","id")
);

-- CreateTable
CREATE TABLE "receipt" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "body" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "receipt_pkey" PRIMARY KEY ("i","id")
);

-- CreateTable
CREATE TABLE "usage" (
    "i" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "metric" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "usage_pkey" PRIMARY KEY ("i","day","metric")
);

-- CreateTable
CREATE TABLE "storage_peak" (
    "i" BIGINT NOT NULL,
    "month" DATE NOT NULL,
    "memories" INTEGER NOT NULL,

    CONSTRAINT "storage_peak_pkey" PRIMARY KEY ("i","month")
);

-- CreateIndex
CREATE INDEX "instance_client_id_idx" ON "instance"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "api_key_i_idx" ON "api_key"("i");

-- CreateIndex
CREATE UNIQUE INDEX "admin_token_hash_key" ON "admin_token"("hash");

-- CreateIndex
CREATE INDEX "audit_i_at_idx" ON "audit"("i", "at");

-- CreateIndex
CREATE INDEX "idempotency_expires_at_idx" ON "idempotency"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "owner_i_level_customer_id_user_id_key" ON "owner"("i", "level", "customer_id", "user_id");

-- CreateIndex
CREATE INDEX "job_queue_run_at_idx" ON "job"("queue", "run_at");

-- CreateIndex
CREATE INDEX "document_i_owner_no_idx" ON "document"("i", "owner_no");

-- CreateIndex
CREATE INDEX "document_i_external_id_idx" ON "document"("i", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "document_i_claimed_id_key" ON "document"("i", "claimed_id");

-- CreateIndex
CREATE INDEX "ingestion_i_document_id_idx" ON "ingestion"("i", "document_id");

-- CreateIndex
CREATE INDEX "ingestion_i_batch_id_idx" ON "ingestion"("i", "batch_id");

-- CreateIndex
CREATE INDEX "conversation_i_owner_no_idx" ON "conversation"("i", "owner_no");

-- CreateIndex
CREATE INDEX "memory_i_owner_no_content_key_idx" ON "memory"("i", "owner_no", "content_key");

-- CreateIndex
CREATE INDEX "memory_i_owner_no_attribute_key_idx" ON "memory"("i", "owner_no", "attribute_key");

-- CreateIndex
CREATE INDEX "memory_i_owner_no_due_at_idx" ON "memory"("i", "owner_no", "due_at");

-- CreateIndex
CREATE INDEX "memory_i_owner_no_created_at_id_idx" ON "memory"("i", "owner_no", "created_at", "id");

-- CreateIndex
CREATE INDEX "memory_i_created_at_id_idx" ON "memory"("i", "created_at", "id");

-- CreateIndex
CREATE INDEX "memory_i_document_id_turn_idx" ON "memory"("i", "document_id", "turn");

-- CreateIndex
CREATE INDEX "memory_evidence_i_document_id_idx" ON "memory_evidence"("i", "document_id");

-- CreateIndex
CREATE INDEX "supersession_undone_i_new_id_idx" ON "supersession_undone"("i", "new_id");

-- CreateIndex
CREATE INDEX "memory_term_i_memory_id_idx" ON "memory_term"("i", "memory_id");

-- CreateIndex
CREATE INDEX "entity_i_name_key_idx" ON "entity"("i", "name_key");

-- CreateIndex
CREATE INDEX "entity_i_root_id_idx" ON "entity"("i", "root_id");

-- CreateIndex
CREATE INDEX "entity_i_created_at_id_idx" ON "entity"("i", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "entity_i_owner_no_name_key_variant_key" ON "entity"("i", "owner_no", "name_key", "variant");

-- CreateIndex
CREATE INDEX "entity_block_i_entity_id_idx" ON "entity_block"("i", "entity_id");

-- CreateIndex
CREATE INDEX "mention_i_entity_id_owner_no_idx" ON "mention"("i", "entity_id", "owner_no");

-- CreateIndex
CREATE INDEX "entity_merge_i_source_id_idx" ON "entity_merge"("i", "source_id");

-- CreateIndex
CREATE INDEX "entity_merge_i_target_id_idx" ON "entity_merge"("i", "target_id");

-- CreateIndex
CREATE INDEX "entity_review_i_right_id_idx" ON "entity_review"("i", "right_id");

-- CreateIndex
CREATE INDEX "entity_review_i_status_created_at_id_idx" ON "entity_review"("i", "status", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "entity_review_i_left_id_right_id_key" ON "entity_review"("i", "left_id", "right_id");

-- AddForeignKey
ALTER TABLE "instance" ADD CONSTRAINT "instance_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE RESTRICT ON UPDATE CASCADE;



-- Which events an active webhook of the instance subscribes to: read with each credential.
ALTER TABLE "instance" ADD COLUMN "event_types" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- Events from before there were webhooks: nobody subscribed to them.
DELETE FROM "event";
-- Whom an event is about: forgetting them takes it along.
ALTER TABLE "event" ADD COLUMN "owner_no" INTEGER;
CREATE INDEX "event_i_owner_no_idx" ON "event"("i", "owner_no");
CREATE INDEX "event_created_at_idx" ON "event"("created_at");

CREATE TABLE "webhook" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "url" BYTEA NOT NULL,
    "description" BYTEA,
    "event_types" TEXT[],
    "secret" BYTEA NOT NULL,
    "former_secret" BYTEA,
    "former_secret_until" TIMESTAMPTZ(3),
    "state" TEXT NOT NULL,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("i","id")
);

-- One event for one webhook, with what came of sending it.
CREATE TABLE "webhook_delivery" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "attempts" JSONB NOT NULL DEFAULT '[]',
    "due_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("i","id")
);

CREATE INDEX "webhook_delivery_due_at_idx" ON "webhook_delivery"("due_at");
CREATE INDEX "webhook_delivery_i_webhook_id_due_at_idx" ON "webhook_delivery"("i", "webhook_id", "due_at");
CREATE INDEX "webhook_delivery_i_webhook_id_created_at_id_idx" ON "webhook_delivery"("i", "webhook_id", "created_at", "id");
CREATE INDEX "webhook_delivery_i_event_id_idx" ON "webhook_delivery"("i", "event_id");

ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_i_webhook_id_fkey" FOREIGN KEY ("i", "webhook_id") REFERENCES "webhook"("i", "id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_i_event_id_fkey" FOREIGN KEY ("i", "event_id") REFERENCES "event"("i", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The way of a configuration into force: what it was made from, what it replaced, and each step with its actor.
ALTER TABLE "configuration"
  ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "based_on" INTEGER,
  ADD COLUMN "restores" INTEGER,
  ADD COLUMN "replaced" INTEGER,
  ADD COLUMN "explanation" BYTEA;

CREATE TABLE "configuration_step" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "step" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "comment" BYTEA,

    CONSTRAINT "configuration_step_pkey" PRIMARY KEY ("i","id")
);
CREATE INDEX "configuration_step_i_version_idx" ON "configuration_step"("i", "version");

-- What happened that others may want to hear of; written in the transaction of its cause.
CREATE TABLE "event" (
    "i" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("i","id")
);

-- A new client's way from a use-case file to an instance that answers.
CREATE TABLE "onboarding" (
    "id" UUID NOT NULL,
    "i" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "version" INTEGER,
    "use_case" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "onboarding_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "onboarding_i_idx" ON "onboarding"("i");

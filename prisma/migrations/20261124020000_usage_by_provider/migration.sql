-- How far each process has written what it counted: a batch is added once, however often it is sent.
CREATE TABLE "metering_writer" (
    "id" UUID NOT NULL,
    "batch" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "metering_writer_pkey" PRIMARY KEY ("id")
);

-- Tokens by who charges for them, and what for.
CREATE TABLE "token_usage" (
    "i" BIGINT NOT NULL,
    "day" DATE NOT NULL,
    "provider" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "tokens_in" BIGINT NOT NULL,
    "tokens_out" BIGINT NOT NULL,

    CONSTRAINT "token_usage_pkey" PRIMARY KEY ("i","day","provider","purpose")
);

-- Until now nobody noted the provider, and of the purpose only whether vectors were made.
INSERT INTO "token_usage" ("i", "day", "provider", "purpose", "tokens_in", "tokens_out")
SELECT "i", "day", 'unknown', CASE WHEN "metric" = 'embedding_tokens' THEN 'indexing' ELSE 'extraction' END,
    coalesce(sum("count") FILTER (WHERE "metric" <> 'llm_tokens_out'), 0),
    coalesce(sum("count") FILTER (WHERE "metric" = 'llm_tokens_out'), 0)
FROM "usage" WHERE "metric" IN ('llm_tokens_in', 'llm_tokens_out', 'embedding_tokens')
GROUP BY 1, 2, 3, 4;
DELETE FROM "usage" WHERE "metric" IN ('llm_tokens_in', 'llm_tokens_out', 'embedding_tokens');

-- What an instance held when it was looked at last: a client's peak is that of the sum.
ALTER TABLE "storage_peak" ADD COLUMN "held" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "client_storage_peak" (
    "client_id" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "memories" INTEGER NOT NULL,

    CONSTRAINT "client_storage_peak_pkey" PRIMARY KEY ("client_id","month")
);

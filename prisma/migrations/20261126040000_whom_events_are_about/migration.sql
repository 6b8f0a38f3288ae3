-- An event is about those it names, also where nothing was ever remembered of them: there is no owner then.
ALTER TABLE "event" ADD COLUMN "user_id" TEXT NOT NULL DEFAULT '';
ALTER TABLE "event" ADD COLUMN "customer_id" TEXT NOT NULL DEFAULT '';
UPDATE "event" SET "user_id" = o."user_id", "customer_id" = o."customer_id"
FROM "owner" o WHERE o."i" = "event"."i" AND o."owner_no" = "event"."owner_no";

DROP INDEX "event_i_owner_no_idx";
ALTER TABLE "event" DROP COLUMN "owner_no";
CREATE INDEX "event_i_user_id_idx" ON "event"("i", "user_id");
CREATE INDEX "event_i_customer_id_idx" ON "event"("i", "customer_id");

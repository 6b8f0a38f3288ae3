-- Columns named as the fields of the API that show them.
ALTER TABLE "configuration" RENAME COLUMN "based_on" TO "base_version";
ALTER TABLE "configuration" RENAME COLUMN "restores" TO "restored_version";
ALTER TABLE "configuration" RENAME COLUMN "replaced" TO "previous_active_version";

ALTER TABLE "compaction" RENAME COLUMN "extends_former" TO "extends_previous";
ALTER TABLE "webhook" RENAME COLUMN "former_secret" TO "previous_secret";
ALTER TABLE "webhook" RENAME COLUMN "former_secret_until" TO "previous_secret_expires_at";

-- Columns named as the fields of the API that show them.
ALTER TABLE "configuration" RENAME COLUMN "based_on" TO "base_version";
ALTER TABLE "configuration" RENAME COLUMN "restores" TO "restored_version";
ALTER TABLE "configuration" RENAME COLUMN "replaced" TO "previous_active_version";

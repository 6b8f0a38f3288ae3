-- A statement may also deny a value, end it, or give one of several; and what was to happen is replaced only until then.
ALTER TABLE "memory" ADD COLUMN "attribute_sense" TEXT;
ALTER TABLE "memory" ADD COLUMN "attribute_until" TIMESTAMPTZ(3);

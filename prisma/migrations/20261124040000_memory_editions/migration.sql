-- How often the text of a memory was corrected: whoever was shown it in other words is told that those hold no more.
ALTER TABLE "memory" ADD COLUMN "edition" INTEGER NOT NULL DEFAULT 0;

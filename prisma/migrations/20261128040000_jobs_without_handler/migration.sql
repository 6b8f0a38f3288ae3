-- Jobs that sealed the categories of an earlier checkout: nothing has run them for long, and no figure counts them.
DELETE FROM "job" WHERE "queue" = 'seal-clear-text';

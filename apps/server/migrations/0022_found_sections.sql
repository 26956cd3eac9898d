-- Answers quote sections of files. No figure is computed without a model any more: those that were
-- stored are removed, and their column stays for servers of the version before.
ALTER TABLE history ADD COLUMN found jsonb NOT NULL DEFAULT '[]';
UPDATE history SET computed = NULL WHERE computed IS NOT NULL;

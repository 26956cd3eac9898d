-- Answers quote sections of files, and no figure is computed without a model any more.
ALTER TABLE history
  ADD COLUMN found jsonb NOT NULL DEFAULT '[]',
  DROP COLUMN computed;

-- The tables of each file as typed records, and what an invoice, a payslip or the like says of itself
-- under labels as a table of one row: a file read before has none until it is read again.
CREATE TABLE artifact_tables (
  artifact_id uuid NOT NULL REFERENCES artifacts ON DELETE CASCADE,
  -- 0, 1, 2 … in the order of the file.
  ordinal integer NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  -- Whether its row is what the file says of itself.
  fields boolean NOT NULL,
  -- A hash that the tables of all files have in common whose rows are of one kind; null where it is alone.
  shape text,
  -- [{"name", "type", "unit"}]
  columns jsonb NOT NULL,
  -- [{"cells", "start", "end", "location", "quote"}]
  rows jsonb NOT NULL,
  -- Characters of its JSON, roughly.
  size integer NOT NULL,
  PRIMARY KEY (artifact_id, ordinal)
);
CREATE INDEX artifact_tables_user ON artifact_tables (user_id);

-- Nothing reads or writes the parties of a document any more. The column stays, with a default, for
-- servers of the version before.
ALTER TABLE artifact_facts ALTER COLUMN parties SET DEFAULT '[]';

-- contract: nothing reads or writes what a document says it replaces.
ALTER TABLE artifact_facts DROP COLUMN replaces;

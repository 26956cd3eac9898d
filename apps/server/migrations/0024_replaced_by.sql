-- The artifact that replaces this one, which is deleted once that is ready. The column `replaces` says
-- the same from the other side and stays for servers of the version before.
ALTER TABLE artifacts ADD COLUMN replaced_by uuid REFERENCES artifacts ON DELETE SET NULL;

UPDATE artifacts old SET replaced_by = new.id FROM artifacts new WHERE new.replaces = old.id;

CREATE INDEX artifacts_replaced_by ON artifacts (replaced_by) WHERE replaced_by IS NOT NULL;

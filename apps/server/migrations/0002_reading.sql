ALTER TABLE artifacts
  ADD COLUMN duration_ms integer,
  ADD COLUMN thumbnail boolean NOT NULL DEFAULT false;

-- Where the words recognised in a picture stand on it, for each page and each member of an archive.
CREATE TABLE artifact_words (
  artifact_id uuid NOT NULL REFERENCES artifacts ON DELETE CASCADE,
  -- Empty for a file that is no archive.
  path text NOT NULL DEFAULT '',
  page integer NOT NULL,
  words jsonb NOT NULL,
  PRIMARY KEY (artifact_id, path, page)
);

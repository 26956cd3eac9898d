-- The files that a question was limited to, as its keywords are kept; none for all files.
ALTER TABLE history ADD COLUMN chosen_files uuid[] NOT NULL DEFAULT '{}';

-- Another number after every change of a person's files: the key of whatever is remembered of them.
CREATE TABLE library_versions (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  version bigint NOT NULL
);

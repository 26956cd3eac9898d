-- Token buckets that all servers share. What a crash of the database takes away refills by itself.
CREATE UNLOGGED TABLE rate_limits (
  -- The limit's name, and a hash of whom it counts for.
  bucket text PRIMARY KEY,
  -- When it has all its tokens again.
  full_at timestamptz NOT NULL,
  -- Tokens that the last call took.
  granted integer NOT NULL
) WITH (fillfactor = 50);

-- Links in sign-in mails. Each works once, like the code that is mailed with it.
CREATE TABLE sign_in_links (
  -- HMAC of the address and the link's key.
  link_hash text PRIMARY KEY,
  email text NOT NULL,
  code_hash text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_links_email ON sign_in_links (email, expires_at);
CREATE INDEX sign_in_links_age ON sign_in_links (expires_at);

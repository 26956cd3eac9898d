-- The address that a web page was saved from. Saving the page again replaces the file.
ALTER TABLE artifacts ADD COLUMN web_address text;

CREATE INDEX artifacts_web_address ON artifacts (user_id, web_address) WHERE web_address IS NOT NULL;

-- The talk that a question belongs to, by the id of its first question; and who wrote the answer.
ALTER TABLE history
  ADD COLUMN thread uuid,
  -- 'files' where the answer quotes them, else the model's name; null where that was not noted.
  ADD COLUMN written_by text;

WITH RECURSIVE talk AS (
  SELECT id, id AS thread FROM history WHERE follows IS NULL
  UNION ALL
  SELECT entry.id, talk.thread FROM history AS entry JOIN talk ON entry.follows = talk.id
)
UPDATE history SET thread = talk.thread FROM talk WHERE history.id = talk.id;

ALTER TABLE history ALTER COLUMN thread SET NOT NULL;
CREATE INDEX history_threads ON history (user_id, thread, created_at);

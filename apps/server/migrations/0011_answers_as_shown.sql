-- What an answer is shown with beside its text. Answers given before have neither.
ALTER TABLE history
  -- The passages nearest to a question that the files do not answer, shaped as citations are.
  ADD COLUMN nearest jsonb NOT NULL DEFAULT '[]',
  -- The figure that the answer rests on: {"operation", "value", "rows"}.
  ADD COLUMN computed jsonb;

-- Finds the entries that an import brings again, by owner, date and question.
CREATE INDEX history_twins ON history (user_id, created_at, md5(question));

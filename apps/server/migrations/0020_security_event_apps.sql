-- The name of the connected app or device that an event is about.
ALTER TABLE security_events ADD COLUMN app text;

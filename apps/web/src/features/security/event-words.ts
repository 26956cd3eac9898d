import type { SecurityEventKind } from '@engram/contract';

interface EventWords {
  text: string;
  /** What deserves a second look, or is beyond doing anything about. */
  tone?: 'warning';
}

/** What each event is called on the page. */
export const eventWords: Record<SecurityEventKind, EventWords> = {
  sign_in: { text: 'Signed in' },
  sign_in_failed: { text: 'Somebody tried to sign in and failed', tone: 'warning' },
  locked_out: {
    text: 'Too many wrong codes: unknown browsers are kept out for a while',
    tone: 'warning',
  },
  confirmed: { text: 'Confirmed with a fresh code' },
  confirm_failed: { text: 'A fresh code was entered wrongly', tone: 'warning' },
  session_ended: { text: 'Session ended' },
  session_copied: {
    text: 'A session was used from a copy, and was ended',
    tone: 'warning',
  },
  key_made: { text: 'API key made' },
  key_revoked: { text: 'API key revoked' },
  app_connected: { text: 'App or device connected' },
  app_ended: { text: 'Connection of an app or device ended' },
  export_link_made: { text: 'Link to the export made' },
  export_started: { text: 'Export downloaded' },
  deletion_asked: { text: 'Deletion of the account asked for', tone: 'warning' },
  deletion_done: { text: 'Account deleted' },
};

import { NotConfirmed } from '../session/fresh-code.ts';
import { Notice } from './notice.tsx';
import { adviceFor, messageOf } from './notify.ts';

interface FailureNoteProps {
  /** What failed, as a sentence. */
  title: string;
  /** Why it failed. */
  error: unknown;
  /** What to do now, where more can be said than of any such error. */
  advice?: string;
}

/** Something that was tried has failed, said where it was tried. */
export function FailureNote({ title, error, advice = adviceFor(error) }: FailureNoteProps) {
  // Whoever did not go on knows that nothing was done.
  if (error instanceof NotConfirmed) return null;
  return (
    <Notice tone="danger" mt={16} live="alert">
      <strong>{title}</strong> {messageOf(error)} <span>{advice}</span>
    </Notice>
  );
}

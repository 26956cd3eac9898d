import { ApiError } from '@engram/client';
import { messageOf } from '../../components/notify.ts';

export interface Failure {
  title: string;
  /** Why, and what to do. */
  text: string;
  /** Whether asking the same again can help. */
  retry: boolean;
}

/** What went wrong with a question, for the person who asked it. */
export function describeFailure(error: unknown, online: boolean): Failure {
  if (!online) {
    return {
      title: 'You are offline',
      text: 'Your question is kept; ask again when you are back.',
      retry: true,
    };
  }
  if (error instanceof ApiError) {
    if (error.status === 402) {
      return { title: 'Your plan does not allow this question', text: error.message, retry: false };
    }
    if (error.status === 429) {
      return { title: 'Too many questions at once', text: messageOf(error), retry: true };
    }
    if (error.status >= 500) {
      return {
        title: 'The question could not be answered',
        text: `${error.message} Your question is still here: try again in a moment.`,
        retry: true,
      };
    }
    return { title: 'The question was not accepted', text: error.message, retry: false };
  }
  return { title: 'The question could not be sent', text: messageOf(error), retry: true };
}

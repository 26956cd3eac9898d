/** What a way of hearing tells; nothing after one of the last three. */
export interface HearingEvents {
  /** The microphone is open. */
  onListening: () => void;
  /** What was said so far. */
  onInterim: (text: string) => void;
  /** The microphone is closed, and what was said is being written down. */
  onWriting: () => void;
  /** What was said, which is never empty. */
  onHeard: (text: string) => void;
  /** An error's name in the Web Speech API, or one of our own. */
  onProblem: (code: string) => void;
  onFailure: (error: unknown) => void;
}

/** A way of hearing that is under way. */
export interface Hearing {
  /** Closes the microphone and takes what was said. */
  finish: () => void;
  /** Closes the microphone; nothing is told any more. */
  cancel: () => void;
}

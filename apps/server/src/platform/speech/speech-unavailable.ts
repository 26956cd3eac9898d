/** There is no sound of a text; `message` is a sentence for a person, `cause` is for the log. */
export class SpeechUnavailable extends Error {
  override readonly name = 'SpeechUnavailable';
  /** Seconds after which it is worth another try; null where nobody knows. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

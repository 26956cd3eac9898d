/** What a pool asks of its child, which does one task after the other. */
export interface ChildRequest<Request> {
  id: number;
  request: Request;
}

/** Aborts the signal of a task that is running or queued. */
export interface ChildStop {
  stop: number;
}

/** Why a task failed in its child, in a form that crosses between processes. */
export interface ChildFailure {
  /** The error's class, such as ExtractionError. */
  name: string;
  code: string | null;
  message: string;
}

/** What a child answers. A long result comes in parts, so that no message stops the server. */
export type ChildMessage<Part, Result> =
  | { kind: 'ready' }
  | { kind: 'part'; id: number; part: Part }
  | { kind: 'done'; id: number; result: Result }
  | { kind: 'failed'; id: number; failure: ChildFailure };

/** A task for a child, which runs them one by one. */
export interface ChildRequest<Request> {
  id: number;
  request: Request;
}

/** Aborts the signal of a task that is running or queued. */
export interface ChildStop {
  stop: number;
}

/** The error of a task, in a form that can be sent between processes. */
export interface ChildFailure {
  /** The name of the error's class. */
  name: string;
  code: string | null;
  message: string;
}

/** A message of a child. A long result is sent in parts, so that no message blocks the server. */
export type ChildMessage<Part, Result> =
  | { kind: 'ready' }
  | { kind: 'part'; id: number; part: Part }
  | { kind: 'done'; id: number; result: Result }
  | { kind: 'failed'; id: number; failure: ChildFailure };
